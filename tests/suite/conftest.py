"""A small, flawless suite on disk, for tests to spoil."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from pytest_clinicare.suite import SuiteRoot, suite_root

POLICY = "refhosp-fever"


def scenario() -> dict[str, Any]:
    return {
        "id": "fever",
        "title": "Fever",
        "specialty": "infectious-disease",
        "skills": ["threshold-computation"],
        "anchor": "hadm",
        "query": "Did <subject_id, hadm_id> have a fever?",
        "criteria": {"yes": "hot", "no": "not hot", "lack": "not measured", "ambiguous": "two thermometers"},
        "procedure": [
            {"when": "not measured", "verdict": "lack"},
            {"when": "hot", "verdict": "yes"},
            {"when": "otherwise", "verdict": "no"},
        ],
        "rules": [{"text": "38.0 C", "provenance": "benchmark"}],
        "evidence": {
            "sources": [
                {"table": "hosp.patients", "scope": "patient"},
                {"table": "hosp.admissions", "scope": "encounter"},
                {"table": "icu.chartevents", "scope": "window", "window": "the stay"},
            ],
            "governing": [POLICY],
        },
        "findings": [{"id": f"F{i}", "text": "a finding"} for i in range(1, 5)],
        "variants": [
            {"name": "hot", "verdict": "yes", "count": 20, "facts": "39.1 C", "trap": "a cold hand", "step": 2},
            {
                "name": "unmeasured",
                "verdict": "lack",
                "count": 10,
                "facts": "none",
                "trap": "a flushed face",
                "step": 1,
            },
        ],
        "recipe": {"temperature": "degrees Celsius, or none"},
        "mimic": {"cohort": "adults", "strata": {"yes": "hot"}, "items": {"icu.chartevents": "223762"}},
    }


def rubric() -> dict[str, Any]:
    do = {"kind": "must-do", "weight": 2, "text": "a duty", "rule": "trace"}
    do_not = {"kind": "must-not", "weight": -1, "text": "a sin", "rule": "report"}
    criteria = [{"id": f"D{i}", **do} for i in range(1, 5)] + [{"id": f"N{i}", **do_not} for i in range(1, 4)]
    return {"scenario": "fever", "criteria": criteria}


def case(number: int) -> dict[str, Any]:
    hot = number <= 20
    return {
        "id": f"fever-{number:02}",
        "scenario": "fever",
        "subject_id": 10_000_000 + number,
        "hadm_id": 20_000_000 + number,
        "verdict": "yes" if hot else "lack",
        "variant": "hot" if hot else "unmeasured",
        "step": 2 if hot else 1,
        "seed": number,
        "recipe": {"temperature": 39.1} if hot else {},
    }


class SuiteOnDisk:
    def __init__(self, path: Path) -> None:
        for folder in ("cases/fever", "rubrics", "policy_docs", "fixtures"):
            (path / folder).mkdir(parents=True)
        (path / "policy_docs" / f"{POLICY}.md").write_text("Fever is 38.0 C.\n")
        self.path = path
        self.scenario_file = path / "cases/fever/scenario.toml"
        self.rubric_file = path / "rubrics/fever.toml"
        self._write(self.scenario_file, scenario())
        self._write(self.rubric_file, rubric())
        for number in range(1, 31):
            self._write(self.case_file(number), case(number))

    @property
    def root(self) -> SuiteRoot:
        return suite_root(self.path)

    def case_file(self, number: int) -> Path:
        return self.path / f"cases/fever/fever-{number:02}.toml"

    def change_scenario(self, change: Callable[[dict[str, Any]], object]) -> None:
        self._change(self.scenario_file, scenario(), change)

    def change_rubric(self, change: Callable[[dict[str, Any]], object]) -> None:
        self._change(self.rubric_file, rubric(), change)

    def change_case(self, number: int, change: Callable[[dict[str, Any]], object]) -> None:
        self._change(self.case_file(number), case(number), change)

    def _change(self, file: Path, data: dict[str, Any], change: Callable[[dict[str, Any]], object]) -> None:
        change(data)
        self._write(file, data)

    def _write(self, file: Path, data: dict[str, Any]) -> None:
        file.write_text(tomli_w.dumps(data), encoding="utf-8")


@pytest.fixture
def suite(tmp_path: Path) -> SuiteOnDisk:
    return SuiteOnDisk(tmp_path / "suite")
