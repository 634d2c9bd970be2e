"""The case plan of stroke-thrombolysis: 30 recipes drawn from the ranges of the scenario's variants.

All times are minutes from arrival at the emergency department.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.hand import Hand
from pytest_clinicare.charts.synthetic.plan_cases import Draw, Drawn, Recipe, draw_cases
from pytest_clinicare.charts.synthetic.plan_numbers import tenth
from pytest_clinicare.charts.synthetic.scenarios.stroke_thrombolysis.abstract import abstract
from pytest_clinicare.suite.case import Case

SCENARIO = "stroke-thrombolysis"
PHRASES = "phrases/stroke-thrombolysis"
GIVEN = "Administered"
_PAST = ("Appendectomy in youth", "Cataract surgery", "Kidney stones", "Gout", "Cholecystectomy", "Hernia repair")


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
    hand: Hand, rng: random.Random, before: int, *, told: str = "plain", onset: str = "onset", group: str = "",
    ages: tuple[int, int] = (46, 79), **other: Any,
) -> Recipe:  # fmt: skip
    """Untreated, eligible, with nothing that stands against treatment; ``before`` is last-known-well to arrival."""
    sex, year = rng.choice("MF"), rng.randint(2130, 2180)
    entries = [p for p in hand.phrases["presentations"] if p.get("group", "") == group]
    inr = rng.choice((1.0, 1.1, 1.2))
    issues = range(len(bank("phrases/illnesses")["other_issues"]["texts"]))
    first = hand.deal("issues", issues)
    return {
        "patient": [sex, rng.randint(*ages)],
        "calendar": [year, year + rng.randint(0, 2)],
        "presentation": hand.entry(entries, f"presentations {group}"),
        "clock": rng.randint(9 * 60, 21 * 60),
        "lkw": -before,
        "lkw_told": _raw(hand, onset),
        "found": -rng.randint(max(12, before // 4), max(14, before // 2)) if before < 300 else -60,
        "triage_told": "lkw" if rng.random() < 0.35 and before < 270 else "none",
        "icu": [rng.randint(185, 240), rng.randint(185, 240) + rng.randint(30, 52) * 60],
        "leaves": rng.randint(5, 8),
        "weight": tenth(rng, 61, 97),
        "pressures": _pressures(rng),
        "labs": [rng.randint(4, 9), rng.randint(26, 38), inr, round(inr * 11.2, 1), tenth(rng, 26, 34),
                 rng.randint(165, 330), rng.randint(96, 178)],
        "clinic_platelets": rng.randint(170, 320),
        "anticoagulant": "none",
        "nihss": rng.randint(8, 18),
        "severity": _raw(hand, "severity"),
        "decision": _raw(hand, told),
        "alteplase": [],
        "order": "none",
        "dc": "no",
        "clearance": "none",
        "ed_drug": ["Ondansetron", rng.randint(48, 110)],
        "history": [rng.choice(_PAST)],
        "other_issues": [first, hand.deal("issues", [n for n in issues if n != first])],
    } | other  # fmt: skip


def _raw(hand: Hand, part: str) -> str:
    """A wording with its blanks, which the chart fills from the recipe's numbers."""
    text: str = hand.deal(f"{part} texts", hand.phrases[part]["texts"])
    return text


def _pressures(rng: random.Random) -> list[list[int]]:
    times = [0, rng.randint(18, 26), rng.randint(60, 75), rng.randint(105, 120), rng.randint(150, 165)]
    return [[at, rng.randint(142, 178), rng.randint(72, 98)] for at in times]


def _dose(recipe: Recipe, needle: int, total: float | None = None) -> Recipe:
    """Alteplase as bolus and infusion; a total of 0.9 mg/kg where none is given."""
    exact = min(round(0.9 * recipe["weight"], 1), 90.0) if total is None else total
    bolus = round(exact / 10, 1)
    recipe["alteplase"] = [[bolus, needle, GIVEN], [round(exact - bolus, 1), needle + 2, "Started"]]
    if recipe["order"] == "none":
        recipe["order"] = max(needle - 14, 6)
    return recipe


def _last_pressure(rng: random.Random, recipe: Recipe, needle: int, high: int, low: int) -> Recipe:
    """The last reading before the needle, and the next a while after it."""
    earlier = [row for row in recipe["pressures"] if row[0] < needle - 12]
    later = [row for row in recipe["pressures"] if row[0] > needle + 25]
    recipe["pressures"] = [*earlier, [needle - rng.randint(3, 9), high, low],
                           [needle + 20, rng.randint(150, 166), rng.randint(76, 90)], *later]  # fmt: skip
    return recipe


