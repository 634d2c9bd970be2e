"""Every sepsis-sep1 chart, read as bare SQL, holds the facts and the trap of its variant."""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.scenarios.sepsis_sep1.plan import plan
from pytest_clinicare.suite import Case, suite_root

FOLDER = suite_root().cases / "sepsis-sep1"
CASES = [Case(**tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("sepsis-*.toml"))]
Open = Callable[[Case], sqlite3.Connection]
LISTED = ("ceftriaxone", "cefepime", "piperacillin")


def _zero(db: sqlite3.Connection, case: Case) -> datetime:
    """Time zero of the recipe, from the admission's first lactate, culture or draw that the recipe places."""
    minute, kind = case.recipe["cultures"][0]
    like = "BLOOD%" if kind == "blood" else "URINE%"
    (at,) = db.execute(
        "select min(charttime) from microbiologyevents where hadm_id = ? and spec_type_desc like ?",
        (case.hadm_id, like),
    ).fetchone()
    return datetime.fromisoformat(at) - timedelta(minutes=minute)


def _minutes(db: sqlite3.Connection, case: Case, sql: str) -> list[tuple[float, Any]]:
    """Rows of (time, what) as minutes from time zero."""
    zero = _zero(db, case)
    rows = db.execute(sql, {"hadm_id": case.hadm_id})
    return [((datetime.fromisoformat(time) - zero) / timedelta(minutes=1), what) for time, what in rows]


def _lactates(db: sqlite3.Connection, case: Case) -> list[tuple[float, Any]]:
    return _minutes(
        db, case, "select charttime, valuenum from labevents where itemid = 50813 and hadm_id = :hadm_id order by 1"
    )


def _doses(db: sqlite3.Connection, case: Case) -> list[tuple[float, str]]:
    return _minutes(
        db,
        case,
        "select charttime, lower(medication) from emar join prescriptions p using (pharmacy_id) where emar.hadm_id "
        "= :hadm_id and event_txt = 'Administered' and p.route like 'IV%' and (medication like 'Cef%' "
        "or medication like 'Piper%' or medication like 'Vanco%' or medication like 'Metro%') order by 1",
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_decisive_facts_are_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    lactates, doses = _lactates(db, case), _doses(db, case)
    listed = [at for at, drug in doses if drug.startswith(LISTED)]
    bloods = _minutes(
        db,
        case,
        "select charttime, 1 from microbiologyevents where spec_type_desc like 'BLOOD%' and hadm_id = :hadm_id "
        "order by 1",
    )
    early = [value for at, value in lactates if -360 <= at <= 180]
    if case.step == 5:
        assert not early
        assert len(lactates) == 2
    elif case.step != 1:
        assert early
    if case.step == 6:
        assert doses[0][0] < bloods[0][0] <= 180
    if case.step == 7:
        assert not listed or min(listed) > 180
    if case.step == 8:
        assert early[0] > 2
        assert not [at for at, _ in lactates[1:] if at <= 360]
    if case.step == 12:
        assert bloods[0][0] <= min(listed) <= 180
        assert early[0] <= 2 or [at for at, _ in lactates[1:] if 0 <= at <= 360]
    volume = sum(row[1] for row in case.recipe["crystalloid"]) / case.recipe["weight"]
    if case.step in (9, 10):
        assert early[0] >= 4
        assert volume < 27
    if case.variant in ("septic-shock-complete", "fluid-within-tolerance", "vasopressor-late"):
        assert volume >= 27
    charted = _minutes(
        db, case, "select charttime, value from chartevents where itemid = 223758 and hadm_id = :hadm_id order by 1"
    )
    comfort = [at for at, value in charted if value == "Comfort measures only"]
    assert bool(comfort) == ("comfort" in str(case.variant))
    if comfort:
        assert (comfort[0] <= 360) == (case.variant == "comfort-care-exclusion")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_trap_is_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    (told,) = db.execute("select group_concat(text) from discharge").fetchone()
    if case.variant == "full-bundle-no-shock":
        assert 180 <= -case.recipe["arrival"] <= 300
    if case.variant == "septic-shock-complete":
        weight = case.recipe["weight"]
        assert all(27 * weight > row[1] for row in case.recipe["crystalloid"])
        assert {row[4] for row in case.recipe["crystalloid"]} == {"emar", "icu"}
    if case.variant == "vancomycin-alone":
        refused = db.execute("select 1 from emar where medication = 'CefePIME' and event_txt = 'Not Given'").fetchall()
        ordered = _minutes(
            db, case, "select starttime, 1 from prescriptions where drug = 'CefePIME' and hadm_id = :hadm_id"
        )
        assert refused
        assert ordered[0][0] < 180
    if case.variant == "fluids-short":
        assert "30 cc/kg" in told
        (ordered,) = db.execute(
            "select sum(dose_val_rx) from prescriptions where drug_type = 'BASE' and hadm_id = ?", (case.hadm_id,)
        ).fetchone()
        assert ordered == 3000
        assert db.execute("select 1 from inputevents where itemid = 220864").fetchall()
    if case.variant == "no-administration-source":
        early = _minutes(db, case, "select charttime, 1 from emar where hadm_id = :hadm_id")
        assert min(at for at, _ in early) > 360
        assert db.execute("select 1 from prescriptions where drug = 'CefePIME'").fetchall()
    if case.variant == "transfer-exclusion":
        assert db.execute("select 1 from admissions where admission_location = 'TRANSFER FROM HOSPITAL'").fetchall()
    if case.variant == "limbs-apart":
        assert db.execute("select 1 from diagnoses_icd where icd_code in ('A419', 'R6520')").fetchall()
    if case.variant == "seizure-lactate":
        assert "seizure or" in told or "seizure or from sepsis" in told or "from the seizure" in told


def test_the_committed_cases_are_the_plan() -> None:
    assert sorted(plan(1), key=lambda case: case.id) == CASES
