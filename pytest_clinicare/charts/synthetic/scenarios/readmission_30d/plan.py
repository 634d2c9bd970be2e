"""The case plan of readmission-30d: 30 recipes drawn from the ranges of the scenario's variants.

What decides a case stands in its own function; stays long before the index and long after it are added to every case
alike, so that no count of encounters tells a verdict.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.hand import Hand
from pytest_clinicare.charts.synthetic.illness import Telling, Tellings
from pytest_clinicare.charts.synthetic.plan_cases import Draw, Drawn, Recipe, draw_cases
from pytest_clinicare.charts.synthetic.scenarios.readmission_30d.abstract import abstract
from pytest_clinicare.suite.case import Case

SCENARIO, PHRASES = "readmission-30d", "phrases/readmission-30d"
_PLAIN = "ordinary"
_STENT, _GALLBLADDER, _KIDNEY = "027034Z", "0FT44ZZ", "0TY00Z0"
_NEUTRAL = ("02HV33Z", "30233N1", "05HM33Z")
_HOMES = ("HOME", "HOME", "HOME HEALTH CARE")
_FILLERS = ("EW EMER.",) * 4 + ("OBSERVATION ADMIT", "EU OBSERVATION")


def plan(seed: int) -> list[Case]:
    """The 30 cases, ids in an order that says nothing."""
    return draw_cases(SCENARIO, draws(seed), abstract, seed)


def draws(seed: int) -> dict[str, Draw]:
    """One function a variant, all dealing from the same decks of phrases."""
    deal = _Deal(seed)

    def bound(draw: Callable[[_Patient, int], Drawn]) -> Draw:
        return lambda rng, turn: draw(_Patient(deal, rng), turn)

    return {name: bound(draw) for name, draw in _DRAWS.items()}


class _Deal:
    """The decks of a form."""

    def __init__(self, seed: int) -> None:
        self.own = Tellings(random.Random(f"{SCENARIO}/tellings/{seed}/37"), PHRASES)
        self.ordinary = Tellings(random.Random(f"{SCENARIO}/ordinary/{seed}/37"))
        self.patients = 0
        self._rng = random.Random(f"{SCENARIO}/ward/{seed}")
        self._wards: list[set[int]] = []
        self.hand = Hand(random.Random(f"{SCENARIO}/sentences/{seed}/37"), PHRASES)

    def ward(self) -> list[int]:
        """Five sentences of a stay by number, of which another stay has as few as can be."""
        tries = [self._rng.sample(range(len(ward_sentences())), 5) for _ in range(80)]
        best = min(tries, key=lambda row: sum(len(set(row) & seen) ** 4 for seen in self._wards))
        self._wards.append(set(best))
        return best

    def background(self) -> list[int]:
        """Social and family history by number, so that no two patients share both."""
        turn, phrases = self.patients, bank("phrases/wording")
        self.patients += 1
        social, family = (len(phrases[part]["texts"]) for part in ("social", "family"))
        return [turn % social, (turn + 5 * (turn // social)) % family]


def ward_sentences() -> list[str]:
    """Days on the ward, of this bank and that of surgical stays."""
    return [*bank(PHRASES)["ward"]["texts"], *bank("phrases/ssi-surveillance")["ward"]["texts"]]


def clock(rng: random.Random, first: float, last: float) -> str:
    """``HH:MM`` between two hours of a day."""
    minute = rng.randrange(round(first * 60), round(last * 60))
    return f"{minute // 60:02d}:{minute % 60:02d}"


def _leaving(rng: random.Random, start: str, hours: tuple[int, int]) -> int:
    """Hours of a stay in a range, to a discharge between 11 and 18 o'clock where the range reaches one."""
    reach = range(hours[0], hours[1] + 1)
    day_time = [h for h in reach if 11 <= (int(start[:2]) + h) % 24 < 17]
    return rng.choice(day_time or list(reach))


