"""The structural checks of a suite: bounds and consistency, not clinical truth."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sized
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from pytest_clinicare.suite.case import Case
from pytest_clinicare.suite.loading import Suite
from pytest_clinicare.suite.problem import Problem
from pytest_clinicare.suite.query import query_identifiers
from pytest_clinicare.suite.rubric import Criterion, Rubric
from pytest_clinicare.suite.scenario import Scenario, Variant
from pytest_clinicare.suite.toml_lines import line_of

SOURCE_TABLES = frozenset(
    {
        "ed.edstays", "ed.medrecon", "ed.triage", "ed.vitalsign",
        "hosp.admissions", "hosp.diagnoses_icd", "hosp.emar", "hosp.labevents", "hosp.microbiologyevents", "hosp.omr",
        "hosp.patients", "hosp.pharmacy", "hosp.poe", "hosp.prescriptions", "hosp.procedures_icd", "hosp.transfers",
        "icu.chartevents", "icu.icustays", "icu.inputevents", "icu.outputevents", "icu.procedureevents",
        "note.discharge", "note.radiology",
    }
)  # fmt: skip
"""The 23 tables that evidence is required from; poe_detail counts as hosp.poe and emar_detail as hosp.emar."""

CASES_PER_SCENARIO = 30

# Of a committed case, or of a form made by `clinicare cases generate`, whose code keeps it apart from every other.
_NUMBER = r"-(?:\d\d|[0-9a-f]{6}-\d{2,})"
# A twin has the id of its case and a letter.
_LETTER = r"[b-z]"


class Bounds(NamedTuple):
    """How many there may be, both ends included."""

    least: int
    most: int
    what: str


SOURCES = Bounds(3, 9, "evidence sources")
FINDINGS = Bounds(4, 11, "findings")
GOVERNING = Bounds(1, 4, "governing documents")
MUST_DO = Bounds(4, 9, "must-do criteria")
MUST_NOT = Bounds(3, 8, "must-not criteria")
BUDGET = Bounds(7, 16, "points of positive weight")


class _Mistake(NamedTuple):
    key: tuple[str | int, ...]
    message: str


def check_suite(suite: Suite, corpus_ids: Collection[str]) -> list[Problem]:
    """Every breach of the suite's structure; ``corpus_ids`` are the policy documents that there are."""
    problems: list[Problem] = []
    for name, scenario in suite.scenarios.items():
        problems += _located(suite.file("scenario", name), _scenario_mistakes(scenario, frozenset(corpus_ids)))
    for name, rubric in suite.rubrics.items():
        problems += _located(suite.file("rubric", name), _rubric_mistakes(rubric, suite.scenarios))
    problems += check_cases(suite)
    for name, scenario in suite.scenarios.items():
        cases = [case for case in suite.cases if case.scenario == name and case.pair_of is None]
        problems += _located(suite.file("scenario", name), _plan_mistakes(scenario, cases))
    return problems


def check_cases(suite: Suite) -> list[Problem]:
    """The breaches of the cases alone, for a user's folder of them, which follows no plan."""
    problems: list[Problem] = []
    verdicts = {case.id: case.verdict for case in suite.cases}
    for case in suite.cases:
        mistakes = [*_case_mistakes(case, suite.scenarios[case.scenario])]
        if case.pair_of in verdicts and verdicts[case.pair_of] is case.verdict:
            mistakes.append(_Mistake(("verdict",), f"that of '{case.pair_of}' too, so that the pair tells nothing"))
        problems += _located(suite.file("case", case.id), mistakes)
    return problems


def _located(file: Path, mistakes: Iterable[_Mistake]) -> list[Problem]:
    return [Problem(file, line_of(_text(file), key), message) for key, message in mistakes]


@lru_cache(maxsize=8)
def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def _scenario_mistakes(scenario: Scenario, corpus_ids: frozenset[str]) -> Iterator[_Mistake]:
    evidence = scenario.evidence
    yield from _within(SOURCES, evidence.sources, ("evidence", "sources"))
    for i, source in enumerate(evidence.sources):
        if source.table not in SOURCE_TABLES:
            message = f"'{source.table}' is not one of the {len(SOURCE_TABLES)} tables that evidence comes from"
            yield _Mistake(("evidence", "sources", i, "table"), message)
    yield from _within(GOVERNING, evidence.governing, ("evidence", "governing"))
    for i, document in enumerate(evidence.governing):
        if document not in corpus_ids:
            yield _Mistake(("evidence", "governing", i), f"there is no policy document '{document}'")
    yield from _within(FINDINGS, scenario.findings, ("findings",))
    yield from _repeated([finding.id for finding in scenario.findings], "findings", "id")
    yield from _repeated([variant.name for variant in scenario.variants], "variants", "name")
    for i, variant in enumerate(scenario.variants):
        yield from _variant_mistakes(i, variant, scenario)
    for name in query_identifiers(scenario):
        if name not in scenario.identifiers:
            yield _Mistake(("query",), f"<{name}> is no identifier of a case anchored at '{scenario.anchor}'")


