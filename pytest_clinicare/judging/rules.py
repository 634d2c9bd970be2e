"""The rules judge: decides criteria by the declarative checks of the rubric, and says where only a reader can tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import ValidationError

# The two modules add their checks to the vocabulary when imported.
from pytest_clinicare.judging import checks_report, checks_trace
from pytest_clinicare.judging.checks import CHECKS, Both, CheckError, Evidence, decide, facts_of, parse_all
from pytest_clinicare.judging.facts import COMMON_FACTS, PARAMETERS, check_facts
from pytest_clinicare.judging.protocol import Grade, JudgedRun
from pytest_clinicare.judging.reads import Needed

if TYPE_CHECKING:
    from pytest_clinicare.suite import Criterion, Rubric, Scenario

VOCABULARY = (checks_trace, checks_report)
"""Modules of the checks."""


@dataclass(frozen=True)
class _Parsed:
    criterion: Criterion
    checks: Both | None
    applies: Both


class RulesJudge:
    """Needs no model: the same run always gets the same grades. Raises CheckError for a rubric with a mistake."""

    name = "rules"

    def __init__(self) -> None:
        self._parsed: dict[int, tuple[Rubric, tuple[_Parsed, ...]]] = {}

    def grade(self, run: JudgedRun) -> tuple[Grade, ...]:
        """One grade a criterion, in rubric order."""
        evidence = Evidence(run)
        return tuple(_grade(parsed, evidence) for parsed in self._rules(run.rubric))

    def _rules(self, rubric: Rubric) -> tuple[_Parsed, ...]:
        # The rubric is kept beside what was parsed, so that its identity cannot be taken by another.
        if id(rubric) not in self._parsed:
            self._parsed[id(rubric)] = (rubric, tuple(_parse(rubric, criterion) for criterion in rubric.criteria))
        return self._parsed[id(rubric)][1]


def validate_rubric(rubric: Rubric) -> list[str]:
    """Every mistake in facts, sources and checks, each with the key that it stands at; empty for a sound rubric."""
    mistakes = check_facts(rubric.facts)
    known = {*PARAMETERS, *COMMON_FACTS, *rubric.facts}
    for table, scope in rubric.sources.items():
        try:
            needed = Needed.model_validate({"table": table, **_without(scope, "unless")})
        except ValidationError as error:
            mistakes.append(f"sources.{table}: {error.errors()[0]['loc'][0]}: {error.errors()[0]['msg']}")
            continue
        used = (*needed.fact_names, *((scope["unless"],) if "unless" in scope else ()))
        mistakes += [f"sources.{table}: there is no fact {name!r}" for name in used if name not in known]
    for criterion in rubric.criteria:
        for key, entries in (("checks", criterion.checks), ("applies", criterion.applies)):
            try:
                used_facts = facts_of(parse_all(entries))
            except CheckError as error:
                mistakes.append(f"criteria.{criterion.id}.{key}: {error}")
                continue
            unknown = sorted(used_facts - known)
            mistakes += [f"criteria.{criterion.id}.{key}: there is no fact {name!r}" for name in unknown]
    return mistakes


def required_reads(scenario: Scenario, rubric: Rubric) -> tuple[tuple[Needed, str | None], ...]:
    """The scenario's required sources as reads, each with the fact that lifts the requirement, if any."""
    reads = []
    for source in scenario.evidence.sources:
        given = rubric.sources.get(source.table, {})
        needed = Needed.model_validate({"table": source.table, "scope": source.scope, **_without(given, "unless")})
        reads.append((needed, given.get("unless")))
    return tuple(reads)


def _without(given: dict[str, object], key: str) -> dict[str, object]:
    return {name: value for name, value in given.items() if name != key}


def _parse(rubric: Rubric, criterion: Criterion) -> _Parsed:
    try:
        checks = parse_all(criterion.checks) if criterion.checks else None
        return _Parsed(criterion, checks, parse_all(criterion.applies))
    except CheckError as error:
        raise CheckError(f"rubric {rubric.scenario}, criterion {criterion.id}: {error}") from error


def _grade(parsed: _Parsed, evidence: Evidence) -> Grade:
    applies = decide(parsed.applies, evidence)
    name = parsed.criterion.id
    if applies.met is False:
        return Grade(criterion=name, met=False, applicable=False, why=applies.why, refs=applies.refs)
    if parsed.checks is None:
        return Grade(criterion=name, met=None, why="only a reader can tell")
    found = decide(parsed.checks, evidence if parsed.criterion.kind == "must-do" else evidence.turned)
    return Grade(criterion=name, met=found.met, why=found.why, refs=found.refs)


__all__ = ["CHECKS", "CheckError", "RulesJudge", "required_reads", "validate_rubric"]