class _Patient:
    """One patient's stays while the recipe is put together."""

    def __init__(self, deal: _Deal, rng: random.Random) -> None:
        self.deal, self.rng = deal, rng
        self.sex, self.age = rng.choice("MF"), rng.randint(48, 84)
        self.chronic: list[str] = []
        self.index: dict[str, Any] = {}
        self.returns: list[list[Any]] = []
        self.tellings: list[list[Any]] = [[]]
        self.statements: list[list[Any]] = []

    def telling(self, kind: str) -> Telling:
        """Wordings of an illness of the scenario's own bank, or of an ordinary one."""
        return self.deal.ordinary.deal("admission", lacking="past") if kind == _PLAIN else self.deal.own.deal(kind)

    def sentence(self, part: str, name: str = "texts") -> str:
        he, his, him = ("he", "his", "him") if self.sex == "M" else ("she", "her", "her")
        return self.deal.hand.sentence(
            part, name, pronoun=he, Pronoun=he.capitalize(), possessive=his, Possessive=his.capitalize(), object=him
        )

    def discharge(
        self,
        kind: str = _PLAIN,
        *,
        leaves: tuple[float, float] = (11, 17.5),
        where: str = "",
        plan: str = "texts",
        procedures: tuple[str, ...] = (),
        admission_type: str = "EW EMER.",
    ) -> None:
        """The index stay."""
        told = self.telling(kind)
        self.tellings[0] = [*told.row, *self.deal.ward()]
        self.index = {
            "index_discharge_location": where or self.rng.choice(_HOMES),
            "index_principal": [told.entry["codes"][0], 10],
            "index_class": admission_type,
            "index_disch_clock": clock(self.rng, *leaves),
            "index_length_h": self.rng.randint(70, 150),
            "index_procedures": list(procedures),
        }
        self.statements.append([0, self.sentence("plans", plan)])

    def back(
        self,
        day: int,
        kind: str,
        *,
        at: tuple[float, float] = (1, 23.5),
        stay: str = "inpatient",
        admission_type: str = "EW EMER.",
        via: bool = True,
        procedures: tuple[str, ...] = (),
        hours: tuple[int, int] = (60, 130),
        said: str = "texts",
        blank: bool = False,
    ) -> None:
        """A stay after the index."""
        told = self.telling(kind)
        code, start = "none" if blank else told.entry["codes"][0], clock(self.rng, *at)
        self.returns.append(
            [day, start, stay, admission_type, via, code, list(procedures), _leaving(self.rng, start, hours)]
        )
        self.tellings.append([*told.row, *self.deal.ward()])
        if not blank:
            name = "early" if said == "texts" and day < 7 else said
            self.statements.append([len(self.returns), self.sentence("between", name)])

    def visit(self, day: int, complaint: str, at: tuple[float, float] = (6, 22)) -> None:
        """An ED visit that ends at home."""
        self.returns.append([day, clock(self.rng, *at), "ed", "none", True, "none", [], self.rng.randint(3, 7)])
        self.tellings.append(["ed", complaint])

    def recipe(self, quiet_from: int = 60) -> Recipe:
        """Filled up with stays before the index and after the window to as many as every case has."""
        rng = self.rng
        stays = 1 + sum(row[2] != "ed" for row in self.returns)
        wanted = rng.choice((5, 5, 6))
        later = max(0, min(wanted - stays, rng.choice((1, 2))))
        day = quiet_from + rng.randint(5, 40)
        for _ in range(later):
            kind, illness, hours = self._filler()
            seen = kind == "EU OBSERVATION"
            self.back(day, illness, stay="observation" if seen else "inpatient", admission_type=kind, hours=hours)
            day += rng.randint(40, 90)
        self._visits(day)
        others, before = [], -60
        for _ in range(max(wanted - stays - later, 0)):
            before -= rng.randint(10, 100)
            kind, illness, hours = self._filler()
            start = clock(rng, 1, 23)
            others.append([before, start, kind, True, [], _leaving(rng, start, hours), *self.telling(illness).row])
            others[-1] += self.deal.ward()
        self._neutral_procedures(others)
        return {
            "patient": [self.sex, self.age],
            "calendar": [rng.randint(2130, 2190), rng.randint(20, 340)],
            "chronic": self.chronic,
            "background": self.deal.background(),
            **self.index,
            "returns": self.returns,
            "tellings": self.tellings,
            "statements": self.statements,
            "others": others,
            "dod_day": max(row[0] for row in self.returns) + rng.randint(20, 300) if rng.random() < 0.2 else "none",
        }

    def _filler(self) -> tuple[str, str, tuple[int, int]]:
        """Type, illness and hours of a stay that decides nothing."""
        kind = self.rng.choice(_FILLERS)
        if kind == "EU OBSERVATION":
            return kind, self.deal.hand.deal("observed", ("chest", "syncope")), (22, 39)
        return kind, _PLAIN, (60, 120)

    def _visits(self, day: int) -> None:
        """Every case has one to three ED visits; those that are none of the case's own lie after the window."""
        have = sum(row[2] == "ed" for row in self.returns)
        for number in range(max(self.rng.choice((1, 2, 2, 3)) - have, 0)):
            complaint = self.deal.hand.deal("complaints", ("Headache", "Back pain", "Laceration", "Rash", "Epistaxis"))
            self.visit(day + 8 + 15 * number, complaint)

    def _neutral_procedures(self, others: list[list[Any]]) -> None:
        """Lines and transfusions, so that two to three codes stand in every chart."""
        have = len(self.index["index_procedures"]) + sum(len(row[6]) for row in self.returns)
        rows: list[list[str]] = [self.index["index_procedures"]]
        rows += [row[6] for row in self.returns if row[2] == "inpatient" and row[5] != "none" and row[0] > 31]
        rows += [row[4] for row in others if row[2] != "EU OBSERVATION"]
        for number in range(max(self.rng.choice((2, 3)) - have, 0)):
            rows[number % len(rows)].append(_NEUTRAL[number])


