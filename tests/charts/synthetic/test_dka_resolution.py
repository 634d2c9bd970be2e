"""Every dka-resolution chart, read as bare SQL, holds the facts and the trap of its variant."""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.scenarios.dka_resolution.plan import plan
from pytest_clinicare.suite import Case, suite_root

FOLDER = suite_root().cases / "dka-resolution"
CASES = [Case(**tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("dka-*.toml"))]
Open = Callable[[Case], sqlite3.Connection]
HOUR = timedelta(hours=1)
SODIUM, CHLORIDE, BICARBONATE, PH, REPORTED, BHB = 50983, 50902, 50882, 50820, 50868, 51567


def _stop(db: sqlite3.Connection, hadm_id: int) -> datetime | None:
    """End of the first run, from the segments in order."""
    rows = db.execute(
        "select starttime, endtime from inputevents where hadm_id = ? and itemid = 223258 and rate > 0 order by 1",
        (hadm_id,),
    ).fetchall()
    end: datetime | None = None
    for start, ended in rows:
        if end is not None and datetime.fromisoformat(start) - end > 2 * HOUR:
            break
        end = datetime.fromisoformat(ended)
    return end


def _labs(db: sqlite3.Connection, item: int, start: datetime, end: datetime) -> list[Any]:
    rows = db.execute(
        "select value from labevents where itemid = ? and charttime between ? and ? order by charttime",
        (item, str(start), str(end)),
    )
    return [value for (value,) in rows]


def _panel(db: sqlite3.Connection, stop: datetime) -> tuple[int, int] | None:
    """Bicarbonate and computed gap of the last panel of the window."""
    found = [_labs(db, item, stop - 6 * HOUR, stop) for item in (SODIUM, CHLORIDE, BICARBONATE)]
    if not found[0]:
        return None
    sodium, chloride, bicarbonate = (int(values[-1]) for values in found)
    return bicarbonate, sodium - chloride - bicarbonate


def _glucose(db: sqlite3.Connection, stop: datetime) -> int:
    (value,) = db.execute(
        "select valuenum from (select valuenum, charttime from chartevents where itemid = 225664 union all "
        "select valuenum, charttime from labevents where itemid = 50931) where charttime between ? and ? "
        "order by charttime desc",
        (str(stop - 6 * HOUR), str(stop)),
    ).fetchone()
    return int(value)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_decisive_facts_are_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    assert case.hadm_id is not None
    stop = _stop(db, case.hadm_id)
    assert (stop is None) == (case.step == 1)
    if stop is None or case.step in (2, 3):
        return
    glucose, panel = _glucose(db, stop), _panel(db, stop)
    assert (glucose >= 200) == (case.step == 4)
    phs = _labs(db, PH, stop - 6 * HOUR, stop)
    kinds = _labs(db, 52033, stop - 6 * HOUR, stop)
    met = [] if panel is None else [panel[0] >= 15, panel[1] <= 12]
    if phs:
        ph = Decimal(phs[-1]) - (Decimal("0.03") if kinds and kinds[-1] == "ART." else 0)
        met.append(ph > Decimal("7.30"))
    if case.step == 8:
        assert sum(met) >= 2
    if case.step == 6:
        assert sum(met) + (3 - len(met)) < 2
    if case.step == 7:
        assert sum(met) < 2 <= sum(met) + (3 - len(met))
    if case.step == 5:
        assert (len(met), sum(met)) == (3, 1)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_episode_is_what_its_step_says(case: Case, open_built: Open) -> None:
    db = open_built(case)
    (start,) = db.execute("select edregtime from admissions where hadm_id = ?", (case.hadm_id,)).fetchone()
    first = datetime.fromisoformat(start)
    bicarbonate = [int(v) for v in _labs(db, BICARBONATE, first, first + 24 * HOUR)]
    sugars = [int(float(v)) for v in _labs(db, 50931, first, first + 24 * HOUR)]
    charted = db.execute(
        "select max(valuenum) from chartevents where itemid = 225664 and charttime between ? and ?",
        (start, str(first + 24 * HOUR)),
    ).fetchone()
    phs = [Decimal(v) for v in _labs(db, PH, first, first + 24 * HOUR)]
    assert (min(bicarbonate) <= 18 or min(phs) <= Decimal("7.30")) == (case.step != 2)
    assert (max(*sugars, charted[0]) <= 250) == (case.step == 3)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_trap_is_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    assert case.hadm_id is not None
    (text,) = db.execute("select text from discharge where hadm_id = ?", (case.hadm_id,)).fetchone()
    stop = _stop(db, case.hadm_id)
    assert db.execute("select 1 from prescriptions where drug = 'Insulin Regular'").fetchall()
    if case.variant == "open-gap-called-closed":
        assert "gap" in text.lower()
        assert "clos" in text.lower()
    if case.variant == "coded-without-ketoacidosis":
        assert "Mild DKA" in text or "mild DKA" in text
    if case.variant == "euglycemic-sglt2":
        assert "Empagliflozin" in text
    if stop is None:
        return
    reported = _labs(db, REPORTED, stop - 6 * HOUR, stop)
    if case.variant == "resolved-clean":
        assert reported[-1] == "15"
    if case.variant in ("closed-only-after-the-stop", "open-gap-called-closed"):
        assert int(_labs(db, BICARBONATE, stop, stop + 10 * HOUR)[-1]) >= 15
    if case.variant == "paused-then-continued":
        statuses = [s for (s,) in db.execute("select statusdescription from inputevents where itemid = 223258")]
        assert "Paused" in statuses
    if case.variant == "ketones-still-raised":
        assert float(_labs(db, BHB, stop - 6 * HOUR, stop)[-1]) >= 0.9


def test_the_committed_cases_are_the_plan() -> None:
    assert sorted(plan(1), key=lambda case: case.id) == CASES
