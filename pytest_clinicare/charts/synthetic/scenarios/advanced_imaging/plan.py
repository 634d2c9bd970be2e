"""The case plan of advanced-imaging: recipes drawn from the ranges of the scenario's variants."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from pytest_clinicare.charts.synthetic.illness import Tellings
from pytest_clinicare.charts.synthetic.plan_cases import Draw, Drawn, Recipe, draw_cases
from pytest_clinicare.charts.synthetic.scenarios.advanced_imaging import abstract
from pytest_clinicare.charts.synthetic.scenarios.advanced_imaging.timeline import (
    DIAGNOSTIC_CT,
    GUIDED,
    HEAD_CT,
    MRI,
    Timeline,
    examination,
    moment,
)
from pytest_clinicare.suite.case import Case

SCENARIO = "advanced-imaging"
_QUOTE = {
    HEAD_CT: "CT head showed no acute intracranial process.",
    "CTA CHEST WITH CONTRAST": "CTA chest showed no pulmonary embolism.",
    "CT ABD & PELVIS WITH CONTRAST": "CT abdomen and pelvis showed no drainable collection.",
}


def plan(seed: int) -> list[Case]:
    """The 30 cases, each anchored at one ICU stay."""
    tellings = Tellings(random.Random(f"{SCENARIO}/tellings/{seed}/8"), "phrases/advanced-imaging-illnesses")
    draws = {name: _told(draw, tellings) for name, draw in DRAWS.items()}
    return draw_cases(SCENARIO, draws, abstract.abstract, seed)


def _told(draw: Draw, tellings: Tellings) -> Draw:
    """The same draw with the illness of the stay, that of an earlier one, and the wordings of their summaries."""

    def drawn(rng: random.Random, turn: int) -> Drawn:
        recipe, text = draw(rng, turn)
        told = tellings.deal(_region(recipe, rng))
        return recipe | {"telling": told.row, "earlier_telling": tellings.again(told).row}, text

    return drawn


def _region(recipe: Recipe, rng: random.Random) -> str:
    """The part of the body that the advanced studies, done or planned, looked at; any where there is none."""
    if "abdomen" in recipe["summary_claim"]:
        return "abdomen"
    films = ("radiograph", "ultrasound")
    regions = [examination(row[0])["region"] for row in recipe["reports"] if row[3] not in films]
    region: str = regions[-1] if regions else rng.choice(("head", "chest", "abdomen"))
    return region


def _intime(rng: random.Random) -> datetime:
    first = datetime(2120, 1, 1) + timedelta(days=rng.randrange(0, 25_000))
    return first.replace(hour=rng.randrange(24), minute=rng.randrange(60), second=rng.randrange(60))


def _recipe(
    line: Timeline,
    intime: datetime,
    *,
    other_stays: list[list[str]] | None = None,
    stream: int | None = None,
    claim: str = "none",
    outtime: str | None = None,
) -> Recipe:
    end = moment(intime, line.length).isoformat(" ")
    return {
        "intime": intime.isoformat(" "),
        "outtime": end if outtime is None else outtime,
        "other_stays": other_stays or [],
        "orders": line.sorted_orders(),
        "reports": line.sorted_reports(),
        "order_stream": line.rng.randrange(60, 200) if stream is None else stream,
        "summary_claim": claim,
    }


def _start(rng: random.Random, low: float, high: float) -> tuple[Timeline, datetime]:
    return Timeline(rng, round(rng.uniform(low, high), 2)), _intime(rng)


def _earlier_stay(line: Timeline, intime: datetime) -> tuple[list[list[str]], float, float]:
    """A stay of 50-80 h that ended 40-70 h before intime: as a recipe row, and its bounds in hours."""
    end = -round(line.rng.uniform(40, 70), 2)
    start = round(end - line.rng.uniform(50, 80), 2)
    return [[moment(intime, start).isoformat(" "), moment(intime, end).isoformat(" ")]], start, end


def _inactive(rng: random.Random, turn: int) -> Drawn:
    line, intime = _start(rng, 50, 100)
    title = DIAGNOSTIC_CT[turn % 3]
    ordered, performed = line.study(title, rng.uniform(4, 30), (1.1, 5.9))
    line.radiographs(rng.randrange(3, 7))
    text = (
        f"CT Scan order {ordered} h after intime, status Inactive, no D/C; {title} performed at "
        f"{performed} h, in the window."
    )
    return _recipe(line, intime, claim=rng.choice(("none", _QUOTE[title]))), text


def _late_mri(rng: random.Random, turn: int) -> Drawn:
    line, intime = _start(rng, 165, 190)
    ordered, performed = line.study(MRI[turn % 2], rng.uniform(50, 130), (3.1, 19.5))
    line.radiographs(rng.randrange(8, 20))
    line.ultrasounds(2)
    text = f"One MRI order {ordered} h after intime and its report at {performed} h, in the window; no CT."
    return _recipe(line, intime, stream=rng.randrange(150, 260)), text


def _guided(rng: random.Random, _turn: int) -> Drawn:
    line, intime = _start(rng, 80, 120)
    ordered, performed = line.study(GUIDED, rng.uniform(8, 45), (2.1, 19.5))
    line.radiographs(rng.randrange(3, 7))
    text = (
        f"Cross-Sectional Interventional Radiology order at {ordered} h; CT-guided procedure performed "
        f"at {performed} h, in the window."
    )
    return _recipe(line, intime), text


def _reordered(rng: random.Random, turn: int) -> Drawn:
    line, intime = _start(rng, 50, 90)
    title = DIAGNOSTIC_CT[turn % 3]
    first = rng.uniform(4, 25)
    stopped = round(first + rng.uniform(0.5, 2), 2)
    line.order("CT Scan", first, f"new; D/C at {stopped}")
    ordered, performed = line.study(title, stopped + rng.uniform(0.3, 1.9), (1.1, 4.9))
    line.radiographs(rng.randrange(3, 7))
    text = (
        f"First CT Scan order D/C at {stopped} h; second order at {ordered} h, {title} performed at "
        f"{performed} h, in the window."
    )
    return _recipe(line, intime, claim=rng.choice(("none", _QUOTE[title]))), text


def _changed(rng: random.Random, _turn: int) -> Drawn:
    line, intime = _start(rng, 50, 90)
    title = rng.choice(DIAGNOSTIC_CT)
    first = rng.uniform(4, 25)
    changed = round(first + rng.uniform(0.2, 0.98), 2)
    ordered = line.order("CT Scan", first, f"new; change at {changed}")
    performed = line.report(title, changed + rng.uniform(1.1, 5.9))
    line.radiographs(rng.randrange(3, 7))
    text = (
        f"CT Scan order at {ordered} h replaced by a Change at {changed} h, no D/C; {title} performed at {performed} h."
    )
    return _recipe(line, intime, claim=rng.choice(("none", _QUOTE[title]))), text


def _second_stay(rng: random.Random, turn: int) -> Drawn:
    line, intime = _start(rng, 55, 90)
    others, start, end = _earlier_stay(line, intime)
    line.study(DIAGNOSTIC_CT[turn % 3], start + rng.uniform(3, 20), (1, 4))
    title = DIAGNOSTIC_CT[(turn + 1) % 3]
    ordered, performed = line.study(title, rng.uniform(3.1, 27.5), (1.1, 3.9))
    line.radiographs(3, start, end)
    line.radiographs(rng.randrange(2, 5))
    text = (
        f"In the audited second stay: CT Scan order at {ordered} h, {title} at {performed} h; another CT "
        "belongs to the first stay."
    )
    return _recipe(line, intime, other_stays=others, claim=rng.choice(("none", _QUOTE[title]))), text


def _bedside(rng: random.Random, _turn: int) -> Drawn:
    line, intime = _start(rng, 50, 110)
    line.radiographs(rng.randrange(4, 9))
    line.ultrasounds(rng.randrange(1, 3))
    line.order("Echo", rng.uniform(5, 40))
    text = "Radiographs, ultrasound and an echo only; no CT/MRI-class order or report in the admission."
    return _recipe(line, intime), text


def _no_imaging(rng: random.Random, turn: int) -> Drawn:
    line, intime = _start(rng, 20, 40)
    if turn == 0:
        line.study("CHEST (PORTABLE AP)", -rng.uniform(4, 5), (0.3, 0.9))
    recipe = _recipe(line, intime)
    text = (
        f"No radiology order or report in the window, {recipe['order_stream']} orders of other types in "
        "it; no CT/MRI report in the admission."
    )
    return recipe, text


def _in_ed(rng: random.Random, turn: int) -> Drawn:
    line, intime = _start(rng, 40, 80)
    title = DIAGNOSTIC_CT[turn % 3]
    performed = -rng.uniform(0.4, 5.8)
    ordered = line.order("CT Scan", performed - rng.uniform(0.5, 2))
    line.report(title, performed)
    line.radiographs(rng.randrange(2, 6))
    text = (
        f"CT Scan ordered in the ED at {ordered} h and performed at {performed:.2f} h, both before "
        "intime; radiographs only in the window."
    )
    same_day = intime.replace(hour=rng.randrange(14, 23))
    return _recipe(line, same_day, claim=_QUOTE[title]), text


def _other_stay(rng: random.Random, turn: int) -> Drawn:
    line, intime = _start(rng, 40, 80)
    others, start, end = _earlier_stay(line, intime)
    title = DIAGNOSTIC_CT[(turn + 1) % 3]
    low, high = ((start + 3, start + 30), (end + 5, end + 30))[turn % 2]
    ordered, performed = line.study(title, rng.uniform(low, high), (1, 4))
    line.radiographs(3, start, end)
    line.radiographs(rng.randrange(2, 5))
    place = ("the earlier stay", "the ward between the stays")[turn % 2]
    text = (
        f"CT Scan ordered ({ordered} h) and performed ({performed} h) in {place}; radiographs only in the audited stay."
    )
    return _recipe(line, intime, other_stays=others), text


def _outside(rng: random.Random, _turn: int) -> Drawn:
    line, intime = _start(rng, 40, 80)
    read = line.report("SECOND OPINION CT TORSO", rng.uniform(4, 20), "outside")
    line.radiographs(rng.randrange(2, 6))
    text = f"Second opinion at {read} h of a CT acquired in another hospital; no CT/MRI-class order in the admission."
    return _recipe(line, intime, claim="CT torso from the outside hospital was re-read here."), text


def _no_outtime(rng: random.Random, _turn: int) -> Drawn:
    line, intime = _start(rng, 72, 80)
    ordered, performed = line.study(rng.choice(DIAGNOSTIC_CT), rng.uniform(46, 50), (1, 4))
    line.radiographs(4, end=44)
    text = (
        f"icustays has no outtime and transfers show no unit exit; CT ordered {ordered} h and performed "
        f"{performed} h after intime."
    )
    return _recipe(line, intime, outtime="missing"), text


def _two_stays(rng: random.Random, _turn: int) -> Drawn:
    day = _intime(rng).replace(hour=10, minute=0, second=0)
    line = Timeline(rng, round(rng.uniform(60, 90), 2))
    intime = day - timedelta(seconds=round(line.length * 3600))
    again = [day + timedelta(hours=7), day + timedelta(hours=7 + rng.randrange(40, 60))]
    line.order("CT Scan", line.length - 0.5)
    line.order("CT Scan", line.length + 7 + 2 / 3)
    line.report("CT ABD & PELVIS WITH CONTRAST", f"date-only {day.date().isoformat()}")
    line.radiographs(4, end=line.length - 4)
    text = (
        "CT Scan orders at 09:30 (stay 1) and 17:40 (stay 2) of one day; one CT report of that date at "
        "00:00:00, body silent on time and unit."
    )
    return _recipe(line, intime, other_stays=[[t.isoformat(" ") for t in again]]), text


def _without_report(rng: random.Random, _turn: int) -> Drawn:
    line, intime = _start(rng, 60, 90)
    first = rng.uniform(8, 25)
    line.order("MRI", first, f"new; D/C at {round(first + rng.uniform(3.1, 9.9), 2)}")
    ordered = line.order("CT Scan", line.length - rng.uniform(2.1, 5.9))
    line.radiographs(rng.randrange(3, 6))
    text = (
        f"MRI order discontinued, CT Scan order at {ordered} h not discontinued; no CT or MRI report in the admission."
    )
    return _recipe(line, intime, claim="Will need CT abdomen and pelvis once stable."), text


def _absent_stream(rng: random.Random, _turn: int) -> Drawn:
    line, intime = _start(rng, 25, 40)
    line.report("CHEST (PORTABLE AP)", rng.uniform(3, 15))
    text = (
        "No POE row of any type from intime to outtime (rows before and after); no CT/MRI report; one "
        "radiograph report in the window."
    )
    return _recipe(line, intime, stream=0), text


def _spect(rng: random.Random, _turn: int) -> Drawn:
    line, intime = _start(rng, 50, 90)
    ordered, performed = line.study("LUNG SCAN WITH SPECT/CT", rng.uniform(8, 30), (3, 10))
    line.radiographs(rng.randrange(3, 6))
    text = f"Nuclear Med order at {ordered} h, SPECT/CT report at {performed} h; no CT/MRI-class order."
    return _recipe(line, intime), text


def _unnamed_guidance(rng: random.Random, _turn: int) -> Drawn:
    line, intime = _start(rng, 50, 90)
    ordered, performed = line.study("DRAINAGE CATHETER PLACEMENT", rng.uniform(8, 30), (3, 10))
    line.radiographs(rng.randrange(3, 6))
    text = (
        f"Interventional Radiology order at {ordered} h; drainage under imaging guidance of unnamed "
        f"modality at {performed} h; no CT/MRI-class order."
    )
    return _recipe(line, intime), text


DRAWS: dict[str, Draw] = {
    "inactive-but-performed": _inactive,
    "mri-only-late-in-the-stay": _late_mri,
    "guided-procedure-only": _guided,
    "discontinued-then-reordered": _reordered,
    "changed-not-discontinued": _changed,
    "second-stay-own-order": _second_stay,
    "bedside-imaging-only": _bedside,
    "no-imaging-complete-stream": _no_imaging,
    "ct-in-ed-before-intime": _in_ed,
    "ct-of-the-other-stay": _other_stay,
    "outside-second-reading": _outside,
    "no-outtime": _no_outtime,
    "one-report-two-stays": _two_stays,
    "orders-without-report": _without_report,
    "order-stream-absent": _absent_stream,
    "spect-ct-only": _spect,
    "interventional-unnamed-guidance": _unnamed_guidance,
}
