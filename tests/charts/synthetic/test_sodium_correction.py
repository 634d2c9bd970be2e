"""Every sodium-correction chart, read as bare SQL, holds the facts and the trap of its variant."""

from __future__ import annotations

import itertools
import sqlite3
import tomllib
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from pytest_clinicare.charts.synthetic.scenarios.sodium_correction.plan import plan
from pytest_clinicare.suite import Case, suite_root

FOLDER = suite_root().cases / "sodium-correction"
CASES = [Case(**tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("sodium-*.toml"))]
Open = Callable[[Case], sqlite3.Connection]
Values = list[tuple[datetime, int]]
HOUR = timedelta(hours=1)


def _sodium(db: sqlite3.Connection, case: Case) -> Values:
    """Serum values of the admission without a voiding comment."""
    rows = db.execute(
        "select charttime, valuenum from labevents where itemid = 50983 and hadm_id = ? and comments is null "
        "order by charttime",
        (case.hadm_id,),
    )
    return [(datetime.fromisoformat(time), int(value)) for time, value in rows]


def _from_index(values: Values) -> Values:
    start = next((time for time, value in values if value <= 120), None)
    return [] if start is None else [(t, v) for t, v in values if start <= t <= start + 96 * HOUR]


def _rise(values: Values, hours: int) -> int:
    rises = [b - a for s, a in values for t, b in values if a < 130 and timedelta(0) < t - s <= hours * HOUR]
    return max(rises, default=0)


RISES = {
    "rolling-across-midnight": (11, None),
    "peak-then-relowered": (12, None),
    "rise-from-the-nadir": (12, None),
    "high-risk-hypokalemia": (9, 10),
    "high-risk-alcohol": (9, 10),
    "high-risk-index-105": (9, 12),
    "forty-eight-hour-limit": (10, 19),
    "exactly-ten-normal-risk": (10, 14),
    "exactly-eight-high-risk": (8, 15),
    "passes-only-beyond-24h": (9, None),
    "contaminated-value": (7, None),
    "gas-analyser-mixed-in": (7, None),
    "risk-factor-not-the-patients": (9, None),
    "gap-in-first-day": (7, None),
    "acute-water-intoxication": (13, None),
    "falling-glucose": (13, None),
    "conflicting-alcohol-history": (9, None),
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_decisive_facts_are_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    values = _from_index(_sodium(db, case))
    assert (not values) == (case.step == 1)
    if not values:
        return
    index = values[0][0]
    assert (values[1][0] - index > 24 * HOUR) == (case.step == 2)
    if case.step == 2:
        return
    day, two = RISES[str(case.variant)]
    assert _rise(values, 24) == day
    assert two is None or _rise(values, 48) == two
    (potassium,) = db.execute(
        "select min(valuenum) from labevents where itemid = 50971 and charttime between ? and ?",
        (str(index - 24 * HOUR), str(index + 24 * HOUR)),
    ).fetchone()
    assert (potassium < 3.5) == (case.variant == "high-risk-hypokalemia")
    (glucose,) = db.execute("select max(valuenum) from labevents where itemid = 50931").fetchone()
    assert (glucose >= 300) == (case.step == 4)
    gaps = [b[0] - a[0] for a, b in itertools.pairwise(values) if a[0] - index < 24 * HOUR and a[1] < 130]
    assert (max(gaps) > 12 * HOUR) == (case.step == 8)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_trap_is_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    (text,) = db.execute("select text from discharge where hadm_id = ?", (case.hadm_id,)).fetchone()
    codes = {code for (code,) in db.execute("select icd_code from diagnoses_icd where hadm_id = ?", (case.hadm_id,))}
    assert "E871" in codes
    assert ("F1020" in codes) == (case.variant == "exactly-eight-high-risk")
    gas = [int(v) for (v,) in db.execute("select valuenum from labevents where itemid = 50824 order by charttime")]
    if case.variant == "gas-analyser-mixed-in":
        assert gas == [112, 126]
    if case.variant == "premise-unmet":
        assert min(gas) == 118
    if case.variant == "peak-then-relowered":
        assert "ppropriate" in text or "intended" in text or "as planned" in text or "content with" in text
        assert db.execute("select 1 from emar where medication like 'Desmopressin%'").fetchall()
    if case.variant == "contaminated-value":
        assert db.execute("select valuenum from labevents where comments like '%CONTAMINATED%'").fetchall() == [(131,)]
    if case.variant == "rolling-across-midnight":
        assert _from_index(_sodium(db, case))[0][0].hour == 20
    said = {
        "high-risk-alcohol": "withdrawal",
        "risk-factor-not-the-patients": "alcoholism",
        "conflicting-alcohol-history": "vodka",
        "exactly-eight-high-risk": "lcohol use disorder",
    }
    assert said.get(str(case.variant), "") in text
    if case.variant not in said:
        assert "lcohol" not in text


def test_glucose_falls_under_insulin(open_built: Open) -> None:
    case = next(case for case in CASES if case.variant == "falling-glucose")
    db = open_built(case)
    index = _from_index(_sodium(db, case))[0][0]
    running = db.execute("select starttime, endtime from inputevents where itemid = 223258 order by 1").fetchall()
    assert index < datetime.fromisoformat(running[0][0]) < index + 10 * HOUR
    assert datetime.fromisoformat(running[-1][1]) >= index + 20 * HOUR
    assert db.execute("select count(*) from inputevents where itemid = 225161").fetchone() == (0,)


def test_the_committed_cases_are_the_plan() -> None:
    assert sorted(plan(1), key=lambda case: case.id) == CASES
