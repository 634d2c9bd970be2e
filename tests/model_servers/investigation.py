"""Scripts that audit real cases: what the scripted reference did on one, dealt into the turns of a model."""

from __future__ import annotations

from pathlib import Path

from pytest_clinicare.charts import SyntheticSource
from pytest_clinicare.environment import Brief, Corpus, Environment, ToolCall
from pytest_clinicare.suite import fill_query, load_suite
from pytest_clinicare.systems import resolve_system
from pytest_clinicare.systems.prompt import prompt_of

from .script import Call, Script, Turn

SUITE = load_suite()


def audit_script(case_id: str, charts: Path, together: int = 3) -> Script:
    """The calls of the reference on a case, ``together`` of them in a turn, then its report in a turn of its own.

    Charts are kept in ``charts``, which the session under test may share. Whoever plays it in order gets the numbers of
    calls that the report cites.
    """
    *looks, report = _audited(case_id, charts)[1]
    dealt = [tuple(looks[start : start + together]) for start in range(0, len(looks), together)]
    return Script(tuple(Turn(calls=turn) for turn in [*dealt, (report,)]))


def task_of(case_id: str, charts: Path) -> str:
    """What the user says of a case in the one prompt: the key of its script."""
    return prompt_of(_audited(case_id, charts)[0]).task.strip()


_done: dict[str, tuple[Brief, tuple[Call, ...]]] = {}


def _audited(case_id: str, charts: Path) -> tuple[Brief, tuple[Call, ...]]:
    if case_id not in _done:
        case = SUITE.case(case_id)
        assert case is not None, case_id
        with (
            SyntheticSource(charts, SUITE.root.fixtures).chart(case) as chart,
            Environment(
                chart,
                Corpus(SUITE.root.policy_docs),
                subject_id=case.subject_id,
                hadm_id=case.hadm_id,
                stay_id=case.stay_id,
            ) as environment,
        ):
            brief = environment.brief(case.scenario, fill_query(SUITE.scenarios[case.scenario], case))
            resolve_system("reference").run(brief, environment.tools)
            calls = tuple(Call(e.tool, e.arguments) for e in environment.events if isinstance(e, ToolCall))
        _done[case_id] = (brief, calls)
    return _done[case_id]