def _emergency_unrelated(p: _Patient, turn: int) -> Drawn:
    p.chronic = ["heart"]
    p.discharge("heart", where="HOME")
    day = p.rng.randint(9, 20)
    kind = ("hip", "bleed")[turn]
    p.back(day, kind, procedures=("0SRR0JZ",) if kind == "hip" else ())
    cause = ("a hip fracture", "gastrointestinal bleeding")[turn]
    return p.recipe(), f"Emergency admission on day {day} for {cause} after a stay for heart failure."


def _day_30(p: _Patient, turn: int) -> Drawn:
    p.discharge(leaves=(9, 11))
    p.back(30, ("pneumonia", "urinary")[turn], at=(20, 23.5))
    return p.recipe(), "Emergency admission late in the evening of day 30, more than 720 hours after discharge."


def _converted(p: _Patient, turn: int) -> Drawn:
    p.chronic = [("heart", "copd")[turn]]
    p.discharge()
    day = p.rng.randint(6, 15)
    p.back(day, ("heart", "copd")[turn], admission_type="OBSERVATION ADMIT", hours=(72, 140))
    return p.recipe(), f"Observation converted to admission on day {day}: inpatient class, acute illness."


def _infarct(p: _Patient, turn: int) -> Drawn:
    p.discharge()
    day = p.rng.randint(5, 25)
    p.back(day, "infarct", admission_type=("EW EMER.", "URGENT", "EW EMER.")[turn], procedures=(_STENT,))
    return p.recipe(), f"Admission on day {day} with stent for acute infarction: the first-listed code is acute."


def _elective_type(p: _Patient, _turn: int) -> Drawn:
    p.discharge()
    day = p.rng.randint(12, 24)
    p.back(day, "sodium", admission_type="ELECTIVE", via=False, at=(9, 17))
    return p.recipe(), f"ELECTIVE admission on day {day} for hyponatremia without a procedure: unplanned by step 3."


def _same_day_other(p: _Patient, _turn: int) -> Drawn:
    p.discharge("cellulitis", leaves=(11, 11.5))
    p.back(0, "embolism", at=(18, 22))
    return p.recipe(), "Back on the day of discharge with pulmonary embolism after cellulitis: a readmission."


def _visits_only(p: _Patient, turn: int) -> Drawn:
    p.discharge()
    told = Telling.of(p.tellings[0])
    days = sorted(p.rng.sample(range(3, 29), (3, 2)[turn]))
    for day in days:
        p.visit(day, told.entry["complaint"])
    text = f"ED visits on days {', '.join(map(str, days))} that ended at home, no admission to day 30."
    return p.recipe(), text


def _observed(p: _Patient, turn: int) -> Drawn:
    p.discharge()
    day = p.rng.randint(4, 20)
    kind = ("EU OBSERVATION", "DIRECT OBSERVATION")[turn]
    p.back(day, ("chest", "syncope")[turn], stay="observation", admission_type=kind, via=turn == 0, hours=(20, 39))
    return p.recipe(), f"Observation stay on day {day}; no inpatient-class admission to day 30."


def _against_advice(p: _Patient, _turn: int) -> Drawn:
    p.chronic = ["heart"]
    p.discharge("heart", where="AGAINST ADVICE", plan="left")
    day = p.rng.randint(1, 4)
    p.back(day, "heart")
    return p.recipe(), f"The index ended against advice: excluded, whatever the return on day {day}."


def _continuation(p: _Patient, _turn: int) -> Drawn:
    p.chronic = ["heart"]
    p.discharge("heart", leaves=(12, 12.5), where="HOME")
    p.back(0, "heart", at=(19, 19.5), hours=(70, 74))
    return p.recipe(), "Back on the same day with the same heart failure: one stay, and none follows it for 30 days."


def _day_31(p: _Patient, _turn: int) -> Drawn:
    p.discharge(leaves=(21, 23.5))
    p.back(31, "pneumonia", at=(0.5, 2.5))
    return p.recipe(), "The next admission is soon after midnight of day 31."


