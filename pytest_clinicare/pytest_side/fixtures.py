"""The items of a session that names a system, and the fixture that runs the system on one of them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from pytest_clinicare.pytest_side.explanation import explain_error, explain_failure
from pytest_clinicare.pytest_side.naming import Key, key_of, parameter_id
from pytest_clinicare.pytest_side.run import Place, execute
from pytest_clinicare.pytest_side.session import SESSION, ClinicareSession
from pytest_clinicare.results import RunDir
from pytest_clinicare.scoring import RunRecord
from pytest_clinicare.suite import Scenario, Suite

PROPERTY = "clinicare"


@dataclass(frozen=True)
class FinishedRun:
    """What the test of a case asserts on; ``explanation`` says why it did not pass."""

    record: RunRecord
    explanation: str


def marker_name(text: str) -> str:
    """A specialty or skill as ``-m`` takes it: ``cross-specialty operations`` -> ``cross_specialty_operations``."""
    return re.sub(r"\W+", "_", text.strip().lower())


def markers(suite: Suite) -> dict[str, str]:
    """Name -> description of every marker that the cases carry; none tells a verdict."""
    found: dict[str, str] = {}
    for scenario in suite.scenarios.values():
        found[marker_name(scenario.specialty)] = f"cases of the specialty {scenario.specialty}"
        found.update({marker_name(skill): f"cases that ask for the skill {skill}" for skill in scenario.skills})
    return dict(sorted(found.items()))


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Gives items the same id wherever the cases lie: in the checkout, or in a wheel outside the root folder."""
    if module_path != parent.config.stash[SESSION].cases_file:
        return None
    module: pytest.Module = pytest.Module.from_parent(parent, path=module_path, nodeid="cases/test_cases.py")
    return module


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "clinicare_run" not in metafunc.fixturenames:
        return
    bench = metafunc.config.stash[SESSION].bench
    parameters = [
        pytest.param(
            (case.id, attempt),
            id=parameter_id(case.id, attempt, bench.attempts),
            marks=_marks(bench.suite.scenarios[case.scenario]),
        )
        for case in bench.suite.cases
        for attempt in range(1, bench.attempts + 1)
    ]
    metafunc.parametrize("clinicare_run", parameters, indirect=True)


# First, so that what is left out never counts for another plugin's choice (--lf, --sw).
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselects the cases outside the split, and holdout cases that the system is not to see."""
    selection = config.stash[SESSION].bench.selection
    out = [item for item in items if (key := key_of(item.nodeid)) is not None and not selection.keeps(key[0])]
    if out:
        config.hook.pytest_deselected(items=out)
        gone = set(out)
        items[:] = [item for item in items if item not in gone]


def _marks(scenario: Scenario) -> list[pytest.MarkDecorator]:
    return [getattr(pytest.mark, marker_name(text)) for text in (scenario.specialty, *scenario.skills)]


@pytest.fixture
def clinicare_run(request: pytest.FixtureRequest) -> FinishedRun:
    """The run of the system on the case; finished before with the same configuration, it is not done again.

    An infrastructure error ends here, in the setup of the item: pytest counts that as an error, not as a failure.
    """
    session = request.config.stash[SESSION]
    run_dir = session.open((item.nodeid for item in request.session.items), fresh=False)
    assert run_dir is not None, "the fixture is parametrised over the cases, so that one is selected here"
    key: Key = request.param
    held = session.resume(run_dir).reusable.get(key)
    record = held or _run(session, run_dir, key)
    request.node.user_properties.append((PROPERTY, _summary(record, reused=held is not None)))
    if record.ended.infrastructure:
        pytest.fail(explain_error(record, run_dir), pytrace=False)
    rubric = session.bench.suite.rubrics[record.scenario]
    return FinishedRun(record, "" if record.passed else explain_failure(record, rubric, run_dir))


def _run(session: ClinicareSession, run_dir: RunDir, key: Key) -> RunRecord:
    case = session.bench.suite.case(key[0])
    assert case is not None, "keys come from the suite"
    name = run_dir.trace_name(*key)
    place = Place(run_dir.path / name, name, run_dir.path / run_dir.artifacts_name(*key))
    record = execute(session.bench, case, key[1], place)
    # On disk before anything else knows of it.
    run_dir.append(record, session.worker)
    return record


def _summary(record: RunRecord, *, reused: bool) -> str:
    """A short JSON text: execnet carries only exact builtins between processes, and JUnit prints ``str(value)``."""
    facts = {
        "case": record.case,
        "attempt": record.attempt,
        "verdict": record.verdict,
        "reference": record.reference,
        "outcome": record.outcome,
        "defects": list(record.defects),
        "process": record.scores.process if record.scores else None,
        "reused": reused,
    }
    return json.dumps(facts)
