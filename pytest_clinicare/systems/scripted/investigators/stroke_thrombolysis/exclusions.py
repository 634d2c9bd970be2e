"""Exclusions, accepted and other reasons for withholding (NEU-01 5; the standard, section 7)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.notes import NEVER_PATIENT, asserted, sentences
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.clinical.values import Value, valid_values
from pytest_clinicare.systems.scripted.investigators.stroke_thrombolysis.alteplase import DRUG
from pytest_clinicare.systems.scripted.investigators.stroke_thrombolysis.chart import (
    GLUCOSE,
    INR,
    PLATELETS,
    PT,
    PTT,
    Chart,
)

ANALYTES = {"INR": (INR, ""), "PT": (PT, "sec"), "aPTT": (PTT, "sec"), "platelets": (PLATELETS, "K/uL"),
            "glucose": (GLUCOSE, "mg/dL")}  # fmt: skip
_DIRECT = re.compile(r"\b(?:apixaban|rivaroxaban|dabigatran|edoxaban|eliquis|xarelto|pradaxa|savaysa)\b", re.IGNORECASE)
_LMWH = re.compile(r"\b(?:enoxaparin|lovenox|dalteparin)\b", re.IGNORECASE)
_ANTICOAGULANT = re.compile(rf"\b(?:warfarin|coumadin|jantoven)\b|{_DIRECT.pattern}", re.IGNORECASE)
_TIME = re.compile(r"(\d+|one|two|three|four|five|six) (day|week|month|year)s? (?:ago|earlier|before)", re.IGNORECASE)
_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
_BLED = r"(?:intracranial|intracerebral|subdural) ha?emorrhage"
# Condition: pattern, and within how many days it excludes (0: whenever).
_HISTORY: dict[str, tuple[re.Pattern[str], int]] = {
    "GI bleed within 21 days": (re.compile(r"(?:GI|gastrointestinal) bleed\w*|melena", re.IGNORECASE), 21),
    "ischaemic stroke within 3 months": (re.compile(r"(?:ischa?emic )?stroke|cerebral infarct\w*", re.IGNORECASE), 91),
    "head trauma within 3 months": (re.compile(r"severe head (?:trauma|injury)", re.IGNORECASE), 91),
    "neurosurgery within 3 months": (re.compile(r"craniotomy|spinal surgery|laminectomy", re.IGNORECASE), 91),
    "prior intracranial haemorrhage": (re.compile(_BLED, re.IGNORECASE), 0),
    "GI cancer": (re.compile(r"(?:colon|gastric|esophageal|rectal) (?:cancer|carcinoma)", re.IGNORECASE), 0),
    "endocarditis": (re.compile(r"infective endocarditis", re.IGNORECASE), 0),
    "aortic dissection": (re.compile(r"aortic (?:arch )?dissection", re.IGNORECASE), 0),
    "intra-axial tumour": (re.compile(r"glioma|glioblastoma|intra-axial tumou?r|brain metasta\w+", re.IGNORECASE), 0),
}  # fmt: skip
_IMAGE = re.compile(
    r"(?:intracranial|intracerebral|subdural|subarachnoid|parenchymal)? ?(?:ha?emorrhage|bleeding)|"
    r"(?:extensive|large territorial|frank) hypodensity",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"\b([01]?\d|2[0-3]):([0-5]\d)\b")
_HOURS = re.compile(r"(\d+(?:\.\d+)?) ?(?:h|hours?|hrs?)\b", re.IGNORECASE)
_REFUSED = re.compile(rf"(?:declin|refus)\w+[^.]{{0,60}}{DRUG}|{DRUG}[^.]{{0,60}}(?:declin|refus)\w+", re.IGNORECASE)
_MILD = re.compile(r"non-?disabling", re.IGNORECASE)
_RESOLVED = re.compile(r"(?:fully|completely) resolved|resolved (?:fully|completely)", re.IGNORECASE)
_STUBBORN = re.compile(r"pressure[^.]{0,40}could not be (?:lowered|brought|controlled)", re.IGNORECASE)
_WITHHELD = re.compile(
    rf"\b(?:no|not|without|withheld|ineligible)\b[^.]{{0,40}}{DRUG}|{DRUG}[^.]{{0,40}}\b(?:not|withheld)\b",
    re.IGNORECASE,
)
_NIHSS = re.compile(r"NIHSS (?:was |of |score )?(\d{1,2})", re.IGNORECASE)


@dataclass(frozen=True)
class Reason:
    """An exclusion or a reason for withholding; ``accepted`` as NEU-01 5.2 and 5.3 have it."""

    name: str
    told: str
    ref: str
    accepted: bool = True


@dataclass(frozen=True)
class Severity:
    score: int | None
    told: str
    ref: str
    mild: bool


def known_labs(chart: Chart, needle: datetime | None) -> dict[str, Value]:
    """The last value of each analyte that counts: resulted by the needle, else collected by arrival + 2 h."""
    stored = {str(r["ref"]): parse_time(r.get("storetime")) for r in chart.labs.rows}
    out = {}
    for name, (item, unit) in ANALYTES.items():
        usable = []
        for value in valid_values(chart.labs.rows, item, unit, high=2000):
            resulted = stored.get(value.ref) or value.time
            last = chart.arrival + timedelta(hours=2)
            if value.time >= chart.arrival - timedelta(hours=24) and (
                resulted <= needle if needle else value.time <= last
            ):
                usable.append(value)
        if usable:
            out[name] = usable[-1]
    return out


def laboratory(labs: dict[str, Value]) -> list[Reason]:
    """Exclusions by value."""
    found = {name: labs[name].value for name in labs}
    beyond = {
        "platelets": ("platelets below 100", found.get("platelets", Decimal(100)) < 100),
        "INR": ("INR above 1.7", found.get("INR", Decimal(1)) > Decimal("1.7")),
        "PT": ("PT above 15 s without an INR", "INR" not in found and found.get("PT", Decimal(0)) > 15),
        "aPTT": ("aPTT above 40 s", found.get("aPTT", Decimal(0)) > 40),
        "glucose": ("glucose outside 50 to 400", not 50 <= found.get("glucose", Decimal(100)) <= 400),
    }
    return [Reason(told, f"{name} {found[name]}", labs[name].ref) for name, (told, holds) in beyond.items() if holds]


def exclusions(chart: Chart, needle: datetime | None) -> list[Reason]:
    """Hard exclusions known by the needle, or documented where nothing was given."""
    found = laboratory(known_labs(chart, needle))
    latest = needle or chart.arrival + timedelta(hours=6)
    for note in chart.radiology:
        time = parse_time(note.charttime)
        head = re.search(r"EXAMINATION:[^\n]*HEAD", note.text, re.IGNORECASE)
        if not head or time is None or not chart.arrival <= time <= latest:
            continue
        for sentence in sentences(note.text):
            if asserted(_IMAGE, sentence.text):
                found.append(Reason("imaging", sentence.text, note.span(sentence.start, sentence.end)))
    for note in chart.discharge:
        for sentence in sentences(note.text, NEVER_PATIENT):
            ref = note.span(sentence.start, sentence.end)
            hours = _exposure(sentence.text, chart.arrival)
            for pattern, limit, name in (
                (_DIRECT, 48, "direct oral anticoagulant within 48 h"),
                (_LMWH, 24, "LMWH within 24 h"),
            ):
                if pattern.search(sentence.text) and hours is not None and hours <= limit:
                    found.append(Reason(name, sentence.text, ref))
            if sentence.section == "past medical history":
                found += _past(sentence.text, ref)
    return found


def _exposure(text: str, arrival: datetime) -> float | None:
    """Hours from the last dose to arrival, where a sentence on the last dose tells it."""
    if not re.search(r"\blast\b", text, re.IGNORECASE):
        return None
    if clock := _CLOCK.search(text):
        time = arrival.replace(hour=int(clock.group(1)), minute=int(clock.group(2)), second=0)
        time = time if time <= arrival else time - timedelta(days=1)
        return (arrival - time) / timedelta(hours=1)
    stated = _HOURS.search(text)
    return float(stated.group(1)) if stated else None


def _past(text: str, ref: str) -> list[Reason]:
    out = []
    for name, (pattern, days) in _HISTORY.items():
        if not asserted(pattern, text):
            continue
        ago = _TIME.search(text)
        count = None if ago is None else _count(ago.group(1)) * _DAYS[ago.group(2).lower()]
        if days == 0 or (count is not None and count <= days):
            out.append(Reason(name, text, ref))
    return out


def _count(word: str) -> int:
    return int(word) if word.isdigit() else _WORDS[word.lower()]


def severity(chart: Chart) -> Severity | None:
    for note in chart.discharge:
        for sentence in sentences(note.text, NEVER_PATIENT):
            score = _NIHSS.search(sentence.text)
            if score:
                ref = note.span(sentence.start, sentence.end)
                return Severity(int(score.group(1)), sentence.text, ref, bool(_MILD.search(sentence.text)))
    return None


def reasons(chart: Chart, score: Severity | None) -> list[Reason]:
    """What the summary gives as a reason, accepted or not."""
    out = []
    for note in chart.discharge:
        for sentence in sentences(note.text, NEVER_PATIENT):
            text, ref = sentence.text, note.span(sentence.start, sentence.end)
            if sentence.section == "past medical history":
                continue
            if _REFUSED.search(text):
                out.append(Reason("refusal", text, ref))
            elif _RESOLVED.search(text) and re.search(r"deficit|symptom|weakness", text, re.IGNORECASE):
                out.append(Reason("deficit resolved", text, ref))
            elif _STUBBORN.search(text):
                out.append(Reason("pressure could not be lowered", text, ref))
            elif _MILD.search(text):
                accepted = score is not None and score.score is not None and score.score <= 5
                out.append(Reason("non-disabling deficit", text, ref, accepted))
            elif _WITHHELD.search(text):
                out.append(Reason("stated reason", text, ref, False))
    return out


def anticoagulants(chart: Chart) -> list[tuple[str, str]]:
    """Anticoagulants of the home list and its rows."""
    return [
        (str(r.get("name")), str(r["ref"])) for r in chart.home.rows if _ANTICOAGULANT.search(str(r.get("name") or ""))
    ]


def cautions(chart: Chart, score: Severity | None, labs: dict[str, Value]) -> list[tuple[str, str]]:
    """Extended-window cautions (NEU-01 6.1)."""
    out = [(f"age {chart.age}", str(chart.patient.get("ref", "")))] if chart.age > 80 else []
    past = [
        (s.text, n.span(s.start, s.end))
        for n in chart.discharge
        for s in sentences(n.text)
        if s.section == "past medical history"
    ]
    sugar = next(((t, r) for t, r in past if asserted(re.compile(r"diabetes", re.IGNORECASE), t)), None)
    stroke = next(((t, r) for t, r in past if asserted(re.compile(r"\bstroke|infarct", re.IGNORECASE), t)), None)
    if sugar and stroke:
        out.append(("diabetes with prior stroke", stroke[1]))
    if score and score.score is not None and score.score > 25:
        out.append((f"NIHSS {score.score}", score.ref))
    blood = anticoagulants(chart)
    if blood and "INR" in labs and labs["INR"].value <= Decimal("1.7"):
        out.append((f"{blood[0][0]} with INR {labs['INR'].value}", blood[0][1]))
    return out
