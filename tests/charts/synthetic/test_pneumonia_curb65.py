"""Every pneumonia-curb65 chart, read as bare SQL, holds the facts and the trap of its variant."""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from pytest_clinicare.charts.synthetic.scenarios.pneumonia_curb65.plan import plan
from pytest_clinicare.suite import Case, suite_root

FOLDER = suite_root().cases / "pneumonia-curb65"
CASES = [Case(**tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("pneumonia-*.toml"))]
Open = Callable[[Case], sqlite3.Connection]


def _t0(db: sqlite3.Connection, hadm_id: int) -> datetime:
    (time,) = db.execute(
        "select coalesce((select min(intime) from edstays where hadm_id = ?1), admittime) from admissions "
        "where hadm_id = ?1",
        (hadm_id,),
    ).fetchone()
    return datetime.fromisoformat(time)


def _readings(
    db: sqlite3.Connection, hadm_id: int, column: str, item: int, first: datetime, last: datetime
) -> list[float]:
    window = (str(first), str(last))
    found = [
        v
        for (v,) in db.execute(f"select {column} from vitalsign where charttime between ? and ?", window)
        if v is not None
    ]
    found += [
        v
        for (v,) in db.execute(
            "select valuenum from chartevents where itemid = ? and charttime between ? and ?", (item, *window)
        )
    ]
    triage = db.execute(
        f"select g.{column} from triage g join edstays e using (stay_id) where e.hadm_id = ? and ? <= e.intime "
        "and e.intime <= ?",
        (hadm_id, *window),
    ).fetchone()
    return [*found, *([triage[0]] if triage else [])]


def _points(db: sqlite3.Connection, hadm_id: int) -> tuple[bool | None, ...]:
    """Urea, rate, pressure and age."""
    t0 = _t0(db, hadm_id)
    six = t0 + timedelta(hours=6)
    urea = db.execute(
        "select valuenum from labevents where itemid = 51006 and charttime between ? and ? order by charttime",
        (str(t0), str(t0 + timedelta(hours=24))),
    ).fetchone()
    rates = _readings(db, hadm_id, "resprate", 220210, t0, six)
    systolic = _readings(db, hadm_id, "sbp", 220179, t0, six)
    diastolic = _readings(db, hadm_id, "dbp", 220180, t0, six)
    (age,) = db.execute(
        "select anchor_age + substr(admittime, 1, 4) - anchor_year from patients, admissions where hadm_id = ?",
        (hadm_id,),
    ).fetchone()
    return (
        urea[0] > 19 if urea else None,
        max(rates) >= 30 if rates else None,
        min(systolic) < 90 or min(diastolic) <= 60 if systolic else None,
        age >= 65,
    )


WANTED: dict[str, tuple[bool | None, ...]] = {
    "classic-severe": (True, True, False, True),
    "diastolic-exactly-sixty": (True, False, True, True),
    "rate-exactly-thirty": (True, True, False, True),
    "enough-without-confusion": (True, True, True, True),
    "urea-twenty": (True, True, False, True),
    "new-confusion-on-dementia": (True, False, False, True),
    "unit-trap": (False, True, False, True),
    "three-values-at-the-edge": (False, True, False, True),
    "systolic-exactly-ninety": (True, True, False, False),
    "late-hypotension": (True, False, False, True),
    "baseline-dementia": (True, False, False, True),
    "not-yet-sixty-five": (True, True, False, False),
    "hospital-acquired": (True, True, False, True),
    "transferred-in": (False, False, False, True),
    "no-urea-in-window": (None, True, False, True),
    "direct-no-vital-signs": (True, None, None, True),
    "dementia-unstated": (True, False, False, True),
    "oedema-or-pneumonia": (True, True, False, True),
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_items_are_those_of_the_variant(case: Case, open_built: Open) -> None:
    assert case.hadm_id is not None
    assert _points(open_built(case), case.hadm_id) == WANTED[str(case.variant)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_trap_is_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    assert case.hadm_id is not None
    t0 = _t0(db, case.hadm_id)
    (text,) = db.execute("select text from discharge where hadm_id = ?", (case.hadm_id,)).fetchone()
    codes = {code for (code,) in db.execute("select icd_code from diagnoses_icd where hadm_id = ?", (case.hadm_id,))}
    if case.variant == "classic-severe":
        assert "mild" in text
    if case.variant == "baseline-dementia":
        assert "class IV" in text
        said = db.execute(
            "select value from chartevents where itemid = 223900 and charttime <= ?", (str(t0 + timedelta(hours=6)),)
        ).fetchall()
        assert ("Confused",) in said
    if case.variant == "systolic-exactly-ninety":
        assert "R6521" in codes
        assert db.execute("select 1 from inputevents where itemid = 221906").fetchone()
    if case.variant == "late-hypotension":
        after = (t0 + timedelta(hours=6, minutes=1), t0 + timedelta(hours=17))
        assert min(_readings(db, case.hadm_id, "sbp", 220179, *after)) < 90
    if case.variant == "urea-twenty":
        assert db.execute("select anchor_age from patients").fetchone() == (61,)
        flags = db.execute(
            "select flag from labevents where itemid = 51006 and valuenum = 20 and hadm_id = ?", (case.hadm_id,)
        ).fetchall()
        assert set(flags) == {(None,)}
    if case.variant == "no-urea-in-window":
        first = db.execute(
            "select charttime, valuenum from labevents where itemid = 51006 and charttime > ? order by 1", (str(t0),)
        ).fetchone()
        assert first == (str(t0 + timedelta(hours=31)), 28.0)
    if case.variant == "direct-no-vital-signs":
        assert not db.execute("select 1 from edstays where hadm_id = ?", (case.hadm_id,)).fetchone()
        assert db.execute("select 1 from omr where result_name = 'Blood Pressure'").fetchone()
    if case.variant == "hospital-acquired":
        assert "J189" in codes


@pytest.mark.parametrize("case", [c for c in CASES if "ementia" in c.recipe["past"]], ids=lambda case: case.id)
def test_nothing_at_discharge_tells_the_baseline_of_a_patient_with_dementia(case: Case, open_built: Open) -> None:
    (text,) = open_built(case).execute("select text from discharge where hadm_id = ?", (case.hadm_id,)).fetchone()
    leaving = text[max(text.find("AT DISCHARGE"), text.find("DISCHARGE PHYSICAL EXAM")) :]
    told = leaving.partition("Pertinent Results")[0] + leaving.partition("Discharge Condition")[2][:160]
    assert not any(word in told.lower() for word in ("orient", "a&o", "clear and coherent", "mental status"))


def test_the_committed_cases_are_the_plan() -> None:
    assert sorted(plan(1), key=lambda case: case.id) == CASES
