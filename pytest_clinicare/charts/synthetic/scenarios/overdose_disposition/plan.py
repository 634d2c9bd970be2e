"""The case plan of overdose-disposition: 30 recipes drawn from the scenario's variants; hours from arrival."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from pytest_clinicare.charts.synthetic.hand import Hand
from pytest_clinicare.charts.synthetic.plan_cases import Draw, Drawn, Recipe, draw_cases
from pytest_clinicare.charts.synthetic.plan_numbers import quarter, tenth
from pytest_clinicare.charts.synthetic.scenarios.overdose_disposition.abstract import abstract
from pytest_clinicare.charts.synthetic.scenarios.overdose_disposition.summary import PHRASES
from pytest_clinicare.suite.case import Case

SCENARIO = "overdose-disposition"
_GROUPS = ("2008 - 2010", "2011 - 2013", "2014 - 2016", "2017 - 2019", "2020 - 2022")
APAP = [["acetaminophen", "immediate-release", "20 g"]]
# Agents of six hours' observation, with the code of self-harm.
_SHORT = (
    (["clonazepam", "immediate-release", "40 mg"], "T424X2A"),
    (["sertraline", "immediate-release", "3 g"], "T43222A"),
    (["quetiapine", "immediate-release", "2 g"], "T43592A"),
)
HOME, FACILITY = "HOME", "PSYCH FACILITY"


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
    agents: list[list[str]],
    release: list[Any],
    *,
    frame: str = "harm",
    time: Any = None,
    intent: str = "harm",
    course: list[list[str]] | None = None,
    **other: Any,
) -> Recipe:
    """``course`` are [part, name] of the bank for the hospital course; ``time`` None draws one."""
    sex = rng.choice("MF")
    words = _words(sex)
    time = time if time is not None else quarter(rng, 1.25, 4)
    history = [hand.sentence("agent", drug=_named(drug, form), dose=dose, **words) for drug, form, dose in agents]
    if isinstance(time, list):
        history.append(hand.sentence("time", "range", a=f"{time[0]:g}", b=f"{time[1]:g}"))
    elif time == "unknown":
        history.append(hand.sentence("time", "unknown"))
    elif time != "not applicable":
        history.append(hand.sentence("time", "known", n=f"{time:g}"))
    if intent:
        history.append(hand.sentence("intent", intent, **words))
    told = [hand.sentence(part, name, **words) for part, name in [["care", "supportive"], *(course or [])]]
    level = tenth(rng, 18, 34)
    psychiatry = quarter(rng, 4, 9)
    recipe: Recipe = {
        "patient": [sex, rng.randint(19, 64)],
        "calendar": [rng.randint(2120, 2190), rng.choice(_GROUPS)],
        "frame": [frame, hand.deal(f"frame {frame}", range(len(hand.phrases["frames"][frame])))],
        "agents": agents,
        "ingestion_time": time,
        "complaint": rng.choice(("Overdose", "Ingestion, SI", "Overdose, SI", "Intentional ingestion")),
        "codes": [],
        "history": history,
        "course": told,
        "acetaminophen": [[0.75, 0]],
        "alt_inr": [[0.75, round(level), tenth(rng, 1.0, 1.2)], [10.0, round(level + rng.randint(-3, 3)), 1.1]],
        "nac": [],
        "nac_order": "none",
        "triggers": [],
        "icu": [quarter(rng, 3.5, 5), min(quarter(rng, 16, 22), release[0] - 2)] if rng.random() < 0.3 else "none",
        "psychiatry_order": [psychiatry, "kept"] if frame != "mistake" else "none",
        "earlier": rng.randint(500, 1500) if rng.random() < 0.35 else "none",
        "past": "none",
        "other_issues": hand.two("other_issues"),
        "release": release,
        "discharge_summary": "present",
    }
    return recipe | other


def _named(drug: str, form: str) -> str:
    return drug if form == "immediate-release" else f"{drug} {form}"


def _words(sex: str) -> dict[str, str]:
    pronoun = "he" if sex == "M" else "she"
    return {"pronoun": pronoun, "Pronoun": pronoun.capitalize()}


def _course(start: float, length: float) -> list[list[Any]]:
    """Three bags and the stop; the later bags as far as they were reached."""
    marks = [0.0, 1.0, 5.0]
    return [*([start + at, "Started"] for at in marks if at < length), [start + length, "Stopped"]]


def _cleared(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    level, alt = rng.randint(60, 95), rng.randint(18, 30)
    recipe = _recipe(
        hand, rng, APAP, [quarter(rng, 26, 40), HOME], time=4.5, course=[["psychiatry", "home"]], codes=["T391X2A"],
        acetaminophen=[[1.0, level]], alt_inr=[[1.0, alt, 1.0], [16.0, alt + 1, 1.1]],
    )  # fmt: skip
    return recipe, f"Level {level} at 5.5 h (line 115.7), no acetylcysteine; psychiatry evaluated and recommended home."


def _stopped(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    level, length, start = rng.randint(180, 260), quarter(rng, 20.5, 22), 4.75
    end = start + length
    before = end - quarter(rng, 1, 3)
    falling = [[1.0, 60, 1.2], [14.0, 330, 1.4], [20.0, 320, 1.4], [before, 260, 1.3]]
    plain = [[1.0, 24, 1.1], [14.0, 28, 1.2], [before, 30, 1.1]]
    recipe = _recipe(
        hand, rng, APAP, [end + quarter(rng, 6, 18), FACILITY], time=3.0, codes=["T391X2A"],
        course=[["nac", "given"], ["psychiatry", "inpatient"]], acetaminophen=[[3.0, level], [before, 0]],
        alt_inr=falling if turn == 0 else plain, nac=_course(start, length), nac_order=[4.0, end],
    )  # fmt: skip
    return recipe, f"Level {level} at 6 h (line 106); acetylcysteine for {length:g} h and ended by criteria."


def _unknown(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    level, length, start, alt = rng.randint(25, 60), quarter(rng, 21, 30), 3.0, rng.randint(28, 60)
    end = start + length
    before = end - quarter(rng, 1, 4)
    recipe = _recipe(
        hand, rng, APAP, [end + quarter(rng, 6, 18), FACILITY], frame="found", time="unknown", codes=["T391X2A"],
        course=[["nac", "given"], ["psychiatry", "inpatient"]], acetaminophen=[[1.0, level], [before, 0]],
        alt_inr=[[1.0, alt, 1.2], [before, min(alt - 4, 50), 1.2]], nac=_course(start, length), nac_order=[2.5, end],
    )  # fmt: skip
    return recipe, f"Time unknown, level {level}; acetylcysteine for {length:g} h and ended by criteria."


def _intubated(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    at, lag = quarter(rng, 0.75, 2), quarter(rng, 1, 4)
    agents = [["quetiapine", "immediate-release", "4 g"], ["clonazepam", "immediate-release", "30 mg"]]
    release = quarter(rng, 66, 110)
    recipe = _recipe(
        hand, rng, agents, [release, FACILITY], codes=["T43592A", "T424X2A"],
        course=[["care", "intubated"], ["psychiatry", "sedated"], ["psychiatry", "after"]],
        triggers=[["intubation", at, quarter(rng, 20, 30)]], icu=[at + lag, at + lag + quarter(rng, 34, 48)],
    )  # fmt: skip
    return recipe, f"Intubated at {at:+g} h, ICU {lag:g} h later; full evaluation after extubation."


def _accidental(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, [["metoprolol", "immediate-release", "200 mg"]], [quarter(rng, 20, 30), HOME], frame="mistake",
        intent="mistake", codes=["T447X1A"], complaint="Accidental ingestion", earlier=rng.randint(1700, 1900),
        past="Suicide attempt five years ago",
    )  # fmt: skip
    return recipe, "Accidental double dose of metoprolol, suicidal ideation denied throughout; level negative; home."


def _full_day(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    release = quarter(rng, 24, 26)
    recipe = _recipe(
        hand, rng, [["bupropion", "XL", "3 g"]], [release, FACILITY], course=[["psychiatry", "inpatient"]],
        codes=["T43292A"],
    )  # fmt: skip
    return recipe, f"Bupropion XL; released {release:g} h after arrival, less after the admission time."


def _never_given(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    alt = rng.randint(20, 40)
    recipe = _recipe(
        hand, rng, APAP, [quarter(rng, 26, 40), HOME], time=4.0, codes=["T391X2A"],
        course=[["nac", "protocol"], ["psychiatry", "home"]], acetaminophen=[[2.0, 130]],
        alt_inr=[[2.0, alt, 1.0], [16.0, alt + 3, 1.1]], nac=[[4.5, "Not Given"]], nac_order=[4.0, 25.0],
    )  # fmt: skip
    return recipe, "Level 130 at 6 h (line 106); acetylcysteine ordered, Not Given."


def _on_the_line(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, APAP, [quarter(rng, 26, 40), HOME], time=3.0, codes=["T391X2A"], course=[["psychiatry", "home"]],
        acetaminophen=[[1.0, 150], [5.0, 40]], alt_inr=[[1.0, rng.randint(20, 35), 1.0], [16.0, 28, 1.1]],
        nac_order=[2.0, 23.0],
    )  # fmt: skip
    return recipe, "Level exactly 150 at 4 h 00 min and 40 at 8 h; acetylcysteine ordered and never given."


def _rising(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    start, inr = 5.5, tenth(rng, 1.6, 1.8)
    end = start + 21.0
    recipe = _recipe(
        hand, rng, APAP, [end + quarter(rng, 6, 18), FACILITY], time=3.0, codes=["T391X2A"],
        course=[["nac", "given"], ["psychiatry", "inpatient"]], acetaminophen=[[4.0, 220], [end - 1.0, 0]],
        alt_inr=[[4.0, 44, 1.2], [end - 10.0, 210, 1.5], [end - 1.0, 480, inr]], nac=_course(start, 21.0),
        nac_order=[4.5, end],
    )  # fmt: skip
    return recipe, f"Acetylcysteine ended at 21 h with ALT 210 then 480, INR {inr}."


def _short(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    length, alt, start = quarter(rng, 12, 16), rng.randint(25, 40), 5.5
    end = start + length
    recipe = _recipe(
        hand, rng, APAP, [end + quarter(rng, 6, 14), HOME], time=4.0, codes=["T391X2A"],
        course=[["nac", "completed"], ["psychiatry", "home"]], acetaminophen=[[4.0, 160], [end - 0.5, 0]],
        alt_inr=[[4.0, alt, 1.0], [end - 0.5, alt - 1, 1.1]], nac=_course(start, length), nac_order=[4.5, end],
    )  # fmt: skip
    return recipe, f"Level 160 at 8 h (line 75); acetylcysteine ended after {length:g} h, values fine."


def _left_over(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    start, alt = 5.5, rng.randint(25, 40)
    end = start + 21.0
    recipe = _recipe(
        hand, rng, APAP, [end + quarter(rng, 6, 18), FACILITY], time=4.0, codes=["T391X2A"],
        course=[["nac", "given"], ["psychiatry", "inpatient"]], acetaminophen=[[4.0, 160], [end - 1.0, 22]],
        alt_inr=[[4.0, alt, 1.0], [end - 1.0, alt + 1, 1.1]], nac=_course(start, 21.0), nac_order=[4.5, end],
    )  # fmt: skip
    return recipe, "Acetylcysteine ended at 21 h with acetaminophen 22."


def _not_evaluated(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    agent, code = _SHORT[turn % len(_SHORT)]
    recipe = _recipe(
        hand, rng, [agent], [quarter(rng, 14, 30), HOME], codes=[code], course=[["psychiatry", "contract"]],
        complaint="Intentional overdose", earlier=rng.randint(720, 760),
        psychiatry_order=[quarter(rng, 3, 6), rng.choice(("kept", "discontinued"))],
    )  # fmt: skip
    return recipe, f"Intentional ingestion of {agent[0]}; no psychiatric evaluation in this encounter; home."


def _against(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    agent, code = rng.choice(_SHORT)
    recipe = _recipe(
        hand, rng, [agent], [quarter(rng, 20, 40), HOME], codes=[code], course=[["psychiatry", "inpatient"]]
    )
    return recipe, "Psychiatry recommended inpatient admission; released to HOME without a revision."


def _naloxone(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, [["methadone", "immediate-release", "80 mg"]], [50.0, HOME], frame="mistake", intent="mistake",
        codes=["T403X1A"], complaint="Accidental ingestion", course=[["care", "naloxone"]], icu="none",
        triggers=[["naloxone infusion", quarter(rng, 3, 6), 14.0]],
    )  # fmt: skip
    return recipe, "Methadone; naloxone infusion for 14 h on a ward, no ICU stay."


def _early(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    dose, release = rng.choice((480, 600, 720)), quarter(rng, 14, 18)
    recipe = _recipe(
        hand, rng, [["verapamil", "extended-release", f"{dose} mg"]], [release, FACILITY], codes=["T461X2A"],
        course=[["psychiatry", "inpatient"]], icu="none",
    )  # fmt: skip
    return recipe, f"Verapamil extended-release {dose} mg; released {release:g} h after arrival."


def _adverse(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, [], [quarter(rng, 40, 60), HOME], frame="bleeding", time="not applicable", intent="",
        codes=["K922", "T39015A"], complaint="Melena", course=[["care", "bleeding"]], past="Overdose, ___",
        psychiatry_order="none",
    )  # fmt: skip
    recipe["course"] = recipe["course"][1:]
    return recipe, "Bleeding on aspirin as directed (T39.015A); an overdose only in the history."


def _left(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, APAP, [9.0, "AGAINST ADVICE"], time=3.0, codes=["T391X2A"], acetaminophen=[[2.0, 170]],
        course=[["nac", "given"], ["care", "left"]], alt_inr=[[2.0, rng.randint(20, 34), 1.1]], icu="none",
        nac=[[3.75, "Started"], [4.75, "Started"], [8.5, "Stopped"]], nac_order=[3.25, 9.0],
    )  # fmt: skip
    return recipe, "Left against advice 9 h after arrival, level 170 at 5 h, acetylcysteine started."


def _outside(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, APAP, [30.0, HOME], frame="mistake", intent="mistake", codes=["T391X1A"], acetaminophen=[],
        complaint="Accidental ingestion, transfer", course=[["nac", "outside"]],
        alt_inr=[[1.0, 25, 1.0], [14.0, 26, 1.0]], time=6.0,
    )  # fmt: skip
    return recipe, "Level drawn in the other hospital, called nontoxic without a figure; none drawn here."


def _no_summary(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, [["clonazepam", "immediate-release", "40 mg"]], [30.0, HOME], codes=["T424X2A"],
        complaint="Overdose", discharge_summary="absent",
    )  # fmt: skip
    return recipe, "T42.4X2A and triage say overdose; there is no discharge summary."


def _straddles(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, APAP, [quarter(rng, 28, 40), FACILITY], time=[3.0, 8.0], codes=["T391X2A"],
        course=[["psychiatry", "inpatient"]], acetaminophen=[[1.0, 90]],
        alt_inr=[[1.0, rng.randint(22, 34), 1.0], [20.0, rng.randint(22, 35), 1.1]],
    )  # fmt: skip
    return recipe, "Ingestion 4 to 9 h before the draw (line 150 to 63), level 90, no acetylcysteine."


def _conflict(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, [["diphenhydramine", "immediate-release", "600 mg"]], [18.0, HOME], frame="mistake", intent="pain",
        codes=["T450X1A"], complaint="Took pills to end my life",
    )  # fmt: skip
    return recipe, "Triage: took pills to end my life; summary: accidental, denies suicidal ideation; not explained."


_DRAWS: dict[str, Callable[[Hand, random.Random, int], Drawn]] = {
    "below-line-cleared-home": _cleared,
    "treated-and-stopped-by-criteria": _stopped,
    "time-unknown-treated": _unknown,
    "intubated-icu": _intubated,
    "accidental-no-acetaminophen": _accidental,
    "extended-release-full-day": _full_day,
    "ordered-never-given": _never_given,
    "exactly-on-the-line": _on_the_line,
    "liver-injury-still-rising": _rising,
    "course-cut-short": _short,
    "acetaminophen-left-at-the-end": _left_over,
    "self-harm-not-evaluated": _not_evaluated,
    "sent-home-against-recommendation": _against,
    "naloxone-infusion-on-ward": _naloxone,
    "extended-release-released-early": _early,
    "adverse-effect-only": _adverse,
    "left-against-advice": _left,
    "outside-level-without-figure": _outside,
    "no-discharge-summary": _no_summary,
    "time-range-straddles-line": _straddles,
    "intent-conflict": _conflict,
}
