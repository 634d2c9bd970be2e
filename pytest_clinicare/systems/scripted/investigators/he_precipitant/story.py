"""What summary and reports tell: cirrhosis, HE, ascites, bleeding, bowels, lactulose, sedatives, a second cause."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pytest_clinicare.systems.scripted.clinical.administration import is_given
from pytest_clinicare.systems.scripted.clinical.notes import asserted, section, sentences
from pytest_clinicare.systems.scripted.clinical.radiology import own_body
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.investigators.he_precipitant.chart import Chart
from pytest_clinicare.systems.scripted.session import Note, refs

_NARRATIVE = frozenset(
    {"history of present illness", "brief hospital course", "hospital course", "addendum", "discharge diagnosis"}
)
_PAST = re.compile(
    r"last year|years? (?:ago|before|earlier)|months? (?:ago|before|earlier)|previous|\bprior\b|"
    r"(?:earlier|another|further|former) (?:bouts?|episodes?|stays?|admissions?)",
    re.IGNORECASE,
)
_CIRRHOSIS = re.compile(r"cirrho\w+", re.IGNORECASE)
_HE = re.compile(r"hepatic encephalopathy|\bHE\b|west haven", re.IGNORECASE)
_OVERT = re.compile(
    r"(?:grade|west haven)\D{0,3}(?:[2-4]\b|I{2,3}\b|IV\b)|asterixis|flap|disorient|overt", re.IGNORECASE
)
_ASCITES = re.compile(r"ascites|ascitic fluid", re.IGNORECASE)
_LITTLE = re.compile(r"\b(?:trace|minimal)\b", re.IGNORECASE)
_TAPPABLE = re.compile(r"amenable|(?:can|could) be tapped|tappable|sufficient for paracentesis", re.IGNORECASE)
_BLEED = re.compile(r"h(?:a)?ematemesis|melena|melaena|h(?:a)?ematochezia|vomit\w+ (?:of )?blood", re.IGNORECASE)
_SOURCE = re.compile(
    r"bleeding[^.]{0,25}(?:vari\w+|ulcer|tear)|(?:vari\w+|ulcer|tear)[^.]{0,40}(?:bleeding|banded)", re.I
)
_CONSTIPATED = re.compile(r"constipat\w+|obstipat\w+|no bowel movements?|no stools? for", re.IGNORECASE)
_MISSED = re.compile(
    r"(?:missed|missing|ran out of|run out of|skipp\w+|stopp?\w* taking|not taking|non-?adheren\w+)"
    r"[^.;]{0,25}lactulose|"
    r"lactulose[^.;]{0,20}(?:ran out|run out|missed|not taken|skipped)",
    re.IGNORECASE,
)
_TAKING = re.compile(
    r"(?:takes?|took|taking|taken|adheren\w+)[^.;]{0,20}lactulose|regular lactulose|"
    r"lactulose[^.;]{0,20}(?:as prescribed|faithfully|regularly)|watches over lactulose",
    re.IGNORECASE,
)
_STOOLS = re.compile(
    r"(?:two|three|four|\d)(?: (?:to|or) (?:three|four|\d))? stools (?:a day|daily)|stools numbered", re.I
)
_SEDATIVE = re.compile(
    r"lorazepam|zolpidem|diazepam|clonazepam|alprazolam|temazepam|oxycodone|hydromorphone|morphine|tramadol|"
    r"hydrocodone|quetiapine|trazodone|hydroxyzine|diphenhydramine|gabapentin",
    re.IGNORECASE,
)
_BLAMED = re.compile(
    r"attribut\w+|cause\w*|due to|precipitat\w+|trigger\w*|set off|blamed|because of|responsible", re.I
)
_SECOND = re.compile(
    r"subdural|intracranial h(?:a)?emorrhage|subarachnoid|overdose|toxic ingestion|status epilepticus", re.IGNORECASE
)
_INSEPARABLE = re.compile(
    r"(?:not|im)\s?(?:possible|able) to (?:distinguish|separate|tell)|unable to (?:distinguish|separate|tell)|"
    r"(?:could|can) ?not be (?:distinguished|separated|told apart)",
    re.IGNORECASE,
)

Said = tuple[str, str]
"""A statement and where it stands."""


@dataclass
class Story:
    """``soft`` are Tier 2 statements by candidate, ``against`` those that contradict them."""

    cirrhosis: list[Said] = field(default_factory=list)
    encephalopathy: list[Said] = field(default_factory=list)
    overt: bool = False
    ascites: list[Said] = field(default_factory=list)
    no_ascites: list[Said] = field(default_factory=list)
    bleeding: list[Said] = field(default_factory=list)
    source: list[Said] = field(default_factory=list)
    soft: dict[str, list[Said]] = field(default_factory=dict)
    against: dict[str, list[Said]] = field(default_factory=dict)
    adherence: list[Said] = field(default_factory=list)
    second: list[Said] = field(default_factory=list)
    inseparable: list[Said] = field(default_factory=list)
    earlier: list[Said] = field(default_factory=list)

    @property
    def affirmed(self) -> list[str]:
        """Tier 2 candidates that nothing contradicts."""
        return [name for name in self.soft if not self.against.get(name)]


def read(chart: Chart) -> Story:
    out = Story()
    for note in chart.mine:
        for text, said in _narrative(note):
            if _PAST.search(text):
                out.earlier.append(said)
                continue
            _premise(out, text, said)
            _bleed(out, text, said)
            _soft(chart, out, text, said)
            if asserted(_SECOND, text):
                out.second.append(said)
            if _INSEPARABLE.search(text):
                out.inseparable.append(said)
        past = section(note.text, "past medical history", "pmh")
        if past and (found := _PAST.search(past.text)):
            line = next(part for part in past.text.splitlines() if found.group(0) in part)
            start = past.start + past.text.index(line)
            out.earlier.append((line.strip(" -"), note.span(start, start + len(line))))
    _reports(chart, out)
    if asserted(_BLEED, chart.complaint) and chart.ed_stay and chart.ed_stay.get("triage_ref"):
        out.bleeding.append((chart.complaint, str(chart.ed_stay["triage_ref"])))
    treated = [
        r
        for r in chart.given.rows
        if re.search(r"lactulose|rifaximin", str(r.get("drug") or ""), re.IGNORECASE) and is_given(r.get("event_txt"))
    ]
    out.overt = out.overt or bool(out.encephalopathy and treated)
    return out


def _narrative(note: Note) -> Iterator[tuple[str, Said]]:
    for found in sentences(note.text):
        if found.section in _NARRATIVE:
            text = " ".join(found.text.split())
            yield text, (text, note.span(found.start, found.end))


def _premise(out: Story, text: str, said: Said) -> None:
    if asserted(_CIRRHOSIS, text):
        out.cirrhosis.append(said)
    if asserted(_HE, text):
        out.encephalopathy.append(said)
        out.overt = out.overt or bool(_OVERT.search(text))
    _fluid(out, text, said)


def _fluid(out: Story, text: str, said: Said) -> None:
    if not _ASCITES.search(text):
        return
    if asserted(_ASCITES, text):
        if not _LITTLE.search(text) or _TAPPABLE.search(text):
            out.ascites.append(said)
        else:
            out.no_ascites.append(said)
    else:
        out.no_ascites.append(said)


def _reports(chart: Chart, out: Story) -> None:
    for note in chart.radiology.items:
        body = own_body(note.text)
        for found in sentences(body):
            text = " ".join(found.text.split())
            start = note.text.find(found.text)
            said = (text, note.span(start, start + len(found.text)) if start >= 0 else note.ref)
            if asserted(_CIRRHOSIS, text):
                out.cirrhosis.append(said)
            _fluid(out, text, said)
            if asserted(_SECOND, text):
                out.second.append(said)


def _bleed(out: Story, text: str, said: Said) -> None:
    if asserted(_BLEED, text):
        out.bleeding.append(said)
    if asserted(_SOURCE, text):
        out.source.append(said)


def _soft(chart: Chart, out: Story, text: str, said: Said) -> None:
    """Constipation, missed lactulose, a sedative as the cause; and what speaks against the first two."""
    if asserted(_CONSTIPATED, text):
        out.soft.setdefault("constipation", []).append(said)
    if asserted(_MISSED, text):
        out.soft.setdefault("missed lactulose", []).append(said)
    elif asserted(_TAKING, text):
        out.adherence.append(said)
        out.against.setdefault("missed lactulose", []).append(said)
    if _STOOLS.search(text):
        out.adherence.append(said)
        out.against.setdefault("constipation", []).append(said)
    drug = asserted(_SEDATIVE, text)
    if drug and _BLAMED.search(text) and _exposed(chart, drug.group(0)):
        out.soft.setdefault("sedative", []).append(said)
    elif _SEDATIVE.search(text) and _BLAMED.search(text) and drug is None:
        out.against.setdefault("sedative", []).append(said)


def exposure(chart: Chart, drug: str) -> tuple[str, ...]:
    """Rows that show the drug at home, prescribed or given from 72 h before admission to arrival."""
    name = drug.lower()
    home = [r for r in chart.home.rows if name in str(r.get("name") or "").lower()]
    start, arrived = chart.window[0], parse_time(chart.admission.get("edregtime")) or chart.admitted
    before = [
        r
        for r, column in [
            *((r, "charttime") for r in chart.given.rows if is_given(r.get("event_txt"))),
            *((r, "starttime") for r in chart.prescriptions.rows),
        ]
        if name in str(r.get("drug") or "").lower() and (time := parse_time(r.get(column))) and start <= time <= arrived
    ]
    return refs([*home, *before])


def _exposed(chart: Chart, drug: str) -> bool:
    return bool(exposure(chart, drug))


def sedative_of(story: Story) -> str:
    """The drug that the summary blames."""
    for text, _ in story.soft.get("sedative", []):
        if found := _SEDATIVE.search(text):
            return found.group(0).lower()
    return ""
