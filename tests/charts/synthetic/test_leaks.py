"""What a chart looks like from outside tells no verdict: counts, lengths, ids and clocks predict no better than chance.

The bound: a forest of fixed seed, cross-validated over the committed cases, has no more right answers than guessing at
the rate of the commonest class reaches once in a thousand times. Over all scenarios that is two thirds for yes or no;
within one (24 cases) it is coarse.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from math import comb
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from pytest_clinicare.charts.synthetic import build, known_scenarios
from pytest_clinicare.suite import Case, suite_root

SEED = 20
ONCE_IN = 0.001
TIMES = {
    "labevents": "charttime",
    "radiology": "charttime",
    "poe": "ordertime",
    "emar": "charttime",
    "admissions": "admittime",
    "edstays": "outtime",
    "icustays": "intime",
}
Features = dict[str, float]


def outside_of(case: Case, path: Path) -> Features:
    """Everything that a reader without medicine could count or measure."""
    draft = build(case)
    draft.save(path)
    seen: Features = {"bytes": path.stat().st_size, "number": int(case.id.rsplit("-", 1)[1])}
    for table, rows in draft.rows.items():
        seen[f"rows of {table}"] = len(rows)
    for table in ("discharge", "radiology"):
        lengths = [len(row["text"]) for row in draft.rows.get(table, ())] or [0]
        seen |= {f"mean {table}": fmean(lengths), f"longest {table}": max(lengths), f"shortest {table}": min(lengths)}
    for name in ("subject_id", "hadm_id", "stay_id"):
        digits = f"{getattr(case, name) or 0:08d}"
        seen |= {f"{name} digit {place}": int(digit) for place, digit in enumerate(digits)}
    for table, column in TIMES.items():
        clocks = [str(row[column])[14:19] for row in draft.rows.get(table, ())] or ["00:00"]
        minutes, seconds = [int(c[:2]) for c in clocks], [int(c[3:]) for c in clocks]
        seen[f"minute of {table}"] = fmean(minutes)
        seen[f"whole minutes of {table}"] = fmean(second == 0 for second in seconds)
        seen[f"quarter hours of {table}"] = fmean(minute % 15 == 0 for minute in minutes)
    return seen


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[str, Features]]]:
    """Verdict and features of every committed case, by scenario."""
    folder = tmp_path_factory.mktemp("outside")
    return {
        scenario: [(str(case.verdict), outside_of(case, folder / f"{case.id}.sqlite")) for case in _cases(scenario)]
        for scenario in known_scenarios()
    }


def _cases(scenario: str) -> Iterator[Case]:
    for path in sorted((suite_root().cases / scenario).glob(f"{scenario}-*.toml")):
        yield Case(**tomllib.loads(path.read_text(encoding="utf-8")))


def _right(table: Any, verdicts: list[str]) -> tuple[int, int]:
    """Right answers of the cross-validated forest, and how many guessing stays under but once in a thousand times."""
    truth = np.array(verdicts)
    folds = StratifiedKFold(min(5, min(Counter(verdicts).values())), shuffle=True, random_state=SEED)
    forest = ExtraTreesClassifier(100, random_state=SEED)
    right = int((cross_val_predict(forest, table, truth, cv=folds) == truth).sum())
    chance, total = max(Counter(verdicts).values()) / len(verdicts), len(verdicts)
    tail, bound = 1.0, 0
    while tail > ONCE_IN:
        tail -= comb(total, bound) * chance**bound * (1 - chance) ** (total - bound)
        bound += 1
    return right, bound


def _matrix(rows: list[Features]) -> Any:
    names = sorted({name for row in rows for name in row})
    return np.array([[row.get(name, 0) for name in names] for row in rows], dtype=float)


def _pooled(outside: dict[str, list[tuple[str, Features]]], wanted: set[str]) -> tuple[Any, list[str]]:
    """All scenarios in one table, each measured from its own mean, since scenarios differ and verdicts should not."""
    rows = [row for cases in outside.values() for verdict, row in cases if verdict in wanted]
    verdicts = [verdict for cases in outside.values() for verdict, _ in cases if verdict in wanted]
    scenario = np.array([name for name, cases in outside.items() for verdict, _ in cases if verdict in wanted])
    table = _matrix(rows)
    for name in outside:
        table[scenario == name] -= table[scenario == name].mean(axis=0)
    return table, verdicts


@pytest.mark.parametrize("wanted", [{"yes", "no"}, {"yes", "no", "lack", "ambiguous"}], ids=["yes or no", "verdict"])
def test_verdicts_cannot_be_told_from_outside(outside: dict[str, list[tuple[str, Features]]], wanted: set[str]) -> None:
    right, bound = _right(*_pooled(outside, wanted))
    assert right <= bound


@pytest.mark.parametrize("scenario", known_scenarios())
def test_yes_and_no_of_a_scenario_cannot_be_told_from_outside(
    scenario: str, outside: dict[str, list[tuple[str, Features]]]
) -> None:
    cases = [(verdict, row) for verdict, row in outside[scenario] if verdict in ("yes", "no")]
    right, bound = _right(_matrix([row for _, row in cases]), [verdict for verdict, _ in cases])
    assert right <= bound


def test_a_leak_would_be_seen(outside: dict[str, list[tuple[str, Features]]]) -> None:
    """Summaries of Yes cases that are 400 characters longer take the same forest over the bound: it is within reach."""
    longer = {
        name: [
            (verdict, row | {"mean discharge": row["mean discharge"] + 400 * (verdict == "yes")})
            for verdict, row in rows
        ]
        for name, rows in outside.items()
    }
    right, bound = _right(*_pooled(longer, {"yes", "no"}))
    assert right > bound
