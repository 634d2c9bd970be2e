"""The case plan of hit-4ts: 30 recipes drawn from the ranges of the scenario's variants.

Hours from the first heparin dose of the admission; day 0 is its calendar day.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from pytest_clinicare.charts.synthetic.plan_cases import Draw, Drawn, Recipe, draw_cases
from pytest_clinicare.charts.synthetic.plan_numbers import quarter
from pytest_clinicare.charts.synthetic.pronouns import pronouns
from pytest_clinicare.charts.synthetic.scenarios.hit_4ts.abstract import abstract
from pytest_clinicare.charts.synthetic.scenarios.hit_4ts.hand import Hand
from pytest_clinicare.suite.case import Case

SCENARIO = "hit-4ts"
GIVEN, FLUSHED, REFUSED = "Administered", "Flushed", "Not Given"
NUMBERS = {8: "eight", 9: "nine", 10: "ten", 11: "eleven", 12: "twelve", 13: "thirteen", 14: "fourteen"}
CLUMPED, CITRATE = "PLATELET CLUMPS SEEN. COUNT UNRELIABLE", "CITRATE TUBE"
Count = list[Any]


def plan(seed: int) -> list[Case]:
    """The 30 cases, ids in an order that says nothing."""
    return draw_cases(SCENARIO, draws(seed), abstract, seed)


def draws(seed: int) -> dict[str, Draw]:
    """One function a variant, all dealing from the same decks of phrases."""
    hand = Hand(random.Random(f"{SCENARIO}/phrases/{seed}"))

    def bound(draw: Callable[[Hand, random.Random, int], Drawn]) -> Draw:
        return lambda rng, turn: draw(hand, rng, turn)

    return {name: bound(draw) for name, draw in _DRAWS.items()}


class Stay:
    """The clock of a stay: arrival, first dose, and the mornings after day 0."""

    def __init__(self, rng: random.Random, *, operated: bool = False) -> None:
        self.arrived = quarter(rng, 8, 13)
        # The clock time of the first dose on day 0, which is the day after arrival where that is the day of surgery.
        self.clock = quarter(rng, 18, 21) if operated else self.arrived + quarter(rng, 7, 9)
        self.first = self.clock - self.arrived + (24 if operated else 0)
        self.draw = quarter(rng, 5.25, 6.25)

    def morning(self, day: int) -> float:
        """The morning draw of a day, h from the first dose."""
        return 24 * day + self.draw - self.clock


def _falling(
    rng: random.Random,
    stay: Stay,
    days: int,
    baseline: int,
    onset: int,
    at_onset: int,
    nadir: int,
    before: float = 0.86,
) -> list[Count]:
    """On arrival and every morning: near the baseline, at the onset, to the nadir a day later, then up again."""
    rows: list[Count] = [[0.75 - stay.first, baseline, "none"]]
    for day in range(1, days + 1):
        if day < onset:
            low = 0.77 if day == onset - 1 and onset > 2 else before
            value = round(baseline * rng.uniform(low, min(low + 0.1, 0.98)))
        elif day == onset:
            value = at_onset
        else:
            value = round(min(nadir * (1 + 0.14 * (day - onset - 1)), 0.85 * baseline))
        rows.append([stay.morning(day), value, "none"])
    return rows


def _recipe(
    hand: Hand,
    rng: random.Random,
    stay: Stay,
    middle: float,
    counts: list[Count],
    courses: list[list[Any]],
    words: tuple[tuple[str, str], ...],
    *,
    group: str = "",
    codes: tuple[str, ...] = ("D696",),
    n: int = 8,
    leaves: float | None = None,
    **other: Any,
) -> Recipe:
    """``middle`` is the count at which the total reaches 4, or a morning to arrange the stay around where none does."""
    sex = rng.choice("MF")
    fill = pronouns(sex) | {"n": NUMBERS[n]}
    recipe: Recipe = {
        "patient": [sex, rng.randint(45, 84)],
        "presentation": hand.presentation(group),
        "arrived": stay.arrived,
        "first": stay.first,
        "stay": leaves if leaves is not None else middle + quarter(rng, 104, 128),
        "icu": [middle - quarter(rng, 8, 14), middle + quarter(rng, 44, 56)],
        "t0": middle,
        "courses": courses,
        "orders": [],
        "discontinued": [],
        "counts": counts,
        "earlier": [rng.randint(120, 300), *hand.presentation()] if rng.random() < 0.3 else "none",
        "duplex": [middle + quarter(rng, 3, 12), "normal"] if rng.random() < 0.4 else "none",
        "head_ct": [middle + quarter(rng, -30, -3), "normal"] if rng.random() < 0.25 else "none",
        "bacteraemia": "none",
        "antibody": "none",
        "bypass": "none",
        "summary": [hand.sentence(part, name, **fill) for part, name in words],
        "past": "none",
        "died": "no",
        "transferred": "no",
        "codes": list(codes),
        "other_issues": hand.issues(),
    }
    recipe |= other
    recipe["counts"] = [row for row in recipe["counts"] if row[0] < recipe["stay"] - 3]
    return recipe


def _words(heparin: str, platelets: str, cause: str, clots: str, response: str) -> tuple[tuple[str, str], ...]:
    return (
        ("heparin", heparin), ("platelets", platelets), ("cause", cause), ("clots", clots), ("response", response),
    )  # fmt: skip


def _deep_fall(rng: random.Random, stay: Stay, onset: int, days: int = 14) -> tuple[list[Count], str]:
    """Baseline 210-290, onset with a fall of a third to a half, nadir 58-92."""
    baseline, nadir = rng.randint(210, 290), rng.randint(58, 92)
    at_onset = round(baseline * rng.uniform(0.52, 0.66))
    return _falling(rng, stay, days, baseline, onset, at_onset, nadir), f"{baseline} to {nadir}"


def _classic(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    stay, onset = Stay(rng), rng.randint(6, 9)
    t0, drug = stay.morning(onset), rng.choice(("argatroban", "bivalirudin"))
    counts, fall = _deep_fall(rng, stay, onset)
    last, start = quarter(rng, 2, 10), quarter(rng, 5, 18)
    heparin = "iv" if turn == 0 else "sc"
    courses = [[heparin, 0.0, t0 + last, GIVEN], [drug, t0 + start, t0 + start + quarter(rng, 22, 26), GIVEN]]
    words = _words("drip" if turn == 0 else "prophylaxis", "medication", "none", "none", drug)
    recipe = _recipe(hand, rng, stay, t0, counts, courses, words)
    while turn == 0 and hand.operated(recipe["presentation"][0]):
        # Nobody gets heparin by vein on the evening before an operation.
        recipe["presentation"] = hand.presentation()
    return (
        recipe,
        f"Platelets {fall} from day {onset}: total 6; heparin to {last:+g} h, {drug} at {start:+g} h from T0.",
    )


def _four(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    stay, onset, nadir, share = Stay(rng), rng.randint(6, 8), rng.randint(110, 150), rng.uniform(0.37, 0.475)
    baseline = round(nadir / (1 - share))
    t0, start = stay.morning(onset), quarter(rng, 10, 22)
    counts = _falling(rng, stay, 14, baseline, onset, round(baseline * rng.uniform(0.66, 0.685)), nadir)
    courses = [["sc", 0.0, t0 + 6, GIVEN], ["fondaparinux", t0 + start, t0 + start + 72, GIVEN]]
    words = _words("prophylaxis", "unlikely", "sepsis", "none", "fondaparinux")
    recipe = _recipe(hand, rng, stay, t0, counts, courses, words, group="sepsis", codes=("D696", "A419"))
    return recipe, f"Platelets {baseline} to {nadir} from day {onset}, sepsis: total 4; fondaparinux at {start:+g} h."


def _rapid(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    stay, baseline = Stay(rng), rng.randint(196, 238)
    count = round(baseline * (1 - rng.uniform(0.53, 0.64)))
    days, t0, start = rng.randint(12, 26), stay.morning(1), quarter(rng, 8, 16)
    counts = _falling(rng, stay, 9, baseline, 1, count, count + rng.randint(1, 6))
    courses = [["sc", 0.0, t0 + 4, GIVEN], ["argatroban", t0 + start, t0 + start + quarter(rng, 22, 26), GIVEN]]
    words = _words("prophylaxis", "considered", "sepsis", "none", "argatroban")
    recipe = _recipe(
        hand, rng, stay, t0, counts, courses, words, group="sepsis", codes=("D696", "A419"),
        earlier=[days, *hand.presentation()], head_ct="none",
    )  # fmt: skip
    recipe["icu"] = [quarter(rng, 1, 3), t0 + 50]
    return recipe, f"Platelets {baseline} to {count} within {t0:g} h, heparin {days} days before: total 5."


def _clot(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    stay, onset, share = Stay(rng), rng.randint(7, 9), rng.uniform(0.35, 0.45)
    baseline = rng.randint(200, 280)
    t0, start, seen = stay.morning(onset), quarter(rng, 6, 20), quarter(rng, -12, -2)
    nadir = round(baseline * (1 - share))
    counts = _falling(rng, stay, 14, baseline, onset, round(baseline * rng.uniform(0.66, 0.685)), nadir)
    courses = [["sc", 0.0, t0 + 3, GIVEN], ["bivalirudin", t0 + start, t0 + start + quarter(rng, 22, 26), GIVEN]]
    words = _words("prophylaxis", "considered", "bacteremia", "dvt", "bivalirudin")
    recipe = _recipe(
        hand, rng, stay, t0, counts, courses, words, group="bacteremia", codes=("D696", "I82411", "R7881"),
        duplex=[t0 + seen, "confirmed"],
        bacteraemia=[t0 - quarter(rng, 20, 50), rng.choice(("staph-aureus", "e-coli"))],
    )  # fmt: skip
    return recipe, f"Platelets {baseline} to {nadir}, femoral clot {seen:+g} h from T0, bacteremia: total 5."


def _flushes(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    stay, nadir = Stay(rng), rng.randint(84, 95)
    baseline, t0 = round(nadir / 0.449), stay.morning(8)
    counts = _falling(rng, stay, 14, baseline, 8, round(baseline * rng.uniform(0.55, 0.66)), nadir)
    courses = [
        ["sc", 0.0, t0 + 8, GIVEN],
        ["flush", 2.0, t0 + 8, FLUSHED],
        ["bivalirudin", t0 + 12, t0 + 36, GIVEN],
    ]
    words = _words("prophylaxis", "considered", "none", "none", "bivalirudin")
    recipe = _recipe(hand, rng, stay, t0, counts, courses, words)
    return recipe, f"Platelets {baseline} to {nadir} from day 8 under prophylaxis: total 6; all heparin to +8 h."


def _enoxaparin(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    stay, onset, nadir, share = Stay(rng), rng.randint(7, 10), rng.randint(70, 98), rng.uniform(0.57, 0.67)
    baseline = round(nadir / (1 - share))
    t0, start = stay.morning(onset), quarter(rng, 14, 23)
    counts = _falling(rng, stay, 15, baseline, onset, round(baseline * rng.uniform(0.53, 0.66)), nadir)
    drug = "apixaban" if turn == 0 else "rivaroxaban"
    courses = [["enoxaparin", 0.0, t0 + 10, GIVEN], [drug, t0 + start, t0 + start + 84, GIVEN]]
    cause = "sepsis" if turn == 0 else "none"
    words = _words("lmwh", "considered", cause, "none", drug)
    recipe = _recipe(
        hand, rng, stay, t0, counts, courses, words, group="sepsis" if turn == 0 else "",
        codes=("D696", "A419") if turn == 0 else ("D696",),
    )  # fmt: skip
    return recipe, f"Enoxaparin; platelets {baseline} to {nadir} from day {onset}; {drug} at {start:+g} h from T0."


def _pump(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    stay, nadir = Stay(rng, operated=True), rng.randint(88, 110)
    baseline = round(nadir / (1 - rng.uniform(0.525, 0.595)))
    shares = [0.0, rng.uniform(0.52, 0.62), 0.0, 0.52, 0.6, 0.68, 0.76, 0.83, 0.88, 0.9, 0.92]
    counts: list[Count] = [[0.75 - stay.first, baseline, "none"], [stay.morning(0), baseline - 6, "none"]]
    for day in range(1, 11):
        value = nadir if day == 2 else round(baseline * shares[day])
        counts.append([stay.morning(day), value, "none"])
    turn = stay.morning(3)
    courses = [["sc", 0.0, turn + 6, GIVEN], ["argatroban", turn + 8, turn + 30, GIVEN]]
    words = _words("prophylaxis", "weak", "pump", "none", "argatroban")
    recipe = _recipe(
        hand, rng, stay, stay.morning(6), counts, courses, words, group="bypass", codes=("D7582",),
        bypass=-quarter(rng, 9, 11), antibody=[turn + 1, "POSITIVE", rng.choice((0.45, 0.48, 0.52)), turn + 30],
        t0="none", leaves=stay.morning(10) + 8,
    )  # fmt: skip
    recipe["icu"] = [-4.0, turn + 32]
    return recipe, f"Bypass on day 0; platelets {baseline} to {nadir} on day 2 and back without a second fall: total 2."


def _clumps(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    stay, baseline = Stay(rng), rng.randint(222, 240)
    low, good = rng.randint(42, 60), rng.randint(182, 206)
    counts: list[Count] = [[0.75 - stay.first, baseline, "none"]]
    counts += [[stay.morning(day), round(baseline * rng.uniform(0.8, 0.97)), "none"] for day in range(1, 12)]
    counts[7] = [stay.morning(7), low, CLUMPED]
    counts.append([stay.morning(7) + quarter(rng, 4, 8), good, CITRATE])
    courses = [["sc", 0.0, stay.morning(11) - 2, GIVEN]]
    words = _words("prophylaxis", "called", "none", "none", "kept")
    recipe = _recipe(hand, rng, stay, stay.morning(7), counts, courses, words, t0="none", leaves=stay.morning(11) + 8)
    return (
        recipe,
        f"Platelets {baseline}, one clumped count {low}, citrate tube {good}: valid fall below 30 %, total 2.",
    )


def _twenty_nine(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    stay = Stay(rng)
    counts: list[Count] = [[0.75 - stay.first, 241, "none"]]
    counts += [[stay.morning(day), round(241 * rng.uniform(0.8, 0.97)), "none"] for day in range(1, 12)]
    counts[5][1], counts[6][1], counts[7][1] = 188, 171, 180
    courses = [["sc", 0.0, stay.morning(11) - 2, GIVEN]]
    words = _words("prophylaxis", "considered", "none", "none", "kept")
    recipe = _recipe(hand, rng, stay, stay.morning(6), counts, courses, words, t0="none", leaves=stay.morning(11) + 8)
    return recipe, "Platelets 241 to 171 on day 6, a fall of 29.0 %: total 2."


def _chemotherapy(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    stay, onset, nadir, n = Stay(rng), rng.randint(2, 4), rng.randint(34, 60), rng.randint(8, 14)
    baseline = round(nadir / (1 - rng.uniform(0.63, 0.77)))
    counts = _falling(rng, stay, 11, baseline, onset, round(baseline * rng.uniform(0.5, 0.62)), nadir)
    courses = [["sc", 0.0, stay.morning(11) - 2, GIVEN]]
    words = _words("prophylaxis", "leads", "chemotherapy", "none", "kept")
    recipe = _recipe(
        hand, rng, stay, stay.morning(onset + 3), counts, courses, words, group="chemotherapy", n=n, t0="none",
        leaves=stay.morning(11) + 8,
    )  # fmt: skip
    return recipe, f"Platelets {baseline} to {nadir} from day {onset}, chemotherapy {n} days before: total 2."


def _kept_on(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    stay, onset = Stay(rng), rng.randint(6, 9)
    t0, last = stay.morning(onset), quarter(rng, 30, 70)
    counts, fall = _deep_fall(rng, stay, onset)
    drug = ("sc", "dialysis", "flush")[turn % 3]
    courses: list[list[Any]] = [["argatroban", t0 + 8, t0 + 8 + quarter(rng, 22, 26), GIVEN]]
    if drug == "sc":
        courses.append(["sc", 0.0, t0 + last, GIVEN])
    else:
        other = ["dialysis", 14.0, t0 + last, GIVEN] if drug == "dialysis" else ["flush", 2.0, t0 + last, FLUSHED]
        courses += [["sc", 0.0, t0 + 1, GIVEN], other]
    words = _words("prophylaxis", "considered", "none", "none", "argatroban")
    recipe = _recipe(hand, rng, stay, t0, counts, courses, words, discontinued=[["sc", t0 + 2]])
    if drug == "dialysis":
        recipe |= {"past": "End stage renal disease on hemodialysis", "codes": ["D696", "N186", "Z992"]}
    told = {"sc": "subcutaneous heparin", "dialysis": "heparin of the dialysis circuit", "flush": "heparin flushes"}
    return recipe, f"Platelets {fall} from day {onset}: total 6; {told[drug]} given to {last:+g} h from T0."


def _prescribed(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    stay, onset = Stay(rng), rng.randint(6, 9)
    t0, drug = stay.morning(onset), ("argatroban", "fondaparinux")[turn % 2]
    counts, fall = _deep_fall(rng, stay, onset)
    courses = [["sc", 0.0, t0 + 4, GIVEN], ["warfarin", t0 + 20, t0 + 96, GIVEN]]
    words = _words("prophylaxis", "considered", "none", "none", "warfarin")
    recipe = _recipe(hand, rng, stay, t0, counts, courses, words, orders=[[drug, t0 + 5, t0 + quarter(rng, 30, 60)]])
    return recipe, f"Platelets {fall} from day {onset}: total 6; {drug} prescribed at +5 h, never given; warfarin."


def _refused(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    stay = Stay(rng)
    counts = _falling(rng, stay, 12, 210, 6, 96, 102)
    words = _words("refused", "considered", "none", "none", "kept")
    t0 = stay.morning(6)
    recipe = _recipe(hand, rng, stay, t0, counts, [["sc", 0.0, t0 + 90, REFUSED]], words, t0="none", earlier="none")
    return recipe, "Heparin ordered three times daily, every row Not Given; platelets 210 to 96 on day 6."


def _few(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    stay, at = Stay(rng), quarter(rng, 36, 60)
    middle = stay.morning(5)
    if turn == 0:
        counts: list[Count] = [[at, rng.randint(96, 130), "none"]]
        hours = [stay.morning(day) for day in range(1, 11) if stay.morning(day) > at + 10]
        counts += [[hour, rng.randint(88, 128), "none"] for hour in hours]
        text = f"Transferred on heparin; the first count comes {at:g} h after the first dose here, none from before."
    else:
        count = rng.randint(84, 110)
        counts = [[quarter(rng, 30, 60), count, "none"]]
        text = f"Transferred on heparin; a single count, {count}, after the first dose and none from before."
    words = _words("outside", "normal", "none", "none", "kept")
    recipe = _recipe(
        hand, rng, stay, middle, counts, [["sc", 0.0, middle + 90, GIVEN]], words, t0="none", transferred="yes",
        earlier="none",
    )  # fmt: skip
    return recipe, text


def _death(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    stay, onset = Stay(rng), rng.randint(6, 9)
    t0, after = stay.morning(onset), quarter(rng, 8, 14)
    counts, fall = _deep_fall(rng, stay, onset)
    words = _words("prophylaxis", "considered", "none", "none", "death")
    recipe = _recipe(
        hand, rng, stay, t0, counts, [["sc", 0.0, t0 + 3, GIVEN]], words, died="yes", leaves=t0 + after, duplex="none"
    )
    recipe["icu"][1] = recipe["stay"]
    recipe["counts"] = [row for row in counts if row[0] <= t0]
    return (
        recipe,
        f"Platelets {fall.split(' to ')[0]} to {recipe['counts'][-1][1]}: total 5; death {after:+g} h from T0.",
    )


def _biphasic(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    stay = Stay(rng, operated=True)
    peak, second = rng.randint(130, 150), rng.randint(62, 78)
    values = [146, 94, 106, 120, peak, round(peak * 0.82), second, second + 2, second + 12, second + 26, second + 44]
    counts: list[Count] = [[0.75 - stay.first, 238, "none"], [stay.morning(0), 229, "none"]]
    counts += [[stay.morning(day), value, "none"] for day, value in enumerate(values, 1)]
    t0 = stay.morning(7)
    courses = [["sc", 0.0, t0 + 4, GIVEN], ["argatroban", t0 + 8, t0 + 32, GIVEN]]
    words = _words("prophylaxis", "considered", "sepsis", "none", "argatroban")
    recipe = _recipe(
        hand, rng, stay, t0, counts, courses, words, group="bypass", codes=("D696", "A419"), bypass=-10.0,
        duplex="none", head_ct="none", earlier="none",
    )  # fmt: skip
    return recipe, f"Bypass: 238 to 94 on day 2, up to {peak} on day 5, {second} on day 7; two readings, 2 or 4 to 5."


def _intracranial(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    stay, onset = Stay(rng), rng.randint(6, 9)
    t0, seen = stay.morning(onset), quarter(rng, -6, 1)
    counts, fall = _deep_fall(rng, stay, onset)
    words = _words("prophylaxis", "considered", "none", "none", "hemorrhage")
    recipe = _recipe(
        hand, rng, stay, t0, counts, [["sc", 0.0, t0 + 2, GIVEN]], words, head_ct=[t0 + seen, "hemorrhage"],
        codes=("D696", "I629"),
    )  # fmt: skip
    return recipe, f"Platelets {fall}: total 6; heparin stopped, no alternative for intracranial hemorrhage."


_DRAWS: dict[str, Callable[[Hand, random.Random, int], Drawn]] = {
    "classic-day-7-argatroban": _classic,
    "intermediate-exactly-4": _four,
    "rapid-onset-recent-exposure": _rapid,
    "new-dvt-with-bacteraemia": _clot,
    "prophylaxis-and-flush-stopped": _flushes,
    "enoxaparin-doac": _enoxaparin,
    "early-post-bypass-low": _pump,
    "clumped-nadir": _clumps,
    "fall-29-percent": _twenty_nine,
    "chemotherapy-nadir": _chemotherapy,
    "heparin-not-stopped": _kept_on,
    "alternative-never-given": _prescribed,
    "heparin-order-only": _refused,
    "too-few-counts": _few,
    "died-inside-window": _death,
    "biphasic-partial-recovery": _biphasic,
    "intracranial-bleed-no-alternative": _intracranial,
}