def _cycle(p: _Patient, turn: int) -> Drawn:
    p.chronic = ["lymphoma"]
    p.discharge(("neutropenic", "pneumonia")[turn], plan="chemotherapy")
    day = p.rng.randint(14, 28)
    kind = ("ELECTIVE", "URGENT")[turn]
    p.back(day, "chemotherapy", admission_type=kind, via=False, at=(8, 14), procedures=("3E04305",))
    return p.recipe(), f"Chemotherapy encounter on day {day} ({kind}): always planned."


def _hip_replaced(p: _Patient, turn: int) -> Drawn:
    p.discharge("cellulitis", plan="arthroplasty")
    day = p.rng.randint(18, 29)
    code = ("0SR90JA", "0SR904A")[turn]
    p.back(
        day, "arthroplasty", admission_type="SURGICAL SAME DAY ADMISSION", via=False, at=(5.5, 8), procedures=(code,)
    )
    return p.recipe(), f"Hip replacement for osteoarthritis on day {day}: potentially planned, not acute."


def _called_in(p: _Patient, _turn: int) -> Drawn:
    p.age, p.chronic = p.rng.randint(44, 62), ["dialysis"]
    p.discharge("access", where="HOME")
    day = p.rng.randint(10, 26)
    p.back(day, "transplant", admission_type="URGENT", at=(14, 20), procedures=(_KIDNEY,), hours=(110, 150))
    return p.recipe(), f"Kidney transplantation on day {day} through the ED: always planned."


def _planned_first(p: _Patient, _turn: int) -> Drawn:
    p.chronic = ["lymphoma"]
    p.discharge("pneumonia", plan="chemotherapy")
    day, second = p.rng.randint(7, 12), p.rng.randint(19, 27)
    p.back(day, "chemotherapy", admission_type="ELECTIVE", via=False, at=(8, 14), procedures=("3E04305",))
    p.back(second, "sepsis")
    return p.recipe(), f"The first readmission, on day {day}, is chemotherapy; sepsis on day {second} does not count."


def _outside(p: _Patient, _turn: int) -> Drawn:
    p.discharge()
    day = p.rng.randint(35, 90)
    p.back(day, _PLAIN, said="outside")
    return p.recipe(
        day + 30
    ), f"No admission here to day 30; the summary of day {day} tells of an outside stay unclearly."


def _unclassifiable(p: _Patient, _turn: int) -> Drawn:
    p.discharge()
    day = p.rng.randint(11, 22)
    p.back(day, _PLAIN, admission_type="URGENT", via=False, blank=True)
    return p.recipe(), f"URGENT admission on day {day} without codes and without a summary."


def _planned_by_code(p: _Patient, turn: int) -> Drawn:
    p.discharge()
    day = p.rng.randint(8, 25)
    kind, code = (("gallstones", _GALLBLADDER), ("coronary", _STENT))[turn]
    p.back(day, kind, admission_type=("EW EMER.", "OBSERVATION ADMIT")[turn], procedures=(code,))
    what = ("Cholecystectomy for gallstones", "Stent for stable coronary disease")[turn]
    return p.recipe(), f"{what} on day {day}, planned by the algorithm but begun in the ED and nowhere scheduled."


def _staged(p: _Patient, _turn: int) -> Drawn:
    p.chronic = ["hip"]
    p.discharge("prosthesis", plan="staged", procedures=("0SP90JZ",))
    day = p.rng.randint(13, 16)
    p.back(day, "revision", admission_type="ELECTIVE", via=False, at=(6, 9), procedures=("0SW90JZ",))
    return p.recipe(), f"Second-stage revision on day {day}, announced as scheduled, with a complication code in front."


_DRAWS: dict[str, Callable[[_Patient, int], Drawn]] = {
    "emergency-unrelated": _emergency_unrelated,
    "late-on-day-30": _day_30,
    "observation-converted": _converted,
    "pci-for-acute-mi": _infarct,
    "elective-type-no-procedure": _elective_type,
    "same-day-other-condition": _same_day_other,
    "ed-visits-only": _visits_only,
    "observation-stay-only": _observed,
    "left-against-advice": _against_advice,
    "same-day-continuation": _continuation,
    "day-31-just-past-midnight": _day_31,
    "chemotherapy-cycle": _cycle,
    "elective-arthroplasty": _hip_replaced,
    "transplant-called-in": _called_in,
    "planned-then-unplanned": _planned_first,
    "outside-stay-unclear": _outside,
    "candidate-unclassifiable": _unclassifiable,
    "planned-by-code-emergency-by-chart": _planned_by_code,
    "unplanned-by-code-scheduled-by-text": _staged,
}
