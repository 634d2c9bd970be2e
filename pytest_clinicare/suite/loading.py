"""TOML files -> scenarios, cases and rubrics; every mistake is named with its file, key and line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from pytest_clinicare.suite.case import Case
from pytest_clinicare.suite.location import SuiteRoot, suite_root
from pytest_clinicare.suite.problem import Problem, SuiteError
from pytest_clinicare.suite.rubric import Rubric
from pytest_clinicare.suite.scenario import Scenario
from pytest_clinicare.suite.toml_lines import line_of

SCENARIO_FILE = "scenario.toml"

_Model = TypeVar("_Model", bound=BaseModel)
_SYNTAX_AT = re.compile(r" \(at line (\d+), column \d+\)$")


@dataclass(frozen=True)
class Suite:
    """What is asked. ``cases`` are in the order of scenario and id; ``files`` tells where each was read from."""

    root: SuiteRoot
    scenarios: Mapping[str, Scenario]
    cases: tuple[Case, ...]
    rubrics: Mapping[str, Rubric]
    files: Mapping[tuple[str, str], Path] = field(default_factory=dict, repr=False)

    def case(self, case_id: str) -> Case | None:
        return next((case for case in self.cases if case.id == case_id), None)

    def file(self, kind: str, name: str) -> Path:
        """The file of a ``"scenario"``, ``"case"`` or ``"rubric"`` by its id."""
        return self.files[kind, name]


def load_suite(root: SuiteRoot | None = None) -> Suite:
    """The suite at ``root`` (by default the one that ships), scenarios, cases and rubrics.

    Raises SuiteError with every mistake found: of syntax, of shape, a name used twice, a reference to nothing.
    """
    root = root or suite_root()
    problems: list[Problem] = []
    files: dict[tuple[str, str], Path] = {}
    scenarios: dict[str, Scenario] = {}
    for path in sorted(root.cases.glob(f"*/{SCENARIO_FILE}")):
        scenario = _read(path, Scenario, problems)
        if scenario is not None and _first_of_name("scenario", scenario.id, path, files, problems):
            scenarios[scenario.id] = scenario
    rubrics: dict[str, Rubric] = {}
    for path in sorted(root.rubrics.glob("*.toml")):
        rubric = _read(path, Rubric, problems)
        if rubric is not None and _first_of_name("rubric", rubric.scenario, path, files, problems):
            rubrics[rubric.scenario] = rubric
    cases = _read_cases(_case_files(root.cases), files, problems)
    for name in sorted(scenarios.keys() - rubrics.keys()):
        missing = root.rubrics / f"{name}.toml"
        problems.append(Problem(missing, None, f"the rubric of scenario '{name}' is missing"))
    if not problems:  # a broken scenario file is reported once, not again for each of its cases
        problems += _misfits(cases, scenarios, files)
    if problems:
        raise SuiteError(problems)
    return Suite(root, scenarios, cases, rubrics, files)


def load_cases(folder: Path, suite: Suite) -> Suite:
    """``suite`` with the cases of a user's ``folder`` (searched through) in place of its own.

    Raises SuiteError: as load_suite, and where the folder is missing or holds no case.
    """
    if not folder.is_dir():
        raise SuiteError([Problem(folder, None, "no such folder of cases")])
    problems: list[Problem] = []
    files = {key: path for key, path in suite.files.items() if key[0] != "case"}
    paths = _case_files(folder)
    cases = _read_cases(paths, files, problems)
    if not paths:
        problems.append(Problem(folder, None, "holds no case (*.toml); make some with `clinicare cases sample`"))
    problems += _misfits(cases, suite.scenarios, files)
    if problems:
        raise SuiteError(problems)
    return Suite(suite.root, suite.scenarios, cases, suite.rubrics, files)


def with_twins(suite: Suite) -> Suite:
    """``suite`` with the counterfactual twins that ship beside its cases.

    Raises SuiteError: as load_suite.
    """
    problems: list[Problem] = []
    files = dict(suite.files)
    twins = _read_cases(_case_files(suite.root.pairs), files, problems)
    problems += _misfits(twins, suite.scenarios, files)
    if problems:
        raise SuiteError(problems)
    cases = tuple(sorted((*suite.cases, *twins), key=lambda case: (case.scenario, case.id)))
    return Suite(suite.root, suite.scenarios, cases, suite.rubrics, files)


def _case_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.toml") if path.name != SCENARIO_FILE)


def _read_cases(paths: Iterable[Path], files: dict[tuple[str, str], Path], problems: list[Problem]) -> tuple[Case, ...]:
    cases = []
    for path in paths:
        case = _read(path, Case, problems)
        if case is not None and _first_of_name("case", case.id, path, files, problems):
            cases.append(case)
    return tuple(sorted(cases, key=lambda case: (case.scenario, case.id)))


def _read(path: Path, model: type[_Model], problems: list[Problem]) -> _Model | None:
    """The model of a file; None, with the problems told, where it has a mistake."""
    try:
        text = path.read_text(encoding="utf-8")
        data: dict[str, Any] = tomllib.loads(text)
        return model.model_validate(data)
    except ValidationError as error:
        problems.extend(_shape_problem(path, text, detail["loc"], detail["msg"]) for detail in error.errors())
    except tomllib.TOMLDecodeError as error:
        problems.append(_syntax_problem(path, text, str(error)))
    except UnicodeDecodeError as error:
        problems.append(Problem(path, None, f"not UTF-8 text (byte {error.start})"))
    except OSError as error:
        problems.append(Problem(path, None, f"cannot be read: {error.strerror}"))
    return None


def _shape_problem(path: Path, text: str, key: tuple[str | int, ...], message: str) -> Problem:
    return Problem(path, line_of(text, key), f"{_dotted(key)}: {message[:1].lower()}{message[1:]}")


def _dotted(key: tuple[str | int, ...]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in key).lstrip(".")


def _syntax_problem(path: Path, text: str, message: str) -> Problem:
    at = _SYNTAX_AT.search(message)
    line = int(at.group(1)) if at else text.count("\n") + 1
    reason = message[: at.start()] if at else message
    return Problem(path, line, f"not valid TOML: {reason[:1].lower()}{reason[1:]}")


def _first_of_name(
    kind: str, name: str, path: Path, files: dict[tuple[str, str], Path], problems: list[Problem]
) -> bool:
    first = files.setdefault((kind, name), path)
    if first is path:
        return True
    key = "scenario" if kind == "rubric" else "id"
    line = line_of(path.read_text(encoding="utf-8"), (key,))
    problems.append(Problem(path, line, f"{key}: a {kind} '{name}' stands already in {first}"))
    return False


def _misfits(
    cases: Iterable[Case], scenarios: Mapping[str, Scenario], files: Mapping[tuple[str, str], Path]
) -> Iterator[Problem]:
    """Cases of no scenario, and cases without the identifiers that their scenario's question is asked about."""
    for case in cases:
        path = files["case", case.id]
        scenario = scenarios.get(case.scenario)
        if scenario is None:
            line = line_of(path.read_text(encoding="utf-8"), ("scenario",))
            known = ", ".join(scenarios)
            yield Problem(path, line, f"scenario: there is no scenario '{case.scenario}' (there are: {known})")
            continue
        for name in scenario.identifiers:
            if getattr(case, name) is None:
                message = f"{name} is missing; a case of '{scenario.id}' is anchored at '{scenario.anchor}'"
                yield Problem(path, 1, message)
