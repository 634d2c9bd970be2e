"""The bleed of HEM-03 3 and 4: its site, whether that is critical, and when it was recognised."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pytest_clinicare.systems.scripted.clinical.notes import asserted, find_asserted, sentences
from pytest_clinicare.systems.scripted.clinical.radiology import own_body
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.session import Note

# Critical sites of the pathway, section 2.2, as reports name them.
_CRITICAL = (
    (
        "intracranial",
        r"subdural|epidural|extradural|subarachnoid|intra-?parenchymal h\w+|intracerebral|intracranial (?:h|bleed)|"
        r"intraventricular h|cerebellar h",
    ),
    ("other central nervous system", r"intraocular|vitreous h|intraspinal|spinal (?:epidural|subdural)"),
    ("pericardial", r"(?:cardiac|pericardial) tamponade|hemopericardium|haemopericardium"),
    ("haemothorax", r"h(?:a)?emothorax"),
    ("airway", r"posterior epistaxis|airway h(?:a)?ematoma"),
    ("retroperitoneal", r"retroperitoneal (?:h|bleed)|(?:ilio)?psoas h(?:a)?em"),
    ("intra-abdominal", r"h(?:a)?emoperitoneum|splenic h(?:a)?ematoma|hepatic h(?:a)?ematoma"),
    ("extremity", r"intramuscular h(?:a)?ematoma|h(?:a)?emarthrosis"),
)
_OPEN = re.compile(r"\bpossible|\bversus\b|\bvs\b|cannot (?:be )?exclude|questionable|\bmay represent", re.IGNORECASE)
_NONE = re.compile(
    r"\bno\b[^.]*(?:h(?:a)?emorrhage|h(?:a)?ematoma|bleed)|resolved artifact|was artifact", re.IGNORECASE
)
_GI = re.compile(
    r"melena|melaena|h(?:a)?ematemesis|h(?:a)?ematochezia|black (?:tarry )?stools?|gastrointestinal bleed\w*|"
    r"\bGI bleed\w*|bright red blood per rectum",
    re.IGNORECASE,
)
_NOSE = re.compile(r"(?:anterior )?epistaxis|nosebleed", re.IGNORECASE)
_SKIP = frozenset({"past medical history", "pmh", "family history", "social history", "allergies"})


@dataclass(frozen=True)
class Bleed:
    """``kind`` is the site in words; ``open`` an equivocal report that no later study settles."""

    kind: str
    critical: bool
    open: bool
    time: datetime | None
    source: str
    told: str
    ref: str


def find_bleed(reports: Sequence[Note], summaries: Sequence[Note], arrival: datetime | None) -> Bleed | None:
    """By imaging, else as seen clinically; None where the admission has neither."""
    ordered = sorted(reports, key=lambda note: note.charttime)
    for number, note in enumerate(ordered):
        found = _named(note)
        if found is None:
            continue
        kind, sentence, doubtful, span = found
        time = parse_time(note.charttime)
        later = ordered[number + 1 :]
        if doubtful:
            if any((other := _named(n)) is not None and not other[2] for n in later):
                return Bleed(kind, True, False, time, "radiology report", sentence, span)
            if any(_NONE.search(own_body(n.text)) for n in later):
                continue
        return Bleed(kind, True, doubtful, time, "radiology report", sentence, span)
    for pattern, kind in ((_GI, "gastrointestinal"), (_NOSE, "anterior nosebleed")):
        for note in summaries:
            said = find_asserted(pattern, note.text, skip=_SKIP)
            if said is not None:
                there = said.section in ("history of present illness", "chief complaint")
                text = " ".join(said.text.split())
                when = arrival if there else None
                return Bleed(kind, False, False, when, "ED arrival", text, note.span(said.start, said.end))
    return None


def _named(note: Note) -> tuple[str, str, bool, str] | None:
    """Site, sentence, whether it is doubtful, and where it stands; the impression is read last and prevails."""
    body = own_body(note.text)
    found = None
    for sentence in sentences(note.text):
        if sentence.text not in body and sentence.text.split("\n")[-1] not in body:
            continue
        for kind, words in _CRITICAL:
            pattern = re.compile(words, re.IGNORECASE)
            if not pattern.search(sentence.text) or "//" in sentence.text:
                continue
            doubtful = _OPEN.search(sentence.text) is not None
            if not doubtful and not asserted(pattern, sentence.text):
                continue
            text = " ".join(sentence.text.split())
            found = (kind, text, doubtful, note.span(sentence.start, sentence.end))
            break
    return found
