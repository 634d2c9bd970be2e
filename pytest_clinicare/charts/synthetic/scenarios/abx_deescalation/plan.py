"""The case plan of abx-deescalation: 30 recipes drawn from the ranges of the scenario's variants.

Hours are relative to T_final, the store time of the index isolate's panel, unless a key says otherwise.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.deck import Deck
from pytest_clinicare.charts.synthetic.plan_cases import Draw, Drawn, Recipe, draw_cases
from pytest_clinicare.charts.synthetic.plan_numbers import quarter
from pytest_clinicare.charts.synthetic.scenarios.abx_deescalation.abstract import abstract
from pytest_clinicare.charts.synthetic.scenarios.abx_deescalation.panels import esbl, panel
from pytest_clinicare.suite.case import Case

SCENARIO = "abx-deescalation"
PHRASES = "phrases/abx-deescalation"
PTZ = "piperacillin-tazobactam"
_NAMES = {PTZ: "piperacillin-tazobactam", "tmp-smx": "trimethoprim-sulfamethoxazole"}
Dose = list[Any]


def plan(seed: int) -> list[Case]:
    """The 30 cases, ids in an order that says nothing."""
    return draw_cases(SCENARIO, draws(seed), abstract, seed)


def draws(seed: int) -> dict[str, Draw]:
    """One function a variant, all dealing from the same decks of phrases."""
    hand = _Hand(random.Random(f"{SCENARIO}/phrases/{seed}"))

    def bound(draw: Callable[[_Hand, random.Random, int], Drawn]) -> Draw:
        return lambda rng, turn: draw(hand, rng, turn)

    return {name: bound(draw) for name, draw in _DRAWS.items()}


class _Hand:
    """Decks of presentations and sentences, shared by all cases of a form."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._phrases = bank(PHRASES)
        self._decks: dict[str, Deck[Any]] = {}

    def _deck(self, name: str, items: list[Any]) -> Any:
        return self._decks.setdefault(name, Deck(self._rng, items)).deal()

    def presentation(self, germ: str, group: str | None = None) -> list[Any]:
        """[name, wording of the history, wording of the course] of an infection that ``germ`` causes."""
        pairs = [(p["name"], n) for p in self._phrases["presentations"] for n in range(len(p["histories"]))]
        fits = {p["name"] for p in self._phrases["presentations"] if (group or germ) in p["germs"]}
        rods = {p["name"] for p in self._phrases["presentations"] if {"e-coli", "klebsiella"} & set(p["germs"])}
        shared = rods if fits <= rods else fits
        deck = "rods" if shared is rods else str(sorted(fits))
        for _ in range(4 * len(pairs)):
            name, wording = self._deck(deck, [pair for pair in pairs if pair[0] in shared])
            if name in fits:
                return [name, wording, wording]
        raise ValueError(f"no presentation for {germ}")

    def sentence(self, part: str, **words: str) -> str:
        texts = self._phrases[part]["texts"] if part in self._phrases else self._phrases["change"][part]
        text: str = self._deck(part, texts)
        return text.format(**words)

    def issues(self) -> list[int]:
        first = self._deck("issues", list(range(len(self._phrases["other_issues"]["texts"]))))
        second = self._deck("issues", list(range(len(self._phrases["other_issues"]["texts"]))))
        return [first, second]


def _named(agent: str) -> str:
    return _NAMES.get(agent, agent)