def _variant_mistakes(index: int, variant: Variant, scenario: Scenario) -> Iterator[_Mistake]:
    steps = len(scenario.procedure)
    if not 1 <= variant.step <= steps:
        message = f"variant '{variant.name}': step {variant.step} is not in the procedure (1-{steps})"
        yield _Mistake(("variants", index, "step"), message)
    elif scenario.procedure[variant.step - 1].verdict is not variant.verdict:
        decided = scenario.procedure[variant.step - 1].verdict
        message = f"variant '{variant.name}': '{variant.verdict}', but procedure step {variant.step} gives '{decided}'"
        yield _Mistake(("variants", index, "verdict"), message)


def _rubric_mistakes(rubric: Rubric, scenarios: Mapping[str, Scenario]) -> Iterator[_Mistake]:
    if rubric.scenario not in scenarios:
        yield _Mistake(("scenario",), f"there is no scenario '{rubric.scenario}'")
    criteria = rubric.criteria
    yield from _within(MUST_DO, [c for c in criteria if c.kind == "must-do"], ("criteria",))
    yield from _within(MUST_NOT, [c for c in criteria if c.kind == "must-not"], ("criteria",))
    yield from _within(BUDGET, range(rubric.budget), ("criteria",))
    yield from _repeated([criterion.id for criterion in criteria], "criteria", "id")
    for i, criterion in enumerate(criteria):
        if not _weight_fits(criterion):
            sign = "+1 or +2" if criterion.kind == "must-do" else "-1 or -2"
            message = f"criterion {criterion.id}: a {criterion.kind} weighs {sign}, not {criterion.weight:+d}"
            yield _Mistake(("criteria", i, "weight"), message)


def _weight_fits(criterion: Criterion) -> bool:
    return criterion.weight in ((1, 2) if criterion.kind == "must-do" else (-1, -2))


def _case_mistakes(case: Case, scenario: Scenario) -> Iterator[_Mistake]:
    if case.source == "mimic":
        return
    if case.pair_of is not None:
        yield from _twin_mistakes(case, scenario)
        return
    if not re.fullmatch(re.escape(scenario.id) + _NUMBER, case.id):
        message = f"id '{case.id}' is not '{scenario.id}-' and two digits, nor that of a form ('-3f09ac-01')"
        yield _Mistake(("id",), message)
    yield from _recipe_mistakes(case, scenario)
    variant = next((variant for variant in scenario.variants if variant.name == case.variant), None)
    if variant is None:
        yield _Mistake(("variant",), f"scenario '{scenario.id}' has no variant '{case.variant}'")
        return
    if case.verdict is not variant.verdict:
        message = f"verdict '{case.verdict}', but variant '{variant.name}' is '{variant.verdict}'"
        yield _Mistake(("verdict",), message)
    if case.step != variant.step:
        yield _Mistake(("step",), f"step {case.step}, but variant '{variant.name}' fires step {variant.step}")


def _twin_mistakes(case: Case, scenario: Scenario) -> Iterator[_Mistake]:
    if not re.fullmatch(re.escape(case.pair_of or "") + _LETTER, case.id):
        yield _Mistake(("id",), f"id '{case.id}' of a twin is not '{case.pair_of}' and a letter")
    if case.variant is not None:
        yield _Mistake(("variant",), "a twin is of no variant, since its decisive fact was changed")
    if not case.edit:
        yield _Mistake(("pair_of",), "edit is missing: what was changed, as a clinician reads it")
    yield from _recipe_mistakes(case, scenario)
    step = case.step or 0
    if not 1 <= step <= len(scenario.procedure):
        yield _Mistake(("step",), f"step {case.step} is not in the procedure (1-{len(scenario.procedure)})")
    elif scenario.procedure[step - 1].verdict is not case.verdict:
        decided = scenario.procedure[step - 1].verdict
        yield _Mistake(("verdict",), f"verdict '{case.verdict}', but procedure step {step} gives '{decided}'")


def _recipe_mistakes(case: Case, scenario: Scenario) -> Iterator[_Mistake]:
    for name in sorted(case.recipe.keys() - scenario.recipe.keys()):
        yield _Mistake(("recipe", name), f"recipe key '{name}' is not in the vocabulary of '{scenario.id}'")


def _plan_mistakes(scenario: Scenario, cases: list[Case]) -> Iterator[_Mistake]:
    planned = sum(variant.count for variant in scenario.variants)
    if planned != CASES_PER_SCENARIO:
        yield _Mistake(("variants",), f"the variants plan {planned} cases, not {CASES_PER_SCENARIO}")
    there = Counter(case.variant for case in cases)
    for i, variant in enumerate(scenario.variants):
        if there[variant.name] != variant.count:
            message = f"variant '{variant.name}' plans {variant.count} cases, there are {there[variant.name]}"
            yield _Mistake(("variants", i, "count"), message)


def _within(bounds: Bounds, items: Sized, key: tuple[str | int, ...]) -> Iterator[_Mistake]:
    if not bounds.least <= len(items) <= bounds.most:
        yield _Mistake(key, f"{len(items)} {bounds.what}, where {bounds.least} to {bounds.most} are allowed")


def _repeated(names: list[str], table: str, key: str) -> Iterator[_Mistake]:
    for i, name in enumerate(names):
        if name in names[:i]:
            yield _Mistake((table, i, key), f"{table}: {key} '{name}' stands twice")
