"""What a chart looks like from outside tells no verdict: counts, lengths, ids and clocks predict no better than chance.

The bound: a forest of fixed seed, cross-validated over the committed cases, has no more right answers than guessing at
the rate of the commonest class reaches once in a thousand times. Over all scenarios that is two thirds for yes or no;
within one (24 cases) it is coarse.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from functools import cache
from math import comb
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from pytest_clinicare.charts import TABLES
from pytest_clinicare.suite import Case
from tests.proofs.audit import SOURCE, SUITE, by_scenario, cases_of

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


def outside_of(case: Case) -> Features:
    """Everything that a reader without medicine could count or measure."""
    SOURCE.chart(case).close()
    path = SOURCE.cache_dir / f"{SOURCE.digest(case)}.sqlite"
    seen: Features = {"bytes": path.stat().st_size, "number": int(case.id.rsplit("-", 1)[1])}
    with closing(sqlite3.connect(path)) as db:
        for table in TABLES:
            (seen[f"rows of {table}"],) = db.execute(f"select count(*) from {table}").fetchone()
        for table in ("discharge", "radiology"):
            lengths = [length for (length,) in db.execute(f"select length(text) from {table}")] or [0]
            seen |= {
                f"mean {table}": fmean(lengths), f"longest {table}": max(lengths), f"shortest {table}": min(lengths),
            }  # fmt: skip
        for table, column in TIMES.items():
            clocks = [time[14:19] for (time,) in db.execute(f"select {column} from {table}") if time] or ["00:00"]
            minutes, seconds = [int(c[:2]) for c in clocks], [int(c[3:]) for c in clocks]
            seen[f"minute of {table}"] = fmean(minutes)
            seen[f"whole minutes of {table}"] = fmean(second == 0 for second in seconds)
            seen[f"quarter hours of {table}"] = fmean(minute % 15 == 0 for minute in minutes)
    for name in ("subject_id", "hadm_id", "stay_id"):
        digits = f"{getattr(case, name) or 0:08d}"
        seen |= {f"{name} digit {place}": int(digit) for place, digit in enumerate(digits)}
    return seen


@cache
def seen_in(scenario: str) -> list[tuple[str, Features]]:
    """Verdict and features of every committed case of a scenario."""
    return [(str(case.verdict), outside_of(case)) for case in cases_of(scenario)]


@pytest.fixture(scope="module")
def outside() -> dict[str, list[tuple[str, Features]]]:
    return {scenario: seen_in(scenario) for scenario in sorted(SUITE.scenarios)}


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


@by_scenario()
def test_yes_and_no_of_a_scenario_cannot_be_told_from_outside(scenario: str) -> None:
    cases = [(verdict, row) for verdict, row in seen_in(scenario) if verdict in ("yes", "no")]
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