def _recipe(
    hand: _Hand,
    rng: random.Random,
    germ: str,
    doses: list[Dose],
    change: str,
    *,
    group: str | None = None,
    specimen: str = "blood",
    sets: str | None = None,
    readings: list[list[str]] | None = None,
    times: tuple[float, float, float] | None = None,
    broad: str = PTZ,
    second: str = "",
    narrow: str = "ceftriaxone",
    leaving: list[str] | None = None,
    **other: Any,
) -> Recipe:
    """``broad``, ``second`` and ``narrow`` are how the summary names the drugs; ``leaving`` the discharge list."""
    stain, known, final = times or _times(rng)
    presentation = hand.presentation(germ, group)
    entry = next(p for p in bank(PHRASES)["presentations"] if p["name"] == presentation[0])
    sex = entry.get("sex") or rng.choice("MF")
    words = {"broad": _named(broad), "second": _named(second), "narrow": _named(narrow)}
    together = " and ".join(dict.fromkeys(_named(d[0]) for d in doses if d[1] < -final + 6 and d[3] == "Administered"))
    tellings = [
        hand.sentence("culture", organism=bank(PHRASES)["organisms"][germ]),
        hand.sentence("empiric", broad=together or words["broad"]),
        hand.sentence(change, **words),
        hand.sentence("followup_sentence"),
    ]
    tellings = [text[0].upper() + text[1:] for text in tellings]
    if change == "died":
        tellings.pop()
    recipe: Recipe = {
        "patient": [sex, rng.randint(48, 86)],
        "presentation": presentation,
        "isolate": [germ, specimen, sets or ("1 of 1" if specimen != "blood" else "2 of 2"), quarter(rng, 0.75, 3)],
        "panel": readings or panel(germ),
        "result_times": [stain, known, final],
        "other_cultures": _others(rng),
        "earlier_culture": [rng.randint(25, 320), rng.choice(("e-coli", "klebsiella"))]
        if rng.random() < 0.5
        else "none",
        "doses": [dose for dose in doses if dose],
        "orders": [],
        "administered": "yes",
        "anc": [round(rng.uniform(4.2, 13.5), 2), quarter(rng, -6, 14)],
        "summary": tellings,
        "source_note": "none",
        "other_issues": hand.issues(),
        "icu": [quarter(rng, 5.5, 8.5), quarter(rng, 30, 56)] if rng.random() < 0.35 else "none",
        "exit": [quarter(rng, 112, 166), "discharge", leaving if leaving is not None else [narrow]],
    }
    recipe |= other
    recipe["orders"] = recipe["orders"] or _orders(rng, recipe["doses"])
    return recipe


def _times(rng: random.Random) -> tuple[float, float, float]:
    """Gram stain, identification and panel, hours after collection."""
    final = quarter(rng, 50, 70)
    return quarter(rng, 13, 20), final - quarter(rng, 20, 30), final


def _others(rng: random.Random) -> list[list[Any]]:
    """Screens and negative cultures around the index specimen."""
    rows: list[list[Any]] = []
    if rng.random() < 0.6:
        rows.append(["mrsa-screen", "mrsa-positive" if rng.random() < 0.25 else "none", quarter(rng, 4, 14), -10.0])
    if rng.random() < 0.5:
        rows.append(["sputum", "none", quarter(rng, 6, 20), -8.0])
    return rows


def _orders(rng: random.Random, doses: list[Dose]) -> list[Dose]:
    """One order an agent, from shortly before its first row to shortly after its last."""
    spans: dict[str, list[float]] = {}
    for agent, first, last, _ in doses:
        spans.setdefault(agent, []).extend((first, last))
    return [
        [agent, min(hours) - 0.5, max(hours) + quarter(rng, 1, 4), "discontinued"] for agent, hours in spans.items()
    ]


def _stop(recipe: Recipe, agent: str, hours: float) -> Recipe:
    """The agent's order runs on paper to ``hours``."""
    orders = [[a, start, hours if a == agent else stop, s] for a, start, stop, s in recipe["orders"]]
    return recipe | {"orders": orders}


def _given(agent: str, first: float, last: float) -> Dose:
    return [agent, first, last, "Administered"]


def _course(rng: random.Random, agent: str, times: tuple[float, float, float], last: float) -> Dose:
    """Empiric: from 1 to 3 h after collection to the last dose."""
    return _given(agent, -times[2] + quarter(rng, 1, 3), last)


def _early_vancomycin(rng: random.Random, times: tuple[float, float, float]) -> Dose:
    return _course(rng, "vancomycin", times, -quarter(rng, 4, 20))


def _until(rng: random.Random) -> float:
    """Hours at which a narrower agent is last given in hospital."""
    return quarter(rng, 99, 108)


def _rod(rng: random.Random, *germs: str) -> str:
    return rng.choice(germs or ("e-coli", "klebsiella"))


def _both_stopped(hand: _Hand, rng: random.Random, _turn: int) -> Drawn:
    times = _times(rng)
    vancomycin, cefepime, first = quarter(rng, 3, 34), quarter(rng, 3, 34), quarter(rng, 6, 30)
    doses = [
        _course(rng, "vancomycin", times, vancomycin),
        _course(rng, "cefepime", times, cefepime),
        _given("cefazolin", first, _until(rng)),
    ]
    recipe = _recipe(
        hand, rng, "staph-aureus", doses, "narrowed", times=times, broad="vancomycin and cefepime", narrow="cefazolin"
    )
    recipe = _stop(recipe, "vancomycin", vancomycin + 48)
    text = (
        f"MSSA in two sets; last vancomycin at {vancomycin:+g} h and last cefepime at {cefepime:+g} h, "
        f"cefazolin from {first:+g} h."
    )
    return recipe, text


