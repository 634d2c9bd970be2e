"""The case plan of ards-lung-protective: 30 recipes drawn from the ranges of the scenario's variants.

All hours are counted from T0, the qualifying gas.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

from pytest_clinicare.charts.synthetic.plan_cases import Draw, Drawn, Recipe, draw_cases
from pytest_clinicare.charts.synthetic.plan_numbers import quarter
from pytest_clinicare.charts.synthetic.pronouns import pronouns
from pytest_clinicare.charts.synthetic.scenarios.ards_lung_protective.abstract import abstract
from pytest_clinicare.charts.synthetic.scenarios.ards_lung_protective.hand import Hand
from pytest_clinicare.suite.case import Case

SCENARIO = "ards-lung-protective"
ASSIST, SUPPORT = ("CMV/ASSIST", "CMV/ASSIST/AutoFlow"), "CPAP/PSV"
BASE = {"M": 50.0, "F": 45.5}
_HEIGHTS = {"M": (166, 188), "F": (154, 174)}


def plan(seed: int) -> list[Case]:
    """The 30 cases, ids in an order that says nothing."""
    return draw_cases(SCENARIO, draws(seed), abstract, seed)


def draws(seed: int) -> dict[str, Draw]:
    """One function a variant, all dealing from the same decks of phrases."""
    hand = Hand(random.Random(f"{SCENARIO}/phrases/{seed}"))

    def bound(draw: Callable[[Hand, random.Random, int], Drawn]) -> Draw:
        return lambda rng, turn: draw(hand, rng, turn)

    return {name: bound(draw) for name, draw in _DRAWS.items()}


def predicted(sex: str, centimetres: float) -> float:
    """Predicted body weight in kg."""
    return BASE[sex] + 0.91 * (centimetres - 152.4)


def _around(rng: random.Random, count: int, low: int, high: int, step: int = 1) -> list[int]:
    return [rng.randrange(low, high + 1, step) for _ in range(count)]


def _recipe(
    hand: Hand,
    rng: random.Random,
    *,
    sex: str,
    height: float | None,
    weight: tuple[int, int],
    volumes: Sequence[int],
    plateaus: Sequence[int],
    ratio: tuple[int, int] = (105, 195),
    peep: tuple[int, ...] = (8, 10, 12),
    begins: tuple[float, float] = (-6.0, -1.0),
    before: int | None = None,
    group: str = "",
    films: str = "bilateral",
    told: str = "plain",
    origin: str = "clean",
    coded: bool | None = None,
    venous: bool = False,
) -> Recipe:
    """``volumes`` and ``plateaus`` are those of the window in order; ``before`` the set volume before the gas."""
    start = quarter(rng, *begins)
    arrival = start - quarter(rng, 4, 30)
    end = quarter(rng, 60, 110)
    level, mode = rng.choice(peep), rng.choice(ASSIST)
    oxygen = rng.choice((50, 60, 70))
    steps = _steps(rng, len(volumes))
    rows = _early(rng, start, mode, before or volumes[0], level, oxygen, plateaus)
    at = 0
    for number, (hour, volume) in enumerate(zip(steps, volumes, strict=True)):
        plateau = 0
        # Plateau pressures are charted with every other setting at least.
        if len(plateaus) and (number * len(plateaus)) // len(volumes) >= at and at < len(plateaus):
            plateau, at = plateaus[at], at + 1
        rows.append(
            [hour, mode, volume, volume + rng.randrange(-18, 19), level, plateau, max(oxygen - 5 * (number // 3), 40)]
        )
    if rng.random() < 0.5:
        rows.append([23.5, SUPPORT, 0, rng.randrange(620, 760), level - 3, 0, 40])
    gases = _gases(rng, start, ratio, oxygen, "VEN." if venous else "ART.")
    words = pronouns(sex)
    heights: list[list[Any]] = []
    if height is not None:
        heights.append(["icu", height, "cm", "cm", start + 0.5])
        if rng.random() < 0.4:
            heights.append(
                ["outpatient", round(height / 2.54 + rng.choice((-1, 1)), 0), "in", "in", -rng.randrange(900, 9000)]
            )
    return {
        "patient": [sex, rng.randint(34, 79), float(rng.randint(*weight))],
        "presentation": hand.presentation(group),
        "arrival": arrival,
        "icu": [start - quarter(rng, 0.5, 2.0), end + quarter(rng, 12, 30)],
        "heights": heights,
        "vent": [start, end],
        "settings": rows,
        "gases": gases,
        "imaging": _films(hand, rng, arrival, start, films),
        "summary": [hand.sentence("ventilation", told, **words), hand.sentence("origin", origin)],
        "codes": ["J80"] if (rng.random() < 0.5 if coded is None else coded) else [],
        "other_issues": hand.issues(),
        "advice": hand.advice(),
        "exit": end + quarter(rng, 60, 140),
    }


def _steps(rng: random.Random, count: int) -> list[float]:
    """Hours of the settings of the window, about evenly spread, the last within it."""
    return [round((number + 0.35 + 0.1 * rng.randrange(6)) * 23 / count, 2) for number in range(count)]


def _early(
    rng: random.Random, start: float, mode: str, volume: int, peep: int, oxygen: int, plateaus: Sequence[int]
) -> list[list[Any]]:
    """Settings from intubation to the qualifying gas, the last of them a little before it."""
    hours = [start + 0.25]
    while hours[-1] + 3.5 < -0.5:
        hours.append(round(hours[-1] + quarter(rng, 2.5, 3.5), 2))
    if hours[-1] < -1.75:
        hours.append(-0.5)
    plateau = round(median(plateaus)) if plateaus else 0
    return [
        [hour, mode, volume, volume + rng.randrange(-15, 16), peep, plateau if number % 2 else 0, oxygen]
        for number, hour in enumerate(hours)
    ]


def _gases(rng: random.Random, start: float, ratio: tuple[int, int], oxygen: int, kind: str) -> list[list[Any]]:
    """The qualifying gas and later ones; with ``VEN.`` all are venous."""
    rows = []
    for number, hour in enumerate((0.0, quarter(rng, 5, 8), quarter(rng, 11, 15), quarter(rng, 26, 32))):
        held = oxygen if number == 0 else 50 if number < 3 else 40
        low = 56 if number else 44
        value = max(round(rng.randint(*ratio) * held / 100), low) if kind == "ART." else rng.randint(34, 48)
        rows.append([hour, float(value), float(held) if rng.random() < 0.5 else 0.0, kind])
    if rng.random() < 0.4:
        rows.append([quarter(rng, 1.5, 4), float(rng.randint(35, 44)), 0.0, "VEN."])
    return sorted(rows, key=lambda row: float(row[0]))


def _films(hand: Hand, rng: random.Random, arrival: float, start: float, name: str) -> list[list[Any]]:
    """On arrival, after intubation, next day and later; what lies within a day of the gas reads as ``name``."""
    hours = [arrival + quarter(rng, 0.75, 2.5), max(start + 1.0, -0.75), quarter(rng, 12, 20), quarter(rng, 34, 50)]
    if name == "unnamed":
        hours[1] = quarter(rng, 3, 15)
        hours[2] = hours[1] + 6
    later = name if name in ("unilateral", "undecided") else "late"
    return [[hour, *hand.film(name if hour < 24.5 else later)] for hour in hours]


def _height(rng: random.Random, sex: str) -> int:
    return rng.randint(*_HEIGHTS[sex])


def _protective(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, sex="M", height=178.0, weight=(70, 98), volumes=[440] * 8, plateaus=_around(rng, 5, 22, 28),
        ratio=(122, 188), told="hypoxic", coded=False,
    )  # fmt: skip
    return recipe, "Man of 178 cm, PBW 73.3 kg: 440 mL is 6.0 mL/kg and plateau 22-28; J80 is not coded."


def _heavy(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    volume = rng.randrange(385, 406, 5)
    recipe = _recipe(
        hand, rng, sex="F", height=160.0, weight=(110, 140), volumes=[volume + d for d in (0, -5, 0, 0, 5, 0, 0)],
        plateaus=_around(rng, 5, 24, 29), told=rng.choice(("claim", "plain")),
    )  # fmt: skip
    return recipe, f"Heavy woman of 160 cm, PBW 52.4 kg: {volume} mL is {volume / 52.416:.1f} mL/kg."


def _inches(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, sex="M", height=None, weight=(74, 96), volumes=_around(rng, 7, 450, 480, 10),
        plateaus=_around(rng, 4, 20, 27),
    )  # fmt: skip
    recipe["heights"] = [["icu", 70.0, "in", "in", recipe["vent"][0] + 0.5]]
    return recipe, "Height is charted as 70 inches alone (177.8 cm, PBW 73.1 kg); 450-480 mL is 6.2-6.6 mL/kg."


def _wrong_item(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    recipe, _ = _inches(hand, rng, turn)
    recipe["heights"][0][2:4] = ["in", "cm"]
    return recipe, "70 stands under the centimetre item and is inches (177.8 cm, PBW 73.1 kg); 6.2-6.6 mL/kg."


def _corrected(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, sex="M", height=170.0, weight=(68, 92), volumes=_around(rng, 8, 400, 420, 10),
        plateaus=_around(rng, 5, 21, 27), begins=(-10.0, -5.0), before=600, told=rng.choice(("claim", "plain")),
    )  # fmt: skip
    # The last settings before the gas are reduced already; the first gas does not qualify.
    for row in recipe["settings"]:
        if -1.0 <= row[0] <= 0:
            row[2:4] = [410, 402]
    first = recipe["vent"][0] + 1.25
    recipe["gases"].insert(0, [first, float(rng.randint(190, 215)), 60.0, "ART."])
    return recipe, "600 mL (9.1 mL/kg) until shortly before T0; in the window 400-420 mL, 6.1-6.4 mL/kg of 66.0 kg."


def _limits(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    volumes = [450, 456, 460, 456, 440, 456, 464, 456, 470]
    plateaus = [28, 30, 31, 30, 32]
    rng.shuffle(volumes)
    rng.shuffle(plateaus)
    recipe = _recipe(
        hand, rng, sex="F", height=165.1, weight=(58, 84), volumes=volumes, plateaus=plateaus, peep=(10, 12)
    )
    return recipe, "Woman of 165.1 cm, PBW 57.06 kg: median 456 mL is 7.99 mL/kg, median plateau exactly 30 cmH2O."


def _actual_weight(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    volume = rng.randrange(460, 491, 10)
    recipe = _recipe(
        hand, rng, sex="F", height=160.0, weight=(85, 110), volumes=[volume + d for d in (0, 0, -10, 10, 0, 0, 0)],
        plateaus=_around(rng, 5, 22, 28), ratio=(92, 195), told="claim",
    )  # fmt: skip
    return recipe, f"Woman of 160 cm, PBW 52.4 kg: {volume} mL is {volume / 52.416:.1f} mL/kg, whatever she weighs."


def _short_man(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, sex="M", height=155.0, weight=(80, 95), volumes=[450] * rng.randint(6, 8),
        plateaus=_around(rng, 5, 20, 26), ratio=(152, 278), peep=(5, 8, 10),
    )  # fmt: skip
    return recipe, "Man of 155 cm, PBW 52.4 kg: 450 mL is 8.6 mL/kg."


def _claimed(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    late = _around(rng, 7, 560, 600, 10)
    recipe = _recipe(
        hand, rng, sex="M", height=168.0, weight=(72, 96), volumes=[400] * rng.randint(1, 2) + late,
        plateaus=_around(rng, 5, 25, 29), told="protocol",
    )  # fmt: skip
    return recipe, "Man of 168 cm, PBW 64.2 kg: after one or two values of 400, 560-600 mL (8.7-9.3 mL/kg)."


def _unnamed(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, sex="M", height=172.0, weight=(66, 90), volumes=[600] * rng.randint(6, 8),
        plateaus=_around(rng, 5, 22, 29), ratio=(142, 198), peep=(8, 10), group="aspiration", films="unnamed",
        coded=False,
    )  # fmt: skip
    return (
        recipe,
        "ARDS is named nowhere; P/F and bilateral opacities establish it. 600 mL of PBW 67.8 kg is 8.8 mL/kg.",
    )


def _high_plateau(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    sex = rng.choice("MF")
    height = float(_height(rng, sex))
    volume = round(predicted(sex, height) * rng.uniform(6.2, 7.3) / 10) * 10
    low, middle = rng.randint(28, 30), rng.randint(32, 35)
    plateaus = [low, middle, middle + 2, middle, 38]
    rng.shuffle(plateaus)
    recipe = _recipe(
        hand, rng, sex=sex, height=height, weight=(66, 98), volumes=[volume] * rng.randint(6, 8), plateaus=plateaus,
        peep=(12, 14, 16), told=rng.choice(("claim", "plain", "plain")),
    )  # fmt: skip
    return recipe, f"{volume} mL is {volume / predicted(sex, height):.1f} mL/kg; median plateau {middle} cmH2O."


def _no_height(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, sex=rng.choice("MF"), height=None, weight=(82, 82), volumes=[480] * 7,
        plateaus=_around(rng, 5, 22, 28), coded=True,
    )  # fmt: skip
    return recipe, "ARDS is established and 480 mL were set; no height is on record, weight 82 kg is."


def _unilateral(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    sex = rng.choice("MF")
    height = float(_height(rng, sex))
    volume = round(predicted(sex, height) * 9.0 / 10) * 10
    recipe = _recipe(
        hand, rng, sex=sex, height=height, weight=(66, 98), volumes=[volume] * 7, plateaus=_around(rng, 5, 22, 28),
        ratio=(142, 218), peep=(5, 8), group="right", films="unilateral", coded=True,
    )  # fmt: skip
    return recipe, "Every film shows right lower lobe consolidation with a clear left lung; J80 is coded."


def _venous(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    sex = rng.choice("MF")
    height = float(_height(rng, sex))
    volume = round(predicted(sex, height) * 6.0 / 10) * 10
    recipe = _recipe(
        hand, rng, sex=sex, height=height, weight=(66, 98), volumes=[volume] * 7, plateaus=_around(rng, 5, 22, 28),
        venous=True,
    )  # fmt: skip
    return recipe, "Bilateral opacities, but every gas during ventilation is venous."


def _no_plateau(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    sex = rng.choice("MF")
    height = float(_height(rng, sex))
    volume = round(predicted(sex, height) * rng.uniform(6.4, 7.3) / 10) * 10
    recipe = _recipe(hand, rng, sex=sex, height=height, weight=(66, 98), volumes=[volume] * 7, plateaus=[])
    return recipe, f"{volume / predicted(sex, height):.1f} mL/kg; no plateau pressure is charted, only peak pressures."


def _oedema(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    sex = rng.choice("MF")
    height = float(_height(rng, sex))
    volume = round(predicted(sex, height) * 6.0 / 10) * 10
    recipe = _recipe(
        hand, rng, sex=sex, height=height, weight=(66, 98), volumes=[volume] * 7, plateaus=[24] * 5, ratio=(180, 180),
        peep=(8,), group="cardiac", films="undecided", origin="mixed",
    )  # fmt: skip
    return recipe, "Every film leaves pulmonary edema versus ARDS open, and so does the summary (EF 25%, pneumonia)."


def _two_heights(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, sex="M", height=157.0, weight=(66, 88), volumes=[480] * 7, plateaus=[24] * 5)
    first = recipe["vent"][0] + 0.5
    recipe["heights"] = [["icu", 157.0, "cm", "cm", first], ["icu", 173.0, "cm", "cm", round(first + 3.25, 2)]]
    return recipe, "157 and 173 cm are charted on one day (PBW 54.2 and 68.7 kg): 480 mL is 8.9 or 7.0 mL/kg."


_DRAWS: dict[str, Callable[[Hand, random.Random, int], Drawn]] = {
    "textbook-protective": _protective,
    "heavy-patient-small-volume": _heavy,
    "inch-item-only": _inches,
    "inches-under-cm-item": _wrong_item,
    "corrected-before-onset": _corrected,
    "at-the-limits": _limits,
    "per-actual-weight": _actual_weight,
    "short-man-everyday-volume": _short_man,
    "protocol-claimed-in-note": _claimed,
    "ards-unnamed": _unnamed,
    "plateau-high": _high_plateau,
    "no-height": _no_height,
    "not-ards-unilateral": _unilateral,
    "no-arterial-gas": _venous,
    "no-plateau": _no_plateau,
    "oedema-or-ards": _oedema,
    "two-heights": _two_heights,
}
