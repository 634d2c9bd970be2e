"""Every cdi-treatment chart, read as bare SQL, holds the facts and the trap of its variant."""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from pytest_clinicare.charts.synthetic.scenarios.cdi_treatment.plan import plan
from pytest_clinicare.suite import Case, suite_root

FOLDER = suite_root().cases / "cdi-treatment"
CASES = [Case(**tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("cdi-*.toml"))]
Open = Callable[[Case], sqlite3.Connection]
HOUR = timedelta(hours=1)


def _positive(db: sqlite3.Connection, hadm_id: int) -> tuple[datetime, datetime] | None:
    """Collection and result of the first positive assay of the admission."""
    row = db.execute(
        "select charttime, storetime from microbiologyevents where hadm_id = ? and test_name like 'C. difficile%' "
        "and org_name is not null order by charttime",
        (hadm_id,),
    ).fetchone()
    return (datetime.fromisoformat(row[0]), datetime.fromisoformat(row[1])) if row else None


def _oral(db: sqlite3.Connection, hadm_id: int, event: str = "Administered") -> list[datetime]:
    """Rows of agents that reach the colon."""
    rows = db.execute(
        "select e.charttime from emar e join prescriptions p using (pharmacy_id) where e.hadm_id = ? "
        "and e.event_txt = ? and (e.medication like 'Vancomycin Oral%' or e.medication like 'Fidaxo%' "
        "or e.medication like 'Metro%' and p.route not like 'IV%') order by 1",
        (hadm_id, event),
    )
    return [datetime.fromisoformat(time) for (time,) in rows]


def _earliest_year(db: sqlite3.Connection, hadm_id: int) -> int:
    anchor, group, admitted = db.execute(
        "select anchor_year, anchor_year_group, admittime from patients, admissions where hadm_id = ?", (hadm_id,)
    ).fetchone()
    return int(group[:4]) + int(admitted[:4]) - int(anchor)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_decisive_facts_are_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    assert case.hadm_id is not None
    found, first_year = _positive(db, case.hadm_id), _earliest_year(db, case.hadm_id)
    assert (found is None) == (case.step == 1)
    assert (first_year < 2018) == (case.step == 2)
    if found is None:
        return
    collected, result = found
    doses = _oral(db, case.hadm_id)
    if case.step == 4:
        assert not db.execute("select 1 from emar where hadm_id = ?", (case.hadm_id,)).fetchall()
    if case.step == 9:
        assert not doses or doses[0] > result + 24 * HOUR
    if case.step in (11, 12):
        assert doses[0] <= result + 24 * HOUR
    if case.step == 5:
        assert doses[-1] > result + 24 * HOUR
    if case.step == 6:
        assert not doses or doses[-1] <= result + 24 * HOUR
    window = (str(collected - 24 * HOUR), str(collected + 24 * HOUR))
    (white,) = db.execute(
        "select max(valuenum) from labevents where itemid = 51301 and charttime between ? and ?", window
    ).fetchone()
    (creatinine,) = db.execute(
        "select max(valuenum) from labevents where itemid = 50912 and charttime between ? and ?", window
    ).fetchone()
    if case.variant == "severe-by-white-count":
        assert (white, creatinine <= 1.5) == (15.0, True)
    if case.variant == "severe-by-creatinine":
        assert white < 15
        assert creatinine > 1.5
    low = db.execute(
        "select count(*) from chartevents where itemid = 220179 and valuenum < 90 and charttime between ? and ?", window
    ).fetchone()
    assert (low[0] >= 2) == ("fulminant" in str(case.variant) or case.variant == "shock-other-cause")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_trap_is_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    assert case.hadm_id is not None
    found = _positive(db, case.hadm_id)
    codes = {code for (code,) in db.execute("select icd_code from diagnoses_icd where hadm_id = ?", (case.hadm_id,))}
    drugs = {drug for (drug,) in db.execute("select drug from prescriptions where hadm_id = ?", (case.hadm_id,))}
    if case.variant in ("code-only", "colonised-untreated", "edition-before-2018"):
        assert "A0472" in codes
    if case.variant == "called-recurrent-but-initial":
        assert "A0471" in codes
    if case.variant in ("initial-nonsevere-vancomycin", "iv-vancomycin-only"):
        assert "Vancomycin" in drugs
    if case.variant == "oral-dose-late":
        assert found
        assert _oral(db, case.hadm_id, "Not Given")[0] < found[1] + 24 * HOUR
    if case.variant == "lactulose-toxin-negative":
        assert "Lactulose" in drugs
    if case.recipe["prior_episode"] != "none":
        assert found
        (before,) = db.execute(
            "select max(charttime) from microbiologyevents where org_name = 'POSITIVE' and charttime < ?",
            (str(found[0]),),
        ).fetchone()
        assert (found[0] - datetime.fromisoformat(before)).days == case.recipe["prior_episode"][0]


def test_the_committed_cases_are_the_plan() -> None:
    assert sorted(plan(1), key=lambda case: case.id) == CASES
