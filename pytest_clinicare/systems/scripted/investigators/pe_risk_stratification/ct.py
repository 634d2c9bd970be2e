"""What CT reports say of embolism: acuity, level, strain of the right ventricle (TH-09 section 2, ESC 4.1)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from pytest_clinicare.systems.scripted.clinical.radiology import own_body, title_of
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.session import Note

_CT = re.compile(r"\bCTA?\b|\bcomputed tomograph", re.IGNORECASE)
_ADDENDUM = re.compile(r"addend", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.;])\s+|\n+")
_EMBOLUS = re.compile(r"embol(?:us|i|ism)\b|filling defect|\bthromb(?:us|i)\b|\bPE\b", re.IGNORECASE)
_NOT = re.compile(r"\b(?:no|not|without|negative for|absence of|ruled out|rather than)\b[^;]*$", re.IGNORECASE)
_CHRONIC = re.compile(r"\bchronic\b|\bwebs?\b|\bresolved\b", re.IGNORECASE)
_ACUTE = re.compile(r"\bacute\b", re.IGNORECASE)
_WITHDRAWN = re.compile(
    r"\bno (?:evidence of )?(?:acute )?pulmonary embol|\bartefact|\bartifact|withdrawn|negative for", re.IGNORECASE
)
_SINGLE = re.compile(r"\b(?:single|solitary|isolated|one) subsegmental", re.IGNORECASE)
_LEVELS = (
    ("saddle", re.compile(r"saddle", re.IGNORECASE)),
    ("main", re.compile(r"\bmain pulmonary", re.IGNORECASE)),
    ("lobar", re.compile(r"\b(?:inter)?lobar\b|lobe pulmonary artery", re.IGNORECASE)),
    ("segmental", re.compile(r"\bsegment(?:al|s)\b", re.IGNORECASE)),
    ("subsegmental", re.compile(r"subsegmental", re.IGNORECASE)),
)
_RATIO = re.compile(r"RV[/:]LV ratio (?:is |of )?(\d\.\d+|\d)", re.IGNORECASE)
_STRAIN = re.compile(
    r"right heart strain|septal flattening|flattening of the (?:interventricular )?septum|reflux into the hepatic"
    r"|right ventricle is enlarged|right ventricular (?:dilat|enlarg|dysfunction)",
    re.IGNORECASE,
)


@dataclass
class Report:
    """A CT report with its addenda; ``time`` is the examination time."""

    note: Note
    time: datetime
    addenda: list[Note] = field(default_factory=list)
    acute: bool = False
    retracted: bool = False
    chronic: bool = False
    level: str = "not stated"
    single: bool = False
    strain: str = "not reported"
    addendum: str = ""

    @property
    def evidence(self) -> tuple[str, ...]:
        return (self.note.ref, *(n.ref for n in self.addenda))

    @property
    def confirmed(self) -> bool:
        return self.acute and not self.retracted


def reports(notes: Sequence[Note]) -> list[Report]:
    """CT reports in order of time; an addendum filed apart joins the report of the same examination time."""
    found: list[Report] = []
    apart: list[tuple[datetime, Note]] = []
    for note in notes:
        title, time = title_of(note.text), parse_time(note.charttime)
        if time is None or not _CT.search(title):
            continue
        if _ADDENDUM.search(title):
            apart.append((time, note))
        else:
            found.append(Report(note, time))
    for time, note in apart:
        near = min(found, key=lambda r: abs(r.time - time), default=None)
        if near is not None:
            near.addenda.append(note)
    for report in found:
        _read(report)
    return sorted(found, key=lambda r: r.time)


def _read(report: Report) -> None:
    text = own_body(report.note.text)
    main, _, added = text.partition("ADDENDUM")
    extra = [added, *(own_body(n.text) for n in report.addenda)]
    report.addendum = " ".join(part.strip(" :\n") for part in extra if part.strip())
    positive = []
    for sentence in _SENTENCE.split(main):
        match = _EMBOLUS.search(sentence)
        if match is None or "deep v" in sentence.lower():
            continue
        if _CHRONIC.search(sentence) and "acute on chronic" not in sentence.lower():
            report.chronic = True
            if not any(not _NOT.search(sentence[: m.start()]) for m in _ACUTE.finditer(sentence)):
                continue
        if not _NOT.search(sentence[: match.start()]):
            positive.append(sentence)
    report.acute = bool(positive)
    said = " ".join(positive)
    report.level = next((name for name, words in _LEVELS if words.search(said)), "not stated")
    report.single = bool(_SINGLE.search(said)) and report.level == "subsegmental"
    report.retracted = bool(_WITHDRAWN.search(report.addendum))
    ratio = _RATIO.search(main)
    asserted = [m for m in _STRAIN.finditer(main) if not _denied(main, m)]
    if (ratio and float(ratio.group(1)) > 1.0) or asserted:
        report.strain = "present"
    elif ratio or _STRAIN.search(main):
        report.strain = "none"


def _denied(text: str, match: re.Match[str]) -> bool:
    before = re.split(r"[.;\n]", text[: match.start()])[-1]
    after = re.split(r"[.;\n]", text[match.end() :])[0]
    return bool(re.search(r"\b(?:no|without|not)\b", before, re.IGNORECASE) or "absent" in after.lower())
