"""The case plan of hf-gdmt: 30 recipes drawn from the ranges of the scenario's variants.

Laboratory times and last doses in hours before discharge, first doses in hours from arrival.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.hand import Hand
from pytest_clinicare.charts.synthetic.plan_cases import Draw, Drawn, Recipe, draw_cases
from pytest_clinicare.charts.synthetic.plan_numbers import quarter, tenth
from pytest_clinicare.charts.synthetic.scenarios.hf_gdmt.abstract import abstract
from pytest_clinicare.charts.synthetic.scenarios.hf_gdmt.summary import PHRASES, pronouns
from pytest_clinicare.suite.case import Case

SCENARIO = "hf-gdmt"
NO_ALLERGY = "No Known Allergies / Adverse Drug Reactions"
_GROUPS = ("2011 - 2013", "2014 - 2016", "2017 - 2019")


def plan(seed: int) -> list[Case]:
    """The 30 cases, ids in an order that says nothing."""
    return draw_cases(SCENARIO, draws(seed), abstract, seed)


def draws(seed: int) -> dict[str, Draw]:
    """One function a variant, all dealing from the same decks of phrases."""
    hand = Hand(random.Random(f"{SCENARIO}/phrases-3/{seed}"), PHRASES)

    def bound(draw: Callable[[Hand, random.Random, int], Drawn]) -> Draw:
        return lambda rng, turn: draw(hand, rng, turn)

    return {name: bound(draw) for name, draw in _DRAWS.items()}


def _said(hand: Hand, part: str, name: str = "texts") -> str:
    """A wording whose blanks the chart fills."""
    text: str = hand.deal(f"{part} {name}", hand.phrases[part][name])
    return text


def _line(rng: random.Random, drug: str, dose: str = "") -> list[str]:
    """[name, dose, unit, frequency] of a drug of the bank."""
    name, doses, unit, often = bank(PHRASES)["drugs"][drug]
    return [name, dose or rng.choice(doses), unit, often]


def _text(row: list[str]) -> str:
    name, dose, unit, often = row
    return f"{name} {dose} {unit} PO {often}"


def _range(rng: random.Random, low: int, high: int) -> str:
    """A figure, or a range five wide whose ends lie within the limits."""
    fives = [n for n in range(low, high - 4) if n % 5 == 0]
    if fives and rng.random() < 0.4:
        start = rng.choice(fives)
        return f"{start}-{start + 5}"
    return str(rng.randint(low, high))


def _value(hand: Hand, rng: random.Random, low: int, high: int, days: int) -> tuple[list[Any], str]:
    """An LVEF row, most often of this summary, and the sentence of a summary that holds none."""
    ef = _range(rng, low, high)
    source = rng.choice(("summary", "summary", "summary", "nuclear", "MR", "earlier summary"))
    if source == "summary":
        return [0, ef, source, _said(hand, "lvef", "summary")], ""
    if source == "earlier summary":
        return [days, ef, source, _said(hand, "lvef", "earlier")], _said(hand, "lvef", "none")
    kind = "nuclear" if source == "nuclear" else "mr"
    when = rng.choice((0, rng.randint(20, 200)))
    return [when, ef, source, _said(hand, "reports", kind)], _said(hand, "lvef", "none")


def _recipe(
    hand: Hand,
    rng: random.Random,
    drugs: list[list[str]],
    group: str,
    d: int,
    lvef: tuple[int, int],
    *,
    told: list[str] | None = None,
    potassium: tuple[float, float] = (4.0, 4.6),
    creatinine: tuple[float, float] = (0.8, 1.3),
    earlier_told: list[str] | None = None,
    age: tuple[int, int] = (52, 84),
    **other: Any,
) -> Recipe:
    """``told`` are sentences on the drugs, made up to two with neutral ones."""
    sex, year, stay = rng.choice("MF"), rng.randint(2120, 2185), quarter(rng, 90, 160)
    words = pronouns(sex)
    days = rng.randint(60, 260)
    value, without = _value(hand, rng, *lvef, days)
    has_earlier = earlier_told is not None or value[2] == "earlier summary" or rng.random() < 0.25
    sentences = [text.format(**words) for text in told or []]
    while len(sentences) < 2:
        sentences.append(_said(hand, "reasons", "neutral").format(**words))
    earlier: Any = "none"
    if has_earlier:
        then = [text.format(**words) for text in earlier_told or []]
        then.append(_said(hand, "reasons", "neutral").format(**words))
        earlier = [days, *hand.entry(hand.phrases["presentations"], "presentations"), then, NO_ALLERGY]
    allergy = rng.choice((NO_ALLERGY, NO_ALLERGY, "codeine", "Penicillins"))
    if has_earlier:
        earlier[-1] = allergy
    lines = [_text(row) for row in drugs]
    recipe: Recipe = {
        "patient": [sex, rng.randint(*age)],
        "calendar": [year, group, year + d],
        "presentation": hand.entry(hand.phrases["presentations"], "presentations"),
        "stay": stay,
        "lvef": [value],
        "discharge_list": lines,
        "stopped": [_said(hand, "stopped", "drugs")],
        "home": list(lines),
        "inpatient": _given(rng, drugs),
        "labs": _labs(rng, stay, tenth(rng, *potassium), tenth(rng, *creatinine)),
        "vitals_last": [rng.randint(98, 128), rng.randint(62, 86)],
        "reasons": [*([without] if without else []), *sentences],
        "past": _said(hand, "past"),
        "allergies": allergy,
        "earlier_stay": earlier,
        "codes": [rng.choice(("I5022", "I5023"))],
        "other_issues": hand.two("other_issues"),
        "disposition": rng.choice(("home", "home", "facility")),
    }
    return recipe | other


def _given(rng: random.Random, drugs: list[list[str]]) -> list[list[Any]]:
    """The drugs of a list as they were ordered in hospital, to the last morning."""
    return [
        [name, dose, unit, "PO/NG" if unit == "mg" else "PO", often, quarter(rng, 8, 14), 3.0]
        for name, dose, unit, often in drugs
    ]


def _labs(rng: random.Random, stay: float, potassium: float, creatinine: float) -> list[list[float]]:
    """On arrival and every morning, the last with these values and those before it near them."""
    hours, at = [stay - 0.75], quarter(rng, 7.5, 8.5)
    while at < stay - 5:
        hours.insert(1, at)
        at += 24
    rows = [
        [hour, round(potassium + rng.choice((-0.3, -0.2, -0.1, 0.1, 0.2)), 1), _near(rng, creatinine)] for hour in hours
    ]
    rows[-1][1:] = [potassium, creatinine]
    return rows


def _near(rng: random.Random, creatinine: float) -> float:
    return round(max(creatinine + rng.choice((-0.1, 0.0, 0.1)), 0.6), 1)


def _two_classes(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    beta = rng.choice(("succinate", "carvedilol"))
    drugs = [_line(rng, "lisinopril"), _line(rng, beta)]
    group = "2014 - 2016" if turn == 2 else "2011 - 2013"
    recipe = _recipe(hand, rng, drugs, group, 0, (36, 40), potassium=(4.0, 4.7))
    return recipe, f"2013 edition alone; lisinopril and {beta}, no MRA needed above 35 %."


def _mra_excused(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    drugs = [_line(rng, "losartan"), _line(rng, "carvedilol")]
    last = tenth(rng, 5.1, 5.4)
    recipe = _recipe(hand, rng, drugs, "2014 - 2016", 0, (20, 30), potassium=(last, last), creatinine=(1.2, 1.7))
    for number, row in enumerate(recipe["labs"][:-1]):
        row[1] = 4.2 if number == 0 else round(4.2 + (last - 4.2) * number / len(recipe["labs"]), 1)
    return recipe, f"2013 edition alone; losartan and carvedilol, MRA limits not met by a last potassium of {last}."


def _arni(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    drugs = [_line(rng, "arni"), _line(rng, "carvedilol"), _line(rng, "spironolactone")]
    recipe = _recipe(hand, rng, drugs, "2017 - 2019", 0, (22, 32), told=[_said(hand, "reasons", "switched")])
    before = _line(rng, "lisinopril")
    recipe["home"] = [_text(before), *recipe["home"][1:]]
    recipe["stopped"] = [_text(before)]
    # The pause of more than 36 h between the two: the last dose of the one is of the second morning.
    recipe["inpatient"][0][5] = recipe["stay"] - 18.0
    recipe["inpatient"].append([*before[:3], "PO/NG", before[3], 6.0, 62.0])
    return recipe, "2017 update alone; ARNI, carvedilol, spironolactone; lisinopril stopped before the ARNI."


def _four(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    drugs = [_line(rng, name) for name in ("arni", "succinate", "eplerenone", "dapagliflozin")]
    recipe = _recipe(
        hand, rng, drugs, "2020 - 2022", 2, (25, 35), potassium=(4.0, 4.7), creatinine=(1.0, 1.1), age=(58, 74)
    )
    return recipe, "2022 edition alone; all four classes."


def _straddle_yes(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    first = ("lisinopril", "arni")[turn % 2]
    drugs = [_line(rng, name) for name in (first, "carvedilol", "spironolactone", "empagliflozin")]
    recipe = _recipe(hand, rng, drugs, "2020 - 2022", turn % 2, (20, 33), creatinine=(0.9, 1.2), age=(52, 74))
    return recipe, f"2017 update and 2022 edition are candidates; {first}, carvedilol, spironolactone, empagliflozin."


def _angioedema(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    drugs = [_line(rng, name) for name in ("hydralazine", "nitrate", "carvedilol", "spironolactone")]
    told = [_said(hand, "reasons", "angioedema"), _said(hand, "reasons", "vasodilators")]
    recipe = _recipe(hand, rng, drugs, "2014 - 2016", 0, (28, 34), told=told, earlier_told=[])
    recipe["allergies"] = "lisinopril"
    recipe["earlier_stay"][-1] = NO_ALLERGY
    return recipe, "2013 edition alone; angioedema on lisinopril excuses the renin-angiotensin class."


def _tartrate(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    low = turn % 2 == 0
    names = ["lisinopril", "tartrate", *(["spironolactone"] if low else [])]
    drugs = [_line(rng, name) for name in names]
    group = "2011 - 2013" if low else "2017 - 2019"
    lvef = (25, 34) if low else (36, 38)
    recipe = _recipe(hand, rng, drugs, group, 0, lvef, told=[_said(hand, "reasons", "metoprolol")])
    return recipe, "Metoprolol tartrate is the only beta-blocker, no reason."


def _double(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    drugs = [_line(rng, "lisinopril", "10")] + [_line(rng, n) for n in ("arni-low", "carvedilol", "spironolactone")]
    recipe = _recipe(hand, rng, drugs, "2017 - 2019", 0, (24, 32), told=[_said(hand, "reasons", "both")])
    recipe["home"].pop(1)
    recipe["inpatient"][1][5] = recipe["stay"] - 9.0
    return recipe, "Lisinopril and sacubitril-valsartan stand side by side on the discharge list."


def _dropped(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    drugs = [_line(rng, name) for name in ("lisinopril", "carvedilol", "spironolactone")]
    told = [_said(hand, "reasons", "carvedilol")]
    recipe = _recipe(hand, rng, drugs, "2014 - 2016", 0, (24, 35), told=told)
    recipe["discharge_list"].pop(1)
    return recipe, "Carvedilol given to the last morning is not on the discharge list, no reason."


def _mra_missing(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    drugs = [_line(rng, "arni"), _line(rng, "succinate")]
    recipe = _recipe(
        hand, rng, drugs, "2017 - 2019", 0, (18, 33), potassium=(3.9, 4.6), creatinine=(0.8, 1.5),
        earlier_told=[_said(hand, "reasons", "hyperkalemia")],
    )  # fmt: skip
    return (
        recipe,
        "2017 update alone; no MRA though LVEF and laboratory limits require it; hyperkalaemia is of another stay.",
    )


def _no_sglt2(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    drugs = [_line(rng, name) for name in ("arni", "carvedilol", "spironolactone")]
    recipe = _recipe(hand, rng, drugs, "2020 - 2022", 2, (20, 38), creatinine=(1.0, 1.1), age=(58, 74))
    return recipe, "2022 edition alone; no SGLT2 inhibitor and no reason."


def _straddle_no(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    drugs = [_line(rng, name) for name in ("lisinopril", "spironolactone", "dapagliflozin")]
    recipe = _recipe(hand, rng, drugs, "2020 - 2022", 0, (25, 35), creatinine=(0.9, 1.2), age=(52, 74))
    recipe["vitals_last"][1] = rng.randint(74, 88)
    return recipe, "2017 update and 2022 edition are candidates; both miss a beta-blocker."


def _resolved(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    drugs = [_line(rng, name) for name in ("carvedilol", "spironolactone")]
    told = [_said(hand, "reasons", "held").replace("{peak}", "2.6"), _said(hand, "reasons", "resolved")]
    group = ("2014 - 2016", "2017 - 2019")[turn % 2]
    recipe = _recipe(hand, rng, drugs, group, 0, (25, 34), told=told, creatinine=(1.1, 1.3))
    recipe["home"] = [_text(_line(rng, "lisinopril")), *recipe["home"]]
    recipe["codes"] = [*recipe["codes"], "N179"]
    rows, last = recipe["labs"], recipe["labs"][-1][2]
    for number, row in enumerate(rows[:-1]):
        row[2] = round(2.6 + (last - 2.6) * number / (len(rows) - 1), 1)
    return (
        recipe,
        f"Lisinopril held for kidney injury (creatinine 2.6, at discharge {last}) that the summary calls resolved.",
    )


def _no_lvef(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    drugs = [_line(rng, "lisinopril"), _line(rng, "carvedilol")]
    recipe = _recipe(hand, rng, drugs, rng.choice(_GROUPS), 0, (30, 30), earlier_told=[], codes=["I5022"])
    recipe["earlier_stay"][0] = rng.randint(1060, 1130)
    recipe["lvef"] = [[recipe["earlier_stay"][0], "30", "earlier summary", _said(hand, "lvef", "earlier")]]
    recipe["reasons"] = [_said(hand, "lvef", "none"), *recipe["reasons"][-2:]]
    return recipe, "The only LVEF, 30 %, is three years old."


def _no_list(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    drugs = [_line(rng, name) for name in ("arni", "carvedilol", "spironolactone", "empagliflozin")]
    recipe = _recipe(hand, rng, drugs, "2017 - 2019", 0, (28, 28), earlier_told=[], discharge_list="none", stopped=[])
    recipe["home"] = recipe["home"][1:3]
    recipe["earlier_stay"][0] = rng.randint(140, 160)
    recipe["lvef"] = [[recipe["earlier_stay"][0], "28", "earlier summary", _said(hand, "lvef", "earlier")]]
    recipe["reasons"] = []
    return recipe, "No discharge summary of this admission; four classes were ordered in hospital."


def _hospice(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, [], rng.choice(_GROUPS), 0, (15, 20), told=[_said(hand, "reasons", "comfort")],
        creatinine=(1.3, 2.0), disposition="hospice", age=(76, 89),
    )  # fmt: skip
    before = [_line(rng, "lisinopril"), _line(rng, "carvedilol")]
    recipe["home"] = [_text(row) for row in before]
    recipe["stopped"] = list(recipe["home"])
    recipe["inpatient"] = [[*row[:-1], 40.0] for row in _given(rng, before)]
    recipe["codes"] = [*recipe["codes"], "Z515"]
    return recipe, "Discharged to hospice."


def _preserved(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, [], rng.choice(_GROUPS), 0, (50, 60), age=(80, 89), codes=["I5023"])
    recipe["lvef"] = [[0, _range(rng, 50, 60), "summary", _said(hand, "lvef", "normal")]]
    recipe["reasons"] = recipe["reasons"][-2:]
    recipe["past"] = "Congestive heart failure"
    return recipe, "The only LVEF is above 40 %, none is lower at any time."


def _differs(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    drugs = [_line(rng, name) for name in ("arni", "succinate", "spironolactone")]
    recipe = _recipe(hand, rng, drugs, "2020 - 2022", 0, (25, 35), creatinine=(0.9, 1.2), age=(52, 74))
    return recipe, "2017 update and 2022 edition are candidates; no SGLT2 inhibitor, which only the latter requires."


def _recovered(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, [_line(rng, "carvedilol")], "2017 - 2019", 0, (45, 50), earlier_told=[])
    days = rng.randint(235, 255)
    recipe["earlier_stay"][0] = days
    recipe["lvef"] = [
        [0, "45-50", "summary", _said(hand, "lvef", "summary").replace(" global hypokinesis,", "")],
        [days, "25-30", "earlier summary", _said(hand, "lvef", "earlier")],
    ]
    recipe["reasons"] = recipe["reasons"][-2:]
    return recipe, "LVEF 25-30 % eight months before and 45-50 % now; carvedilol only."


_DRAWS: dict[str, Callable[[Hand, random.Random, int], Drawn]] = {
    "era-2013-two-classes": _two_classes,
    "era-2013-mra-excused": _mra_excused,
    "era-2017-arni": _arni,
    "era-2022-four-classes": _four,
    "straddle-both-yes": _straddle_yes,
    "angioedema-excused": _angioedema,
    "tartrate-only": _tartrate,
    "ace-inhibitor-with-arni": _double,
    "inpatient-beta-blocker-dropped": _dropped,
    "mra-missing-eligible": _mra_missing,
    "era-2022-sglt2-missing": _no_sglt2,
    "straddle-both-no": _straddle_no,
    "resolved-aki-excuse": _resolved,
    "no-lvef": _no_lvef,
    "no-discharge-list": _no_list,
    "hospice": _hospice,
    "elderly-lvef-55": _preserved,
    "straddle-differs": _differs,
    "recovered-lvef": _recovered,
}
