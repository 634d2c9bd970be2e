"""What summary, triage and codes tell: agents, time of ingestion, intent, psychiatry (RH-TOX-01 2 and 7)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.clinical.notes import BACKGROUND, asserted, sentences
from pytest_clinicare.systems.scripted.investigators.overdose_disposition.chart import Chart
from pytest_clinicare.systems.scripted.session import Row, refs

_SKIP = BACKGROUND | {"medications on admission", "discharge medications", "discharge instructions", "physical exam"}
_INGESTION = re.compile(
    r"overdos\w*|ingest\w*|poison\w*|swallow\w*|took (?:pills|\d)|double dose|extra doses", re.IGNORECASE
)
_TOOK = re.compile(r"overdos\w*|ingest\w*|swallow\w*|\btook\b|\btaken\b|double dose|extra doses", re.IGNORECASE)
_DIRECTED = re.compile(r"as directed|as prescribed", re.IGNORECASE)
_LONG = re.compile(
    r"glipizide|glyburide|glimepiride|methadone|oxycontin|ms contin"
    r"|(?:verapamil|diltiazem|nifedipine|amlodipine|felodipine|metoprolol|propranolol|bupropion|venlafaxine|lithium"
    r"|oxycodone|morphine)[^.,]{0,12}(?:\bER\b|\bXL\b|\bXR\b|\bSR\b|\bCR\b|extended[- ]release)",
    re.IGNORECASE,
)
_DRUG = re.compile(
    r"acetaminophen|tylenol|quetiapine|clonazepam|lorazepam|alprazolam|diazepam|sertraline|citalopram|fluoxetine|"
    r"metoprolol|propranolol|bupropion|venlafaxine|lithium|diphenhydramine|methadone|verapamil|diltiazem|amlodipine|"
    r"glipizide|glyburide|ibuprofen|aspirin|trazodone|hydroxyzine|oxycodone|morphine|gabapentin|amitriptyline",
    re.IGNORECASE,
)
_NUMBER = r"(\d+(?:\.\d+)?)"
_RANGE = re.compile(rf"between {_NUMBER} and {_NUMBER} hours (?:before|prior to) arrival", re.IGNORECASE)
_KNOWN = re.compile(rf"{_NUMBER} hours? (?:before|prior to) arrival", re.IGNORECASE)
_SPREAD = re.compile(rf"over {_NUMBER} hours|staggered|over (?:several|two|three) days", re.IGNORECASE)
_HARM = re.compile(
    r"(?<!un)intentional\w*|suicid\w+|self-harm|end (?:my|his|her) life|\bSI\b|wish to die|kill (?:my|him|her)self",
    re.I,
)
_NOT_HARM = re.compile(
    r"accident\w*|unintentional|by mistake|denie[sd] (?:any )?suicid\w+|no suicid\w+|not (?:meant|intended)",
    re.IGNORECASE,
)
_EXPLAINED = re.compile(r"clarif\w+|retract\w+|withdr[ae]w|statement at triage|told triage", re.IGNORECASE)
_SEEN = re.compile(r"evaluat\w+|assess\w+|\bsaw\b|cleared", re.IGNORECASE)
_PSYCHIATRY = re.compile(r"psychiatr\w+", re.IGNORECASE)
_UNABLE = re.compile(r"unable|could not|not able|sedated|under sedation|no evaluation|not evaluated", re.IGNORECASE)
_ELSEWHERE = re.compile(r"years? ago|earlier (?:admission|stay)|previous|prior|last year", re.IGNORECASE)
_INPATIENT = re.compile(r"inpatient|psychiatric (?:admission|hospital|facility)", re.IGNORECASE)
_HOME = re.compile(r"\bhome\b|outpatient|discharge", re.IGNORECASE)
_CHANGED = re.compile(r"(?:revised|changed|withdrew) (?:its|the|their) recommendation|re-?evaluat\w+[^.]*home", re.I)
_OUTSIDE = re.compile(r"level[^.]*(?:other|referring|outside|transferring) hospital", re.IGNORECASE)
_QUOTED = re.compile(rf"level (?:of|was) {_NUMBER}[^.]*?{_NUMBER} hours after", re.IGNORECASE)
# By version: the sixth character of T36-T50 is 1 accidental, 2 self-harm, 4 undetermined, 5 adverse effect.
_POISONING = r"T(?:3[6-9]|4\d|50)\w\w"
_CODED = {
    "self-harm": {10: re.compile(rf"{_POISONING}2|T1491|X7[1-9]|X8[0-3]"), 9: re.compile(r"E95\d")},
    "undetermined": {10: re.compile(rf"{_POISONING}4"), 9: re.compile(r"E980")},
    "acute": {10: re.compile(rf"{_POISONING}[124]"), 9: re.compile(r"9[67]\d|E85[0-8]|E95[0-2]|E980")},
}

Said = tuple[str, str]
"""A statement and where it stands."""


@dataclass
class Story:
    """``hours`` are those from ingestion to arrival: none unknown, one known, two a range or two statements."""

    acute: list[Said] = field(default_factory=list)
    directed: list[Said] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)
    named: list[Said] = field(default_factory=list)
    long: list[Said] = field(default_factory=list)
    hours: list[Decimal] = field(default_factory=list)
    timed: list[Said] = field(default_factory=list)
    spread: list[Said] = field(default_factory=list)
    harm: list[Said] = field(default_factory=list)
    denied: list[Said] = field(default_factory=list)
    explained: list[Said] = field(default_factory=list)
    coded: tuple[str, ...] = ()
    evaluated: list[Said] = field(default_factory=list)
    unable: list[Said] = field(default_factory=list)
    recommended: str = ""
    changed: list[Said] = field(default_factory=list)
    outside: list[Said] = field(default_factory=list)
    quoted: list[tuple[Decimal, Decimal, str]] = field(default_factory=list)

    @property
    def self_harm(self) -> str:
        """present, contested or absent."""
        harm = [] if self.explained and self.denied else self.harm
        if harm and self.denied:
            return "contested"
        if harm:
            return "present"
        return "present" if self.coded and not self.denied else "absent"

    @property
    def acetaminophen(self) -> bool:
        return "acetaminophen" in self.agents


def read(chart: Chart) -> Story:
    out = Story()
    _codes(chart, out)
    if chart.triage_ref and chart.complaint:
        _intent(out, chart.complaint, chart.triage_ref)
        if asserted(_INGESTION, chart.complaint) or "pills" in chart.complaint.lower():
            out.acute.append((chart.complaint, chart.triage_ref))
    for note in chart.mine:
        for sentence in sentences(note.text, _SKIP):
            said = (sentence.text, note.span(sentence.start, sentence.end))
            if _DIRECTED.search(sentence.text):
                out.directed.append(said)
            elif asserted(_INGESTION, sentence.text, history=False) and "chief complaint" not in sentence.section:
                out.acute.append(said)
            _substance(out, sentence.text, said)
            _time(out, sentence.text, said)
            _intent(out, *said)
            _psychiatry(out, sentence.text, said)
            if _OUTSIDE.search(sentence.text) and not re.search(r"\d", sentence.text):
                out.outside.append(said)
            if found := _QUOTED.search(sentence.text):
                out.quoted.append((Decimal(found.group(1)), Decimal(found.group(2)), said[1]))
    return out


def _coded(chart: Chart, kind: str) -> list[Row]:
    rows = chart.diagnoses.rows
    return [r for r in rows if _CODED[kind][9 if str(r.get("icd_version")) == "9" else 10].match(code_of(r))]


def _codes(chart: Chart, out: Story) -> None:
    out.coded = refs([*_coded(chart, "self-harm"), *_coded(chart, "undetermined")])
    for row in _coded(chart, "acute"):
        out.acute.append((str(row.get("long_title") or code_of(row)), str(row["ref"])))
        title = str(row.get("long_title") or "").lower()
        for word, agent in (("aminophenol", "acetaminophen"), ("benzodiazepine", "benzodiazepine")):
            if word in title and not chart.mine:
                out.agents.append(agent)
                out.named.append((title, str(row["ref"])))


def _substance(out: Story, text: str, said: Said) -> None:
    if not _TOOK.search(text) or _DIRECTED.search(text):
        return
    for found in _DRUG.finditer(text):
        name = found.group(0).lower().replace("tylenol", "acetaminophen")
        if name not in out.agents:
            out.agents.append(name)
            out.named.append(said)
    if _LONG.search(text):
        out.long.append(said)


def _time(out: Story, text: str, said: Said) -> None:
    if found := _RANGE.search(text):
        out.hours += [Decimal(found.group(1)), Decimal(found.group(2))]
        out.timed.append(said)
    elif found := _KNOWN.search(text):
        if Decimal(found.group(1)) not in out.hours:
            out.hours.append(Decimal(found.group(1)))
        out.timed.append(said)
    elif re.search(r"(?:time of ingestion|when it was taken)[^.]*(?:unknown|not be established)", text, re.IGNORECASE):
        out.timed.append(said)
    spread = _SPREAD.search(text)
    if spread and _TOOK.search(text) and (spread.group(1) is None or Decimal(spread.group(1)) > 8):
        out.spread.append(said)


def _intent(out: Story, text: str, ref: str) -> None:
    if _PSYCHIATRY.search(text):
        return
    if _EXPLAINED.search(text):
        out.explained.append((text, ref))
    if _NOT_HARM.search(text):
        out.denied.append((text, ref))
    elif asserted(_HARM, text, history=False):
        out.harm.append((text, ref))


def _psychiatry(out: Story, text: str, said: Said) -> None:
    if _CHANGED.search(text):
        out.changed.append(said)
    if not _PSYCHIATRY.search(text) or not _SEEN.search(text) or _ELSEWHERE.search(text):
        return
    if _UNABLE.search(text):
        out.unable.append(said)
        return
    out.evaluated.append(said)
    if _INPATIENT.search(text):
        out.recommended = "inpatient"
    elif _HOME.search(text):
        out.recommended = "home"
