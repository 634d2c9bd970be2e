"""Edits of one decisive fact of an abx-deescalation recipe that move a case to a neighbouring step."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.suite import Verdict

_RODS = ("e-coli", "klebsiella", "proteus")
_BROAD = ("piperacillin-tazobactam", "cefepime", "meropenem")


def _broad(recipe: Mapping[str, Any]) -> list[list[Any]]:
    """Given courses of antipseudomonal agents, in order of their last dose."""
    rows = [row for row in recipe["doses"] if row[0] in _BROAD and row[3] == "Administered"]
    return sorted(rows, key=lambda row: float(row[2]))


def _ordinary(recipe: Mapping[str, Any]) -> bool:
    """A rod with ceftriaxone S, watched to 96 h and given what it was ordered, without a reason to continue."""
    return bool(
        recipe["isolate"][0] in _RODS
        and dict(recipe["panel"]).get("ceftriaxone") == "S"
        and recipe["administered"] == "yes"
        and recipe["exit"][0] > 96
        and recipe["anc"][0] >= 1.5
        and recipe["source_note"] == "none"
        and _broad(recipe)
    )


def _move(recipe: Mapping[str, Any], agent: str, last: float) -> dict[str, Any]:
    """The agent's last given dose at ``last`` hours; its order reaches as far."""
    changed = deepcopy(dict(recipe))
    for row in changed["doses"]:
        if row[0] == agent and row[3] == "Administered":
            row[2] = last
    for row in changed["orders"]:
        if row[0] == agent:
            row[2] = max(row[2], last + 1)
    return changed


def past_the_window(recipe: Mapping[str, Any]) -> Edited:
    """The last unneeded dose an hour past the window: no."""
    if not _ordinary(recipe):
        raise ValueError("needs a rod with a narrower option, watched to 96 h")
    agent, _, last, _ = _broad(recipe)[-1]
    if last > 48:
        raise ValueError("the last broad dose lies past the window already")
    return Edited(_move(recipe, agent, 49.0), Verdict.NO, 7, f"last {agent}: {last:+g} -> +49 h from T_final")


def back_into_the_window(recipe: Mapping[str, Any]) -> Edited:
    """The last unneeded dose on the minute of the window's end: yes."""
    if not _ordinary(recipe):
        raise ValueError("needs a rod with a narrower option, watched to 96 h")
    broad = _broad(recipe)
    late = [row for row in broad if row[2] > 48]
    if len(late) != 1 or late[0][1] >= 48:
        raise ValueError("needs one broad course that ends past the window")
    if any(row[0] == "ciprofloxacin" for row in recipe["doses"]) and dict(recipe["panel"])["ciprofloxacin"] != "S":
        raise ValueError("what follows is not active")
    agent, _, last, _ = late[0]
    return Edited(_move(recipe, agent, 48.0), Verdict.YES, 9, f"last {agent}: {last:+g} -> +48 h from T_final")


def neutropenia(recipe: Mapping[str, Any]) -> Edited:
    """A neutrophil count below 500/uL at the result, with late broad doses: ambiguous."""
    if not _ordinary(recipe) or _broad(recipe)[-1][2] <= 48:
        raise ValueError("needs an unneeded dose past the window, without a reason")
    changed = deepcopy(dict(recipe))
    count = changed["anc"][0]
    changed["anc"] = [0.3, 0.0]
    return Edited(changed, Verdict.AMBIGUOUS, 6, f"neutrophils at T_final: {count:g} -> 0.3 K/uL")


def nothing_left(recipe: Mapping[str, Any]) -> Edited:
    """A panel that leaves carbapenem and aminoglycosides alone, one antipseudomonal agent running: lack of data."""
    given = {row[0] for row in recipe["doses"] if row[3] == "Administered"}
    if not _ordinary(recipe) or "vancomycin" in given:
        raise ValueError("needs a rod treated with antipseudomonal agents alone")
    changed = deepcopy(dict(recipe))
    kept = ("meropenem", "gentamicin", "tobramycin", "amikacin")
    changed["panel"] = [[drug, "S" if drug in kept else "R"] for drug, _ in recipe["panel"]]
    return Edited(changed, Verdict.LACK, 4, "every rank 1 and 2 agent of the panel: S -> R")


def active_after_all(recipe: Mapping[str, Any]) -> Edited:
    """The oral agent that followed reported S: yes."""
    if not _ordinary(recipe) or dict(recipe["panel"]).get("ciprofloxacin") != "R" or _broad(recipe)[-1][2] > 48:
        raise ValueError("needs a resistant agent that followed in time")
    changed = deepcopy(dict(recipe))
    changed["panel"] = [[drug, "S" if drug == "ciprofloxacin" else reading] for drug, reading in recipe["panel"]]
    return Edited(changed, Verdict.YES, 9, "ciprofloxacin on the panel: R -> S")


EDITS: tuple[Edit, ...] = (past_the_window, back_into_the_window, neutropenia, nothing_left, active_after_all)
