"""The lists of QA-011 3: always planned (P1, P2), potentially planned (P3), acute or complication (P4); exclusions."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Codes without dots, matched from their beginning; per version.
_P1 = {
    10: re.compile(r"302[3-6][03][AGTXY]|0TY[01]|0FY[0G]|02YA|0BY|0DYE"),
    9: re.compile(r"410|5569|505|3751|335|528"),
}
_P2 = {10: re.compile(r"Z510|Z5111|Z5112"), 9: re.compile(r"V580|V5811|V5812|V57")}
_P3 = {
    "coronary bypass": (r"021[0-3]", r"361"),
    "percutaneous coronary intervention": (r"027[0-3]", r"360|0066"),
    "heart valve procedure": (r"02[QRSUVW][FGHJ]", r"35[12]"),
    "pacemaker or defibrillator": (r"0JH6|0JPT|0JWT|02H[467KLN]", r"37[78]|3794|3795|3796|3797|3798"),
    "endarterectomy of head and neck vessels": (r"03C[G-V]", r"3812"),
    "aortic resection": (r"0[24][BR][0WX]", r"38[34]4"),
    "peripheral vascular bypass": (r"041", r"3925|3929"),
    "lobectomy or pneumonectomy": (r"0BT[CDFGHJKLM]", r"324|325"),
    "gastrectomy": (r"0D[BT]6", r"43[5-9]"),
    "colorectal resection": (r"0D[BT][EFGHKLMNP]", r"457|458|173|48[456]"),
    "cholecystectomy": (r"0F[BT]4", r"512[1-4]"),
    "hernia repair": (r"0WUF|0WQF|0Y[QU][5-8]", r"530|531|532|533|534|535|536|537"),
    "nephrectomy": (r"0T[BT][01]", r"554|555"),
    "prostatectomy": (r"0V[BT]0", r"602|603|604|605|606"),
    "hysterectomy": (r"0UT9", r"68[3-9]"),
    "hip or knee arthroplasty": (r"0S[RW][9ABCDERSTUVW]", r"815[1-5]"),
    "spinal fusion": (r"0[RS]G", r"810"),
    "laminectomy": (r"00N[WXY]", r"030"),
    "amputation of the lower extremity": (r"0Y6", r"841"),
    "thyroidectomy": (r"0GT[GHK]|0GB[GH]", r"06[2-5]"),
    "mastectomy or lumpectomy": (r"0H[BT][T-V]", r"85[2-4]"),
    "skin graft": (r"0HR[0-9A-N]", r"866"),
}
_P4 = {
    "septicemia": (r"A4[01]", r"038|9959[12]"),
    "pneumonia": (r"J1[2-8]", r"48[0-6]"),
    "acute myocardial infarction": (r"I2[12]", r"410"),
    "acute cerebrovascular disease": (r"I6[0-3]", r"43[012]|43[34].1"),
    "heart failure, not purely chronic": (r"I50(?!22|32|42)", r"428(?!22|32|42)"),
    "acute respiratory failure": (r"J96[02]", r"5188[14]"),
    "COPD with exacerbation or infection": (r"J44[01]", r"4912[12]"),
    "gastrointestinal bleeding": (r"K92[012]", r"578"),
    "acute kidney failure": (r"N17", r"584"),
    "fluid and electrolyte disorder": (r"E8[67]", r"276"),
    "urinary tract infection": (r"N390|N10", r"5990|5901"),
    "intestinal obstruction or appendicitis": (r"K56|K35", r"560|540"),
    "acute pancreatitis or cholecystitis": (r"K85|K810|K800", r"5770|5750|5740"),
    "skin and soft tissue infection": (r"L03", r"68[12]"),
    "hip fracture": (r"S72[0-2]", r"820"),
    "complication of device, implant or graft": (r"T8[2-5]", r"996"),
    "complication of surgical or medical care": (r"T81", r"99[78]"),
}
_PSYCHIATRIC = {10: re.compile(r"F[2-3]\d|F4[0-8]|F6\d"), 9: re.compile(r"29[5-9]|30[0-2]|30[6-9]")}
_REHABILITATION = {10: re.compile(r"$^"), 9: re.compile(r"V57")}
_CANCER = {
    10: re.compile(r"C[0-8]\d|C9[0-6]|Z5111|Z5112"),
    9: re.compile(r"1[4-9]\d|20[0-8]|V5811|V5812"),
}
# Operations: something is cut, taken out, replaced, moved or repaired, not only looked at, tapped or infused.
_OPERATION = {
    10: re.compile(r"0[0-9A-Z][BTRQSUYNGFV15][0-9A-Z]{2}(?!X)"),
    9: re.compile(r"0[1-9]|[1-7]\d|8[0-6]"),
}
_MINOR_9 = re.compile(r"38[89]|549|03[134]|131|134|451|452")


@dataclass(frozen=True)
class Code:
    """A code without its dot, and its version."""

    value: str
    version: int


def _named(table: dict[str, tuple[str, str]], code: Code) -> str | None:
    at = 0 if code.version == 10 else 1
    return next((name for name, patterns in table.items() if re.match(f"(?:{patterns[at]})", code.value)), None)


def always_planned_procedure(code: Code) -> bool:
    """P1."""
    return _P1[code.version].match(code.value) is not None


def always_planned_diagnosis(code: Code) -> bool:
    """P2, of the first-listed code."""
    return _P2[code.version].match(code.value) is not None


def potentially_planned(code: Code) -> str | None:
    """Category of P3."""
    return _named(_P3, code)


def acute(code: Code) -> str | None:
    """Condition of P4, of the first-listed code."""
    return _named(_P4, code)


def excluded_diagnosis(code: Code, procedures: list[Code]) -> str | None:
    """Why QA-011 2.1 excludes an index with this first-listed code."""
    if _PSYCHIATRIC[code.version].match(code.value):
        return "the first-listed diagnosis is psychiatric"
    if _REHABILITATION[code.version].match(code.value):
        return "the stay is for rehabilitation"
    if _CANCER[code.version].match(code.value) and not any(operation(p) for p in procedures):
        return "the stay is medical treatment of cancer"
    return None


def operation(code: Code) -> bool:
    """Whether a procedure is an operation."""
    minor = code.version == 9 and _MINOR_9.match(code.value) is not None
    return _OPERATION[code.version].match(code.value) is not None and not minor
