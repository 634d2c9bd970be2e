"""The case plan of discharge-audit: 30 recipes drawn from the ranges of the scenario's variants.

All hours are counted from dischtime.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from pytest_clinicare.charts.synthetic.antibiotics import listed
from pytest_clinicare.charts.synthetic.hand import Hand
from pytest_clinicare.charts.synthetic.plan_cases import Draw, Drawn, Recipe, draw_cases
from pytest_clinicare.charts.synthetic.plan_numbers import quarter, tenth
from pytest_clinicare.charts.synthetic.scenarios.discharge_audit.abstract import abstract
from pytest_clinicare.charts.synthetic.scenarios.discharge_audit.words import PHRASES, illness_of, unrelated
from pytest_clinicare.suite.case import Case

SCENARIO = "discharge-audit"
_IV = ("ceftriaxone", "cefazolin", "ampicillin")
PLACES = {
    "HOME": "Home",
    "HOME HEALTH CARE": "Home With Service\n \nFacility:\n___ Visiting Nurse Association",
    "SKILLED NURSING FACILITY": "Extended Care\n \nFacility:\n___",
}


def plan(seed: int) -> list[Case]:
    """The 30 cases, ids in an order that says nothing."""
    return draw_cases(SCENARIO, draws(seed), abstract, seed)


def draws(seed: int) -> dict[str, Draw]:
    """One function a variant, all dealing from the same decks of phrases."""
    hand = Hand(random.Random(f"{SCENARIO}/phrases/{seed}"), PHRASES)

    def bound(draw: Callable[[Hand, random.Random, int], Drawn]) -> Draw:
        return lambda rng, turn: draw(hand, rng, turn)

    return {name: bound(draw) for name, draw in _DRAWS.items()}


def _in_a_sentence(problem: str) -> str:
    """The problem inside a sentence, names and abbreviations as they are."""
    if problem.startswith("Lyme"):
        return problem
    return problem[0].lower() + problem[1:]


class _Case:
    """One recipe in the making: a complete and concordant summary, then what the variant changes."""

    def __init__(self, hand: Hand, rng: random.Random, group: str = "general") -> None:
        self.hand, self.rng = hand, rng
        presentation = hand.entry(hand.phrases[group], f"illnesses {group}")
        self.entry = entry = illness_of(presentation[0])
        hours = quarter(rng, 140, 166)
        anchor = rng.randrange(2115, 2190)
        place = hand.deal("places", ["HOME", "HOME HEALTH CARE", "HOME", "SKILLED NURSING FACILITY"])
        late = quarter(rng, 80, 100)
        problem = _in_a_sentence(entry["problem"])
        days = [0, rng.choice((-1, 1)) * rng.randrange(50, 300)]
        self.recipe: Recipe = {
            "patient": [rng.choice("MF"), rng.randint(38, 79)],
            "calendar": [anchor, rng.choice(("2014 - 2016", "2017 - 2019")), anchor + rng.randrange(0, 3)],
            "presentation": presentation,
            "hours": hours,
            "note_state": "present",
            "location": place,
            "disposition": PLACES[place],
            "principal": entry["code"],
            "diagnosis": entry["problem"],
            "condition": hand.sentence("condition"),
            "follow_up": hand.sentence("follow_up"),
            "course": [],
            "transitional": [hand.sentence("transitional"), self.pending("none" if rng.random() < 0.5 else "neutral"),
                             hand.sentence("transitional")],
            "letter": [hand.sentence("letter", "reason", problem=problem),
                       *(hand.sentence("letter", "advice") for _ in range(5))],
            "specimens": [
                ["blood", hours - 1.5, -quarter(rng, 14, 22), []],
                ["urine", hours - 2, -quarter(rng, 70, 96), []],
                [hand.deal("late", ["blood", "urine", "blood"]), late, -quarter(rng, 10, 40), []],
            ],
            "drugs": [],
            "chronic": hand.deal("chronic", [*hand.phrases["chronic"]]),
            "procedures": [],
            "procedure_line": "None",
            "imaging": [entry["study"][0], hours - quarter(rng, 3, 20), *entry["study"][1:]],
            "labs": [["lactate", tenth(rng, 1.0, 1.9)], ["lipase", float(rng.randint(14, 52))]],
            "other": [days[1], *hand.entry(unrelated(), "unrelated")],
        }  # fmt: skip
        if "procedure" in entry:
            self.recipe["procedures"] = [[entry["procedure"], self.recipe["imaging"][1]]]
            self.recipe["procedure_line"] = hand.deal(f"line {entry['name']}", entry["procedure_line"])
        if "after" in entry:
            self._antibiotics(hours)

    def pending(self, kind: str) -> str:
        """A line on pending results."""
        return self.hand.sentence("pending", kind)

    def _antibiotics(self, hours: float) -> None:
        """By vein at first, by mouth at the end and on the list, as the course says."""
        recipe, agent = self.recipe, self.entry["agent"]
        course = str(self.entry["courses"][recipe["presentation"][2]]).lower()
        vein = self.entry.get("iv") or next((a for a in _IV if a in course and a != agent), "")
        last = quarter(self.rng, 3, 7)
        first = hours - 5
        if vein:
            recipe["drugs"].append([vein, hours - 5, quarter(self.rng, 52, 60), ""])
            first = 44.0 + last
        recipe["drugs"].append([agent, first, last, f"{listed(agent)}, stop date ___"])
        recipe["course"].append(self.hand.deal(f"after {self.entry['name']}", self.entry["after"]))

    def late(self, kind: str, before: float, stored: float, grown: list[str] | None = None) -> None:
        """The last specimen."""
        self.recipe["specimens"][2] = [kind, before, stored, grown or []]

    def end(self, decisive: str) -> Drawn:
        return self.recipe, decisive


def _complete(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    case = _Case(hand, rng, "pneumonia")
    case.recipe["location"], case.recipe["disposition"] = "HOME", "Home"
    return case.end("All elements are there, nothing pending, disposition, drugs and pneumonia agree.")


def _transitional(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    case = _Case(hand, rng)
    case.late("blood", quarter(rng, 20, 40), quarter(rng, 50, 80))
    case.recipe["transitional"][1] = case.pending("named_blood")
    return case.end("Blood cultures pending at discharge are named among the transitional issues.")


def _masked(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    case = _Case(hand, rng)
    case.recipe["follow_up"] = "___"
    return case.end("Follow-up is masked, which counts as documented; everything else agrees.")


def _excluded(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    case = _Case(hand, rng, "influenza")
    hours = case.recipe["hours"]
    case.recipe["labs"][0][1] = tenth(rng, 1.0, 1.4)
    case.recipe["drugs"] = [["oseltamivir", hours - 8, hours - 8 - 96, ""]]
    case.recipe["course"] = [hand.sentence("excluded", "sepsis")]
    return case.end("Sepsis is coded first and ruled out by the note; cultures grew nothing: a coding query.")


def _death(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    case = _Case(hand, rng, "hemorrhage")
    recipe = case.recipe
    recipe.update(
        location="DIED", disposition="Expired", condition="Expired", follow_up="", letter=[], chronic="none",
        drugs=[["levetiracetam", recipe["hours"] - 4, 8.0, ""]],
    )  # fmt: skip
    recipe["transitional"] = []
    recipe["other"][0] = -abs(recipe["other"][0])
    case.late("blood", 34.0, 30.0)
    return case.end("The patient died: list, follow-up, instructions, pending culture and last drugs are waived.")


def _service(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    case = _Case(hand, rng)
    where, told = (("HOME", PLACES["HOME HEALTH CARE"]), ("HOME HEALTH CARE", "Home"))[turn % 2]
    case.recipe["location"], case.recipe["disposition"] = where, told
    return case.end(f"discharge_location {where} and '{told.splitlines()[0]}' are one group; all else agrees.")


def _unnamed(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    case = _Case(hand, rng)
    grown = ["cons"] if turn == 2 else []
    case.late("blood", quarter(rng, 12, 60), quarter(rng, 24, 96), grown)
    case.recipe["transitional"][1] = case.pending("neutral" if turn == 1 else "none")
    told = "coagulase-negative staphylococcus in one bottle" if grown else "no growth"
    return case.end(f"A blood culture was pending at discharge and is not named; it later showed {told}.")


def _empty(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    case = _Case(hand, rng)
    case.recipe["condition"] = ""
    return case.end("The heading of the condition at discharge has nothing under it, and no part of the note tells it.")


def _group(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    case = _Case(hand, rng)
    case.recipe["location"] = ("SKILLED NURSING FACILITY", "REHAB")[turn % 2]
    case.recipe["disposition"] = "Home"
    case.recipe["course"].append(("The family preferred home.", "Physical therapy had no objection to home.")[turn % 2])
    return case.end(f"The note has Home, discharge_location {case.recipe['location']}.")


def _lost(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    case = _Case(hand, rng, "home_infusion")
    hours = case.recipe["hours"]
    case.recipe["drugs"] = [["ceftriaxone", hours - 5, quarter(rng, 6, 20), ""]]
    return case.end("IV ceftriaxone is to go on after discharge, was given on the last day, and is on no list.")


def _bacteremia(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    case = _Case(hand, rng, "leg")
    hours, stored = case.recipe["hours"], -quarter(rng, 30, 60)
    case.recipe["specimens"][0] = ["blood", hours - 1.5, stored, ["staph-aureus"]]
    case.late("blood", hours - 1.75, stored, ["staph-aureus"])
    return case.end("Sepsis from S. aureus is coded and grew in two of two cultures; the note has cellulitis alone.")


def _drainage(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    case = _Case(hand, rng, "abscess")
    case.recipe["procedures"] = [["0W9G30Z", case.recipe["imaging"][1]]]
    return case.end("A percutaneous drainage is coded and reported by radiology; the note has no procedure.")


def _no_summary(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    case = _Case(hand, rng)
    case.recipe["note_state"] = "absent"
    case.recipe["other"][0] = rng.randrange(30, 60)
    return case.end("No summary of this admission; the next admission's summary recounts it.")


def _no_codes(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    case = _Case(hand, rng)
    case.recipe["principal"] = "none"
    return case.end("The admission has no diagnosis codes, so the principal diagnosis cannot be checked.")


def _masked_pending(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    case = _Case(hand, rng)
    case.late("blood", quarter(rng, 18, 36), quarter(rng, 20, 60))
    case.recipe["transitional"][1] = case.pending("masked")
    return case.end("A blood culture was pending and what the note says on pending results is masked.")


def _measured(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    case = _Case(hand, rng, "edema")
    hours = case.recipe["hours"]
    case.recipe["drugs"] = [["ceftriaxone", hours - 5, hours - 29, ""]]
    case.recipe["course"] = [hand.sentence("excluded", "pneumonia")]
    return case.end("Pneumonia is coded, ruled out by the note, and consistent with the radiologist's impression.")


def _differential(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    case = _Case(hand, rng, "stomach")
    case.recipe["labs"][1][1] = float(rng.randint(90, 150))
    case.recipe["course"] = [hand.sentence("excluded", "unresolved")]
    return case.end("Pancreatitis is coded and one of two possibilities in the note; lipase below 3 times normal.")


_DRAWS: dict[str, Callable[[Hand, random.Random, int], Drawn]] = {
    "complete-and-concordant": _complete,
    "pending-under-transitional-issues": _transitional,
    "masked-follow-up": _masked,
    "code-excluded-no-evidence": _excluded,
    "death-in-hospital": _death,
    "home-with-service": _service,
    "pending-culture-unnamed": _unnamed,
    "empty-element": _empty,
    "disposition-group-differs": _group,
    "antibiotic-lost-at-discharge": _lost,
    "bacteremia-unmentioned": _bacteremia,
    "drainage-unnamed": _drainage,
    "no-summary": _no_summary,
    "no-diagnosis-codes": _no_codes,
    "pending-statement-masked": _masked_pending,
    "excluded-but-measured": _measured,
    "unresolved-differential": _differential,
}
