"""Every hit-4ts chart, read as bare SQL, holds the facts and the trap of its variant."""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from pytest_clinicare.charts.synthetic.scenarios.hit_4ts.plan import plan
from pytest_clinicare.suite import Case, suite_root

FOLDER = suite_root().cases / "hit-4ts"
CASES = [Case(**tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("hit-*.toml"))]
Open = Callable[[Case], sqlite3.Connection]
HOUR = timedelta(hours=1)
YES = [case for case in CASES if case.verdict == "yes"]


def _heparin(db: sqlite3.Connection, hadm_id: int | None) -> list[datetime]:
    rows = db.execute(
        "select charttime from emar where hadm_id = ? "
        "and event_txt in ('Administered', 'Flushed', 'Started', 'Stopped') "
        "and (medication like '%heparin%' or medication like 'Enoxaparin%') order by 1",
        (hadm_id,),
    )
    return [datetime.fromisoformat(time) for (time,) in rows]


def _other(db: sqlite3.Connection, hadm_id: int | None) -> list[datetime]:
    rows = db.execute(
        "select charttime from emar where hadm_id = ? and event_txt = 'Administered' "
        "and (medication like 'Fonda%' or "
        "medication like 'Apixa%' or medication like 'Rivaro%' or "
        "medication like 'Argatro%' or medication like 'Bival%') "
        "union select starttime from inputevents where itemid in (225147, 225148) order by 1",
        (hadm_id,),
    )
    return [datetime.fromisoformat(time) for (time,) in rows]


def _t0(case: Case, db: sqlite3.Connection) -> datetime:
    """The count that the recipe calls T0."""
    return _heparin(db, case.hadm_id)[0] + timedelta(minutes=round(60 * case.recipe["t0"]))


@pytest.mark.parametrize("case", YES, ids=lambda case: case.id)
def test_yes_cases_stop_and_start_in_time(case: Case, open_built: Open) -> None:
    db = open_built(case)
    t0 = _t0(case, db)
    (count,) = db.execute(
        "select valuenum from labevents where itemid = 51265 and charttime = ?", (str(t0),)
    ).fetchone()
    before = db.execute(
        "select max(valuenum) from labevents where itemid = 51265 and charttime < ? and hadm_id = ?",
        (str(t0), case.hadm_id),
    )
    assert count <= 0.7 * before.fetchone()[0]
    assert t0 < _heparin(db, case.hadm_id)[-1] <= t0 + 24 * HOUR
    assert t0 < _other(db, case.hadm_id)[0] <= t0 + 24 * HOUR


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_facts_and_the_trap_are_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    heparin, other = _heparin(db, case.hadm_id), _other(db, case.hadm_id)
    codes = {code for (code,) in db.execute("select icd_code from diagnoses_icd where hadm_id = ?", (case.hadm_id,))}
    drugs = {drug for (drug,) in db.execute("select drug from prescriptions where hadm_id = ?", (case.hadm_id,))}
    (text,) = db.execute("select text from discharge where hadm_id = ?", (case.hadm_id,)).fetchone()
    counts = db.execute(
        "select count(*) from labevents where itemid = 51265 and hadm_id = ?", (case.hadm_id,)
    ).fetchone()[0]
    assert bool(heparin) == (case.variant != "heparin-order-only")
    match case.variant:
        case "heparin-order-only":
            assert "Heparin" in drugs
        case "heparin-not-stopped":
            assert heparin[-1] > _t0(case, db) + 24 * HOUR
            assert other
            assert db.execute(
                "select 1 from poe where transaction_type = 'D/C' and order_type = 'Medications'"
            ).fetchall()
        case "alternative-never-given":
            assert not other
            assert drugs & {"Argatroban", "Fondaparinux"}
            assert "Warfarin" in drugs
        case "early-post-bypass-low":
            assert "D7582" in codes
            assert other
        case "clumped-nadir":
            assert db.execute("select 1 from labevents where comments like '%CLUMP%'").fetchall()
        case "chemotherapy-nadir":
            assert "days before admission" in text
        case "died-inside-window":
            (death,) = db.execute("select deathtime from admissions where hadm_id = ?", (case.hadm_id,)).fetchone()
            assert datetime.fromisoformat(death) < _t0(case, db) + 24 * HOUR
            assert not other
        case "too-few-counts":
            first = db.execute(
                "select min(charttime) from labevents where itemid = 51265 and hadm_id = ?", (case.hadm_id,)
            ).fetchone()[0]
            assert counts == 1 or datetime.fromisoformat(first) > heparin[0] + 24 * HOUR
        case "rapid-onset-recent-exposure":
            days = db.execute(
                "select max(charttime) from emar where hadm_id <> ? and medication = 'Heparin'", (case.hadm_id,)
            ).fetchone()[0]
            assert 12 <= (heparin[0].date() - datetime.fromisoformat(days).date()).days <= 26


def test_the_committed_cases_are_the_plan() -> None:
    assert sorted(plan(1), key=lambda case: case.id) == CASES
