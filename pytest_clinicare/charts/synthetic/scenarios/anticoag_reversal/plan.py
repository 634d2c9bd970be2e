"""The case plan of anticoag-reversal: 30 recipes drawn from the ranges of the scenario's variants.

Hours and minutes count from T0 unless they are said to be from arrival.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from pytest_clinicare.charts.synthetic.hand import Hand
from pytest_clinicare.charts.synthetic.plan_cases import Draw, Drawn, Recipe, draw_cases
from pytest_clinicare.charts.synthetic.plan_numbers import quarter, tenth
from pytest_clinicare.charts.synthetic.pronouns import pronouns
from pytest_clinicare.charts.synthetic.scenarios.anticoag_reversal.abstract import abstract
from pytest_clinicare.charts.synthetic.scenarios.anticoag_reversal.chart import CLINICAL, PHRASES
from pytest_clinicare.suite.case import Case

SCENARIO = "anticoag-reversal"
DOSES: dict[str, float] = {"warfarin": 5, "dabigatran": 150, "apixaban": 5, "rivaroxaban": 20, "unnamed": 0}
KCENTRA, IDARUCIZUMAB = "Kcentra", "IdaruCIZUmab"
BOLUS, DRIP = "Andexanet Alfa bolus", "Andexanet Alfa infusion"
_WARD = (*CLINICAL, "haemothorax", "equivocal")


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
    site: str,
    drug: str,
    *,
    inr: float,
    told: str,
    last: float | None = None,
    agents: Sequence[Sequence[Any]] = (),
    vitamin: Sequence[Any] | None = None,
    after: float = 0.0,
    weight: float = 0.0,
    fall: float = 0.0,
    **other: Any,
) -> Recipe:
    """``inr`` on arrival, ``after`` the one after treatment; ``fall`` of the haemoglobin; ``told`` of reversal."""
    sex = rng.choice("MF")
    clinical = site in CLINICAL
    imaged = rng.randrange(135, 165) / 60
    shift = 0.0 if clinical else imaged
    if last is None:
        last = float(rng.randrange(9, 21))
    words = pronouns(sex)
    anchor = "arrival" if clinical else "the scan"
    history = hand.sentence(
        "exposure", "unnamed" if drug == "unnamed" else "texts", drug=drug, dose=f"{DOSES[drug]:g}", hours=f"{last:g}",
        anchor=anchor, **words,
    )  # fmt: skip
    units = f"{agents[0][1]:,}" if agents else ""
    entries = [p for p in hand.phrases["presentations"] if p["site"] == site]
    stay = quarter(rng, 96, 150)
    later = after or inr
    # Vitamin K by itself takes half a day.
    soon = later if agents or other.get("plasma") or not vitamin else round(inr - 0.2, 1)
    first = rng.randint(118, 142)
    minutes = (13, 68, 127, 188, 251, 316) if site in _WARD else (9, 41, 77, 118)
    rows = [[round(31 / 60 - shift, 3), inr], [4.25, soon], [13.5, round(max(later - 0.1, 1.1), 1)]]
    if drug == "warfarin":
        rows.insert(0, [-float(rng.randrange(120, 400)), tenth(rng, 2.1, 3.0)])
    return {
        "patient": [sex, rng.randint(58, 86)],
        "presentation": hand.entry(entries, f"presentations {site}"),
        "arrived": quarter(rng, 6.5, 12),
        "imaged_h": round(imaged, 3),
        "stay": stay,
        "icu": "none" if site in _WARD else [round(imaged + 0.5, 3), quarter(rng, 44, 70)],
        "site": site,
        "report": hand.deal(f"reports {site}", range(len(hand.phrases["reports"][site]))),
        "anticoagulant": [drug, DOSES[drug]],
        "last_dose_h": "unknown" if drug == "unnamed" else last,
        "inr": rows,
        "creatinine": tenth(rng, 0.8, 1.3),
        "sbp": [[minute, first + rng.randint(-9, 9)] for minute in minutes],
        "hb": _counts(rng, shift, stay, fall),
        "weight_kg": float(weight or rng.randint(66, 98)),
        "weight_from": "outpatient" if site in _WARD else "icu",
        "agents": [list(row) for row in agents],
        "plasma": [],
        "vitamin_k": list(vitamin) if vitamin else "none",
        "home_order": "none" if drug == "unnamed" else [quarter(rng, 8.5, 13.5), "Hold Dose"],
        "history": history,
        "summary": [
            hand.sentence("watch", **words),
            hand.sentence("reversal", told, units=units, **words),
            hand.sentence("held", **words),
        ],
        "codes": ["I4891", "Z7901"],
        "other_issues": hand.two("other_issues"),
    } | other


def _counts(rng: random.Random, shift: float, stay: float, fall: float) -> list[list[float]]:
    """On arrival and later; a fall over the first 14 hours, then level."""
    first = tenth(rng, 11.8, 13.4) if fall else tenth(rng, 11.2, 14.2)
    fall = fall or tenth(rng, 0.1, 0.6)
    hours = [31 / 60 - shift, 6.25, 14.25, 23.5]
    while hours[-1] + 24 < stay - shift - 6:
        hours.append(hours[-1] + 24 + rng.choice((-0.75, 0.0, 0.5)))
    rows = [[round(h, 3), first - fall * share] for h, share in zip(hours, (0.0, 0.6, 1.0), strict=False)]
    # Nothing later is lower than the count at 14 hours.
    rows += [[round(h, 3), first - fall + rng.choice((0.0, 0.1, 0.2, 0.3))] for h in hours[3:]]
    return [[h, round(value, 1)] for h, value in rows]


def _pcc(units: float, given: int, ordered: int = 20) -> list[list[Any]]:
    return [[KCENTRA, units, "UNIT", ordered, [given], "Administered"]]


def _fixed(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    inr, given = tenth(rng, 2.3, 3.8), rng.randint(35, 100)
    recipe = _recipe(
        hand, rng, "subdural", "warfarin", inr=inr, told="pcc", agents=_pcc(1500, given),
        vitamin=(10, "IV", rng.randint(50, 180)), after=1.3, weight=rng.randint(82, 96),
    )  # fmt: skip
    return recipe, f"Subdural on warfarin, INR {inr}: the fixed 1,500 units at +{given} min and vitamin K 10 mg IV."


def _capped(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    inr, given, weight = tenth(rng, 2.4, 3.7), rng.randint(40, 110), rng.randint(126, 145)
    recipe = _recipe(
        hand, rng, "retroperitoneal", "warfarin", inr=inr, told="pcc", agents=_pcc(2500, given),
        vitamin=(10, "IV", rng.randint(60, 200)), after=1.3, weight=weight, fall=tenth(rng, 1.4, 2.4),
    )  # fmt: skip
    return recipe, f"Retroperitoneal on warfarin, INR {inr}, {weight} kg capped at 100: 2,500 units at +{given} min."


def _two_vials(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    agents = [[IDARUCIZUMAB, 2.5, "g", 22, [45, 55], "Administered"]]
    last = float(rng.randint(4, 14))
    recipe = _recipe(
        hand,
        rng,
        "intracerebral",
        "dabigatran",
        inr=tenth(rng, 1.2, 1.4),
        told="idarucizumab",
        last=last,
        agents=agents,
    )
    return recipe, f"Intracerebral on dabigatran, last {last:g} h before: two rows of idarucizumab 2.5 g make 5 g."


def _andexanet_low(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    last, given = float(rng.randint(3, 7)), rng.randint(60, 90)
    recipe = _recipe(
        hand, rng, "subarachnoid", "apixaban", inr=1.2, told="andexanet", last=last, agents=_andexanet(given)
    )
    return recipe, f"Subarachnoid on apixaban 5 mg, last {last:g} h before: andexanet low dose at +{given} min."


def _andexanet(given: int) -> list[list[Any]]:
    return [
        [BOLUS, 400, "mg", 31, [given], "Administered"],
        [DRIP, 480, "mg", 31, [given + 16], "Started"],
    ]


def _pcc_2000(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    last, given = float(rng.randint(5, 20)), rng.randint(30, 110)
    recipe = _recipe(
        hand, rng, "subarachnoid" if turn == 0 else "subdural", "apixaban", inr=1.1, told="pcc", last=last,
        agents=_pcc(2000, given, 17), weight=rng.randint(68, 104),
    )  # fmt: skip
    return recipe, f"Intracranial on apixaban, last {last:g} h before: 4F-PCC 2,000 units at +{given} min."


def _gi(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    drug = "rivaroxaban" if turn == 2 else "warfarin"
    fall = tenth(rng, 2.2, 3.4)
    vitamin = (rng.choice((5, 10)), "IV", rng.randint(110, 200)) if drug == "warfarin" else None
    recipe = _recipe(
        hand, rng, "gi", drug, inr=tenth(rng, 2.6, 4.5) if drug == "warfarin" else 1.3, told="none", vitamin=vitamin,
        fall=fall, after=1.6 if drug == "warfarin" else 0.0, last=float(rng.randint(9, 20)),
    )  # fmt: skip
    return recipe, f"GI bleed on {drug}, hemoglobin fall {fall} g/dL, SBP never below 100, no agent, held."


def _not_given(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    agents = [[KCENTRA, 1500, "UNIT", rng.randint(15, 30), [rng.randint(45, 90)] if turn == 0 else [], "Not Given"]]
    recipe = _recipe(
        hand, rng, "subdural", "warfarin", inr=tenth(rng, 2.8, 4.6), told="copied", agents=agents,
        vitamin=(10, "IV", rng.randint(50, 140)), after=1.6, plasma=[50, 81],
    )  # fmt: skip
    how = "its eMAR row says Not Given" if turn == 0 else "no eMAR row follows"
    return recipe, f"Subdural on warfarin: Kcentra 1,500 units ordered and {how}; plasma and vitamin K only."


def _late(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    inr, given, weight = tenth(rng, 2.2, 3.9), rng.randint(140, 260), rng.randint(70, 94)
    units = 1500 if turn == 0 else 25 * weight
    recipe = _recipe(
        hand, rng, "intracerebral", "warfarin", inr=inr, told="pcc", agents=_pcc(units, given, rng.randint(20, 40)),
        vitamin=(10, "IV", 60), after=1.3, weight=weight,
    )  # fmt: skip
    recipe["inr"] = [[5.75 if h == 4.25 else h, value] for h, value in recipe["inr"]]
    return recipe, f"Intracerebral on warfarin, INR {inr}: 4F-PCC {units} units at +{given} min, beyond 120."


def _no_vitamin(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    given = rng.randint(40, 100)
    recipe = _recipe(
        hand, rng, "subdural" if turn == 0 else "intracerebral", "warfarin", inr=tenth(rng, 3.0, 5.5), told="pcc",
        agents=_pcc(1500, given), vitamin=None if turn == 0 else (2.5, "PO", rng.randint(90, 150)),
        after=rng.choice((1.2, 1.3)),
    )  # fmt: skip
    recipe["inr"] = [[round(given / 60 + 2, 3) if h == 4.25 else h, value] for h, value in recipe["inr"]]
    return recipe, f"Intracranial on warfarin, 1,500 units in time, vitamin K {'absent' if turn == 0 else '2.5 mg PO'}."


def _plasma(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    drug, last = ("apixaban" if turn == 0 else "rivaroxaban"), float(rng.randint(4, 18))
    units = [41, 62, 84][: 2 + turn]
    recipe = _recipe(
        hand, rng, "intracerebral", drug, inr=1.5, told="plasma", last=last, vitamin=(10, "IV", rng.randint(40, 85)),
        after=1.2, plasma=units,
    )  # fmt: skip
    return recipe, f"Intracerebral on {drug}, last {last:g} h before: {len(units)} plasma units and vitamin K only."


def _redosed(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    drug = "apixaban" if turn == 0 else "warfarin"
    hours = quarter(rng, 8.5, 13.5)
    recipe = _recipe(
        hand, rng, "gi", drug, inr=1.2 if turn == 0 else tenth(rng, 2.4, 3.2), told="none", fall=tenth(rng, 1.2, 2.6),
        last=float(rng.randint(9, 20)), home_order=[hours, "Administered"],
    )  # fmt: skip
    return recipe, f"Stable GI bleed; {drug} Administered at +{hours:g} h although the summary says held."


def _no_indication(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    inr, given = tenth(rng, 2.5, 3.5), rng.randint(60, 110)
    recipe = _recipe(
        hand, rng, "nose", "warfarin", inr=inr, told="pcc", agents=_pcc(1000, given, 42),
        vitamin=(10, "IV", rng.randint(70, 130)), after=1.3,
    )  # fmt: skip
    return recipe, f"Anterior nosebleed on warfarin, INR {inr}, stable: 4F-PCC 1,000 units at +{given} min."


def _underdosed(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    """At +70 min too less than 8 h after the last dose, from whichever moment the pathway's 8 h are counted."""
    last = float(rng.randint(3, 6))
    recipe = _recipe(
        hand, rng, "intracerebral", "rivaroxaban", inr=1.4, told="andexanet", last=last, agents=_andexanet(70)
    )
    return recipe, f"Intracerebral on rivaroxaban 20 mg, last {last:g} h before: andexanet low where high is due."


