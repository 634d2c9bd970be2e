"""The case plan of pe-risk-stratification: 30 recipes drawn from the scenario's variants; hours from the CT."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from pytest_clinicare.charts.synthetic.hand import Hand
from pytest_clinicare.charts.synthetic.plan_cases import Draw, Drawn, Recipe, draw_cases
from pytest_clinicare.charts.synthetic.plan_numbers import quarter
from pytest_clinicare.charts.synthetic.scenarios.pe_risk_stratification.abstract import abstract
from pytest_clinicare.charts.synthetic.scenarios.pe_risk_stratification.summary import PHRASES
from pytest_clinicare.suite.case import Case

SCENARIO = "pe-risk-stratification"
_GROUPS = ("2014 - 2016", "2017 - 2019", "2020 - 2022")
_CHEST = ("Chronic obstructive pulmonary disease", "Heart failure with reduced ejection fraction")
_PAST = {
    "F": ("Breast cancer on letrozole", "Ovarian cancer under treatment", *_CHEST),
    "M": ("Prostate cancer under hormone treatment", "Bladder cancer under treatment", *_CHEST),
}
_CODES = {"lobar": "I2699", "segmental": "I2699", "saddle": "I2692", "single": "I2694"}
Dose = list[Any]


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
    hand: Hand,
    rng: random.Random,
    level: str,
    *,
    strain: bool = False,
    sbp: tuple[int, int] = (104, 136),
    pulse: tuple[int, int] = (76, 106),
    oxygen: tuple[int, int] = (92, 98),
    age: tuple[int, int] = (38, 79),
    troponin: tuple[float, float] | None = None,
    treated: str = "anticoagulated",
    risk: str = "plain",
    icu_share: float = 0.4,
    before: float = 0.0,
    told: list[str] | None = None,
    **other: Any,
) -> Recipe:
    """``before`` are hours that the patient is at least in the ED before the CT; ``told`` goes into the course."""
    sex = rng.choice("MF")
    words = _words(sex)
    side = rng.choice(("right", "left"))
    scan = quarter(rng, 1.5, 3) + before
    until = quarter(rng, 1.25, 2)
    ratio = f"{rng.randint(11, 16) / 10:g}"
    rv = hand.sentence("rv", "strain" if strain else "none", ratio=ratio)
    texts = [hand.sentence(part, level, side=side) for part in ("ct", "impression")]
    low, high = troponin or (0.01, 0.01)
    value = rng.randint(round(low * 100), round(high * 100)) / 100
    code = "I2609" if strain and level == "lobar" else _CODES.get(level, "I2699")
    course = [
        hand.sentence("found"), *(told or []), hand.sentence("risk", risk, **words),
        hand.sentence("treated", treated, **words),
    ]  # fmt: skip
    icu = [rng.randint(26, 40), max(sbp[0], 102), max(sbp[1], 124)]
    wanted = rng.random() < icu_share
    routine, sentence = rng.random() < 0.35, hand.sentence("addendum", "routine")
    recipe: Recipe = {
        "patient": [sex, rng.randint(*age)],
        "calendar": [rng.randint(2120, 2190), rng.choice(_GROUPS)],
        "weight": rng.randint(62, 94),
        "frame": hand.entry(hand.phrases["presentations"], "presentations"),
        "arrival": "ED",
        "until": until,
        "ct": [scan, texts[0], f"{rv} {hand.sentence('rest')}", texts[1]],
        "addendum": ["same report", sentence] if routine else ["none", ""],
        "veins": hand.sentence("veins"),
        "bp": _steady(rng, scan, until, sbp, pulse, oxygen),
        "icu": icu if wanted else "none",
        "vasopressors": [],
        "anticoagulant": [],
        "reperfusion": [],
        "filter": "none",
        "past": [rng.choice(_PAST[sex])] if rng.random() < 0.3 else [],
        "troponin": [[0.75 - scan, value], [quarter(rng, 3, 6), max(value - 0.01, 0.01)]],
        "bnp": rng.randint(900, 4200) if strain else rng.randint(60, 480),
        "emar": "present",
        "codes": [code],
        "told": course,
        "other_issues": hand.two("other_issues"),
        "leaves": quarter(rng, 70, 140),
    }
    return recipe | other


def _steady(
    rng: random.Random, scan: float, until: float, sbp: tuple[int, int], pulse: tuple[int, int], oxygen: tuple[int, int]
) -> list[list[Any]]:
    """Triage at arrival and a reading about every 50 minutes until the ED is left."""
    out: list[list[Any]] = []
    hours = -scan
    while hours < until - 0.1:
        where = "triage" if not out else "ed"
        out.append([round(hours, 2), where, rng.randint(*sbp), rng.randint(*pulse), rng.randint(*oxygen)])
        hours += rng.randint(40, 62) / 60
    return out


def _words(sex: str) -> dict[str, str]:
    pronoun = "he" if sex == "M" else "she"
    return {"pronoun": pronoun, "Pronoun": pronoun.capitalize()}


def _drip(start: float, until: float, weight: int) -> Dose:
    rate = str(round(18 * weight / 50) * 50)
    return ["Heparin", rate, "UNIT/HR", "IV DRIP", "INFUSION", start - 0.25, until, [[start, "Started"]]]


def _lovenox(start: float, weight: int, first: list[list[Any]] | None = None) -> Dose:
    dose = str(round(weight / 10) * 10)
    return ["Enoxaparin Sodium", dose, "mg", "SC", "Q12H", start, 999, first or [[start + 0.25, "Administered"]]]


def _tablet(drug: str, dose: str, often: str, start: float) -> Dose:
    return [drug, dose, "mg", "PO/NG", often, start - 0.5, 999, [[start, "Administered"]]]


def _then_tablets(rng: random.Random, start: float, weight: int) -> list[Dose]:
    """A heparin infusion, and apixaban on the next day."""
    change = start + quarter(rng, 24, 36)
    return [_drip(start, change, weight), _tablet("Apixaban", "10", "BID", change)]


_BY_RISK: dict[str, Any] = {
    "strain": True, "pulse": (112, 130), "troponin": (0.03, 0.20), "oxygen": (90, 95), "icu_share": 0.8,
}  # fmt: skip


def _strain(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    recipe = _recipe(hand, rng, ("lobar", "saddle")[turn % 2], sbp=(102, 128), risk="submassive", **_BY_RISK)
    start = quarter(rng, 0.5, 4)
    recipe["anticoagulant"] = _then_tablets(rng, start, recipe["weight"])
    return recipe, f"Strain and troponin, never low pressure; heparin infusion {start:+g} h, no thrombolysis."


def _single_low(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, "segmental", sbp=(104, 124))
    scan = recipe["ct"][0]
    recipe["bp"][0][2] = 86
    recipe["bp"].insert(1, [round(-scan + 0.15, 2), "ed", 104, rng.randint(84, 100), 95])
    recipe["anticoagulant"] = [_lovenox(1.75, recipe["weight"])]
    return recipe, "SBP 86 at triage and 104 nine minutes later; enoxaparin 1 mg/kg at +2 h."


def _low_risk(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    start = quarter(rng, 1, 5)
    recipe = _recipe(
        hand, rng, "segmental", sbp=(115, 138), pulse=(70, 98), oxygen=(95, 99), age=(40, 70), icu_share=0.3, past=[]
    )
    recipe["anticoagulant"] = [_tablet("Apixaban", "10", "BID", start)]
    return recipe, f"sPESI 0, no strain, troponin negative; apixaban 10 mg at {start:+g} h."


def _shocked(
    hand: Hand, rng: random.Random, sbp: tuple[int, int], minutes: int, pressor: bool, sentence: str, told: str
) -> tuple[Recipe, float]:
    """Low readings from onset, closely timed, in the ED; intensive care after."""
    onset = quarter(rng, -1, 1)
    end = onset + minutes / 60
    until = max(round(end * 4 + 1.5) / 4, 1.5)
    recipe = _recipe(hand, rng, "lobar", **_BY_RISK, told=[sentence, told], until=until)
    scan = recipe["ct"][0]
    pulse = (114, 132)
    rows: list[list[Any]] = [[-scan, "triage", rng.randint(101, 112), rng.randint(*pulse), rng.randint(89, 94)]]
    if onset + scan > 0.6:
        rows.append([round(onset - 0.4, 2), "ed", rng.randint(96, 104), rng.randint(*pulse), 92])
    steps = max(2, minutes // 14)
    for n in range(steps + 1):
        hours = round(onset + n * minutes / 60 / steps, 2)
        rows.append([hours, "ed", rng.randint(*sbp), rng.randint(*pulse), rng.randint(89, 93)])
    rows.append([round(end + 0.2, 2), "ed", rng.randint(94, 104), rng.randint(108, 122), 94])
    recipe |= {"bp": rows, "icu": [rng.randint(34, 46), 96, 122]}
    if pressor:
        recipe["vasopressors"] = [["Norepinephrine", onset + 0.25, onset + quarter(rng, 8, 14)]]
    return recipe, onset


def _lysed(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe, onset = _shocked(
        hand, rng, (70, 86), rng.randint(30, 85), True, hand.sentence("shock", "pe"), hand.sentence("shock", "later")
    )
    lysis, start = onset + quarter(rng, 1, 4), quarter(rng, 0.5, 1)
    recipe["reperfusion"] = [["alteplase", 100, lysis]]
    change = lysis + quarter(rng, 26, 36)
    drip = _drip(start, change, recipe["weight"])
    drip[7] = [[start, "Started"], [max(lysis - 0.1, start + 0.1), "Stopped"], [lysis + 2.5, "Restarted"]]
    recipe["anticoagulant"] = [drip, _tablet("Apixaban", "10", "BID", change)]
    recipe["told"][-1] = hand.sentence("treated", "lysed", **_words(recipe["patient"][0]))
    return recipe, f"Norepinephrine, low from {onset:+g} h; alteplase 100 mg {lysis:+g} h, heparin {start:+g} h."


def _heparin_only(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    later = hand.sentence("shock", "later")
    minutes = rng.randint(32, 115)
    recipe, onset = _shocked(hand, rng, (72, 88), minutes, turn == 0, hand.sentence("shock", "pe"), later)
    start = quarter(rng, 0.5, 3)
    recipe["anticoagulant"] = _then_tablets(rng, start, recipe["weight"])
    pressor = ", norepinephrine" if turn == 0 else ""
    return recipe, f"SBP < 90 for {minutes} min from {onset:+g} h{pressor}; heparin {start:+g} h, no reperfusion."


def _empiric(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    start = -quarter(rng, 1, 5)
    recipe = _recipe(hand, rng, "lobar", before=3.75)
    recipe["anticoagulant"] = [_drip(start, 40.0, recipe["weight"])]
    recipe["anticoagulant"].append(_tablet("Apixaban", "10", "BID", 40.0))
    return recipe, f"Heparin infusion running since {start:+g} h; nothing newly started after the CT."


def _filter(hand: Hand, rng: random.Random, kind: str) -> Recipe:
    recipe = _recipe(
        hand, rng, "segmental", sbp=(101, 110) if kind == "gi" else (104, 128), treated="none", past=[],
        told=[hand.sentence("contra", kind)], filter=quarter(rng, 6, 40),
    )  # fmt: skip
    recipe["codes"].append("K922" if kind == "gi" else "I629")
    return recipe


def _intracranial(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _filter(hand, rng, "intracranial")
    return recipe, f"Intracranial hemorrhage, no anticoagulant, vena cava filter {recipe['filter']:+g} h."


def _bleeding(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _filter(hand, rng, "gi")
    drip = _drip(1.25, 6.0, recipe["weight"])
    drip[7] = [[1.5, "Not Given"]]
    recipe["anticoagulant"] = [drip]
    return recipe, f"Gastrointestinal hemorrhage, heparin Not Given, vena cava filter {recipe['filter']:+g} h."


def _prophylaxis(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    first, drip = quarter(rng, 1, 4), quarter(rng, 9, 30)
    recipe = _recipe(hand, rng, ("segmental", "lobar")[turn % 2])
    sc = ["Heparin", "5000", "UNIT", "SC", "Q8H", first - 0.5, drip, [[first, "Administered"]]]
    recipe["anticoagulant"] = [sc, *_then_tablets(rng, drip, recipe["weight"])]
    return recipe, f"Heparin 5000 units SC from {first:+g} h; infusion {drip:+g} h."


def _prophylactic_enoxaparin(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, "segmental", weight=rng.randint(70, 95))
    row = ["Enoxaparin Sodium", "40", "mg", "SC", "DAILY", 1.5, 999, [[2.25, "Administered"]]]
    recipe["anticoagulant"] = [row]
    return recipe, "Enoxaparin 40 mg daily alone."


def _late(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    first = quarter(rng, 7, 14)
    event = ("Not Given", "Hold Dose")[turn % 2]
    recipe = _recipe(hand, rng, ("segmental", "lobar")[turn % 2])
    recipe["anticoagulant"] = [_lovenox(1.0, recipe["weight"], [[1.5, event], [first, "Administered"]])]
    return recipe, f"Enoxaparin ordered +1 h, {event}; first Administered {first:+g} h."


def _lysis_in_stable(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, "lobar", sbp=(104, 130), risk="massive", treated="lysed", **_BY_RISK)
    lysis, start = quarter(rng, 1, 5), quarter(rng, 0.5, 1)
    recipe["reperfusion"] = [["alteplase", 100, lysis]]
    recipe["anticoagulant"] = _then_tablets(rng, start, recipe["weight"])
    return recipe, f"Never low pressure; alteplase 100 mg {lysis:+g} h, heparin {start:+g} h."


def _no_lead_in(drug: str, dose: str, often: str) -> Callable[[Hand, random.Random, int], Drawn]:
    def draw(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
        start = quarter(rng, 2, 5)
        recipe = _recipe(hand, rng, "segmental")
        recipe["anticoagulant"] = [_tablet(drug, dose, often, start)]
        return recipe, f"{drug} {dose} mg {often} from {start:+g} h as the first and only agent."

    return draw


def _retracted(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, "doubtful", addendum=["same report", hand.sentence("addendum", "retracts")])
    recipe["anticoagulant"] = [_drip(1.0, 14.0, recipe["weight"])]
    return recipe, "The addendum calls the defect artefact; heparin from +1 h."


def _chronic(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, "chronic", codes=["I2782", "I2699"])
    recipe["anticoagulant"] = [_tablet("Apixaban", "5", "BID", 3.0)]
    return recipe, "Chronic webs only; home apixaban continued."


def _dark(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, "lobar", icu_share=0.0, emar="absent")
    drip = _drip(1.0, 30.0, recipe["weight"])
    drip[7] = []
    recipe["anticoagulant"] = [drip]
    return recipe, "No administration row of any kind; a heparin infusion was prescribed."


def _no_pressures(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, "lobar", icu_share=0.0, arrival="direct")
    recipe |= {"bp": [], "anticoagulant": [_lovenox(1.75, recipe["weight"])]}
    return recipe, "Direct admission, no pressure recorded; enoxaparin 1 mg/kg at +2 h."


def _lone(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, "single", treated="watched", past=[], icu_share=0.2)
    return recipe, "A single subsegmental defect, not treated; significance uncertain, surveillance."


def _septic(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, "lobar", **{**_BY_RISK, "icu_share": 1.0}, sbp=(96, 118), told=[hand.sentence("shock", "undecided")]
    )
    recipe["vasopressors"] = [["Norepinephrine", 1.0, 13.0]]
    recipe["anticoagulant"] = _then_tablets(rng, 1.0, recipe["weight"])
    recipe["codes"] += ["J189", "R6521"]
    return recipe, "Norepinephrine from +1 h, shock septic versus obstructive; heparin +1 h, no reperfusion."


_DRAWS: dict[str, Callable[[Hand, random.Random, int], Drawn]] = {
    "strain-but-stable": _strain,
    "single-low-reading": _single_low,
    "low-risk-apixaban": _low_risk,
    "high-risk-lysed": _lysed,
    "empiric-heparin-first": _empiric,
    "filter-intracranial-bleed": _intracranial,
    "filter-gi-bleed": _bleeding,
    "prophylactic-heparin": _prophylaxis,
    "prophylactic-enoxaparin": _prophylactic_enoxaparin,
    "treatment-dose-late": _late,
    "lysis-in-stable": _lysis_in_stable,
    "high-risk-heparin-only": _heparin_only,
    "apixaban-without-lead-in": _no_lead_in("Apixaban", "5", "BID"),
    "rivaroxaban-without-lead-in": _no_lead_in("Rivaroxaban", "20", "DAILY"),
    "addendum-retracts": _retracted,
    "chronic-only": _chronic,
    "no-administrations": _dark,
    "no-pressures": _no_pressures,
    "lone-subsegmental": _lone,
    "septic-or-embolic-shock": _septic,
}
