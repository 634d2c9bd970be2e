"""Every overdose-disposition chart, read as bare SQL, holds the facts and the trap of its variant."""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from pytest_clinicare.charts.synthetic.scenarios.overdose_disposition.plan import plan
from pytest_clinicare.suite import Case, suite_root

FOLDER = suite_root().cases / "overdose-disposition"
CASES = [Case(**tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("overdose-*.toml"))]
Open = Callable[[Case], sqlite3.Connection]
HOUR = timedelta(hours=1)
LONG = ("extended-release-full-day", "extended-release-released-early", "naloxone-infusion-on-ward")


def _nac(db: sqlite3.Connection, hadm_id: int, *events: str) -> list[datetime]:
    rows = db.execute(
        "select charttime, event_txt from emar where hadm_id = ? and medication like 'Acetylcysteine%' order by 1",
        (hadm_id,),
    )
    return [datetime.fromisoformat(time) for time, event in rows if event in events]


def _text(db: sqlite3.Connection, hadm_id: int) -> str:
    row = db.execute("select text from discharge where hadm_id = ?", (hadm_id,)).fetchone()
    return str(row[0]) if row else ""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_decisive_facts_are_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    assert case.hadm_id is not None
    arrival, release, where = db.execute(
        "select edregtime, dischtime, discharge_location from admissions where hadm_id = ?", (case.hadm_id,)
    ).fetchone()
    stayed = datetime.fromisoformat(release) - datetime.fromisoformat(arrival)
    if case.step not in (1, 2):
        least = 24 if case.variant in LONG else 6
        assert (stayed < least * HOUR) == (case.step == 4)
    assert (where == "AGAINST ADVICE") == (case.step == 2)
    text = _text(db, case.hadm_id)
    assert (text == "") == (case.variant == "no-discharge-summary")
    given, stopped = _nac(db, case.hadm_id, "Started"), _nac(db, case.hadm_id, "Stopped")
    treated = {
        "treated-and-stopped-by-criteria",
        "time-unknown-treated",
        "liver-injury-still-rising",
        "course-cut-short",
        "acetaminophen-left-at-the-end",
        "left-against-advice",
    }
    assert bool(given) == (case.variant in treated)
    if given and case.variant != "left-against-advice":
        assert (stopped[-1] - given[0] < 20 * HOUR) == (case.variant == "course-cut-short")
    levels = db.execute("select valuenum, comments from labevents where itemid = 50856 order by charttime").fetchall()
    assert (levels == []) == (case.variant == "outside-level-without-figure")
    if case.variant == "acetaminophen-left-at-the-end":
        assert levels[-1][0] == 22
    alts = [
        alt
        for (alt,) in db.execute(
            "select valuenum from labevents where itemid = 50861 and hadm_id = ? order by charttime", (case.hadm_id,)
        )
    ]
    if case.variant == "liver-injury-still-rising":
        assert alts[-2:] == [210, 480]
    triggers = db.execute(
        "select count(*) from emar where medication = 'Naloxone' and event_txt = 'Started'"
    ).fetchone()[0]
    assert (triggers > 0) == (case.step == 3)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_trap_is_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    assert case.hadm_id is not None
    text = _text(db, case.hadm_id)
    codes = {code for (code,) in db.execute("select icd_code from diagnoses_icd where hadm_id = ?", (case.hadm_id,))}
    (complaint,) = db.execute(
        "select t.chiefcomplaint from triage t join edstays e using (stay_id) where e.hadm_id = ?", (case.hadm_id,)
    ).fetchone()
    orders = db.execute(
        "select 1 from poe where hadm_id = ? and order_type = 'Consults' and order_subtype = 'Psychiatry'",
        (case.hadm_id,),
    ).fetchall()
    if case.variant in ("ordered-never-given", "exactly-on-the-line"):
        assert db.execute("select 1 from prescriptions where drug like 'Acetylcysteine%'").fetchall()
    if case.variant == "ordered-never-given":
        assert "NAC protocol" in text
        assert _nac(db, case.hadm_id, "Not Given")
    if case.variant == "course-cut-short":
        assert "NAC" in text
    if case.variant == "self-harm-not-evaluated":
        assert orders
        assert "sychiatr" not in text
        assert db.execute("select text from discharge where hadm_id <> ?", (case.hadm_id,)).fetchall()
    if case.variant == "accidental-no-acetaminophen":
        assert "T1491XA" not in codes
        assert db.execute("select 1 from diagnoses_icd where icd_code = 'T1491XA'").fetchall()
    if case.variant == "adverse-effect-only":
        assert "T39015A" in codes
    if case.variant == "intent-conflict":
        assert complaint == "Took pills to end my life"
        assert "accidental" in text
    if case.variant == "outside-level-without-figure":
        assert "nontoxic" in text
    if case.variant == "intubated-icu":
        assert "unable to assess" in text


def test_the_committed_cases_are_the_plan() -> None:
    assert sorted(plan(1), key=lambda case: case.id) == CASES
