"""ODS risk, duration and sampling (RH-NEPH-07 sections 6 to 8)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.clinical.notes import asserted, sentences
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.clinical.values import Value
from pytest_clinicare.systems.scripted.investigators.sodium_correction.chart import HOUR, POTASSIUM, Chart
from pytest_clinicare.systems.scripted.session import refs

PRESENT, ABSENT, CONFLICTING = "present", "absent", "conflicting"
_FACTORS: dict[str, tuple[str, str, str]] = {
    "alcohol use disorder": (
        r"alcohol (?:use disorder|withdrawal|dependence|abuse)|alcoholi[sc]m?\b|heavy (?:alcohol|drinking)|"
        r"drinks (?:a |an |one |two |\d+ )?(?:pint|fifth|liter|bottle|six-pack)|delirium tremens",
        r"\bno (?:alcohol|etoh)\b|denies (?:any )?(?:alcohol|etoh)|does not drink|abstinent|\bsober\b",
        r"F101|F102|303|3050",
    ),
    "malnutrition": (
        r"malnutrition|malnourished|cachexia",
        r"\bno (?:evidence of )?malnutrition|well[- ]nourished|denies malnutrition",
        r"E4[0-6]|26[0-3]",
    ),
    "advanced liver disease": (
        r"cirrhosis|(?:liver|hepatic) failure|end[- ]stage liver",
        r"\bno (?:evidence of )?(?:cirrhosis|liver (?:disease|failure))|without cirrhosis",
        r"K703|K746|5712|5715",
    ),
}
_ACUTE = re.compile(
    r"(?:onset|developed|arose|began)[^.]{0,40}within (?:a day|hours|one day|24 hours|two days|48 hours)|"
    r"acute (?:onset )?(?:hyponatr|water intoxication)|less than (?:48|24) hours",
    re.IGNORECASE,
)
_FAMILY = frozenset({"family history", "allergies"})


@dataclass(frozen=True)
class Factor:
    """``why`` tells the source of the state."""

    name: str
    state: str
    why: str
    evidence: tuple[str, ...]


@dataclass(frozen=True)
class Gap:
    """An interval without a valid value; ``limit`` in hours is that for where it began."""

    start: datetime
    end: datetime
    limit: int
    evidence: tuple[str, ...]

    @property
    def hours(self) -> float:
        return (self.end - self.start) / HOUR

    @property
    def too_long(self) -> bool:
        return self.end - self.start > self.limit * HOUR


def factors(chart: Chart) -> list[Factor]:
    assert chart.index
    low = chart.index.value <= 105
    out = [
        Factor(
            "index sodium of 105 or less",
            PRESENT if low else ABSENT,
            f"index {chart.index.value} mmol/L",
            (chart.index.ref,),
        )
    ]
    near = [v for v in chart.of(POTASSIUM) if abs(v.time - chart.index.time) <= 24 * HOUR]
    lowest = min(near, key=lambda v: v.value, default=None)
    if lowest is None:
        out.append(Factor("hypokalemia", ABSENT, "no potassium within 24 h of the index", (chart.index.ref,)))
    else:
        state = PRESENT if lowest.value < 3.5 else ABSENT
        told = f"lowest potassium within 24 h of the index {lowest.value} mmol/L at {iso(lowest.time)}"
        out.append(Factor("hypokalemia", state, told, (lowest.ref,)))
    return out + [_stated(chart, name) for name in _FACTORS]


def _stated(chart: Chart, name: str) -> Factor:
    """Statements of the summary, and a code where none contradicts it."""
    said, denied, coded = (re.compile(part, re.IGNORECASE) for part in _FACTORS[name])
    yes: list[tuple[str, str]] = []
    no: list[tuple[str, str]] = []
    for note in chart.mine:
        for sentence in sentences(note.text, _FAMILY):
            ref = note.span(sentence.start, sentence.end)
            if denied.search(sentence.text):
                no.append((sentence.text, ref))
            elif asserted(said, sentence.text, history=False):
                yes.append((sentence.text, ref))
    codes = [r for r in chart.diagnoses.rows if coded.match(code_of(r))]
    told = "; ".join(f'"{text}"' for text, _ in [*yes, *no])
    spans = tuple(ref for _, ref in [*yes, *no])
    if yes:
        return Factor(name, CONFLICTING if no else PRESENT, told, (*spans, *refs(codes)))
    if no:
        return Factor(name, ABSENT, told, (*spans, *refs(codes)))
    if codes:
        return Factor(name, PRESENT, f"code {code_of(codes[0])}", refs(codes))
    looked = tuple(n.ref for n in chart.mine) or chart.diagnoses.evidence[:10]
    return Factor(name, ABSENT, "neither stated nor coded", looked)


def risk_of(found: list[Factor]) -> str:
    """high, unresolved or normal."""
    states = {f.state for f in found}
    return "high" if PRESENT in states else "unresolved" if CONFLICTING in states else "normal"


def acute(chart: Chart) -> tuple[str, tuple[str, ...]] | None:
    """Why the hyponatremia is documented as acute; None where it is chronic or of unknown duration."""
    high = [v for v in chart.before if v.value >= 130]
    if high:
        return f"sodium {high[-1].value} at {iso(high[-1].time)}, within 48 h before the index", (high[-1].ref,)
    for note in chart.mine:
        for sentence in sentences(note.text, _FAMILY):
            if asserted(_ACUTE, sentence.text):
                return f'the summary: "{sentence.text}"', (note.span(sentence.start, sentence.end),)
    return None


def gaps(chart: Chart) -> list[Gap]:
    """Intervals that begin within 48 h of the index, before sodium reached 130; the last runs to 48 h or discharge."""
    assert chart.index
    index, out = chart.index.time, []
    horizon = min(index + 48 * HOUR, chart.left)
    values: list[Value] = chart.values
    for n, value in enumerate(values):
        if value.value >= 130 or value.time >= horizon:
            break
        last = n + 1 == len(values)
        end = horizon if last else values[n + 1].time
        limit = 12 if value.time - index < timedelta(hours=24) else 24
        out.append(Gap(value.time, end, limit, (value.ref,) if last else (value.ref, values[n + 1].ref)))
    return out
