"""What is wrong in the facts and checks of a suite's rubrics, as file, line and message."""

from __future__ import annotations

import tomllib

from pytest_clinicare.judging.rules import validate_rubric
from pytest_clinicare.suite import Problem, Suite
from pytest_clinicare.suite.toml_lines import line_of


def rubric_problems(suite: Suite) -> list[Problem]:
    """Every unknown check, bad parameter and unknown fact of the suite's rubrics, in file order."""
    problems = []
    for scenario, rubric in suite.rubrics.items():
        mistakes = validate_rubric(rubric)
        if not mistakes:
            continue
        file = suite.file("rubric", scenario)
        text = file.read_text(encoding="utf-8")
        problems += [Problem(file, line_of(text, _key_path(text, mistake)), mistake) for mistake in mistakes]
    return problems


def _key_path(text: str, mistake: str) -> list[str | int]:
    """The key that a mistake stands at: ``criteria.D1.checks: ...`` names a criterion by its id, TOML by its index."""
    path: list[str | int] = list(mistake.split(":", 1)[0].split("."))
    if path[0] == "criteria":
        ids = [criterion["id"] for criterion in tomllib.loads(text)["criteria"]]
        path[1] = ids.index(path[1])
    elif path[0] == "sources":
        path = ["sources", ".".join(map(str, path[1:]))]
    return path
