"""Every sepsis3-sofa chart, read as bare SQL, holds the facts and the trap of its variant."""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from pytest_clinicare.charts.synthetic.scenarios.sepsis3_sofa.plan import plan
from pytest_clinicare.suite import Case, suite_root

FOLDER = suite_root().cases / "sepsis3-sofa"
CASES = [Case(**tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("sepsis3-sofa-*.toml"))]
Open = Callable[[Case], sqlite3.Connection]
HOUR = timedelta(hours=1)
ANTIBIOTICS = (
    "(lower(medication) like 'cef%' or lower(medication) like 'pip%' or lower(medication) like 'azi%' "
    "or lower(medication) like 'cip%' or lower(medication) like 'vanc%')"
)


def _times(db: sqlite3.Connection, sql: str) -> list[datetime]:
    return [datetime.fromisoformat(time) for (time,) in db.execute(sql)]


def _given(db: sqlite3.Connection) -> list[datetime]:
    return _times(
        db, f"select charttime from emar where event_txt = 'Administered' and {ANTIBIOTICS} order by charttime"
    )


def _cultures(db: sqlite3.Connection) -> list[datetime]:
    return _times(db, "select charttime from microbiologyevents where test_name not like '%SCREEN%' order by charttime")


def _worst(db: sqlite3.Connection, itemid: int, how: str, start: datetime, end: datetime) -> float | None:
    sql = f"select {how}(valuenum) from labevents where itemid = ? and charttime between ? and ?"
    (value,) = db.execute(sql, (itemid, str(start), str(end))).fetchone()
    return None if value is None else float(value)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_decisive_facts_are_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    doses, cultures = _given(db), _cultures(db)
    if case.step == 1:
        assert not db.execute("select 1 from emar").fetchall()
        assert not db.execute("select 1 from inputevents where ordercategoryname like '%Antibiotics%'").fetchall()
        return
    gap = (doses[0] - cultures[0]) / HOUR if doses and cultures else None
    assert (gap is not None and -24 <= gap <= 72) == (case.step != 2)
    if case.step == 2:
        return
    onset = min(doses[0], cultures[0])
    start, end = onset - 48 * HOUR, onset + 24 * HOUR
    intime, outtime = (datetime.fromisoformat(t) for t in db.execute("select intime, outtime from icustays").fetchone())
    assert intime - 48 * HOUR <= onset <= outtime
    creatinine, platelets = _worst(db, 50912, "max", start, end), _worst(db, 51265, "min", start, end)
    assert creatinine is not None
    assert platelets is not None
    if case.variant == "antibiotic-first-near-limit":
        assert gap is not None
        assert -24 <= gap <= -18
        assert creatinine >= 2.2
    if case.variant == "ckd-with-true-rise":
        assert creatinine > 5
    if case.variant in ("late-values", "coded-sepsis-rise-of-one", "sedated-gcs", "sparse-sampling"):
        assert creatinine < 1.2
        assert platelets >= 150
    if case.variant == "sparse-sampling":
        assert _worst(db, 50885, "max", start, end) is None
        assert _worst(db, 50821, "max", start, end) is None
    if case.variant == "infection-excluded":
        assert doses[-1] - doses[0] <= 72 * HOUR


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_trap_is_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    codes = {code for (code,) in db.execute("select icd_code from diagnoses_icd")}
    (text,) = db.execute("select text from discharge").fetchone()
    if case.variant == "coded-sepsis-rise-of-one":
        assert "A419" in codes
        assert "sepsis from UTI" in text
    if case.variant == "no-code-cholangitis":
        assert not codes & {"A419", "R6521", "A4151"}
        assert db.execute("select count(*) from inputevents where itemid = 221906 and rate > 0.1").fetchone() == (1,)
    if case.variant == "antibiotic-after-72-h":
        ordered = min(_times(db, "select starttime from prescriptions where lower(drug) like 'cef%'"))
        assert ordered - _cultures(db)[0] < 72 * HOUR
    if case.variant == "ordered-never-given":
        assert db.execute("select count(*) from prescriptions where drug like 'Cipro%'").fetchone() == (1,)
    if case.variant == "fio2-charted-in-percent":
        assert db.execute("select max(valuenum) from chartevents where itemid = 223835").fetchone() == (60,)
        assert db.execute("select count(*) from labevents where value = 'VEN.'").fetchone() == (1,)
    if case.variant == "late-values":
        onset = _cultures(db)[0]
        assert (_worst(db, 50912, "max", onset + 27 * HOUR, onset + 44 * HOUR) or 0) >= 2.4
    if case.variant == "sedated-gcs":
        assert db.execute("select count(*) from chartevents where value = 'No Response-ETT'").fetchone()[0] >= 1
    if case.variant == "baseline-unknown-ckd":
        (admitted,) = db.execute("select admittime from admissions").fetchone()
        earlier = db.execute(
            "select count(*) from labevents where itemid = 50912 and charttime < date(?, '-2 days')", (admitted,)
        ).fetchone()
        assert earlier == (0,)
        assert "N184" in codes
    if case.variant == "screen-and-prophylaxis":
        assert db.execute("select test_name from microbiologyevents").fetchall() == [("MRSA SCREEN",)]


def test_the_committed_cases_are_the_plan() -> None:
    assert sorted(plan(1), key=lambda case: case.id) == CASES
