"""The case plan of sepsis3-sofa: 30 recipes drawn from the ranges of the scenario's variants.

All hours are counted from t, the onset of suspected infection.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from pytest_clinicare.charts.synthetic.plan_cases import Draw, Drawn, Recipe, draw_cases
from pytest_clinicare.charts.synthetic.plan_numbers import quarter, tenth
from pytest_clinicare.charts.synthetic.scenarios.sepsis3_sofa.abstract import abstract
from pytest_clinicare.charts.synthetic.scenarios.sepsis3_sofa.hand import Hand
from pytest_clinicare.suite.case import Case

SCENARIO = "sepsis3-sofa"
GIVEN = "Administered"
ROOM_AIR = 21.0


def plan(seed: int) -> list[Case]:
    """The 30 cases, ids in an order that says nothing."""
    return draw_cases(SCENARIO, draws(seed), abstract, seed)


def draws(seed: int) -> dict[str, Draw]:
    """One function a variant, all dealing from the same decks of phrases."""
    hand = Hand(random.Random(f"{SCENARIO}/phrases/{seed}"))

    def bound(draw: Callable[[Hand, random.Random, int], Drawn]) -> Draw:
        return lambda rng, turn: draw(hand, rng, turn)

    return {name: bound(draw) for name, draw in _DRAWS.items()}


def _recipe(
    hand: Hand,
    rng: random.Random,
    antibiotics: list[list[Any]],
    *,
    group: str = "",
    told: str = "suspected",
    times: tuple[float, float, float, float] | None = None,
    cultures: list[list[Any]] | None = None,
    creatinine: tuple[float, float] = (0.7, 1.1),
    platelets: tuple[int, int] = (170, 260),
    bilirubin: tuple[float, float] = (0.4, 1.0),
    at: Sequence[float] = (),
    pressures: tuple[int, int] | None = None,
    pressed: Sequence[float] = (1.5, 4.5, 9.25),
    coded: bool | None = None,
    **other: Any,
) -> Recipe:
    """``at`` are the hours of blood draws; every draw is of one range unless ``labs`` is given whole."""
    sex = rng.choice("MF")
    words = {"Pronoun": "He" if sex == "M" else "She"}
    if times is None:
        begins = quarter(rng, 1.5, 5)
        times = (-quarter(rng, 1.0, 3), begins, begins + quarter(rng, 50, 80), begins + quarter(rng, 150, 260))
    hours = at or _draws(rng, times)
    level = tenth(rng, *creatinine)
    labs = [
        [
            hour,
            min(max(round(level + rng.choice((-0.1, 0.0, 0.1)), 1), creatinine[0]), creatinine[1]),
            rng.randint(*platelets),
            tenth(rng, *bilirubin),
        ]
        for hour in hours
    ]
    recipe: Recipe = {
        "patient": [sex, rng.randint(41, 84)],
        "presentation": hand.presentation(group),
        "times": list(times),
        "cultures": cultures or [[0.0, "blood"], [0.25, rng.choice(("urine", "blood"))]],
        "antibiotics": antibiotics,
        "administered": "yes",
        "labs": labs,
        "gases": [[max(times[1], 0.0) + 2.25, float(rng.randint(88, 104)), ROOM_AIR, "ART."]],
        "oxygen": [],
        "pressures": [] if pressures is None else [[hour, rng.randint(*pressures)] for hour in pressed],
        "vent": "none",
        "sedation": "none",
        "infusions": [],
        "coma": [],
        "prior": [[rng.randint(60, 300), tenth(rng, 0.7, 1.0)]],
        "past": [],
        "operation": "none",
        "summary": [hand.tell(told, **words), hand.tell("plain")],
        "codes": ["A419"] if (rng.random() < 0.5 if coded is None else coded) else [],
        "other_issues": hand.issues(),
        "advice": hand.advice(),
    }
    return recipe | other


def _draws(rng: random.Random, times: tuple[float, float, float, float]) -> list[float]:
    """Blood on arrival and every morning."""
    hours = [times[0] + 0.75]
    while hours[-1] + 22 < times[3] - 6:
        hours.append(hours[-1] + quarter(rng, 20, 24))
    return hours


def _course(agent: str, first: float, last: float, event: str = GIVEN, ordered: float | None = None) -> list[Any]:
    return [agent, first - 0.75 if ordered is None else ordered, first, last, event]


def _to_the_floor(rng: random.Random) -> float:
    """Last dose of an ordinary course."""
    return quarter(rng, 96, 130)


def _ventilated(rng: random.Random, start: float, oxygen: Sequence[int], po2: tuple[int, int]) -> dict[str, Any]:
    """A tube from ``start`` on, with gases on charted oxygen and a Glasgow score of 15 before it."""
    end = start + quarter(rng, 30, 44)
    charted = [[start + 0.5 + 4 * n, oxygen[n % len(oxygen)]] for n in range(7)]
    gases = [[start + hour, float(rng.randint(*po2)), 0.0, "ART."] for hour in (1.5, 9.0)]
    return {
        "vent": [start, end],
        "sedation": [start + 0.25, end - 1.0],
        "oxygen": charted,
        "gases": gases,
        "coma": [[start - 0.5, 4, 5, 6]],
    }


def _pneumonia(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    first, last = quarter(rng, 1, 5), _to_the_floor(rng)
    times = (-quarter(rng, 1.0, 2.5), 2.0, quarter(rng, 60, 90), quarter(rng, 160, 240))
    recipe = _recipe(
        hand,
        rng,
        [_course("ceftriaxone", first, last), _course("azithromycin", first + 0.5, last - 20)],
        group="lungs",
        times=times,
        cultures=[[0.0, "blood"], [0.5, "sputum"]],
        pressures=(62, 68),
        pressed=(4.5, 8.25, 12.5),
        coded=turn != 2,
        **_ventilated(rng, quarter(rng, 3.5, 6), (60, 50), (85, 95)),
    )
    return recipe, "Pneumonia on the ventilator: PaO2 85-95 on 50-60% is 3 points, MAP 62-68 one; no chronic disease."


def _antibiotic_first(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    culture = 24.0 if turn == 1 else quarter(rng, 18, 23)
    begins = quarter(rng, 1, 12)
    times = (-quarter(rng, 1.0, 3), begins, begins + quarter(rng, 50, 80), begins + quarter(rng, 150, 240))
    recipe = _recipe(
        hand,
        rng,
        [_course("piperacillin-tazobactam", 0.0, _to_the_floor(rng))],
        times=times,
        cultures=[[culture, "blood"]],
        prior=[[30, 0.9]],
    )
    worst = tenth(rng, 2.2, 2.8)
    _replace_labs(recipe, 8.5, worst, rng.randint(110, 140))
    return (
        recipe,
        f"Antibiotic at 0, first culture at +{culture:g} h; creatinine {worst} (0.9 before) and platelets below 150.",
    )


def _replace_labs(recipe: Recipe, hour: float, creatinine: float, platelets: int) -> None:
    """The draw nearest to ``hour`` is taken there, with these values; those after it recover."""
    nearest = min(recipe["labs"][1:], key=lambda row: abs(row[0] - hour))
    nearest[:3] = [hour, creatinine, platelets]
    following = next((row for row in recipe["labs"] if row[0] > hour), None)
    if following is not None:
        following[1:3] = [round((creatinine + 1.0) / 2, 1), (platelets + following[2]) // 2]


def _ckd_rise(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    before = tenth(rng, 2.2, 2.6)
    recipe = _recipe(
        hand,
        rng,
        [_course("cefepime", quarter(rng, 1, 4), _to_the_floor(rng))],
        group="urinary",
        told="septic",
        creatinine=(5.1, 6.4),
        prior=[[rng.randint(40, 90), before]],
        past=["Chronic kidney disease, stage 4"],
    )
    recipe["codes"] = ["N184", *recipe["codes"]]
    recipe["cultures"] = [[0.0, "urine"], [0.25, "blood"]]
    for row in recipe["labs"][3:]:
        row[1] = round(max(row[1] - 1.5, before), 1)
    return recipe, f"CKD 4 with creatinine {before} before (baseline 2); above 5 in W (4 points) through urosepsis."


def _before_onset(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    times = (-quarter(rng, 50, 54), -quarter(rng, 44.5, 47), quarter(rng, 30, 50), quarter(rng, 120, 200))
    recipe = _recipe(
        hand,
        rng,
        [_course("cefepime", 2.0, _to_the_floor(rng))],
        group="urinary",
        told="late",
        times=times,
        cultures=[[0.0, "urine"]],
        pressures=(58, 66),
        pressed=(-38.5, -35.25, -31.75, -24.5),
    )
    recipe["labs"] = [
        [times[0] + 0.75, 0.9, rng.randint(152, 170), 0.6],
        [-33.0, 1.0, rng.randint(78, 95), 0.7],
        [-10.5, 0.9, rng.randint(104, 118), 0.6],
        *(
            [hour, 0.9, rng.randint(*span), 0.6]
            for hour, span in ((13.0, (115, 130)), (37.5, (140, 175)), (61.0, (170, 220)))
        ),
    ]
    recipe["gases"] = [[-40.25, float(rng.randint(88, 104)), ROOM_AIR, "ART."]]
    return recipe, "MAP 58-66 and platelets 78-95 at -38 to -24 h (3 points); nothing of 2 points after onset."


def _cholangitis(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    begins = quarter(rng, 2, 4)
    drip = [
        [begins + 1, begins + 3.5, 0.06],
        [begins + 3.5, begins + 3.5 + 1 / 3, 0.12],
        [begins + 3.5 + 1 / 3, begins + 6, 0.09],
    ]
    recipe = _recipe(
        hand,
        rng,
        [_course("piperacillin-tazobactam", quarter(rng, 1, 3), _to_the_floor(rng))],
        group="biliary",
        bilirubin=(4.2, 5.6),
        coded=False,
        infusions=[["norepinephrine", [[round(a, 4), round(b, 4), r] for a, b, r in drip]]],
        times=(-1.5, begins, begins + 60, begins + 170),
    )
    for number, row in enumerate(recipe["labs"][2:], 1):
        row[3] = round(row[3] * 0.8**number, 1)
    return (
        recipe,
        "Bilirubin 4.2-5.6 (2 points), norepinephrine 0.06-0.09 for 5 h with 0.12 for 20 min only (3 points).",
    )


def _percent(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    first = quarter(rng, 1, 6)
    start = quarter(rng, 4, 6)
    times = (-quarter(rng, 1.0, 2.5), 2.0, quarter(rng, 60, 90), quarter(rng, 160, 240))
    recipe = _recipe(
        hand,
        rng,
        [_course("cefepime", first, _to_the_floor(rng))],
        group="aspiration",
        times=times,
        cultures=[[0.0, "blood"], [0.5, "sputum"]],
        **_ventilated(rng, start, (60,), (78, 90)),
    )
    recipe["gases"].append([recipe["gases"][0][0] + 1.0, float(rng.randint(38, 44)), 0.0, "VEN."])
    recipe["gases"].sort()
    return (
        recipe,
        "FiO2 charted as 60 (percent) with PaO2 78-90 on the ventilator: 3 points; a venous gas an hour later.",
    )


def _prophylaxis(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    start, out = 6.5, quarter(rng, 50, 74)
    recipe = _recipe(
        hand,
        rng,
        [_course("cefazolin", 0.0, quarter(rng, 24, 36))],
        group="surgery",
        told="surgical",
        times=(-2.0, 6.25, out, quarter(rng, 130, 180)),
        cultures=[[7.5, "mrsa-screen"]],
        platelets=(104, 138),
        coded=False,
        **_ventilated(rng, start, (50, 40), (105, 120)),
    )
    recipe["vent"] = [start, start + quarter(rng, 8, 12)]
    recipe["sedation"] = [start + 0.25, recipe["vent"][1] - 1]
    recipe["coma"] = []
    recipe["oxygen"] = recipe["oxygen"][:3]
    recipe["infusions"] = [["norepinephrine", [[start + 0.5, start + 5, 0.06], [start + 5, start + 9, 0.04]]]]
    recipe["operation"] = recipe["presentation"][0]
    return (
        recipe,
        "Planned cardiac surgery: an MRSA screen and perioperative cefazolin are no pair, whatever the SOFA total.",
    )


def _too_late(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    first = quarter(rng, 73, 80)
    times = (-2.0, 3.0, quarter(rng, 84, 110), quarter(rng, 170, 250))
    recipe = _recipe(
        hand,
        rng,
        [_course("cefepime", first, first + 72, ordered=quarter(rng, 69, 71))],
        told="quiet",
        times=times,
        cultures=[[0.0, "blood"]],
    )
    _replace_labs(recipe, 20.5, 2.4, rng.randint(170, 240))
    return (
        recipe,
        f"Blood culture at 0 h, antibiotic ordered before 72 h and first given at {first:g} h; creatinine 2.4.",
    )


def _never_given(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand,
        rng,
        [_course("ciprofloxacin", 2.0, 50.0, event="Not Given", ordered=1.5)],
        told="quiet",
        platelets=(80, 95),
        cultures=[[0.0, "urine"]],
    )
    return recipe, "Urine culture and a ciprofloxacin order, never given; platelets 80-95."


def _dialysis(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand,
        rng,
        [_course("vancomycin", 2.0, _to_the_floor(rng))],
        group="dialysis",
        creatinine=(5.5, 8.0),
        pressures=(64, 69),
        pressed=(6.5, 9.25, 14.5),
        prior=[[rng.randint(30, 120), tenth(rng, 5.5, 7.5)]],
        past=["End stage renal disease on hemodialysis"],
    )
    for row in recipe["labs"]:
        row[1] = tenth(rng, 5.5, 8.0)
    return recipe, "Chronic hemodialysis: renal baseline 4; only MAP 64-69 adds a point."


def _late_values(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand,
        rng,
        [_course("ceftriaxone", quarter(rng, 0.5, 2), _to_the_floor(rng))],
        creatinine=(0.9, 1.1),
        platelets=(160, 220),
    )
    recipe["times"][1:] = [3.0, quarter(rng, 62, 84), quarter(rng, 170, 240)]
    first, worst = quarter(rng, 27.5, 30), tenth(rng, 2.4, 3.2)
    recipe["labs"] = [
        [-0.5, 0.9, rng.randint(160, 220), 0.6],
        [quarter(rng, 10, 20), 1.0, rng.randint(160, 220), 0.7],
        [first, worst, 85, 0.8],
        [quarter(rng, 40, 43), round(worst - 0.3, 1), 85, 0.7],
        *([hour, 1.1, rng.randint(150, 210), 0.7] for hour in (66.0, 90.5, 114.0)),
    ]
    return recipe, f"Normal in W; creatinine {worst} and platelets 85 from +{first:g} h on, after the window."


def _coded(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand,
        rng,
        [_course("ceftriaxone", quarter(rng, 1, 4), _to_the_floor(rng))],
        group="urinary",
        told="coded",
        pressures=(65, 69),
        pressed=(5.5, 8.25, 11.5),
        coded=True,
        cultures=[[0.0, "urine"], [0.25, "blood"]],
    )
    recipe["lactate"] = tenth(rng, 2.1, 2.6)
    recipe["pulse"] = [104, 118]
    return recipe, "Sepsis is coded and named; all six components measured, MAP 65-69 alone gives 1 point."


def _sedated(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    start = 6.0
    recipe = _recipe(
        hand,
        rng,
        [_course("ceftriaxone", quarter(rng, 1, 3), _to_the_floor(rng))],
        group="endoscopy",
        told="procedure",
        pressures=(66, 69),
        pressed=(7.5, 9.25),
        times=(-2.0, 2.5, quarter(rng, 50, 70), quarter(rng, 140, 200)),
        **_ventilated(rng, start, (50,), (206, 234)),
    )
    recipe["vent"] = [start, start + quarter(rng, 9, 12)]
    recipe["sedation"] = [start - 0.25, recipe["vent"][1] - 0.25]
    recipe["oxygen"] = recipe["oxygen"][:3]
    recipe["gases"] = [[start + 1.5, recipe["gases"][0][1], 50.0, "ART."]]
    return recipe, "GCS 3 under propofol and a tube is not scored, 15 before is; P/F above 410, MAP 66-69 is 1 point."


def _no_record(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand,
        rng,
        [_course("ceftriaxone", 0, 0, event="none", ordered=2.0)],
        administered="no",
        cultures=[[0.0, "blood"]],
    )
    _replace_labs(recipe, 19.5, 2.6, rng.randint(170, 240))
    return (
        recipe,
        "No administration record at all; ceftriaxone is prescribed 2 h after a blood culture; creatinine 2.6.",
    )


def _unknown_ckd(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand,
        rng,
        [_course("cefepime", quarter(rng, 1, 4), _to_the_floor(rng))],
        creatinine=(2.6, 3.2),
        prior=[],
        past=["Chronic kidney disease, stage 4"],
    )
    recipe["codes"] = ["N184", *recipe["codes"]]
    return recipe, "CKD stage 4 without any earlier creatinine; 2.6-3.2 in W would be 2 points from 0."


def _sparse(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand,
        rng,
        [_course("cefepime", 2.0, _to_the_floor(rng))],
        creatinine=(0.8, 1.1),
        platelets=(170, 240),
        gases=[],
        times=(-2.5, 2.0, quarter(rng, 60, 80), quarter(rng, 150, 220)),
        sedation=[1.9, 30.0],
        vent=[2.0, 30.5],
        oxygen=[[2.5 + 4 * n, 40] for n in range(7)],
    )
    recipe["labs"] = [[*row[:3], 0.0] for row in recipe["labs"]]
    return recipe, "MAP, creatinine and platelets alone are measured in W, all normal; no gas on the ventilator."


def _cardiogenic(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    begins = quarter(rng, 2, 4)
    recipe = _recipe(
        hand,
        rng,
        [_course("vancomycin", 1.5, 118.0), _course("cefepime", 2.0, 120.0)],
        group="heart",
        told="cardiogenic",
        times=(-3.0, begins, begins + 80, begins + 190),
        coded=False,
        infusions=[["norepinephrine", [[begins + 1, begins + 5, 0.09], [begins + 5, begins + 9, 0.05]]]],
    )
    return (
        recipe,
        "Norepinephrine 0.05-0.09 (3 points) for cardiogenic shock by the summary; cultures and antibiotics too.",
    )


def _excluded(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    recipe = _recipe(
        hand,
        rng,
        [_course("cefepime", quarter(rng, 1, 3), 1.0 + quarter(rng, 40, 62))],
        group="other",
        creatinine=(2.1, 3.0),
        platelets=(60, 90),
        coded=bool(turn),
    )
    for number, row in enumerate(recipe["labs"][5:], 1):
        row[2] += 25 * number
    cause = {"platelets and kidneys": "thrombotic microangiopathy", "vasculitis": "microscopic polyangiitis"}
    recipe["summary"][0] = hand.tell("excluded", cause=cause[recipe["presentation"][0]])
    return (
        recipe,
        "Creatinine 2.1-3.0 and platelets 60-90, but infection was excluded and antibiotics stopped within 72 h.",
    )


_DRAWS: dict[str, Callable[[Hand, random.Random, int], Drawn]] = {
    "pneumonia-ventilated": _pneumonia,
    "antibiotic-first-near-limit": _antibiotic_first,
    "ckd-with-true-rise": _ckd_rise,
    "dysfunction-before-onset": _before_onset,
    "no-code-cholangitis": _cholangitis,
    "fio2-charted-in-percent": _percent,
    "screen-and-prophylaxis": _prophylaxis,
    "antibiotic-after-72-h": _too_late,
    "ordered-never-given": _never_given,
    "dialysis-without-rise": _dialysis,
    "late-values": _late_values,
    "coded-sepsis-rise-of-one": _coded,
    "sedated-gcs": _sedated,
    "no-administration-record": _no_record,
    "baseline-unknown-ckd": _unknown_ckd,
    "sparse-sampling": _sparse,
    "cardiogenic-shock-with-cultures": _cardiogenic,
    "infection-excluded": _excluded,
}
