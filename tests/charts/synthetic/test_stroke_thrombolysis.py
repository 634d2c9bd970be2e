"""Every stroke-thrombolysis chart, read as bare SQL, holds the facts and the trap of its variant."""

from __future__ import annotations

import re
import sqlite3
import tomllib
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.scenarios.stroke_thrombolysis.plan import PHRASES, plan
from pytest_clinicare.suite import Case, suite_root

FOLDER = suite_root().cases / "stroke-thrombolysis"
CASES = [Case(**tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("stroke-*.toml"))]
Open = Callable[[Case], sqlite3.Connection]
MINUTE = timedelta(minutes=1)


def _arrival(db: sqlite3.Connection) -> datetime:
    return datetime.fromisoformat(db.execute("select intime from edstays").fetchone()[0])


def _rows(db: sqlite3.Connection, sql: str) -> list[tuple[int, Any]]:
    """Rows of (time, what) as minutes from arrival."""
    arrival = _arrival(db)
    return [(round((datetime.fromisoformat(time) - arrival) / MINUTE), what) for time, what in db.execute(sql)]


def _doses(db: sqlite3.Connection) -> list[tuple[int, Any]]:
    return _rows(
        db,
        "select charttime, dose_given from emar join emar_detail using (emar_id) where medication = 'Alteplase' and "
        "dose_given is not null order by 1",
    )


def _lkw(db: sqlite3.Connection, case: Case) -> int | None:
    """Minutes from last-known-well to arrival as the summary writes it: the clock time that is not of discovery."""
    (told,) = db.execute("select text from discharge").fetchone()
    history = told.split("History of Present Illness:")[1].split("Past Medical History")[0]
    clocks = [m for m in re.finditer(r"(\d\d):(\d\d)", history) if history[: m.start()].split()[-2:] != ["found", "at"]]
    clocks = [m for m in clocks if history[: m.start()].split()[-2:] != ["woke", "at"]]
    if not clocks:
        return None
    arrival = _arrival(db)
    time = arrival.replace(hour=int(clocks[0].group(1)), minute=int(clocks[0].group(2)))
    return round((arrival - (time if time <= arrival else time - timedelta(days=1))) / MINUTE)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_decisive_facts_are_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    doses, lkw = _doses(db), _lkw(db, case)
    pressures = db.execute("select charttime, sbp, dbp from vitalsign order by 1").fetchall()
    inr = _rows(db, "select storetime, valuenum from labevents where itemid = 51237 order by charttime")[0]
    weight = case.recipe["weight"]
    if not case.recipe["alteplase"]:
        assert not doses
    if case.step in (4, 6):
        assert lkw is not None
        needle, total = doses[0][0], sum(float(amount) for _, amount in doses)
        arrival = _arrival(db)
        before = [(s, d) for time, s, d in pressures if datetime.fromisoformat(time) <= arrival + needle * MINUTE]
        faults = {
            "window": needle + lkw > 270,
            "pressure": before[-1][0] >= 185 or before[-1][1] >= 110,
            "dose": abs(total - min(0.9 * weight, 90)) > 0.1 * min(0.9 * weight, 90) or total > 90,
            "INR": inr[1] > 1.7 and inr[0] <= needle,
        }
        assert sum(faults.values()) == (case.step == 4)
    if case.step == 11:
        assert lkw is not None
        assert lkw <= 180
        assert inr[1] <= 1.7
    if case.step == 10:
        assert lkw is not None
        assert lkw > 270
    if case.variant == "late-arrival-untreated":
        assert lkw is not None
        assert 211 <= lkw <= 270
    if case.variant == "caution-untreated":
        assert lkw is not None
        assert 181 <= lkw <= 210
        assert case.recipe["patient"][1] > 80
    if case.step == 8:
        assert lkw is None
    if case.variant == "platelets-low":
        counts = _rows(db, "select charttime, valuenum from labevents where itemid = 51265 order by charttime")
        assert next(value for at, value in counts if 0 <= at <= 120) < 100
        assert 104 in [value for at, value in counts if at < 0]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_trap_is_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    (told,) = db.execute("select text from discharge").fetchone()
    doses = _doses(db)
    orders = _rows(db, "select starttime, dose_val_rx from prescriptions where drug = 'Alteplase'")
    small = db.execute("select 1 from emar where medication like 'Alteplase%Clearance%'").fetchall()
    if case.variant == "treated-dtn-over-60":
        assert doses[0][0] > 60
    if case.variant == "treated-after-bp-lowering":
        assert db.execute("select sbp from triage").fetchone()[0] > 200
    if case.variant == "wakeup-untreated":
        assert "woke at" in told
    if case.variant == "treated-late":
        assert orders[0][0] - case.recipe["lkw"] <= 270
    if case.variant == "treated-bp-over":
        assert "controlled" in told
        assert (162, 84) in db.execute("select sbp, dbp from vitalsign").fetchall()
    if case.variant == "overdose-weight-unit":
        pounds = db.execute("select valuenum from chartevents where itemid = 226531").fetchone()[0]
        assert 0.9 * pounds > 90
    if case.variant == "eligible-untreated":
        assert small or orders
    if case.variant == "warfarin-inr-1-7":
        assert "Coumadin" in told
        assert _rows(db, "select charttime, valuenum from labevents where itemid = 51274 order by 1")[0][1] > 15
    if case.variant == "needle-time-missing":
        assert orders
        assert not doses
    if case.variant == "lkw-conflict":
        assert "last seen normal 2 h ago" in db.execute("select chiefcomplaint from triage").fetchone()[0]
        assert "7 hours before arrival" in told


def _histories(db: sqlite3.Connection) -> str:
    (told,) = db.execute("select text from discharge").fetchone()
    return str(told.split("History of Present Illness:")[1].split("Past Medical History")[0])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_history_fits_how_the_stroke_came_to_light(case: Case, open_built: Open) -> None:
    """Nobody wakes with a deficit that began on the subway stairs, nor is found behind a locked door in the garden."""
    history = _histories(open_built(case))
    group = {"wakeup-untreated": "waking", "lkw-silent-untreated": "alone", "non-disabling": "mild"}.get(
        str(case.variant), ""
    )
    fitting = [p for p in bank(PHRASES)["presentations"] if p.get("group", "") == group]
    openings = [text.split("{")[0] for entry in fitting for text in entry["histories"]]
    assert any(opening in history for opening in openings)


def test_the_first_hospital_had_time_for_the_infusion() -> None:
    case = next(case for case in CASES if case.variant == "drip-and-ship")
    assert case.recipe["lkw"] < case.recipe["found"] <= -170


def test_the_committed_cases_are_the_plan() -> None:
    assert sorted(plan(1), key=lambda case: case.id) == CASES
