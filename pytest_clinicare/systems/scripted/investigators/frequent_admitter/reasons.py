"""Why an episode began and to which condition family that belongs (CC-005 section 4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.clinical.notes import section, sentences
from pytest_clinicare.systems.scripted.session import Note, Row

_CAUSE = re.compile(
    r"reason for (?:the )?admission|cause of (?:the|this) admission|\badmitted (?:for|with|because of|on account of)|"
    r"admission was (?:for|due to|caused by)|hospitalized for|"
    r"led to (?:the|this) admission|accounted for the admission",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\bversus\b|\bvs\b|\bpossibl[ey]\b|may have contributed|\bor\b.{0,40}\bnot told apart", re.IGNORECASE
)
_SKIP = frozenset(
    {
        *("allergies", "past medical history", "social history", "family history", "physical exam"),
        *("pertinent results", "medications on admission", "discharge medications", "discharge instructions"),
        *("followup instructions", "discharge condition", "discharge diagnosis", "discharge disposition"),
    }
)
_DIALYSIS = r"dialysis|end-stage renal|\bESRD\b"
FAMILIES: tuple[tuple[str, str], ...] = (
    ("RENAL-DIALYSIS", rf"(?=.*(?:{_DIALYSIS})).*(?:overload|hyperkal|catheter|access|fistula|graft)"),
    ("HF", r"heart failure|cardiogenic (?:pulmonary )?edema|cardiorenal|\bCHF\b"),
    ("COPD-ASTHMA", r"\bCOPD\b|chronic obstructive|asthma|hypercapnic"),
    (
        "LIVER",
        r"ascites|hepatic encephalopathy|varice\w*|bacterial peritonitis|\bSBP\b|hepatorenal|alcoholic hepatitis",
    ),
    ("ALCOHOL", r"alcohol (?:withdrawal|intoxication)|alcoholic (?:ketoacidosis|gastritis)|alcohol-related seizure"),
    ("DIABETES", r"ketoacidosis|hyperosmolar|hypoglycemia|gastroparesis"),
    ("SICKLE", r"vaso-?occlusive|acute chest syndrome|sickle"),
    ("CANCER", r"neutropeni\w*|(?:after|from) chemotherapy|malignan\w+|lymphoma|metasta\w+|cancer"),
    ("PANCREAS", r"pancreatitis|pseudocyst"),
    ("CORONARY", r"acute coronary|myocardial infarction|angina|\b[N]?STEMI\b"),
    ("INFECTION urinary", r"pyelonephritis|urinary tract infection|urosepsis"),
    ("INFECTION soft tissue", r"cellulitis"),
    ("INFECTION line", r"line infection|central line"),
    ("INFECTION lung by aspiration", r"aspiration pneumonia"),
    ("IBD", r"crohn|ulcerative colitis"),
    ("NEURO-SEIZURE", r"seizure"),
    ("PSYCH", r"depressi\w+|psychosis|bipolar|schizo\w+|overdose"),
)
_OWN: tuple[tuple[str, str], ...] = (
    ("chest pain", r"chest (?:pain|discomfort)"),
    ("hip fracture", r"fracture|broken hip"),
    ("pneumonia", r"pneumonia"),
    ("influenza", r"influenza"),
    ("gout", r"gout"),
    ("diverticular bleeding", r"divertic\w+"),
    ("dehydration", r"dehydration"),
)
_CODES: tuple[tuple[str, str], ...] = (
    ("HF", r"I50|I110|428"),
    ("COPD-ASTHMA", r"J44[01]|J45\d*1$|4912"),
    ("LIVER", r"K72|K7031|K7011|I850|K652|K767"),
    ("ALCOHOL", r"F10"),
    ("CANCER", r"D701|C\d\d"),
    ("PANCREAS", r"K8[56]"),
    ("CORONARY", r"I2[0-4]"),
)


@dataclass(frozen=True)
class Reason:
    """``status`` is placed, open or unknown; ``families`` has one name when placed, those named when open."""

    status: str
    told: str
    families: tuple[str, ...]
    evidence: tuple[str, ...]
    source: str


def reason_of(notes: list[Note], codes: list[Row], admission: Row) -> Reason:
    """The summary's cause of admission, else its primary diagnosis; without a summary the first-listed code."""
    for note in notes:
        told = _told(note)
        if told:
            text, span = told
            if _OPEN.search(text):
                return Reason("open", text, tuple(_named(text)), (span,), "summary")
            return Reason("placed", text, (family(text),), (span,), "summary")
    first = next((r for r in codes if int(r.get("seq_num") or 0) == 1), None)
    if first is not None and not notes:
        code = code_of(first)
        named = next((name for name, pattern in _CODES if re.match(pattern, code)), f"code {code[:3]}")
        return Reason("placed", f"first-listed code {code}", (named,), (str(first["ref"]),), "code")
    return Reason("unknown", "no summary and no first-listed code", (), (str(admission["ref"]),), "none")


def family(text: str) -> str:
    """The condition family of a reason; one of its own where it is in none."""
    named = next(_named(text), None)
    if named:
        return named
    own = next((name for name, pattern in _OWN if re.search(pattern, text, re.IGNORECASE)), None)
    return f"own: {own or ' '.join(re.findall(r'[a-z]+', text.lower()))}"


def _named(text: str) -> Iterator[str]:
    return (name for name, pattern in FAMILIES if re.search(pattern, text, re.IGNORECASE | re.DOTALL))


def _told(note: Note) -> tuple[str, str] | None:
    for sentence in sentences(note.text, _SKIP):
        if _CAUSE.search(sentence.text) and "outside hospital" not in sentence.text.lower():
            return sentence.text, note.span(sentence.start, sentence.end)
    found = section(note.text, "discharge diagnosis", "discharge diagnoses")
    if found is None or found.masked:
        return None
    lines = [line.strip() for line in found.text.splitlines() if line.strip() and "DIAGNOS" not in line.upper()]
    if not lines:
        return None
    start = found.start + found.text.index(lines[0])
    return lines[0], note.span(start, start + len(lines[0]))