def _treated(
    hand: Hand, rng: random.Random, total: int, needle: int, told: str = "treated", **other: Any
) -> tuple[Recipe, int]:
    recipe = _recipe(hand, rng, total - needle, told=told, **other)
    return _last_pressure(rng, _dose(recipe, needle), needle, rng.randint(150, 176), rng.randint(76, 98)), needle


def _over_60(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    needle = (64, 78, 91)[turn] + rng.randint(0, 4)
    total = rng.randint(needle + 28, 175)
    recipe, _ = _treated(hand, rng, total, needle, clearance=70 if turn == 1 else "none")
    return recipe, f"Treated {total} min after last known well with door-to-needle {needle} min; no fault."


def _over_80(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    needle, total = rng.randint(38, 57), rng.randint(192, 252)
    recipe, _ = _treated(hand, rng, total, needle, ages=(82, 89))
    return recipe, f"Age {recipe['patient'][1]}, treated {total} min after last known well; no fault."


def _lowered(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    needle, total = rng.randint(48, 58), rng.randint(122, 196)
    recipe = _recipe(hand, rng, total - needle, told="lowered", ed_drug=["Labetalol", 22])
    for row in recipe["pressures"]:
        if row[0] < needle:
            row[1:] = [rng.randint(190, 199), rng.randint(104, 109)]
    recipe["pressures"][0][1:] = [rng.randint(208, 218), rng.randint(112, 120)]
    _last_pressure(rng, _dose(recipe, needle), needle, rng.randint(170, 182), rng.randint(88, 104))
    return recipe, f"{recipe['pressures'][0][1]} systolic at triage, lowered below the limit before the needle."


def _wakeup(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    bed, woke, clock = rng.randint(1290, 1380), rng.randint(370, 419), rng.randint(440, 490)
    recipe = _recipe(
        hand, rng, clock + 1440 - bed, onset="night", group="waking", clock=clock, found=woke - clock,
        clearance=88 if turn == 0 else "none",
    )  # fmt: skip
    return recipe, f"Bedtime was {clock + 1440 - bed} min before arrival, waking {clock - woke} min; not treated."


def _warfarin(recipe: Recipe, inr: float, pt: float | None = None) -> Recipe:
    recipe["anticoagulant"] = ["warfarin", 15]
    recipe["labs"][2:4] = [inr, pt or round(inr * 11.0, 1)]
    recipe["history"] = ["Atrial fibrillation"]
    return recipe


def _inr(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    inr = tenth(rng, 1.9, 2.4) if turn else tenth(rng, 2.5, 3.4)
    recipe = _warfarin(_recipe(hand, rng, rng.randint(50, 120), told="inr", nihss=rng.randint(12, 18)), inr)
    recipe["labs"][1] = rng.randint(16, 30)
    if turn:
        recipe |= {"order": 15, "dc": "yes"}
    return recipe, f"INR {inr} on warfarin, {-recipe['lkw']} min after last known well; not treated."


def _doac(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, 60, told="doac", anticoagulant=["apixaban", rng.randint(6, 8)],
                     history=["Atrial fibrillation"], clock=rng.randint(15 * 60, 19 * 60))  # fmt: skip
    return (
        recipe,
        f"Apixaban {recipe['anticoagulant'][1]} h before arrival, INR normal, no specific assay; not treated.",
    )


def _mild(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, rng.randint(40, 100), told="minor", group="mild", nihss=rng.randint(2, 3),
                     severity=_raw(hand, "mild"))  # fmt: skip
    return recipe, f"NIHSS {recipe['nihss']}, described as non-disabling; not treated."


def _platelets(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    count = rng.randint(64, 97)
    recipe = _recipe(hand, rng, 90, told="platelets", clinic_platelets=104)
    recipe["labs"][1], recipe["labs"][5] = 20, count
    return recipe, f"Platelets {count} at +20 min, 104 a month before; not treated."


def _late(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    total, ordered = rng.randint(278, 335), rng.randint(240, 262)
    lkw = rng.randint(176, 204)
    needle = total - lkw
    recipe = _recipe(hand, rng, lkw, told="treated", order=ordered - lkw, clearance="none" if turn else 66)
    recipe["icu"][0] = max(recipe["icu"][0], needle + 60)
    _last_pressure(rng, _dose(recipe, needle), needle, rng.randint(150, 176), rng.randint(76, 98))
    return recipe, f"Needle {total} min after last known well, ordered at {ordered} min."


def _inr_high(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe, needle = _treated(hand, rng, 110, 52)
    inr = tenth(rng, 1.9, 2.6)
    _warfarin(recipe, inr)["labs"][:2] = [4, needle - 12]
    return recipe, f"Treated with an INR of {inr} that had resulted 12 min before the needle."


def _bp_over(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    needle, total = rng.randint(44, 57), rng.randint(105, 170)
    recipe = _recipe(hand, rng, total - needle, told="controlled")
    high, low = (172, 112) if turn else (rng.randint(186, 204), rng.randint(88, 102))
    _last_pressure(rng, _dose(recipe, needle), needle, high, low)
    recipe["pressures"] = [[at, 162, 84] if at == needle + 20 else [at, s, d] for at, s, d in recipe["pressures"]]
    return recipe, f"Last pressure before the needle {high}/{low}; 162/84 twenty minutes after."


def _overdose(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    needle = rng.randint(40, 57)
    recipe, _ = _treated(hand, rng, rng.randint(100, 170), needle, weight=tenth(rng, 61, 68))
    _dose(recipe, needle, 90.0)
    return recipe, f"90 mg given to a patient of {recipe['weight']} kg ({0.9 * recipe['weight']:.1f} mg expected)."


def _eligible(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    other: Recipe = {"order": 24, "dc": "yes"} if turn == 2 else {"clearance": rng.randint(72, 100)}
    recipe = _recipe(hand, rng, (48, 92, 138)[turn] + rng.randint(-8, 10), **other)
    return recipe, f"Arrived {-recipe['lkw']} min after last known well, eligible, no reason; no stroke dose given."


def _limit_inr(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    inr, pt = ((1.5, tenth(rng, 16.0, 16.8)), (1.7, tenth(rng, 18.2, 19.0)))[turn]
    recipe = _warfarin(_recipe(hand, rng, rng.randint(45, 110), told="coumadin", nihss=rng.randint(9, 16)), inr, pt)
    return recipe, f"Warfarin with INR {inr} (PT {pt} s) is not above 1.7; withheld 'given Coumadin'."


def _old_bleed(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, rng.randint(60, 120), told="bleed", nihss=rng.randint(10, 15),
                     history=["Gastrointestinal bleed 14 months ago from a duodenal ulcer"])  # fmt: skip
    return recipe, "Withheld because of a GI bleed 14 months ago."


def _silent(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, 120, onset="silent", group="alone", lkw="absent", triage_told="none")
    return recipe, "No source states when the patient was last known well; not treated, no reason."


def _drip(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    """Found early enough for a scan, an infusion of an hour and the transfer."""
    before = rng.randint(190, 240)
    recipe = _recipe(hand, rng, before, told="elsewhere", found=rng.randint(8, 15) - before)
    return recipe, "Alteplase was begun at the referring hospital."


def _untimed(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, 57, told="untimed", clock=662, order=28)
    return recipe, "The summary says that tPA was given here; no administration row and no clock time."


def _conflict(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, 420, onset="apart", triage_told=2, clock=rng.randint(13 * 60, 18 * 60))
    return recipe, "Triage: last seen normal 2 h ago; summary: 7 h before arrival; neither explained."


def _late_arrival(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, rng.randint(216, 261), nihss=rng.randint(8, 15))
    return recipe, f"Arrived {-recipe['lkw']} min after last known well; not treated, no reason."


def _caution(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, rng.randint(185, 204), ages=(84, 88), nihss=rng.randint(9, 18))
    return recipe, f"Arrived {-recipe['lkw']} min after last known well, age {recipe['patient'][1]}; no reason."


_DRAWS: dict[str, Callable[[Hand, random.Random, int], Drawn]] = {
    "treated-dtn-over-60": _over_60,
    "treated-over-80-extended": _over_80,
    "treated-after-bp-lowering": _lowered,
    "wakeup-untreated": _wakeup,
    "inr-exclusion": _inr,
    "doac-9h": _doac,
    "non-disabling": _mild,
    "platelets-low": _platelets,
    "treated-late": _late,
    "treated-inr-high": _inr_high,
    "treated-bp-over": _bp_over,
    "overdose-weight-unit": _overdose,
    "eligible-untreated": _eligible,
    "warfarin-inr-1-7": _limit_inr,
    "old-gi-bleed-untreated": _old_bleed,
    "lkw-silent-untreated": _silent,
    "drip-and-ship": _drip,
    "needle-time-missing": _untimed,
    "lkw-conflict": _conflict,
    "late-arrival-untreated": _late_arrival,
    "caution-untreated": _caution,
}
