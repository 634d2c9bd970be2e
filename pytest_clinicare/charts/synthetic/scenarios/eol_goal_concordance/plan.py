"""The case plan of eol-goal-concordance: 30 recipes drawn from the ranges of the scenario's variants.

Hours from admission; ``clock`` is the minute of the day of the admission.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from pytest_clinicare.charts.synthetic.illness import Tellings
from pytest_clinicare.charts.synthetic.plan_cases import Draw, Drawn, Recipe, draw_cases
from pytest_clinicare.charts.synthetic.plan_numbers import quarter
from pytest_clinicare.charts.synthetic.scenarios.eol_goal_concordance.abstract import abstract
from pytest_clinicare.charts.synthetic.scenarios.eol_goal_concordance.hand import PHRASES, Hand
from pytest_clinicare.suite.case import Case

SCENARIO = "eol-goal-concordance"
Row = list[Any]


def plan(seed: int) -> list[Case]:
    """The 30 cases, ids in an order that says nothing."""
    tellings = Tellings(random.Random(f"{SCENARIO}/tellings/{seed}/1"), PHRASES)
    hand = Hand(random.Random(f"{SCENARIO}/sentences/{seed}"))
    return draw_cases(SCENARIO, {name: _told(draw, hand, tellings) for name, draw in DRAWS.items()}, abstract, seed)


def _told(draw: Callable[[_Stay, int], str], hand: Hand, tellings: Tellings) -> Draw:
    def drawn(rng: random.Random, turn: int) -> Drawn:
        stay = _Stay(rng, hand)
        text = draw(stay, turn)
        return stay.recipe | {"telling": tellings.deal().row}, text

    return drawn


class _Stay:
    """A recipe under construction."""

    def __init__(self, rng: random.Random, hand: Hand) -> None:
        self.rng = rng
        self._hand = hand
        self.sex = rng.choice("MF")
        self.clock = rng.randrange(12 * 60, 21 * 60)
        self.goals: list[Row] = []
        self.treated: list[Row] = []
        self.said: list[str] = []
        self.codes: list[str] = []
        self.end, self.death = "death", 0.0
        self.morphine = 0.0

    @property
    def recipe(self) -> Recipe:
        first = self.morphine or self.death - 20.0
        return {
            "end": self.end,
            "patient": [self.sex, self.rng.randint(62, 88)],
            "clock": self.clock,
            "goals": sorted(self.goals, key=lambda row: float(row[0])),
            "interventions": sorted(self.treated, key=lambda row: float(row[1])),
            "statements": self.said,
            "morphine": [first, self.death - 0.5],
            "codes": self.codes,
            "death_h": self.death,
        }

    def between(self, low: float, high: float) -> float:
        return quarter(self.rng, low, high)

    def day(self, number: int, hour: float) -> float:
        """Hours from admission to a clock hour of a hospital day."""
        return round(24.0 * (number - 1) + hour - self.clock / 60, 2)

    def full(self) -> None:
        """Full code as ordered on admission and charted in the unit."""
        self.goals += [[0.25, "full", "order", "New"], [1.75, "full", "charted", "none"]]

    def order(self, hours: float, level: str, kind: str = "Change") -> None:
        """An order, and its level charted within two hours."""
        self.goals.append([hours, level, "order", kind])
        self.chart(hours + self.between(0.5, 1.75), level)

    def chart(self, hours: float, level: str) -> None:
        self.goals.append([hours, level, "charted", "none"])

    def tube(self, start: float, stop: float, *, out: bool) -> None:
        """Intubation, ventilation, and extubation where ``out``."""
        self.treated.append(["intubation", start, start + 0.25, "yes", []])
        self.treated.append(["invasive-vent", start + 0.25, stop, "yes", []])
        if out:
            self.treated.append(["extubation", stop, stop + 0.1, "yes", []])

    def pressor(self, start: float, stop: float, *changes: float) -> None:
        marks = changes or (round((start + stop) / 2, 2),)
        self.treated.append(["pressor", start, stop, "yes", list(marks)])

    def treat(self, kind: str, start: float, stop: float) -> None:
        self.treated.append([kind, start, stop, "yes", []])

    def say(self, *names: str, **words: Any) -> None:
        self.said += [self._hand.say(name, self.sex, **words) for name in names]

    def earlier_support(self, before: float) -> None:
        """Ventilation and norepinephrine of the first days, over well before a limit was set."""
        first = self.between(4, 9)
        self.tube(first, before - self.between(10, 16), out=True)
        self.pressor(first + 1.0, before - self.between(6, 9))


def _orderly(s: _Stay, _turn: int) -> str:
    t, gone, out = s.between(56, 100), s.between(1, 5), s.between(1, 8)
    s.full()
    s.order(t - 2.0, "dnr-dni")
    s.chart(t, "cmo")
    s.tube(s.between(6, 20), t + out, out=True)
    s.pressor(s.between(8, 24), t + gone, t - 6.0, t + 0.3)
    s.treated.append(["pressor", t - 1.0, t + 20.0, "ordered-only", []])
    s.death = t + max(gone, out) + s.between(3, 20)
    s.morphine, s.codes = t - 0.5, ["Z515", "Z66"]
    s.say("comfort")
    return f"Comfort measures only charted at {t:g} h; norepinephrine off after {gone:g} h, extubated after {out:g} h."


def _dnr_full(s: _Stay, turn: int) -> str:
    t = s.day(2, s.between(8, 16))
    s.full()
    s.order(t, "dnr")
    tube = t + s.between(12, 38)
    crrt = t + s.between(20, 58)
    s.chart(tube - 3.0, "dnr")
    s.death = s.day(s.rng.choice((5, 6, 7)), 20) + s.between(0, 8)
    s.codes = ["Z66"]
    s.say("dnr")
    if turn == 2:
        s.end = "hospice"
        s.death = s.day(8, 14)
        s.tube(tube, s.day(6, 11), out=True)
        s.pressor(tube + 1.0, s.day(5, 9))
        s.treat("crrt", min(crrt, s.day(4, 20)), s.day(6, 8))
        s.chart(s.day(6, 9), "dnr")
        s.say("hospice")
    else:
        s.tube(tube, s.death, out=False)
        s.pressor(tube + 1.0, s.death)
        s.treat("crrt", crrt, s.death - 3.0)
        s.say("dnr-end")
    return f"DNR without limit on intubation from {t:g} h; intubated at {tube:g} h, renal replacement after; no CPR."


def _before_dni(s: _Stay, _turn: int) -> str:
    tube = s.between(8, 24)
    t = tube + s.between(6, 20)
    s.full()
    s.order(t, "dnr-dni")
    s.death = t + s.between(22, 58)
    s.tube(tube, s.death, out=False)
    s.pressor(tube + 0.75, s.death - s.between(1, 6))
    s.chart(s.death - 12.0, "dnr-dni")
    s.codes = ["Z66"]
    s.say("tube-before", "tube-end")
    return f"Intubated at {tube:g} h, DNR/DNI ordered at {t:g} h; ventilated until death, nothing new."


def _full_code(s: _Stay, _turn: int) -> str:
    s.full()
    s.death = s.between(70, 130)
    for hours in (26.0, s.death - 20.0):
        s.chart(hours, "full")
    start, minutes = s.between(5, 20), s.rng.randint(20, 40)
    s.tube(start, s.death, out=False)
    s.pressor(start + 1.0, s.death)
    s.treat("crrt", start + s.between(12, 24), s.death - 1.0)
    s.treat("cpr", round(s.death - minutes / 60, 2), s.death)
    s.say("full", n=minutes)
    return f"Full code throughout; ventilation, norepinephrine, CRRT and {minutes} min of CPR."


def _reversal(s: _Stay, _turn: int) -> str:
    s.full()
    s.order(s.day(2, 11), "dnr-dni")
    s.order(s.day(4, 10), "full")
    t = s.day(8, 9)
    s.chart(t, "cmo")
    s.tube(s.day(4, 14), t + 3.0, out=True)
    s.pressor(s.day(4, 15), s.day(6, 8))
    s.death = t + s.between(5, 12)
    s.codes = ["Z515"]
    s.say("reversal")
    return "DNR/DNI on day 2, full code ordered on day 4 at 10:00, intubated at 14:00; comfort measures on day 8."


def _delay(s: _Stay, _turn: int) -> str:
    t = s.between(60, 100)
    wait = s.between(16, 30)
    s.full()
    s.order(t - 3.0, "dnr-dni")
    s.chart(t, "cmo")
    tube = s.between(6, 20)
    s.tube(tube, t + wait, out=True)
    s.pressor(tube + 1.0, t + s.between(1, 6))
    s.death = t + wait + s.between(1, 5)
    s.codes, s.morphine = ["Z515"], t
    s.say("delay")
    return f"Comfort measures at {t:g} h; ventilated {wait:g} h more until the daughter arrived, as the summary tells."


def _after_dni(s: _Stay, _turn: int) -> str:
    t = s.day(2, s.between(8, 16))
    tube = t + s.between(10, 48)
    comfort = tube + s.between(24, 48)
    s.full()
    s.order(t, "dnr-dni")
    s.chart(tube - 4.0, "dnr-dni")
    s.chart(tube + 5.0, "dnr-dni")
    s.chart(comfort, "cmo")
    s.tube(tube, comfort + s.between(1, 6), out=True)
    s.pressor(tube + 0.75, comfort + s.between(1, 5))
    s.death = comfort + s.between(8, 20)
    s.codes, s.morphine = ["Z66", "Z515"], comfort
    s.say("late-tube")
    return f"DNR/DNI ordered at {t:g} h and never changed; intubated at {tube:g} h."


def _pressor_after(s: _Stay, turn: int) -> str:
    t = s.between(70, 110)
    start = t + s.between(2, 10)
    s.full()
    s.order(t - 3.0, "dnr-dni")
    s.chart(t, "cmo")
    if turn != 1:
        s.earlier_support(t - 3.0)
    s.pressor(start, start + s.between(1, 6))
    s.death = max(t + s.between(12, 40), start + 7.0)
    s.codes, s.morphine = ["Z515", "Z66"], t
    s.say("machine")
    return f"Comfort measures only charted at {t:g} h; norepinephrine started at {start:g} h."


def _cpr_under_dnr(s: _Stay, _turn: int) -> str:
    t, arrest, minutes = s.day(3, s.between(8, 15)), s.day(5, s.between(4, 18)), s.rng.randint(5, 8)
    s.full()
    s.order(t, "dnr")
    s.chart(s.day(4, 8), "dnr")
    s.chart(arrest - 3.0, "dnr")
    s.chart(arrest + 4.0, "dnr")
    s.treat("cpr", arrest, arrest + minutes / 60)
    s.death = s.day(6, s.between(8, 22))
    s.tube(arrest + 0.2, s.death, out=False)
    s.pressor(arrest + 0.5, s.death)
    s.codes = ["Z66"]
    s.say("cpr", n=minutes, day=5)
    s.say("cpr-end")
    return f"DNR ordered at {t:g} h; CPR for {minutes} min at {arrest:g} h, with return of circulation."


def _runs_on(s: _Stay, turn: int) -> str:
    t, more = s.between(60, 96), s.between(14, 40)
    s.full()
    s.order(t - 2.0, "dnr-dni")
    s.chart(t, "cmo")
    tube = s.between(6, 20)
    s.tube(tube, t + more, out=turn == 0)
    s.pressor(tube + 1.0, t - s.between(2, 8))
    s.death = t + more + (s.between(1, 6) if turn == 0 else 0.0)
    s.codes, s.morphine = ["Z515"], t
    s.say("machine")
    return f"Comfort measures only charted at {t:g} h; ventilation ran {more:g} h more without a stated reason."


def _dialysis_after(s: _Stay, turn: int) -> str:
    t = s.between(70, 100)
    start = t + s.between(3, 20)
    s.full()
    s.order(t - 3.0, "dnr-dni")
    s.chart(t, "cmo")
    s.earlier_support(t - 3.0)
    s.treat(("hd", "crrt")[turn], start, start + s.between(3, 4))
    s.death = start + s.between(10, 26)
    s.codes, s.morphine = ["N186", "Z992", "Z515"], t
    s.say("machine")
    return f"Comfort measures only charted at {t:g} h; {('hemodialysis', 'CRRT')[turn]} started at {start:g} h."


def _only_code(s: _Stay, _turn: int) -> str:
    s.death = s.between(70, 130)
    start = s.between(5, 20)
    s.tube(start, s.death, out=False)
    s.pressor(start + 1.0, s.death)
    s.codes = ["Z66"]
    s.say("silent")
    return "Z66 is coded; no code-status order, no charted code status, and a summary silent on goals."


def _same_day(s: _Stay, _turn: int) -> str:
    s.death = s.day(7, s.between(6, 20))
    s.tube(round(s.day(4, 15) + 1 / 6, 2), s.death, out=False)
    s.pressor(s.day(4, 16.5), s.death)
    s.say("text-only", day=4, end=7)
    return "DNR/DNI known from the summary alone, on hospital day 4; intubated at 15:10 of that day."


def _against(s: _Stay, _turn: int) -> str:
    s.full()
    s.order(s.day(2, s.between(8, 16)), "dnr-dni")
    tube = s.day(4, s.between(8, 20))
    s.chart(tube - 14.0, "dnr-dni")
    s.chart(tube - s.between(1, 6), "full")
    s.chart(tube + s.between(6, 12), "dnr-dni")
    s.death = s.day(6, s.between(10, 22))
    s.tube(tube, s.death, out=False)
    s.pressor(tube + 1.0, s.death)
    s.codes = ["Z66"]
    s.say("waver")
    return f"DNR/DNI order in force; Full code charted in the hours before the intubation at {tube:g} h."


def _niv(s: _Stay, _turn: int) -> str:
    t = s.between(70, 100)
    start, long = t + s.between(2, 6), s.between(3, 6)
    s.full()
    s.order(t - 3.0, "dnr-dni")
    s.chart(t, "cmo")
    s.earlier_support(t - 3.0)
    s.treat("niv", start, start + long)
    s.death = max(t + s.between(13, 24), start + long + 0.5)
    s.codes, s.morphine = ["Z515"], t
    s.say("niv")
    return f"Comfort measures only charted at {t:g} h; non-invasive ventilation from {start:g} h, no purpose stated."


DRAWS: dict[str, Callable[[_Stay, int], str]] = {
    "orderly-withdrawal": _orderly,
    "dnr-with-full-icu-care": _dnr_full,
    "intubated-before-dni": _before_dni,
    "full-code-to-the-end": _full_code,
    "timed-reversal": _reversal,
    "delay-with-reason": _delay,
    "intubated-after-dni": _after_dni,
    "pressor-started-after-cmo": _pressor_after,
    "resuscitation-under-dnr": _cpr_under_dnr,
    "ventilation-runs-on": _runs_on,
    "dialysis-started-after-cmo": _dialysis_after,
    "only-a-z66-code": _only_code,
    "same-day-order-unknown": _same_day,
    "order-against-charted-wish": _against,
    "niv-under-comfort-care": _niv,
}
