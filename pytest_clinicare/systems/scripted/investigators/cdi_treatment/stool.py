"""Infection, colonisation, and other causes of diarrhea (ASC-14 section 3)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pytest_clinicare.systems.scripted.clinical.administration import is_given
from pytest_clinicare.systems.scripted.clinical.notes import Sentence, asserted, sentences
from pytest_clinicare.systems.scripted.clinical.times import iso, parse_time
from pytest_clinicare.systems.scripted.investigators.cdi_treatment.chart import HOUR, Chart
from pytest_clinicare.systems.scripted.session import Row, refs

_NUMBERS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
}
_COUNT = re.compile(
    rf"(\d+|{'|'.join(_NUMBERS)})(?: or more)? (?:\w+,? ){{0,2}}"
    r"(?:watery|loose|liquid|unformed|bowel movements|episodes|stools)",
    re.IGNORECASE,
)
_DIARRHEA = re.compile(
    r"diarrh\w+|watery|(?:loose|liquid|unformed),? (?:\w+ )?(?:stools?|bowel)|stools turned liquid", re.I
)
_FORMED = re.compile(r"\bformed stool|stools? (?:was|were) formed|(?:no|without) diarrh", re.IGNORECASE)
_ILEUS = re.compile(r"\bileus\b|megacolon", re.IGNORECASE)
_LAXATIVE = re.compile(
    r"lactulose|polyethylene glycol|miralax|bisacodyl|senna|docusate|magnesium citrate|golytely|moviprep|sorbitol", re.I
)
_SKIP = frozenset(
    {
        "past medical history",
        "pmh",
        "allergies",
        "social history",
        "family history",
        "discharge instructions",
        "facility",
    }
)


@dataclass(frozen=True)
class Stool:
    """``status`` is symptomatic, colonised or unknown; ``told`` the passage, ``evidence`` where it stands."""

    status: str
    told: str
    evidence: tuple[str, ...]


@dataclass(frozen=True)
class Ileus:
    what: str
    evidence: tuple[str, ...]


def pattern(chart: Chart) -> Stool:
    """The discharge summary prevails; ileus or megacolon on imaging counts whatever the stool."""
    seen = ileus(chart, 48)
    if seen:
        return Stool("symptomatic", seen.what, seen.evidence)
    formed: tuple[Sentence, str] | None = None
    for note in chart.mine:
        for sentence in sentences(note.text, _SKIP):
            ref = note.span(sentence.start, sentence.end)
            if _FORMED.search(sentence.text):
                formed = formed or (sentence, ref)
            elif (asserted(_DIARRHEA, sentence.text) and _frequent(sentence.text)) or asserted(_ILEUS, sentence.text):
                return Stool("symptomatic", sentence.text, (ref,))
    if formed:
        return Stool("colonised", formed[0].text, (formed[1],))
    return Stool("unknown", "nothing on stool or abdomen", tuple(n.ref for n in chart.mine))


def _frequent(text: str) -> bool:
    """Three or more where the sentence counts; diarrhea without a count suffices."""
    found = _COUNT.search(text)
    if not found:
        return True
    word = found.group(1).lower()
    return int(_NUMBERS.get(word, 0) or (word if word.isdigit() else 0)) >= 3


def ileus(chart: Chart, hours: float) -> Ileus | None:
    """Ileus or megacolon asserted by a report within ``hours`` of collection."""
    assert chart.index is not None
    for note in chart.radiology.items:
        time = parse_time(note.charttime)
        if time is None or abs(time - chart.index.collected) > hours * HOUR:
            continue
        for sentence in sentences(note.text):
            if "//" not in sentence.text and asserted(_ILEUS, sentence.text):
                return Ileus(f"report of {note.charttime}: {sentence.text}", (note.span(sentence.start, sentence.end),))
    return None


def other_cause(chart: Chart) -> tuple[str, tuple[str, ...]] | None:
    """A laxative whose first given dose lies within 48 h before collection."""
    assert chart.index is not None
    first: dict[str, Row] = {}
    for row in chart.administrations.rows:
        found = _LAXATIVE.search(str(row.get("drug") or ""))
        time = parse_time(row.get("charttime"))
        if found and time and is_given(row.get("event_txt")) and time <= chart.index.collected:
            first.setdefault(found.group(0).lower(), row)
    for name, row in first.items():
        began = parse_time(row["charttime"])
        if began and chart.index.collected - began <= 48 * HOUR:
            return f"{name} begun {iso(began)}, within 48 h before collection", refs([row])
    return None