def _unnamed(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, "subdural", "unnamed", inr=1.2, told="pcc", agents=_pcc(1500, rng.randint(40, 100)),
        vitamin=(10, "IV", rng.randint(50, 150)), after=1.1,
    )  # fmt: skip
    return recipe, "Subdural; no source names the anticoagulant, no INR above 1.3; PCC 1,500 units given."


def _no_inr(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, "subdural", "warfarin", inr=2.9, told="pcc", agents=_pcc(1500, rng.randint(40, 100)),
        vitamin=(10, "IV", rng.randint(50, 150)),
    )  # fmt: skip
    recipe["inr"] = [[-30.0, 2.9], [9.0, 1.3], [19.5, 1.2], [40.0, 1.2]]
    return recipe, "Subdural on warfarin; the INRs lie 30 h before and 9 h after T0; PCC and vitamin K in time."


def _no_weight(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    inr, units = tenth(rng, 4.2, 5.8), rng.randrange(2180, 2641, 20)
    recipe = _recipe(
        hand, rng, "haemothorax", "warfarin", inr=inr, told="pcc", agents=_pcc(units, 60),
        vitamin=(10, "IV", rng.randint(70, 150)), after=1.4, fall=tenth(rng, 1.2, 2.2), weight=round(units / 35),
        weight_from="none",
    )  # fmt: skip
    return recipe, f"Hemothorax on warfarin, INR {inr}: PCC {units} units at +60 min, no weight in any source."


def _low_inr(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    inr = tenth(rng, 1.5, 1.9)
    recipe = _recipe(
        hand, rng, "subdural", "warfarin", inr=inr, told="vitamin", vitamin=(10, "IV", rng.randint(60, 150)), after=1.3
    )
    return recipe, f"Subdural on warfarin with INR {inr}: vitamin K only, held."


def _equivocal(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, "equivocal", "apixaban", inr=1.2, told="none", last=6.0)
    return recipe, "CT after a fall on apixaban: possible subdural versus artifact, never resolved; no agent, held."


def _old_dose(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    last, creatinine = float(rng.randint(55, 70)), tenth(rng, 2.1, 3.4)
    recipe = _recipe(
        hand, rng, "intracerebral", "rivaroxaban", inr=1.2, told="none", last=last, creatinine=creatinine,
        codes=["I4891", "Z7901", "N183"],
    )  # fmt: skip
    return recipe, f"Intracerebral, rivaroxaban last {last:g} h before, creatinine {creatinine} mg/dL; no agent, held."


_DRAWS: dict[str, Callable[[Hand, random.Random, int], Drawn]] = {
    "vka-sdh-fixed-1500": _fixed,
    "vka-weight-cap": _capped,
    "dabigatran-two-vials": _two_vials,
    "apixaban-andexanet-low": _andexanet_low,
    "apixaban-pcc-2000": _pcc_2000,
    "gi-bleed-stable-no-agent": _gi,
    "pcc-ordered-not-given": _not_given,
    "vka-pcc-late": _late,
    "vka-no-vitamin-k": _no_vitamin,
    "doac-plasma-only": _plasma,
    "anticoagulant-redosed": _redosed,
    "agent-without-indication": _no_indication,
    "rivaroxaban-andexanet-underdosed": _underdosed,
    "agent-unnamed": _unnamed,
    "no-inr": _no_inr,
    "no-weight": _no_weight,
    "inr-below-2": _low_inr,
    "ct-equivocal": _equivocal,
    "doac-old-dose-ckd": _old_dose,
}
