"""Kidney disease in codes and in words: CKD and its stage, end-stage disease, dialysis, transplant, acute injury."""

from __future__ import annotations

import re

from pytest_clinicare.systems.scripted.clinical.notes import (
    BACKGROUND,
    NEVER_PATIENT,
    Sentence,
    asserted,
    find_asserted,
    sentences,
)
from pytest_clinicare.systems.scripted.clinical.rows import Row

ESRD_CODES = frozenset({"N186", "Z992", "5856", "V4511"})
TRANSPLANT_CODES = frozenset({"Z940", "V420"})
DIALYSIS_PROCEDURE_CODES = frozenset({"3995", "5498", "5A1D70Z", "5A1D80Z", "5A1D90Z", "5A1D00Z", "5A1D60Z"})
TRANSPLANT_PROCEDURE_CODES = frozenset({"5569", "0TY00Z0", "0TY00Z1", "0TY10Z0", "0TY10Z1"})
# 224270 (dialysis catheter) is left out: a catheter is not dialysis.
DIALYSIS_ITEMS = frozenset({225441, 225802, 225803, 225809, 225955, 225805})

_STAGE = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5}
_CKD = r"(?:CKD|chronic (?:kidney|renal) (?:disease|insufficiency|failure))"
_STATED_STAGE = re.compile(
    rf"{_CKD},?\s*\(?(?:stage|st\.?|G)?\s*(?P<after>[1-5]|IV|V|I{{1,3}})(?:\s?[ab])?\b"
    rf"|\bstage\s+(?P<before>[1-5]|IV|V|I{{1,3}})(?:\s?[ab])?\s+{_CKD}",
    re.IGNORECASE,
)
_CKD_WORDS = re.compile(rf"\b{_CKD}\b", re.IGNORECASE)
_END_STAGE = re.compile(r"\bESRD\b|\bESKD\b|\bend[- ]stage (?:renal|kidney) (?:disease|failure)", re.IGNORECASE)
_MAINTENANCE = re.compile(
    r"\b(?:maintenance|chronic|outpatient|long-term|permanent|home|in-?center) (?:hemo|haemo|peritoneal )?dialysis"
    r"|\bdialysis[- ]dependent|\b(?:ESRD|ESKD) on (?:HD|PD|hemodialysis|dialysis)"
    r"|\b(?:hemodialysis|haemodialysis|dialysis|HD)\b[^.]{0,40}\b(?:three times (?:a|per) week|thrice weekly"
    r"|3x/week|MWF|TTS|TThS|"
    r"Tu/Th/Sa|M/W/F|T/Th/S)|\bon (?:hemo|haemo|peritoneal )?dialysis since",
    re.IGNORECASE,
)
_TRANSPLANT = re.compile(
    r"\b(?:kidney|renal)(?: allograft)? transplant(?:ation|ed)?\b|\b(?:DDRT|LRRT|LURT|DDKT|LDKT)\b", re.IGNORECASE
)
_TRANSPLANT_TALK = re.compile(
    r"transplant[\w ]{0,12}\b(?:list|candidate|evaluation|work-?up|referral|clinic|waiting)", re.IGNORECASE
)
_AKI = re.compile(
    r"\bAKI\b|\bacute (?:kidney|renal) (?:injury|failure|insufficiency)|\bacute tubular necrosis|\bATN\b|\bAoCKD\b",
    re.IGNORECASE,
)
_BEGUN = re.compile(
    r"\b(?:initiat\w+|start\w+|beg[au]n|commenc\w+)\b[^.]{0,50}\b(?:maintenance|chronic|outpatient|long-term)?[^.]{0,20}dialysis",
    re.IGNORECASE,
)


def code_of(row: Row) -> str:
    """ICD code without its dot, upper case."""
    return str(row.get("icd_code") or "").replace(".", "").strip().upper()


def codes_in(rows: list[Row], codes: frozenset[str]) -> list[Row]:
    return [row for row in rows if code_of(row) in codes]


def is_ckd_code(row: Row) -> bool:
    return code_of(row).startswith(("N18", "585"))


def coded_stage(row: Row) -> int | None:
    """CKD stage 1-5 of a code (N18.30-N18.32 are stage 3, end-stage is 5); N18.9 and 585.9 are no stage."""
    code = code_of(row)
    if code in ("N186", "5856"):
        return 5
    digit = code[3:4]
    return int(digit) if code.startswith(("N18", "585")) and digit in ("1", "2", "3", "4", "5") else None


def stated_stage(text: str) -> tuple[int, Sentence] | None:
    """Highest CKD stage that a note asserts, with its sentence."""
    found = [
        (_STAGE[(match["after"] or match["before"]).lower()], sentence)
        for sentence in sentences(text, NEVER_PATIENT)
        if (match := asserted(_STATED_STAGE, sentence.text))
    ]
    return max(found, key=lambda item: item[0], default=None)


def stated_ckd(text: str) -> Sentence | None:
    return find_asserted(_CKD_WORDS, text)


def stated_end_stage(text: str) -> Sentence | None:
    """End-stage disease or maintenance dialysis as a standing state."""
    return find_asserted(_END_STAGE, text) or stated_maintenance(text)


def stated_maintenance(text: str) -> Sentence | None:
    """Maintenance dialysis."""
    return find_asserted(_MAINTENANCE, text)


def stated_transplant(text: str) -> Sentence | None:
    """A kidney transplant that took place; candidacy, evaluation and waiting lists are not one."""
    for sentence in sentences(text, NEVER_PATIENT):
        if asserted(_TRANSPLANT, sentence.text) and not _TRANSPLANT_TALK.search(sentence.text):
            return sentence
    return None


def stated_start_of_dialysis(text: str) -> Sentence | None:
    """Dialysis begun in this admission, as the hospital course tells it."""
    return find_asserted(_BEGUN, text, history=False, skip=BACKGROUND)


def stated_aki(text: str) -> Sentence | None:
    """Acute kidney injury of this admission; history sections and earlier episodes do not count."""
    return find_asserted(_AKI, text, history=False, skip=BACKGROUND)


def is_dialysis_order(row: Row) -> bool:
    """Order type Hemodialysis, or a General Care order for dialysis; a D/C row is no order of its own."""
    kind, subtype = str(row.get("order_type") or "").lower(), str(row.get("order_subtype") or "").lower()
    return kind == "hemodialysis" or (kind == "general care" and "dialysis" in subtype)


def is_dialysis_delivery(row: Row) -> bool:
    """A dialysis treatment charted in the ICU or coded as a procedure."""
    item = row.get("itemid")
    return (item is not None and int(item) in DIALYSIS_ITEMS) or code_of(row) in DIALYSIS_PROCEDURE_CODES
