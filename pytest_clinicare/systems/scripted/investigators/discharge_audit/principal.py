"""C5: the first-listed code against the note and against measured evidence (HIM-007 4.5)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pytest_clinicare.systems.scripted.clinical.cultures import contaminants, cultures
from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.clinical.notes import Sentence, asserted, sentences
from pytest_clinicare.systems.scripted.investigators.discharge_audit.chart import Chart
from pytest_clinicare.systems.scripted.session import Row, refs

# Beginning of the code; the condition's name, synonyms, abbreviations and more specific forms.
_CONDITIONS = (
    ("J12 J13 J14 J15 J16 J18 486", r"pneumonia|\bPNA\b|\bCAP\b|\bHCAP\b"),
    ("A40 A41 R652 038 99591", r"\bsepsis\b|\bseptic\b|septic\w*emia|bacter[a]?emi\w*|blood-?stream infection"),
    ("K85 5770", r"pancreatitis"),
    ("I61 431", r"(?:intracerebral|intracranial|cerebral|brain|intraparenchymal) (?:hemorrhage|bleed\w*)|\bICH\b"),
    ("N10 5901", r"pyelonephritis"),
    ("N39 5990", r"urinary tract infection|\bUTI\b|urosepsis"),
    ("L03 682", r"cellulitis"),
    ("M71 7273", r"bursitis"),
    ("J44 491", r"\bCOPD\b|chronic obstructive|emphysema"),
    ("K04 522", r"(?:dental|periapical|tooth) abscess"),
    ("A46 035", r"erysipelas"),
    ("A09 009", r"gastroenteritis|enterocolitis|infectious (?:diarrhea|colitis)"),
    ("E11 250", r"diabet\w*"),
    ("M46 722", r"dis[ck]itis|osteomyelitis"),
    ("A69 0888", r"\blyme\b|borrelia"),
    ("K57 562", r"diverticulitis"),
    ("I50 428", r"heart failure|\bCHF\b|cardiomyopathy exacerbation"),
    ("I63 434", r"\bstroke\b|cerebral infarct\w*|\bCVA\b"),
)
_AFTER = re.compile(r"ruled out|was excluded|were excluded|not (?:felt|thought)|unlikely|\babsent\b", re.IGNORECASE)
_DIFFERENTIAL = re.compile(r"\bversus\b|\bvs\b\.?|\beither\b", re.IGNORECASE)
_SKIP = frozenset(
    {"past medical history", "pmh", "family history", "social history", "allergies", "medications on admission"}
)
_IMPRESSION = re.compile(r"IMPRESSION:\s*(.*)", re.IGNORECASE | re.DOTALL)
_LIPASE_TIMES = 3


@dataclass
class Principal:
    """``note`` is states, silent, excludes or unresolved; ``evidence`` are refs of results specific for it."""

    row: Row
    name: str
    note: str
    said: list[Sentence] = field(default_factory=list)
    evidence: list[str] = field(default_factory=list)
    looked: list[str] = field(default_factory=list)


def pattern_of(row: Row) -> re.Pattern[str]:
    """How a note names the coded condition."""
    code = code_of(row)
    for starts, words in _CONDITIONS:
        if code.startswith(tuple(starts.split())):
            return re.compile(words, re.IGNORECASE)
    plain = [w for w in re.findall(r"[a-z]{5,}", str(row.get("long_title") or "").lower()) if w not in _GENERAL]
    return re.compile("|".join(map(re.escape, plain[:2])) or r"(?!)", re.IGNORECASE)


_GENERAL = frozenset({"acute", "other", "unspecified", "chronic", "without", "right", "initial", "encounter"})


def principal(chart: Chart) -> Principal | None:
    """None where the admission has no code."""
    row = chart.principal
    if row is None:
        return None
    pattern = pattern_of(row)
    found = Principal(row, str(row.get("long_title") or row.get("icd_code")), "silent")
    if chart.note:
        found.said = [s for s in sentences(chart.note.text, _SKIP) if pattern.search(s.text)]
        kinds = {_reading(pattern, s.text) for s in found.said}
        found.note = next((k for k in ("states", "unresolved", "excludes") if k in kinds), "silent")
    _measure(chart, row, pattern, found)
    return found


def _reading(pattern: re.Pattern[str], text: str) -> str:
    if _DIFFERENTIAL.search(text):
        return "unresolved"
    match = pattern.search(text)
    if match and _AFTER.search(text[match.end() :].split(";")[0]):
        return "excludes"
    return "states" if asserted(pattern, text) else "excludes"


def _measure(chart: Chart, row: Row, pattern: re.Pattern[str], found: Principal) -> None:
    """A culture, a value beyond the threshold, or an impression that names it."""
    code = code_of(row)
    specimens = cultures(chart.microbiology.rows)
    if code.startswith(("A40", "A41", "038")):
        skin = contaminants(specimens)
        grown = [c for c in specimens if c.blood and c.isolates and c.specimen_id not in skin]
        found.evidence += [r for c in grown for r in refs(list(c.rows))]
        found.looked += [r for c in specimens for r in refs(list(c.rows))]
    if code.startswith("K85"):
        lipase = [r for r in chart.labs.rows if str(r.get("label")).lower() == "lipase"]
        found.looked += refs(lipase)
        found.evidence += refs([r for r in lipase if _beyond(r)])
    for note in chart.reports.items:
        found.looked.append(note.ref)
        match = _IMPRESSION.search(note.text)
        if match and asserted(pattern, match.group(1)):
            found.evidence.append(note.span(match.start(1), match.end(1)))


def _beyond(row: Row) -> bool:
    value, upper = row.get("valuenum"), row.get("ref_range_upper")
    return value is not None and upper is not None and float(value) >= _LIPASE_TIMES * float(upper)