def _late(hand: _Hand, rng: random.Random, _turn: int) -> Drawn:
    times = _times(rng)
    last = quarter(rng, 44, 47.5)
    first = last + quarter(rng, 2, 6)
    doses = [_course(rng, PTZ, times, last), _given("ceftriaxone", first, max(_until(rng), first + 24))]
    urine = ["urine", "e-coli", quarter(rng, 2, 7), -quarter(rng, 1, 9)]
    recipe = _recipe(hand, rng, "e-coli", doses, "narrowed", times=times)
    recipe["other_cultures"] = [*recipe["other_cultures"], urine]
    text = f"E. coli in blood and urine, ceftriaxone S; last piperacillin-tazobactam at {last:+g} h, inside the 48 h."
    return recipe, text


def _exactly(hand: _Hand, rng: random.Random, _turn: int) -> Drawn:
    times = _times(rng)
    doses = [
        _course(rng, "meropenem", times, 48.0),
        ["meropenem", 56.0, 56.0, "Not Given"],
        _given("ceftriaxone", 52.0, 100.0),
    ]
    recipe = _recipe(hand, rng, "e-coli", doses, "narrowed", times=times, broad="meropenem")
    return recipe, "E. coli, ceftriaxone S; the last meropenem is given at +48 h 00 min exactly, the next is Not Given."


def _before_final(hand: _Hand, rng: random.Random, _turn: int) -> Drawn:
    stain, _, final = _times(rng)
    last = -quarter(rng, 6, 14)
    times = (stain, final + last - quarter(rng, 1, 5), final)
    first = last + quarter(rng, 2, 6)
    doses = [_course(rng, PTZ, times, last), _given("ceftriaxone", first, _until(rng))]
    recipe = _recipe(hand, rng, "klebsiella", doses, "narrowed", times=times)
    text = (
        f"Klebsiella pneumoniae; last piperacillin-tazobactam at {last:+g} h, before the panel, after identification; "
        "ceftriaxone (S) follows."
    )
    return recipe, text


def _home_inside(hand: _Hand, rng: random.Random, _turn: int) -> Drawn:
    times = _times(rng)
    last, leaves = quarter(rng, 4, 18), quarter(rng, 20, 30)
    recipe = _recipe(
        hand, rng, "proteus", [_course(rng, "cefepime", times, last)], "narrowed", times=times, broad="cefepime",
        narrow="tmp-smx", icu="none", exit=[leaves, "discharge", ["tmp-smx"]],
    )  # fmt: skip
    recipe["summary"] = recipe["summary"][:3]
    text = (
        f"Proteus mirabilis; last cefepime at {last:+g} h, home at {leaves:+g} h on trimethoprim-sulfamethoxazole (S)."
    )
    return _stop(recipe, "cefepime", leaves), text


def _stopped(hand: _Hand, rng: random.Random, _turn: int) -> Drawn:
    times = _times(rng)
    vancomycin, last = quarter(rng, 2, 24), quarter(rng, 2, 24)
    doses = [_course(rng, "vancomycin", times, vancomycin), _course(rng, PTZ, times, last)]
    recipe = _recipe(
        hand, rng, "e-coli", doses, "bacteriuria", times=times, group="bacteriuria", specimen="urine", leaving=[]
    )
    text = (
        f"Bacteriuria with E. coli; last vancomycin at {vancomycin:+g} h, last piperacillin-tazobactam at {last:+g} h, "
        "no antibiotic afterwards."
    )
    return recipe, text


def _only_in_note(hand: _Hand, rng: random.Random, turn: int) -> Drawn:
    times = _times(rng)
    last = quarter(rng, 60, 94)
    doses = [_course(rng, PTZ, times, last), _given("ceftriaxone", last + 4, max(_until(rng), last + 28))]
    if turn != 1:
        doses.append(_early_vancomycin(rng, times))
    recipe = _recipe(hand, rng, _rod(rng), doses, "narrowed", times=times)
    text = f"Pan-susceptible isolate; piperacillin-tazobactam given to {last:+g} h although the summary says narrowed."
    return recipe, text


def _order_not_given(hand: _Hand, rng: random.Random, _turn: int) -> Drawn:
    times = _times(rng)
    last = quarter(rng, 72, 94)
    doses = [
        _course(rng, "meropenem", times, last),
        _early_vancomycin(rng, times),
        ["ceftriaxone", 6.0, 54.0, "Not Given"],
    ]
    recipe = _recipe(hand, rng, "klebsiella", doses, "continued", times=times, narrow="ciprofloxacin")
    return recipe, f"Ceftriaxone (S) ordered at +5.5 h and never given; meropenem given to {last:+g} h."


