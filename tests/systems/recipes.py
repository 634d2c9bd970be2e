"""A recipe, built and audited by the reference through the real tools."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts import open_chart
from pytest_clinicare.charts.synthetic import build
from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.environment import Brief, Corpus, Environment
from pytest_clinicare.suite import Case, load_suite
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.reference import investigate

ROOT = Path(__file__).resolve().parents[2]


def cases_of(scenario: str) -> list[Case]:
    """The committed cases of a scenario."""
    folder = ROOT / "cases" / scenario
    return [Case(**tomllib.loads(p.read_text(encoding="utf-8"))) for p in sorted(folder.glob(f"{scenario}-*.toml"))]


def case_of(scenario: str, variant: str) -> Case:
    """The first committed case of a variant."""
    return next(case for case in cases_of(scenario) if case.variant == variant)


def answer(case: Case, recipe: Mapping[str, Any], folder: Path) -> Draft:
    """The reference's report on the chart of the case with this recipe."""
    path = folder / f"{case.id}.sqlite"
    build(case.model_copy(update={"recipe": dict(recipe)})).save(path)
    chart = open_chart(path)
    ids: dict[str, Any] = {"subject_id": case.subject_id, "hadm_id": case.hadm_id, "stay_id": case.stay_id}
    try:
        environment = Environment(chart, Corpus(ROOT / "policy_docs"), **ids)
        return investigate(Brief(scenario=case.scenario, query="", **ids), environment)
    finally:
        chart.close()


def check_edits(scenario: str, edits: tuple[Edit, ...], folder: Path) -> None:
    """Each edit applies to a committed case, leaves its recipe as it is, and the reference gives the edit's verdict."""
    for edit in edits:
        done = 0
        for case in cases_of(scenario):
            before = case.model_dump_json()
            try:
                edited: Edited = edit(case.recipe)
            except ValueError:
                continue
            assert case.model_dump_json() == before
            assert answer(case, edited.recipe, folder).verdict is edited.verdict, (edit, case.id, edited.decisive)
            steps = load_suite().scenarios[scenario].procedure
            assert steps[edited.step - 1].verdict is edited.verdict
            assert (edited.verdict, edited.step) != (case.verdict, case.step)
            done += 1
            if done == 4:
                break
        if not done:
            pytest.fail(f"{edit} applies to no case of {scenario}")
