"""SOFA by component: points of values as sofa-1996 and CC-SEP-02 3.2 give them, and the worst 24 hours of a window."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import pairwise

from pytest_clinicare.systems.scripted.clinical.gases import Gas
from pytest_clinicare.systems.scripted.clinical.rows import Row
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.clinical.values import Value, reported_figure

RESPIRATION, COAGULATION, LIVER = "respiration", "coagulation", "liver"
CARDIOVASCULAR, CNS, RENAL = "cardiovascular", "CNS", "renal"
COMPONENTS = (RESPIRATION, COAGULATION, LIVER, CARDIOVASCULAR, CNS, RENAL)
MEAN_PRESSURES = (220052, 220181, 225312)
EYES, VERBAL, MOTOR = 220739, 223900, 223901
HOUR = timedelta(hours=1)
DAY = timedelta(hours=24)
_HELD = timedelta(minutes=60)
_SEDATIVES = re.compile(
    r"propofol|midazolam|versed|lorazepam|ativan|dexmedetomidine|precedex|ketamine|cisatracurium|nimbex|vecuronium|"
    r"rocuronium|atracurium",
    re.IGNORECASE,
)
_CATECHOLAMINES = {
    "norepinephrine": re.compile(r"norepinephrine|levophed", re.IGNORECASE),
    "epinephrine": re.compile(r"^epinephrine", re.IGNORECASE),
    "dopamine": re.compile(r"dopamine", re.IGNORECASE),
    "dobutamine": re.compile(r"dobutamine", re.IGNORECASE),
}


@dataclass(frozen=True)
class Scored:
    """Points that a component has from ``start`` to ``end`` (the same for a value), as told, with the rows behind."""

    component: str
    points: int
    start: datetime
    end: datetime
    told: str
    refs: tuple[str, ...]


@dataclass(frozen=True)
class Drip:
    """A stretch of an infusion at one rate in mcg/kg/min."""

    drug: str
    start: datetime
    end: datetime
    rate: Decimal
    ref: str


@dataclass(frozen=True)
class Worst:
    """``points`` by component, the highest of the 24 hours that begin at ``start``, and what gave them."""

    start: datetime
    points: Mapping[str, int]
    deciding: Mapping[str, Scored]


def _at_least(value: Decimal, limits: Sequence[str]) -> int:
    """How many of the rising limits are reached."""
    return sum(value >= Decimal(limit) for limit in limits)


def coagulation(value: Decimal) -> int:
    return sum(value < limit for limit in (150, 100, 50, 20))


def liver(value: Decimal) -> int:
    return _at_least(value, ("1.2", "2.0", "6.0", "12.0"))


def kidney(value: Decimal) -> int:
    return _at_least(value, ("1.2", "2.0", "3.5", "5.0"))


def respiration(ratio: Decimal, supported: bool) -> int:
    points = sum(ratio < limit for limit in (400, 300, 200, 100))
    return points if supported else min(points, 2)


def glasgow(total: int) -> int:
    return 0 if total >= 15 else 1 if total >= 13 else 2 if total >= 10 else 3 if total >= 6 else 4


def catecholamine(drug: str, rate: Decimal) -> int:
    """Of a rate in mcg/kg/min that was held for an hour."""
    if rate <= 0:
        return 0
    if drug == "dobutamine":
        return 2
    if drug == "dopamine":
        return 4 if rate > 15 else 3 if rate > 5 else 2
    return 4 if rate > Decimal("0.1") else 3


def of_laboratory(values: Iterable[Value], component: str) -> list[Scored]:
    """``values`` of platelets, bilirubin or creatinine."""
    points = {COAGULATION: coagulation, LIVER: liver, RENAL: kidney}[component]
    unit = "K/uL" if component == COAGULATION else "mg/dL"
    name = {COAGULATION: "platelets", LIVER: "bilirubin", RENAL: "creatinine"}[component]
    return [Scored(component, points(v.value), v.time, v.time, f"{name} {v.value} {unit}", (v.ref,)) for v in values]


def of_gases(gases: Iterable[Gas], support: Sequence[tuple[datetime, datetime]]) -> list[Scored]:
    """Arterial gases with their oxygen; ``support`` are stretches of ventilation or CPAP."""
    found = []
    for gas in gases:
        if gas.ratio is None:
            continue
        supported = any(start <= gas.time <= end for start, end in support)
        told = f"PaO2 {gas.po2} / FiO2 {gas.oxygen} = {gas.ratio:.0f} mmHg {'with' if supported else 'without'} support"
        points = respiration(gas.ratio, supported)
        found.append(Scored(RESPIRATION, points, gas.time, gas.time, told, tuple(str(r["ref"]) for r in gas.rows)))
    return found


def of_pressures(rows: Iterable[Row]) -> list[Scored]:
    """Mean arterial pressures."""
    found = []
    for row in rows:
        time, figure = parse_time(row.get("charttime")), reported_figure(row)
        if row.get("itemid") in MEAN_PRESSURES and time and figure is not None and 20 <= figure <= 250:
            told = f"MAP {figure} mmHg"
            found.append(Scored(CARDIOVASCULAR, int(figure < 70), time, time, told, (str(row["ref"]),)))
    return found


def drips(rows: Iterable[Row]) -> list[Drip]:
    """Catecholamine stretches of the input record, in mcg/kg/min."""
    found = []
    for row in rows:
        start, end = parse_time(row.get("charttime")), parse_time(row.get("endtime"))
        name = str(row.get("drug") or row.get("label") or "").strip()
        drug = next((d for d, pattern in _CATECHOLAMINES.items() if pattern.search(name)), "")
        if not drug or not start or not end or row.get("rate") is None:
            continue
        unit = str(row.get("rateuom") or "").lower()
        rate = Decimal(str(row["rate"])) * (1000 if unit == "mg/kg/min" else 1)
        if "/kg/min" in unit:
            found.append(Drip(drug, start, end, rate, str(row["ref"])))
    return sorted(found, key=lambda drip: (drip.drug, drip.start))


def of_drips(found: Sequence[Drip]) -> list[Scored]:
    """Every stretch of an hour or more that contiguous rows at or above a rate make together."""
    out = []
    for drug in dict.fromkeys(drip.drug for drip in found):
        mine = [drip for drip in found if drip.drug == drug]
        for rate in sorted({drip.rate for drip in mine if drip.rate > 0}):
            for run in _runs([drip for drip in mine if drip.rate >= rate]):
                start, end = run[0].start, run[-1].end
                if end - start >= _HELD:
                    told = f"{drug} {rate} mcg/kg/min held from {start} to {end}"
                    refs = tuple(drip.ref for drip in run)
                    out.append(Scored(CARDIOVASCULAR, catecholamine(drug, rate), start, end, told, refs))
    return out


def _runs(found: Sequence[Drip]) -> list[list[Drip]]:
    runs: list[list[Drip]] = []
    for drip in found:
        if runs and drip.start <= runs[-1][-1].end:
            runs[-1].append(drip)
        else:
            runs.append([drip])
    return runs


def sedation(rows: Iterable[Row]) -> list[tuple[datetime, datetime]]:
    """Stretches of a sedative or paralytic infusion, each with the two hours after it."""
    found = []
    for row in rows:
        start, end = parse_time(row.get("charttime")), parse_time(row.get("endtime"))
        name = str(row.get("drug") or row.get("label") or "")
        if start and end and _SEDATIVES.search(name) and (row.get("rate") is not None):
            found.append((start, end + 2 * HOUR))
    return found


def of_glasgow(rows: Iterable[Row], sedated: Sequence[tuple[datetime, datetime]]) -> tuple[list[Scored], list[Row]]:
    """Sums that count, and verbal rows of those set aside for sedation or a tube."""
    times: dict[datetime, dict[int, Row]] = {}
    for row in rows:
        time = parse_time(row.get("charttime"))
        if row.get("itemid") in (EYES, VERBAL, MOTOR) and time and row.get("valuenum") is not None:
            times.setdefault(time, {})[int(row["itemid"])] = row
    scored, aside = [], []
    for time, parts in sorted(times.items()):
        if len(parts) < 3:
            continue
        tube = "ett" in str(parts[VERBAL].get("value") or "").lower()
        if tube or any(start <= time <= end for start, end in sedated):
            aside.append(parts[VERBAL])
            continue
        total = round(sum(float(row["valuenum"]) for row in parts.values()))
        refs = tuple(str(parts[item]["ref"]) for item in (EYES, VERBAL, MOTOR))
        scored.append(Scored(CNS, glasgow(total), time, time, f"GCS {total}", refs))
    return scored, aside


def of_urine(rows: Iterable[Row], window: tuple[datetime, datetime]) -> list[Scored]:
    """Urine over 24 hours of the window that are charted without a gap of more than four hours."""
    found = []
    for row in rows:
        time, figure = parse_time(row.get("charttime")), row.get("amount", row.get("value"))
        if row.get("direction", "out") == "out" and time and figure is not None and window[0] <= time <= window[1]:
            found.append((time, Decimal(str(figure)), str(row["ref"])))
    found.sort()
    out = []
    for number, (start, _, _) in enumerate(found):
        inside = [entry for entry in found[number + 1 :] if entry[0] <= start + DAY]
        marks = [start, *(time for time, _, _ in inside)]
        gaps = [later - earlier for earlier, later in pairwise(marks)]
        if not inside or start + DAY > window[1] or start + DAY - marks[-1] >= 4 * HOUR or max(gaps) > 4 * HOUR:
            continue
        total = sum((amount for _, amount, _ in inside), Decimal(0))
        points = 4 if total < 200 else 3 if total < 500 else 0
        refs = tuple(ref for _, _, ref in inside[:6])
        out.append(Scored(RENAL, points, start, start + DAY, f"urine {total} mL in 24 h", refs))
    return out


def within(found: Iterable[Scored], start: datetime, end: datetime) -> list[Scored]:
    """Values charted from ``start`` to ``end``, and infusions held for an hour in it."""
    out = []
    for scored in found:
        if scored.start == scored.end:
            inside = start <= scored.start <= end
        elif scored.told.startswith("urine"):
            inside = start <= scored.start and scored.end <= end
        else:
            inside = min(scored.end, end) - max(scored.start, start) >= _HELD
        if inside:
            out.append(scored)
    return out


def periods(found: Sequence[Scored], start: datetime, end: datetime) -> list[Worst]:
    """Worst points by component in each 24 hours of the window that some value begins or ends."""
    inside = within(found, start, end)
    latest = max(end - DAY, start)
    begins = {start, latest}
    for scored in inside:
        for moment in (scored.start, scored.end - DAY, scored.start - DAY + _HELD, scored.end - _HELD):
            begins.add(min(max(moment, start), latest))
    return [_worst(inside, moment) for moment in sorted(begins)]


def _worst(found: Sequence[Scored], begin: datetime) -> Worst:
    deciding: dict[str, Scored] = {}
    for scored in within(found, begin, begin + DAY):
        best = deciding.get(scored.component)
        if best is None or scored.points > best.points:
            deciding[scored.component] = scored
    return Worst(begin, {name: scored.points for name, scored in deciding.items()}, deciding)