def _order_discontinued(hand: _Hand, rng: random.Random, _turn: int) -> Drawn:
    times = _times(rng)
    last = quarter(rng, 72, 94)
    doses = [_course(rng, "meropenem", times, last), _early_vancomycin(rng, times)]
    recipe = _recipe(hand, rng, "klebsiella", doses, "continued", times=times, narrow="ciprofloxacin")
    recipe["orders"].append(["ceftriaxone", 5.0, quarter(rng, 6, 9), "discontinued"])
    return recipe, f"Ceftriaxone (S) ordered at +5 h and discontinued before a dose; meropenem given to {last:+g} h."


def _lateral_cefepime(hand: _Hand, rng: random.Random, _turn: int) -> Drawn:
    times = _times(rng)
    last = quarter(rng, 70, 95)
    doses = [_course(rng, PTZ, times, 10.0), _given("cefepime", 12.0, last)]
    recipe = _recipe(hand, rng, "e-coli", doses, "lateral", times=times, second="cefepime", leaving=["ciprofloxacin"])
    return recipe, f"E. coli, ceftriaxone S; piperacillin-tazobactam to +10 h, then cefepime to {last:+g} h."


def _lateral_meropenem(hand: _Hand, rng: random.Random, _turn: int) -> Drawn:
    times = _times(rng)
    last = quarter(rng, 70, 95)
    doses = [_course(rng, "cefepime", times, 6.0), _given("meropenem", 8.0, last)]
    recipe = _recipe(
        hand, rng, "klebsiella", doses, "lateral", times=times, broad="cefepime", second="meropenem",
        leaving=["ciprofloxacin"],
    )  # fmt: skip
    return recipe, f"Klebsiella pneumoniae, ceftriaxone S; cefepime to +6 h, then meropenem to {last:+g} h."


def _one_of_two(hand: _Hand, rng: random.Random, _turn: int) -> Drawn:
    times = _times(rng)
    last = quarter(rng, 52, 90)
    doses = [
        _course(rng, "vancomycin", times, 12.0),
        _course(rng, "cefepime", times, last),
        _given("cefazolin", quarter(rng, 13, 18), _until(rng)),
    ]
    recipe = _recipe(
        hand, rng, "staph-aureus", doses, "partial", times=times, broad="vancomycin and cefepime", narrow="cefazolin"
    )
    screen = ["mrsa-screen", "mrsa-positive", quarter(rng, 4, 12), -10.0]
    recipe["other_cultures"] = [row for row in recipe["other_cultures"] if row[0] != "mrsa-screen"] + [screen]
    return recipe, f"MSSA; vancomycin stopped at +12 h for cefazolin, cefepime given to {last:+g} h."


def _after_window(hand: _Hand, rng: random.Random, turn: int) -> Drawn:
    times = _times(rng)
    last = quarter(rng, 49, 56)
    first = max(54.0, last) + quarter(rng, 0, 4)
    doses = [_course(rng, PTZ, times, last), _given("ampicillin", first, _until(rng))]
    if turn == 0:
        doses.append(_early_vancomycin(rng, times))
    recipe = _recipe(hand, rng, "proteus", doses, "narrowed", times=times, narrow="ampicillin", leaving=["amoxicillin"])
    urine = ["urine", "proteus", quarter(rng, 2, 6), last - 48 + quarter(rng, 1, 4)]
    recipe["other_cultures"] = [*recipe["other_cultures"], urine]
    return recipe, f"Proteus mirabilis, ampicillin S; last piperacillin-tazobactam at {last:+g} h, past the 48 h."


def _resistant(hand: _Hand, rng: random.Random, _turn: int) -> Drawn:
    times = _times(rng)
    doses = [_course(rng, PTZ, times, 8.0), _given("ciprofloxacin", quarter(rng, 9, 12), _until(rng))]
    recipe = _recipe(
        hand, rng, "e-coli", doses, "resistant", times=times, narrow="ciprofloxacin",
        readings=panel("e-coli", ("ciprofloxacin", "ampicillin")),
    )  # fmt: skip
    return (
        recipe,
        "E. coli with ciprofloxacin R and ceftriaxone S; piperacillin-tazobactam to +8 h, ciprofloxacin after.",
    )


