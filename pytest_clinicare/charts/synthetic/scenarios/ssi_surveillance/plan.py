"""The case plan of ssi-surveillance: 30 recipes drawn from the ranges of the scenario's variants.

All days are day numbers of the protocol: day 1 is the operation.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from pytest_clinicare.charts.synthetic.hand import Hand
from pytest_clinicare.charts.synthetic.plan_cases import Draw, Drawn, Recipe, draw_cases
from pytest_clinicare.charts.synthetic.plan_numbers import tenth
from pytest_clinicare.charts.synthetic.pronouns import pronouns
from pytest_clinicare.charts.synthetic.scenarios.ssi_surveillance.abstract import abstract
from pytest_clinicare.charts.synthetic.scenarios.ssi_surveillance.words import PHRASES, operation, unrelated
from pytest_clinicare.suite.case import Case

SCENARIO = "ssi-surveillance"
# Group of the anchor year, and codes of infection after a procedure as they were at that time.
_ERAS = (
    ("2014 - 2016", {"superficial": "T814XXA", "deep": "T814XXA", "space": "T814XXA", "other": "T814XXA"}),
    ("2017 - 2019", {"superficial": "T8141XA", "deep": "T8142XA", "space": "T8143XA", "other": "T8149XA"}),
)
_DISCHARGE = {"COLO": (5, 7), "APPY": (3, 4), "CHOL": (4, 5), "HER": (3, 5), "KPRO": (3, 4), "HPRO": (3, 4)}
_AGES = {"COLO": (42, 80), "APPY": (24, 58), "CHOL": (45, 78), "HER": (40, 76), "KPRO": (56, 80), "HPRO": (48, 80)}
DRAIN = ("0W9J30Z", 10)


def plan(seed: int) -> list[Case]:
    """The 30 cases, ids in an order that says nothing."""
    return draw_cases(SCENARIO, draws(seed), abstract, seed)


def draws(seed: int) -> dict[str, Draw]:
    """One function a variant, all dealing from the same decks of phrases."""
    hand = Hand(random.Random(f"{SCENARIO}/phrases/{seed}"), PHRASES)

    def bound(draw: Callable[[Hand, random.Random, int], Drawn]) -> Draw:
        return lambda rng, turn: draw(hand, rng, turn)

    return {name: bound(draw) for name, draw in _DRAWS.items()}


def fahrenheit(celsius: float) -> float:
    return round(celsius * 9 / 5 + 32, 1)


class _Case:
    """One recipe in the making: who and which operation, then what comes after it."""

    def __init__(self, hand: Hand, rng: random.Random, category: str, *, patos: bool = False) -> None:
        self.hand, self.rng = hand, rng
        known = [o for o in hand.phrases["operations"] if o["category"] == category]
        group, self.codes = rng.choice(_ERAS)
        entries = [o for o in known if ("patos" in o) == patos]
        presentation = hand.entry(entries, f"operations {category} {patos}")
        self.entry = operation(presentation[0])
        sex = rng.choice("MF")
        self.words = pronouns(sex)
        self.person = f"___ year old {'man' if sex == 'M' else 'woman'}"
        year = rng.randint(2130, 2180)
        past = hand.sentence("outside", "neutral")
        self.recipe: Recipe = {
            "patient": [sex, rng.randint(*_AGES[category])],
            "calendar": [year, group, year + 2],
            "operation": [category, self.entry["code"], 10],
            "presentation": presentation,
            "index": [1 if self.entry.get("emergency") else 0, rng.randint(*_DISCHARGE[category])],
            "event": "none",
            "readmission": "none",
            "emergency": "none",
            "temperature": tenth(rng, 36.8, 37.4),
            "white": tenth(rng, 6.5, 9.5),
            "cultures": [],
            "imaging": [],
            "antibiotics": [],
            "procedures": [],
            "index_summary": [],
            "summary": [],
            "arrival_exam": "none",
            "past": past,
            "others": [],
            "codes": [],
            "other_issues": hand.two("other_issues"),
        }
        if patos:
            self.recipe["index_summary"].append(rng.choice(self.entry["patos"]))
            self.recipe["cultures"].append(["peritoneal", 1, ["e-coli"]])
        self.recipe["index_summary"] += [self.say("recovery"), self.say("recovery")]

    def say(self, part: str, name: str = "texts", **words: Any) -> str:
        return self.hand.sentence(part, name, **self.words, **words)

    def told(self, part: str, second: str = "second", third: str = "third", first: str = "texts", **words: Any) -> None:
        """Three sentences of one part of the bank; a name may be ``part/list``."""
        for name in (first, second, third):
            where, _, listed = name.rpartition("/")
            self.recipe["summary"].append(self.say(where or part, listed, **words))

    def clean(self) -> None:
        """Nothing at the incision up to the end of the index stay."""
        self.recipe["index_summary"].append(self.say("clean"))

    def fever(self, low: float, high: float, white: tuple[float, float]) -> None:
        self.recipe["temperature"] = tenth(self.rng, low, high)
        self.recipe["white"] = tenth(self.rng, *white)

    def back(self, day: int, stay: int, group: str, exam: str = "none") -> None:
        """Readmitted on ``day`` through the emergency department; blood and urine are cultured."""
        entry = next(r for r in self.hand.phrases["reasons"] if r["group"] == group)
        title, code = self.hand.deal(f"titles {group}", entry["titles"])
        history = self.hand.deal(f"reasons {group}", range(len(entry["histories"])))
        self.recipe["readmission"] = [day, stay, group, history, title, code]
        self.recipe["event"] = [day, "readmission"]
        self.recipe["cultures"] += [["blood", day, []], ["urine", day, []]]
        if exam != "none":
            self.recipe["arrival_exam"] = self.hand.sentence("exam-site", exam)
        self.clean()

    def stays(self, day: int, discharge: int) -> None:
        """Something happens on ``day`` of the index stay."""
        self.recipe["index"][1] = discharge
        self.recipe["event"] = [day, "index"]
        self.recipe["cultures"] += [["blood", day, []], ["urine", day, []]]

    def grow(self, specimen: str, day: int, *organisms: str) -> None:
        self.recipe["cultures"].append([specimen, day, list(organisms)])

    def scan(self, day: int, exam: str, part: str, kind: str) -> None:
        findings, impression = self.hand.deal(f"{part} {kind}", self.hand.phrases[part][kind])
        why = self.hand.sentence(part, "indication", person=self.person)
        self.recipe["imaging"].append([day, exam, why, findings, impression])

    def ct(self, day: int, kind: str) -> None:
        self.scan(day, "CT ABD & PELVIS WITH CONTRAST", "ct", kind)

    def drain(self, day: int, kind: str) -> None:
        """``pus``, ``serous`` or ``disputed``."""
        self.scan(day, "CT INTERVENTIONAL PROCEDURE", "drainage", kind)
        self.recipe["procedures"].append([day, *DRAIN])

    def treat(self, agent: str, first: int, days: int) -> None:
        self.recipe["antibiotics"].append([agent, first, first + days])

    def coded(self, level: str) -> None:
        self.recipe["codes"].append(self.codes[level])

    def end(self, decisive: str, later: tuple[int, int] | None = None) -> Drawn:
        """Film, further encounters and the temperature in words; ``later`` are bounds of a stay after the operation."""
        recipe, rng = self.recipe, self.rng
        joint = recipe["presentation"][0].startswith(("knee", "hip"))
        if joint:
            exam = "KNEE (AP, LAT & OBLIQUE) RIGHT" if "knee" in recipe["presentation"][0] else "HIP 2 VIEWS RIGHT"
            self.scan(2, exam, "film", "joint")
        elif rng.random() < 0.5:
            self.scan(2, "ABDOMEN (SUPINE & ERECT)", "film", "abdomen")
        if recipe["summary"]:
            recipe["summary"].append(self.say("fever", temp=f"{fahrenheit(recipe['temperature'])} F"))
        back = recipe["readmission"]
        last = max(recipe["index"][1], back[0] + back[1] if back != "none" else 0)
        after = later or (max(35, last + 15), 230)
        wanted = 2 if back == "none" or recipe["operation"] == "none" else 1
        places = ["before", "after"] if wanted == 2 or later else [rng.choice(("before", "after"))]
        for place in places:
            day = -rng.randint(40, 500) if place == "before" else rng.randint(*after)
            recipe["others"].append([day, *self.hand.entry(unrelated(), "others")])
        if recipe["emergency"] == "none" and rng.random() < 0.4:
            recipe["emergency"] = [last + rng.randint(9, 20), self.hand.sentence("visits", "complaints")]
        return recipe, decisive


def _opened(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    day = rng.randint(6, 10)
    case = _Case(hand, rng, "COLO")
    case.fever(37.3, 37.9, (9.5, 13.5))
    if turn % 2 == 0:
        case.stays(day, day + rng.randint(3, 5))
    else:
        case.recipe["index"][1] = min(case.recipe["index"][1], day - 1)
        case.back(day, rng.randint(4, 6), "wound", "wound")
        case.coded("superficial")
    case.told("opened", pod=day - 1)
    case.treat("cephalexin", day, 6)
    return case.end(f"Incision opened at the bedside on day {day} for erythema and tenderness; no culture.")


def _abscess(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    day = rng.randint(10, 20)
    case = _Case(hand, rng, "COLO")
    case.recipe["index"][1] = 6
    case.fever(38.4, 39.2, (13.0, 19.0))
    case.back(day, rng.randint(6, 9), "abscess", "abscess")
    case.ct(day, "abscess")
    case.drain(day + 1, "pus")
    case.grow("peritoneal" if turn == 1 else "abscess", day + 1, "e-coli", *(["enterococcus"] if turn == 0 else []))
    case.told("abscess")
    case.treat("piperacillin-tazobactam", day, 5)
    case.coded("space")
    return case.end(
        f"Pelvic abscess on CT of day {day}, pus drained on day {day + 1}, culture E. coli; incision clean."
    )


def _patos(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    day = rng.randint(7, 13)
    case = _Case(hand, rng, "APPY", patos=True)
    case.fever(38.2, 39.0, (13.0, 18.0))
    if turn % 2 == 0:
        case.back(day, rng.randint(6, 8), "abscess", "abscess")
    else:
        case.stays(day, day + rng.randint(5, 7))
    case.coded("space")
    case.ct(day, "abscess")
    case.drain(day + 1, "pus")
    organism = "bacteroides" if turn % 2 == 0 else "e-coli"
    case.grow("abscess", day + 1, organism)
    case.told("abscess")
    case.treat("piperacillin-tazobactam", day, 5)
    return case.end(f"Peritonitis at operation; new pelvic abscess on day {day}, drained on day {day + 1}: {organism}.")


def _mesh(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    day = rng.randint(45, 80)
    case = _Case(hand, rng, "HER")
    case.fever(37.3, 37.9, (9.0, 13.0))
    case.back(day, rng.randint(5, 8), "mesh", "quiet")
    case.recipe["procedures"].append([day + 1, "0J980ZZ", 10])
    case.grow("tissue", day + 1, "staph-aureus")
    case.told("mesh")
    case.treat("vancomycin", day, 5)
    case.coded("deep")
    return case.end(f"Mesh repair (90 days); day {day}: pain, opened to the fascia, tissue culture S. aureus.")


def _day_30(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    case = _Case(hand, rng, "CHOL")
    case.fever(37.0, 37.7, (8.5, 12.0))
    case.back(30, rng.randint(4, 6), "wound", "wound")
    case.grow("swab", 30, "staph-aureus")
    case.told("superficial")
    case.treat("cephalexin", 30, 7)
    case.coded("superficial")
    return case.end("Pus from the superficial incision on day 30 exactly, swab of that day S. aureus, fascia intact.")


def _ed_culture(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    day = rng.randint(12, 20)
    case = _Case(hand, rng, "KPRO")
    case.clean()
    case.recipe["event"] = [day, "ed"]
    case.recipe["emergency"] = [day, "Knee pain, Wound drainage"]
    case.grow("abscess", day, "staph-aureus")
    return case.end(f"Emergency visit on day {day} for knee pain and wound drainage; abscess culture S. aureus.")


def _cellulitis(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    day = rng.randint(8, 20)
    case = _Case(hand, rng, "HER" if turn % 2 else "COLO")
    case.fever(37.4, 38.1, (9.5, 13.5))
    case.back(day, rng.randint(4, 7), "cellulitis", "quiet")
    case.told("cellulitis")
    case.treat("cephalexin", day, 6)
    case.coded("superficial")
    return case.end(f"Cellulitis of the incision on day {day}: not opened, no drainage, no culture; infection coded.")


def _code(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    day = rng.randint(10, 25)
    case = _Case(hand, rng, ("COLO", "CHOL")[turn % 2])
    case.fever(38.3, 39.1, (11.0, 16.0))
    case.back(day, rng.randint(4, 7), "urinary", "quiet")
    case.recipe["cultures"][-1][2] = ["e-coli"]
    case.ct(day, "none")
    case.told("urinary")
    case.treat("ceftriaxone", day, 5)
    case.coded("other")
    return case.end(f"Readmitted on day {day} for a urinary infection, incision clean, CT clear; infection coded.")


def _late(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    day = rng.randint(36, 50)
    case = _Case(hand, rng, "HPRO")
    case.fever(37.0, 37.8, (8.5, 12.5))
    case.back(day, rng.randint(5, 8), "joint")
    case.scan(day + 1, "ARTHROCENTESIS W FLUORO", "joint-tap", "clear")
    case.grow("swab", day, "staph-aureus")
    case.grow("joint", day + 1)
    case.told("superficial-joint")
    case.treat("cephalexin", day, 7)
    if turn % 2 == 0:
        case.coded("superficial")
    return case.end(f"Pus from skin and subcutis over the hip on day {day}, fascia intact, joint fluid without growth.")


def _sterile(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    day = rng.randint(9, 16)
    case = _Case(hand, rng, "COLO", patos=turn % 2 == 0)
    case.fever(38.1, 38.5, (11.0, 15.5))
    if turn % 2 == 0:
        case.back(day, rng.randint(5, 8), "collection", "quiet")
    else:
        case.stays(day, day + rng.randint(4, 7))
    case.ct(day, "equivocal")
    case.drain(day + 1, "serous")
    case.grow("fluid", day + 1)
    case.told("sterile")
    case.treat("piperacillin-tazobactam", day, rng.randint(2, 3))
    return case.end(f"Equivocal collection on day {day}; aspirate serous, no growth, called a sterile seroma.")


def _after_30(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    day = rng.randint(31, 40)
    case = _Case(hand, rng, "COLO")
    case.fever(38.3, 39.0, (13.0, 18.0))
    case.back(day, rng.randint(6, 9), "abscess", "abscess")
    case.ct(day, "abscess")
    case.drain(day + 1, "pus")
    case.grow("abscess", day + 1, "e-coli")
    case.told("abscess")
    case.treat("piperacillin-tazobactam", day, 5)
    case.coded("space")
    return case.end(f"Pelvic abscess with E. coli, first element on day {day} of a 30-day category.")


def _elsewhere(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    day = rng.randint(4, 9)
    case = _Case(hand, rng, ("COLO", "CHOL")[turn % 2])
    case.recipe["temperature"], case.recipe["white"] = 38.6, tenth(rng, 16.0, 20.0)
    case.stays(day, day + rng.randint(5, 7))
    if turn % 2 == 0:
        case.grow("sputum", day, "klebsiella")
        case.scan(day, "CHEST (PORTABLE AP)", "chest", "reading")
        case.told("pneumonia", "elsewhere/second", "elsewhere/third")
    else:
        case.recipe["cultures"][-1][2] = ["e-coli"]
        case.told("urine-after", "elsewhere/second", "elsewhere/third")
    case.ct(day + 1, "none")
    case.treat("ceftriaxone", day, 5)
    source = "pneumonia" if turn % 2 == 0 else "urinary infection"
    return case.end(f"Fever 38.6 C on day {day} from {source}; incision clean, CT without collection.")


def _second(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    again = rng.randint(10, 12)
    case = _Case(hand, rng, "COLO")
    case.recipe["index"][1] = 6
    case.fever(37.6, 38.3, (11.0, 15.0))
    case.back(again - 1, 13, "obstruction", "quiet")
    case.recipe["event"] = [again + 8, "readmission"]
    case.recipe["procedures"].append([again, "0DN80ZZ", 10])
    case.ct(again - 1, "none")
    case.grow("swab", again + 8, "e-coli")
    case.told("reoperation")
    case.treat("ceftriaxone", again + 8, 4)
    case.coded("superficial")
    return case.end(
        f"Second operation through the incision on day {again}; wound infection with pus on day {again + 8}."
    )


def _outside(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    case = _Case(hand, rng, ("COLO", "HER")[turn % 2])
    case.clean()
    case.recipe["past"] = case.say("outside")
    return case.end(
        f'No event in the record; a later summary says: "{case.recipe["past"]}", without date or finding.',
        (60, 200),
    )


def _undated(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    day = rng.randint(10, 16)
    case = _Case(hand, rng, "COLO")
    case.fever(38.4, 39.2, (13.0, 18.0))
    case.back(day, rng.randint(6, 9), "abscess", "abscess")
    case.recipe["operation"], case.recipe["index_summary"] = "none", []
    case.ct(day, "abscess")
    case.drain(day + 1, "pus")
    case.grow("abscess", day + 1, "e-coli")
    case.told("abscess")
    case.recipe["summary"].insert(0, case.say("drained-here"))
    case.treat("piperacillin-tazobactam", day, 5)
    case.coded("space")
    return case.end("The admission holds no operation code and the summary masks the date of a recent colectomy.")


def _old_blood(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    day = rng.randint(8, 17)
    case = _Case(hand, rng, "COLO")
    case.recipe["index"][1] = min(case.recipe["index"][1], day - 1)
    case.fever(37.6, 38.2, (10.5, 14.5))
    case.back(day, rng.randint(5, 8), "collection", "quiet")
    case.ct(day, "plain")
    case.drain(day + 1, "disputed")
    case.told("hematoma")
    case.treat("piperacillin-tazobactam", day, rng.randint(3, 5))
    return case.end(f"Day {day + 1}: the report has purulent fluid aspirated, the summary old hematoma, not infected.")


def _versus(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    day = rng.randint(9, 15)
    case = _Case(hand, rng, "HER")
    case.fever(37.4, 38.0, (9.5, 13.5))
    case.back(day, rng.randint(4, 7), "cellulitis", "quiet")
    case.told("cellulitis", first="versus/texts")
    case.treat("cephalexin", day, 6)
    case.coded("superficial")
    return case.end(f"Day {day}: wound infection versus cellulitis; not opened, no drainage, no culture.")


_DRAWS: dict[str, Callable[[Hand, random.Random, int], Drawn]] = {
    "opened-without-culture": _opened,
    "abscess-at-readmission": _abscess,
    "present-at-surgery": _patos,
    "deep-mesh-day-45-80": _mesh,
    "superficial-on-day-30": _day_30,
    "ed-culture-without-hadm": _ed_culture,
    "cellulitis-with-code": _cellulitis,
    "code-without-event": _code,
    "late-superficial-after-prosthesis": _late,
    "sterile-collection": _sterile,
    "abscess-after-day-30": _after_30,
    "infection-elsewhere": _elsewhere,
    "second-operation-between": _second,
    "treated-elsewhere": _outside,
    "date-not-established": _undated,
    "pus-or-old-blood": _old_blood,
    "infection-versus-cellulitis": _versus,
}
