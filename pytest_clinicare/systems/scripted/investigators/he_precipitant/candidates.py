"""The objective candidates of GI-07 section 4, and the core work-up of section 7."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.cultures import Culture
from pytest_clinicare.systems.scripted.clinical.notes import asserted, sentences
from pytest_clinicare.systems.scripted.clinical.radiology import own_body
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.clinical.values import Value
from pytest_clinicare.systems.scripted.investigators.he_precipitant.chart import (
    CREATININE,
    HEMOGLOBIN,
    POTASSIUM,
    SODIUM,
    Chart,
    Tap,
)
from pytest_clinicare.systems.scripted.investigators.he_precipitant.story import Story
from pytest_clinicare.systems.scripted.session import Note, refs

_DAY = timedelta(days=1)
_COUNT = re.compile(r"([<>]?=?)\s*(\d[\d,]*)(?:\s*-\s*\d[\d,]*)?\s*(?:CFU|ORGANISMS)", re.IGNORECASE)
_CHEST = re.compile(r"consolidation|pneumonia", re.IGNORECASE)
CHEST = ("CHEST",)


@dataclass(frozen=True)
class Met:
    """A candidate that is met, told in words, with its rows."""

    name: str
    why: str
    evidence: tuple[str, ...]


@dataclass
class Tiers:
    """``met`` of Tier 1; the highest tap; baselines; what of the core work-up is missing."""

    met: list[Met] = field(default_factory=list)
    tap: Tap | None = None
    bacterascites: Culture | None = None
    creatinine: Value | None = None
    hemoglobin: Value | None = None
    lowest: Value | None = None
    missing: list[str] = field(default_factory=list)


def evaluate(chart: Chart, story: Story) -> Tiers:
    out = Tiers()
    counted = [tap for tap in chart.taps if tap.counted]
    out.tap = max(counted, key=lambda tap: tap.pmn, default=None)
    _peritonitis(chart, out)
    _infection(chart, out)
    _bleeding(chart, story, out)
    _chemistry(chart, out)
    core = {"sodium": SODIUM, "potassium": POTASSIUM, "creatinine": CREATININE, "hemoglobin": HEMOGLOBIN}
    out.missing = [name for name, item in core.items() if not chart.within(item)]
    if not [c for c in chart.cultures if c.blood or c.urine]:
        out.missing.append("blood or urine culture")
    if not chart.reports_inside(*CHEST):
        out.missing.append("chest imaging")
    return out


def _peritonitis(chart: Chart, out: Tiers) -> None:
    if out.tap and out.tap.pmn >= 250:
        why = f"corrected ascitic PMN {out.tap.pmn:.1f} cells/uL at {iso(out.tap.time)}"
        out.met.append(Met("SBP", why, refs(list(out.tap.rows))))
    grown = [c for c in chart.cultures if peritoneal(c) and any(not i.skin_organism for i in c.isolates)]
    if grown and out.tap and out.tap.pmn < 250:
        out.bacterascites = grown[0]


def peritoneal(culture: Culture) -> bool:
    return "PERITONEAL" in culture.specimen.upper() or "FLUID RECEIVED IN BLOOD" in culture.specimen.upper()


def enough(culture: Culture) -> bool:
    """At least 100,000 CFU/mL by a comment of the specimen; of a range (10,000-100,000) the lower end."""
    for text in culture.comments:
        for sign, figure in _COUNT.findall(text):
            if int(figure.replace(",", "")) >= 100000 and not sign.startswith("<"):
                return True
    return False


def _infection(chart: Chart, out: Tiers) -> None:
    bloods = [c for c in chart.cultures if c.blood]
    skin: Counter[str] = Counter(i.organism for c in bloods for i in c.isolates if i.skin_organism)
    for culture in bloods:
        grown = [i for i in culture.isolates if not i.skin_organism or skin[i.organism] >= 2]
        if grown:
            why = f"{grown[0].organism} in blood at {iso(culture.collected)}"
            out.met.append(Met("bloodstream infection", why, refs(list(culture.rows))))
            break
    doses = chart.antibiotics
    for culture in chart.cultures:
        grown = [i for i in culture.isolates if not i.skin_organism and not i.yeast]
        if culture.urine and len(culture.isolates) == 1 and grown and enough(culture) and doses:
            why = f"{grown[0].organism} at 100,000 CFU/mL or more at {iso(culture.collected)}, {doses[0].agent} given"
            out.met.append(Met("urinary infection", why, (*refs(list(culture.rows)), doses[0].ref)))
            break
    for note in chart.reports_inside(*CHEST):
        if (said := consolidation(note)) and doses:
            out.met.append(
                Met("pneumonia", f'chest report: "{said}", {doses[0].agent} given', (note.ref, doses[0].ref))
            )
            break


def consolidation(note: Note) -> str:
    """The sentence that names consolidation or pneumonia."""
    found = (" ".join(s.text.split()) for s in sentences(own_body(note.text)))
    return next((text for text in found if asserted(_CHEST, text)), "")


def _bleeding(chart: Chart, story: Story, out: Tiers) -> None:
    values = chart.values(HEMOGLOBIN)
    inside = [v for v in values if chart.inside(v.time)]
    out.lowest = min(inside, key=lambda v: v.value, default=None)
    start = chart.window[0]
    older = [v for v in values if start - 30 * _DAY <= v.time < start]
    if older:
        out.hemoglobin = older[-1]
    elif out.lowest:
        before = [v for v in inside if v.time < out.lowest.time]
        out.hemoglobin = max(before, key=lambda v: v.value, default=None)
    fell = bool(out.hemoglobin and out.lowest and out.hemoglobin.value - out.lowest.value >= 2)
    if story.bleeding and (fell or story.source):
        rows = (out.hemoglobin.ref, out.lowest.ref) if fell and out.hemoglobin and out.lowest else ()
        drop = (
            f"hemoglobin {out.hemoglobin.value} to {out.lowest.value} g/dL"
            if rows and out.hemoglobin and out.lowest
            else ""
        )
        why = ", ".join(part for part in ("overt", drop, "an endoscopic source" if story.source else "") if part)
        said = (*(ref for _, ref in story.bleeding), *(ref for _, ref in story.source))
        out.met.append(Met("gastrointestinal bleeding", why, (*rows, *said)))


def _chemistry(chart: Chart, out: Tiers) -> None:
    for name, item, limit, unit in (
        ("hypokalemia", POTASSIUM, "3.0", "mmol/L"),
        ("hyponatremia", SODIUM, "125", "mmol/L"),
    ):
        low = min(chart.within(item), key=lambda v: v.value, default=None)
        if low and low.value <= Decimal(limit):
            out.met.append(Met(name, f"{low.value} {unit} at {iso(low.time)}", (low.ref,)))
    first, last = chart.admitted - 365 * _DAY, chart.admitted - 7 * _DAY
    older = [v for v in chart.values(CREATININE) if first <= v.time <= last]
    out.creatinine = older[-1] if older else None
    high = max(chart.within(CREATININE), key=lambda v: v.value, default=None)
    if high and out.creatinine and high.value >= Decimal("1.5") * out.creatinine.value:
        why = f"creatinine {high.value} mg/dL at {iso(high.time)} against {out.creatinine.value}"
        out.met.append(Met("renal injury", why, (high.ref, out.creatinine.ref)))