def _nothing_narrower(hand: _Hand, rng: random.Random, _turn: int) -> Drawn:
    times = _times(rng)
    doses = [_course(rng, "meropenem", times, quarter(rng, 121, 128))]
    recipe = _recipe(
        hand, rng, "klebsiella", doses, "resistant-strain", times=times, broad="meropenem", narrow="meropenem",
        readings=esbl(), exit=[quarter(rng, 132, 160), "discharge", []],
    )  # fmt: skip
    return recipe, "Klebsiella pneumoniae of ESBL phenotype: every rank 1 and 2 agent R, meropenem and amikacin S."


def _no_administrations(hand: _Hand, rng: random.Random, _turn: int) -> Drawn:
    times = _times(rng)
    recipe = _recipe(
        hand, rng, "e-coli", [], "narrowed", times=times, icu="none", administered="no",
        orders=[
            [PTZ, -times[2] + 1.5, 20.0, "discontinued"],
            ["ceftriaxone", 20.0, quarter(rng, 100, 108), "discontinued"],
        ],
    )  # fmt: skip
    return (
        recipe,
        "E. coli, ceftriaxone S; no administration row of the stay, prescriptions alone show a switch at +20 h.",
    )


def _contaminant(hand: _Hand, rng: random.Random, _turn: int) -> Drawn:
    times = _times(rng)
    start = -times[2] + quarter(rng, 14, 18)
    doses = [_given("vancomycin", start, start + 120)]
    recipe = _recipe(
        hand, rng, "cons", doses, "contaminant", times=times, sets="1 of 2", broad="vancomycin", narrow="vancomycin",
        readings=panel("cons", ("oxacillin",)), leaving=[],
    )  # fmt: skip
    return recipe, "The only isolate is coagulase-negative Staphylococcus in one of two sets; vancomycin for five days."


def _died(hand: _Hand, rng: random.Random, _turn: int) -> Drawn:
    times = _times(rng)
    death = quarter(rng, 10, 40)
    vancomycin, cefepime = death - quarter(rng, 1, 5.5), death - quarter(rng, 1, 5.5)
    doses = [_course(rng, "vancomycin", times, vancomycin), _course(rng, "cefepime", times, cefepime)]
    recipe = _recipe(
        hand, rng, "staph-aureus", doses, "died", times=times, broad="vancomycin", second="cefepime",
        icu="none", exit=[death, "death", []],
    )  # fmt: skip
    return recipe, f"MSSA; vancomycin and cefepime running until death at {death:+g} h."


def _neutropenic(hand: _Hand, rng: random.Random, _turn: int) -> Drawn:
    times = _times(rng)
    last = quarter(rng, 80, 95.5)
    count = round(rng.uniform(0.05, 0.38), 2)
    recipe = _recipe(
        hand, rng, "e-coli", [_course(rng, "cefepime", times, last)], "neutropenic", group="neutropenic", times=times,
        broad="cefepime", anc=[count, quarter(rng, -8, 14)], leaving=["ciprofloxacin"],
    )  # fmt: skip
    recipe["source_note"] = recipe["summary"][2]
    return recipe, f"E. coli bacteremia, ceftriaxone S; ANC {1000 * count:.0f}/uL, cefepime to {last:+g} h."


def _mixed(hand: _Hand, rng: random.Random, _turn: int) -> Drawn:
    times = _times(rng)
    last = quarter(rng, 90, 95.5)
    recipe = _recipe(
        hand, rng, "e-coli", [_course(rng, PTZ, times, last)], "mixed", group="mixed", times=times,
        leaving=["ciprofloxacin", "metronidazole"],
    )  # fmt: skip
    recipe["source_note"] = recipe["summary"][2]
    return recipe, f"Perforated diverticulitis with an undrained collection; piperacillin-tazobactam to {last:+g} h."


_DRAWS: dict[str, Callable[[_Hand, random.Random, int], Drawn]] = {
    "mssa-both-stopped": _both_stopped,
    "late-in-window": _late,
    "exactly-48-hours": _exactly,
    "narrowed-before-final": _before_final,
    "home-inside-window": _home_inside,
    "stopped-altogether": _stopped,
    "narrowing-only-in-note": _only_in_note,
    "narrow-order-not-given": _order_not_given,
    "narrow-order-discontinued": _order_discontinued,
    "lateral-piptazo-to-cefepime": _lateral_cefepime,
    "lateral-cefepime-to-meropenem": _lateral_meropenem,
    "one-of-two-stopped": _one_of_two,
    "switch-after-window": _after_window,
    "narrow-but-resistant": _resistant,
    "nothing-narrower": _nothing_narrower,
    "no-administrations": _no_administrations,
    "contaminant-only": _contaminant,
    "died-in-window": _died,
    "neutropenic-continued": _neutropenic,
    "mixed-infection-continued": _mixed,
}
