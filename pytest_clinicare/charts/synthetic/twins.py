"""Counterfactual pairs: a case, and its twin in which one decisive fact differs and with it the verdict.

Whoever answers both alike has not read the fact.
"""

from __future__ import annotations

import json
import string
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import NamedTuple

from pytest_clinicare.charts.chart import ChartError
from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic import build, packages
from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.suite import Case

PER_SCENARIO = 6
"""So many twins of a scenario's cases ship, or one of each of its edits where it has more."""
# Numbers that follow from how many rows of the table stand before: they say nothing of the patient.
_NUMBERS = {
    *("labevent_id", "specimen_id", "microevent_id", "micro_specimen_id", "poe_id", "poe_seq", "pharmacy_id"),
    *("emar_id", "emar_seq", "note_id", "note_seq", "orderid", "linkorderid", "transfer_id", "seq_num"),
    *("discontinue_of_poe_id", "discontinued_by_poe_id"),
}


class Changed(NamedTuple):
    """Rows of one table that only the case has, and that only its twin has."""

    table: str
    gone: int
    new: int


def twins_of(case: Case) -> list[Case]:
    """A twin for every edit of the scenario that applies to the case and changes its verdict.

    Raises:
        ChartError: the scenario has no edits, or the case is no synthetic one.
    """
    edited = [edited for edit in _edits(case.scenario) if (edited := _tried(edit, case)) is not None]
    return [_twin(case, change, letter) for change, letter in zip(edited, string.ascii_lowercase[1:], strict=False)]


def committed_twins(cases: list[Case]) -> list[Case]:
    """The twins that ship, of the cases of one scenario: its edits in turn, each on a case that has no twin yet."""
    edits = _edits(cases[0].scenario)
    chosen: dict[str, Case] = {}
    wanted = max(PER_SCENARIO, len(edits))
    for turn in range(wanted):
        edit = edits[turn % len(edits)]
        free = ((case, _tried(edit, case)) for case in cases if case.id not in chosen)
        found = next(((case, edited) for case, edited in free if edited is not None), None)
        if found is not None:
            chosen[found[0].id] = _twin(*found, "b")
    return [chosen[name] for name in sorted(chosen)]


def difference(case: Case, twin: Case) -> list[Changed]:
    """By table, the rows in which the charts of the two differ."""
    ours, theirs = _rows(build(case)), _rows(build(twin))
    changed = []
    for table in ours:
        gone, new = ours[table] - theirs[table], theirs[table] - ours[table]
        if gone or new:
            changed.append(Changed(table, gone.total(), new.total()))
    return changed


def _edits(scenario_id: str) -> tuple[Edit, ...]:
    name = f"{packages.__name__}.{scenario_id.replace('-', '_')}.pairs"
    try:
        edits: tuple[Edit, ...] = import_module(name).EDITS
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ChartError(f"{scenario_id}: no edits are known for its cases") from error
    return edits


def _tried(edit: Edit, case: Case) -> Edited | None:
    """None where the edit does not apply, or leads to the verdict that the case has."""
    try:
        edited = edit(case.recipe)
    except ValueError:
        return None
    return None if edited.verdict is case.verdict else edited


def _twin(case: Case, edited: Edited, letter: str) -> Case:
    abstract = import_module(f"{packages.__name__}.{case.scenario.replace('-', '_')}.abstract").abstract
    return case.model_copy(
        update={
            "id": f"{case.id}{letter}",
            "pair_of": case.id,
            "edit": edited.decisive,
            "verdict": edited.verdict,
            "step": edited.step,
            "variant": None,
            "trap": "",
            "abstract": abstract(edited.recipe, f"As {case.id}, but {edited.decisive}."),
            "recipe": edited.recipe,
        }
    )


def _rows(draft: Draft) -> Mapping[str, Counter[str]]:
    return {table: Counter(_told(rows)) for table, rows in draft.rows.items()}


def _told(rows: list[dict[str, object]]) -> Iterator[str]:
    for row in rows:
        said = {name: value for name, value in row.items() if name not in _NUMBERS}
        yield json.dumps(said, sort_keys=True, default=str)
