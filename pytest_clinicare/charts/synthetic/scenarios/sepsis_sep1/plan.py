"""The case plan of sepsis-sep1: 30 recipes drawn from the ranges of the scenario's variants.

All times are minutes from time zero (limbs-apart: from the first culture).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from pytest_clinicare.charts.synthetic.hand import Hand
from pytest_clinicare.charts.synthetic.plan_cases import Draw, Drawn, Recipe, draw_cases
from pytest_clinicare.charts.synthetic.plan_numbers import tenth
from pytest_clinicare.charts.synthetic.pronouns import pronouns
from pytest_clinicare.charts.synthetic.scenarios.sepsis_sep1.abstract import abstract
from pytest_clinicare.suite.case import Case

SCENARIO = "sepsis-sep1"
PHRASES = "phrases/sepsis-sep1"
SALINE, RINGERS = "Sodium Chloride 0.9%", "Lactated Ringers"
DAY = 1440
_FIRST_LINE = ("ceftriaxone", "piperacillin-tazobactam", "cefepime")


def plan(seed: int) -> list[Case]:
    """The 30 cases, ids in an order that says nothing."""
    return draw_cases(SCENARIO, draws(seed), abstract, seed)


def draws(seed: int) -> dict[str, Draw]:
    """One function a variant, all dealing from the same decks of phrases."""
    hand = Hand(random.Random(f"{SCENARIO}/phrases/{seed}"), PHRASES)

    def bound(draw: Callable[[Hand, random.Random, int], Drawn]) -> Draw:
        return lambda rng, turn: draw(hand, rng, turn)

    return {name: bound(draw) for name, draw in _DRAWS.items()}


def _recipe(
    hand: Hand, rng: random.Random, *, group: str = "", told: tuple[str, str] = ("", ""), **other: Any
) -> Recipe:
    """``told`` names the lists of the first and second sentence of the summary where a variant has its own."""
    sex = rng.choice("MF")
    words = pronouns(sex)
    entries = [p for p in hand.phrases["presentations"] if p.get("group", "") == group]
    arrival, year = -rng.randint(185, 295), rng.randint(2130, 2180)
    agent, first = rng.choice(_FIRST_LINE), rng.randint(20, 90)
    blood = -rng.randint(9, 19)
    recipe: Recipe = {
        "patient": [sex, rng.randint(34, 84)],
        "calendar": [year, year + rng.randint(0, 2)],
        "presentation": hand.entry(entries, f"presentations {group}"),
        "arrival": arrival,
        "source": "ed",
        "icu": [75, 75 + rng.randint(36, 64) * 60],
        "leaves": [rng.randint(5, 7) * DAY, "alive"],
        "weight": rng.randint(62, 98),
        "readings": _readings(rng, arrival),
        "draw": [0, tenth(rng, 12.6, 18.5), tenth(rng, 0.8, 1.4), rng.randint(165, 310)],
        "early_draw": "none",
        "lactates": [[0, tenth(rng, 2.4, 3.6)], [rng.randint(125, 325), tenth(rng, 1.1, 1.8)]],
        "cultures": [[blood, "blood"], [blood + rng.randint(3, 7), "urine"]],
        "antibiotics": [[agent, first, 3 * DAY, "Administered"]],
        "orders": [],
        "crystalloid": [
            [rng.randint(8, 14), rng.choice((500, 750, 1000)), 1000, rng.choice((SALINE, RINGERS)), "emar"]
        ],
        "ordered_fluid": [],
        "albumin": "none",
        "pressures": [],
        "low_until": "none",
        "norepinephrine": "none",
        "norepinephrine_order": "none",
        "code_status": "none",
        "lab_orders": [],
        "administered": "yes",
        "summary": [
            hand.sentence(told[0] or "pathway", **words),
            hand.sentence(told[1] or "support", **words),
            hand.sentence("outcome", **words),
        ],
        "codes": ["A419", "R6520"],
        "other_issues": hand.two("other_issues"),
    }
    return recipe | other


def _readings(rng: random.Random, arrival: int, low: tuple[int, ...] = ()) -> list[list[Any]]:
    """Triage, one between, one with fever shortly before time zero, and one after; pulse and fever are the criteria."""
    rows = [
        [arrival, round(rng.uniform(99.0, 100.4), 1), rng.randint(92, 104), rng.randint(16, 20), rng.randint(112, 132)]
    ]
    rows.append([arrival // 2, round(rng.uniform(99.6, 100.6), 1), rng.randint(96, 108), 18, rng.randint(108, 126)])
    rows.append(
        [-24, round(rng.uniform(101.4, 102.8), 1), rng.randint(108, 124), rng.randint(18, 20), rng.randint(104, 122)]
    )
    times = low or (33,)
    for at in times:
        pressure = rng.randint(82, 86) if low else rng.randint(102, 118)
        rows.append([at, round(rng.uniform(100.4, 101.6), 1), rng.randint(102, 116), 20, pressure])
    return rows


def _full(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng)
    return recipe, f"Lactate {recipe['lactates'][0][1]} completes the limbs; every element in time, no shock."


def _low_pair(rng: random.Random) -> tuple[int, int]:
    """Two hypotensive readings in the emergency department; the second is the trigger."""
    first = rng.randint(6, 12)
    return first, first + rng.randint(32, 52)


def _shock(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    weight, lactate = rng.randint(62, 90), tenth(rng, 4.2, 6.8)
    total = round(weight * rng.uniform(30.5, 33.5))
    rest, minutes = total - 1000, rng.randint(56, 64)
    end = 80 + minutes
    recipe = _recipe(
        hand, rng, weight=weight,
        lactates=[[0, lactate], [rng.randint(185, 295), tenth(rng, 2.1, 3.4)]],
        antibiotics=[["cefepime", rng.randint(20, 60), 3 * DAY, "Administered"],
                     ["vancomycin", rng.randint(40, 100), 2 * DAY, "Administered"]],
        crystalloid=[[rng.randint(5, 12), 1000, 1000, SALINE, "emar"],
                     [80, rest, round(rest * 60 / minutes, 1), SALINE, "icu"]],
        pressures=[[end + minute, rng.randint(77, 87), rng.randint(53, 60)] for minute in (8, 28)],
        norepinephrine=[end + rng.randint(34, 50), 14], codes=["A419", "R6521"],
    )  # fmt: skip
    return (
        recipe,
        f"Lactate {lactate}; {total} mL ({total / weight:.1f} mL/kg) by emar and ICU inputs; norepinephrine in time.",
    )


def _dnr(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    text = "DNR / DNI" if turn % 2 else "DNR (do not resuscitate)"
    recipe = _recipe(hand, rng, told=("dnr", ""), code_status=[115, text])
    return recipe, f"{text} charted at +1:55 with full care; every element in time."


def _comfort(rng: random.Random, recipe: Recipe, at: int) -> Recipe:
    recipe["code_status"] = [at, "Comfort measures only"]
    recipe["leaves"] = [at + rng.randint(20, 44) * 60, "died"]
    recipe["icu"] = [75, recipe["leaves"][0]]
    return recipe


def _late_comfort(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    at = rng.randint(560, 1780)
    recipe = _comfort(rng, _recipe(hand, rng, told=("comfort", "")), at)
    return (
        recipe,
        f"Every element in time; comfort measures only charted {at / 60:.1f} h after time zero and not before.",
    )


def _two_kidney(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    worst = tenth(rng, 2.4, 3.5)
    recipe = _recipe(hand, rng, lactates=[[0, 2.0]])
    recipe["draw"][2] = worst
    return (
        recipe,
        f"Creatinine {worst} is the organ dysfunction; the one lactate is exactly 2.0, so no repeat is required.",
    )


def _two_platelets(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    count = rng.randint(62, 95)
    recipe = _recipe(hand, rng, told=("trend-plan", ""), lactates=[[0, 2.0]])
    recipe["draw"][3] = count
    return recipe, f"Platelets {count} are the organ dysfunction; the one lactate is exactly 2.0; 'plan to trend'."


def _tolerance(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    pair, total = _low_pair(rng), rng.randint(2210, 2340)
    recipe = _recipe(
        hand, rng, weight=80, lactates=[[0, tenth(rng, 2.1, 3.9)], [rng.randint(130, 320), tenth(rng, 1.1, 1.8)]],
        crystalloid=[[14, 1000, 1000, SALINE, "emar"], [82, total - 1000, 1000, SALINE, "icu"]],
    )  # fmt: skip
    recipe["readings"] = _readings(rng, recipe["arrival"], pair)
    return recipe, f"SBP low twice, trigger +{pair[1]} min; {total} mL of 80 kg is {total / 80:.1f} mL/kg."


def _outside(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    before, after, count = -rng.randint(385, 475), rng.randint(197, 238), rng.randint(78, 90)
    recipe = _recipe(hand, rng, arrival=before - rng.randint(15, 35), lactates=[[before, 1.6], [after, 1.8]])
    recipe["readings"] = _readings(rng, recipe["arrival"])
    recipe["draw"][3] = count
    recipe["early_draw"] = [before, tenth(rng, 8.0, 11.5), recipe["draw"][2], rng.randint(103, 112)]
    recipe["lab_orders"] = [rng.randint(10, 60)]
    return (
        recipe,
        f"Lactates only at {before / 60:.1f} h and +{after / 60:.1f} h; platelets {count} complete the limbs.",
    )


def _culture_after(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    dose = rng.randint(18, 60)
    drawn = dose + rng.randint(12, 73)
    agent = "cefepime" if turn % 2 else "piperacillin-tazobactam"
    recipe = _recipe(
        hand, rng, told=("cultures-sent", ""), cultures=[[-rng.randint(12, 85), "urine"], [drawn, "blood"]],
        antibiotics=[[agent, dose, 3 * DAY, "Administered"]], lab_orders=[dose - rng.randint(6, 15)],
    )  # fmt: skip
    return recipe, f"{agent} at +{dose} min, the first blood culture at +{drawn} min."


def _vancomycin(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    first, late, refused = rng.randint(30, 100), rng.randint(245, 535), rng.randint(110, 150)
    recipe = _recipe(
        hand, rng,
        antibiotics=[["vancomycin", first, 2 * DAY, "Administered"], ["cefepime", refused, refused, "Not Given"],
                     ["cefepime", late, 3 * DAY, "Administered"]],
        orders=[["cefepime", rng.randint(50, 90)]],
    )  # fmt: skip
    return recipe, f"Only vancomycin by +3:00; cefepime ordered in time, first administered +{late} min."


def _vancomycin_metronidazole(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    late = rng.randint(305, 535)
    recipe = _recipe(
        hand, rng,
        antibiotics=[["vancomycin", rng.randint(25, 90), 2 * DAY, "Administered"],
                     ["metronidazole-iv", rng.randint(30, 115), 2 * DAY, "Administered"],
                     ["ceftriaxone", late, 3 * DAY, "Administered"]],
    )  # fmt: skip
    return recipe, f"Vancomycin and metronidazole by +2:00; ceftriaxone first at +{late} min."


def _late(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    first, agent = rng.randint(186, 219), rng.choice(_FIRST_LINE)
    recipe = _recipe(
        hand, rng, antibiotics=[[agent, first, 3 * DAY, "Administered"]], orders=[[agent, rng.randint(60, 150)]]
    )
    return recipe, f"First IV antibiotic {agent} at +{first} min, ordered within three hours."


def _repeat_missed(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    at, again = -rng.randint(12, 110), rng.randint(385, 715)
    recipe = _recipe(
        hand, rng, told=("trended", ""), lactates=[[at, tenth(rng, 2.3, 3.9)], [again, tenth(rng, 1.2, 1.9)]],
        cultures=[[0, "blood"], [rng.randint(3, 8), "urine"]], lab_orders=[120],
    )  # fmt: skip
    recipe["draw"][0] = at
    return recipe, f"Lactate {recipe['lactates'][0][1]} at {at} min, the next one only at +{again} min."


def _short(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    weight, lactate = rng.randint(76, 108), tenth(rng, 4.1, 6.9)
    recipe = _recipe(
        hand, rng, told=("thirty", ""), weight=weight, codes=["A419", "R6521"],
        lactates=[[0, lactate], [rng.randint(130, 320), tenth(rng, 2.1, 2.9)]],
        crystalloid=[[rng.randint(8, 14), 1000, 1000, SALINE, "emar"]],
        ordered_fluid=[[40, 1000, SALINE], [90, 1000, SALINE]], albumin=rng.randint(95, 120),
    )  # fmt: skip
    return recipe, f"Lactate {lactate}; 1000 mL of {weight} kg is {1000 / weight:.1f} mL/kg, no reason documented."


def _short_at_four(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    weight = rng.randint(70, 90)
    recipe = _recipe(
        hand, rng, weight=weight, lactates=[[0, 4.0], [rng.randint(130, 295), tenth(rng, 1.8, 2.6)]],
        crystalloid=[[rng.randint(8, 14), 1000, 1000, SALINE, "emar"]],
    )  # fmt: skip
    return recipe, f"Lactate exactly 4.0; 1000 mL of {weight} kg is {1000 / weight:.1f} mL/kg, no reason documented."


def _pressor_late(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    pair, total = _low_pair(rng), rng.randint(2110, 2240)
    trigger, end = pair[1], 82 + round((total - 1000) * 60 / 1000)
    start = trigger + rng.randint(385, 535)
    recipe = _recipe(
        hand, rng, weight=70, codes=["A419", "R6521"],
        lactates=[[0, tenth(rng, 2.2, 3.8)], [rng.randint(150, 320), tenth(rng, 1.5, 2.6)]],
        crystalloid=[[14, 1000, 1000, SALINE, "emar"], [82, total - 1000, 1000, SALINE, "icu"]],
        pressures=[[end + minute, rng.randint(77, 87), rng.randint(53, 60)] for minute in (8, 28)],
        low_until=start, norepinephrine=[start, 12], norepinephrine_order=trigger + 180,
    )  # fmt: skip
    recipe["readings"] = _readings(rng, recipe["arrival"], pair)
    return (
        recipe,
        f"Trigger +{trigger} min; hypotensive after {total} mL of 70 kg; norepinephrine only at +{start} min.",
    )


def _excluded_comfort(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    at = rng.randint(150, 325)
    recipe = _recipe(hand, rng)
    recipe["lactates"] = recipe["lactates"][:1]
    return _comfort(rng, recipe, at), f"Comfort measures only charted at +{at} min; no repeat lactate."


def _transfer(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    arrival = -rng.randint(70, 235)
    recipe = _recipe(hand, rng, arrival=arrival, source="transfer", icu=[arrival + 5, rng.randint(36, 60) * 60])
    recipe["readings"] = [[-24, round(rng.uniform(101.4, 102.8), 1), rng.randint(108, 124), rng.randint(18, 20), 108]]
    recipe["crystalloid"][0][4] = "icu"
    return recipe, "Transferred from another hospital straight to the ICU; every element is met by local rows."


def _dark(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, administered="no")
    recipe["lactates"] = [[0, tenth(rng, 2.3, 3.5)], [rng.randint(185, 295), tenth(rng, 1.1, 1.8)]]
    recipe["antibiotics"], recipe["orders"] = [], [["cefepime", rng.randint(30, 90)]]
    recipe["crystalloid"] = []
    return recipe, "No emar and no ICU input row up to +6:00; cefepime is prescribed."


def _apart(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    dose = rng.randint(40, 80)
    at = dose + rng.randint(620, 1180)
    recipe = _recipe(
        hand, rng, group="viral", told=("culture-negative", ""),
        antibiotics=[["ceftriaxone", dose, dose, "Administered"]], lactates=[[at, 2.6]],
    )  # fmt: skip
    for row in recipe["readings"]:
        row[1], row[3] = round(rng.uniform(98.4, 99.6), 1), 18
        row[2] = rng.randint(92, 98)
    recipe["draw"][1] = tenth(rng, 7.5, 10.5)
    recipe["cultures"] = [[0, "blood"], [5, "urine"]]
    return (
        recipe,
        f"Culture and one dose with pulse as the only criterion; lactate 2.6 {(at - dose) / 60:.1f} h after the dose.",
    )


def _seizure(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, group="seizure", told=("seizure", ""),
        lactates=[[0, tenth(rng, 3.1, 3.9)], [rng.randint(130, 300), tenth(rng, 1.1, 1.8)]],
    )  # fmt: skip
    recipe["readings"][2][1:3] = [101.5, 118]
    return recipe, f"Lactate {recipe['lactates'][0][1]}, the only organ dysfunction, may reflect seizure or sepsis."


def _restricted(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, told=("restricted", ""), weight=85,
        lactates=[[0, 4.4], [rng.randint(130, 295), tenth(rng, 1.8, 2.6)]],
        crystalloid=[[rng.randint(8, 14), 1000, 1000, SALINE, "emar"]],
    )  # fmt: skip
    return recipe, "Lactate 4.4; 1000 mL of 85 kg is 11.8 mL/kg; fluids limited for a named reason, no volume stated."


_DRAWS: dict[str, Callable[[Hand, random.Random, int], Drawn]] = {
    "full-bundle-no-shock": _full,
    "septic-shock-complete": _shock,
    "dnr-full-treatment": _dnr,
    "late-comfort-care": _late_comfort,
    "lactate-two-kidney": _two_kidney,
    "lactate-two-platelets": _two_platelets,
    "fluid-within-tolerance": _tolerance,
    "lactate-outside-window": _outside,
    "culture-after-antibiotic": _culture_after,
    "vancomycin-alone": _vancomycin,
    "vancomycin-metronidazole": _vancomycin_metronidazole,
    "antibiotic-minutes-late": _late,
    "repeat-lactate-missed": _repeat_missed,
    "fluids-short": _short,
    "fluids-short-at-four": _short_at_four,
    "vasopressor-late": _pressor_late,
    "comfort-care-exclusion": _excluded_comfort,
    "transfer-exclusion": _transfer,
    "no-administration-source": _dark,
    "limbs-apart": _apart,
    "seizure-lactate": _seizure,
    "restricted-fluid-no-volume": _restricted,
}
