"""Every he-precipitant chart, read as bare SQL, holds the facts and the trap of its variant."""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Callable
from datetime import datetime

import pytest

from pytest_clinicare.charts.synthetic.scenarios.he_precipitant.plan import plan
from pytest_clinicare.suite import Case, suite_root

FOLDER = suite_root().cases / "he-precipitant"
CASES = [Case(**tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("he-*.toml"))]
Open = Callable[[Case], sqlite3.Connection]
TAPPED = {
    *("sbp-bloody-tap-still-positive", "hypokalaemia-diuretic", "sedative-negative-tap", "negative-tap-old-sbp"),
    *("bloody-tap-artefact", "bacterascites"),
}
UNTAPPED = {"variceal-bleed-ascites-untapped", "ascites-never-tapped", "tap-ordered-dry"}
LOW = {"hypokalaemia-diuretic", "subdural-competes"}


def _within(db: sqlite3.Connection, case: Case, item: int) -> list[tuple[float, float]]:
    """(hours from admission, value) inside the window."""
    (admitted,) = db.execute("select admittime from admissions where hadm_id = ?", (case.hadm_id,)).fetchone()
    zero = datetime.fromisoformat(admitted)
    rows = db.execute("select charttime, valuenum from labevents where itemid = ? order by charttime", (item,))
    found = [((datetime.fromisoformat(time) - zero).total_seconds() / 3600, value) for time, value in rows]
    return [(hours, value) for hours, value in found if -72 <= hours <= 48]


def _summary(db: sqlite3.Connection, case: Case) -> str:
    return str(db.execute("select text from discharge where hadm_id = ?", (case.hadm_id,)).fetchone()[0])


def _pmn(db: sqlite3.Connection, case: Case) -> float:
    cells, polys, red = (_within(db, case, item)[0][1] for item in (52065, 51125, 51127))
    return max(cells * polys / 100 - (red / 250 if red > 10000 else 0), 0)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_decisive_facts_are_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    assert bool(_within(db, case, 52065)) == (case.variant in TAPPED)
    if case.variant in TAPPED:
        assert (_pmn(db, case) >= 250) == (case.variant == "sbp-bloody-tap-still-positive")
    reports = " ".join(t for (t,) in db.execute("select text from radiology where hadm_id = ?", (case.hadm_id,)))
    wet = "moderate ascites" in reports or "large ascites" in reports
    assert wet == (case.variant in TAPPED | UNTAPPED)
    lowest = min(value for _, value in _within(db, case, 50971))
    assert (lowest <= 3.0) == (case.variant in LOW)
    assert min(value for _, value in _within(db, case, 50983)) > 125
    (baseline,) = db.execute(
        "select valuenum from labevents where itemid = 50912 and hadm_id is null order by charttime desc limit 1"
    ).fetchone()
    assert max(value for _, value in _within(db, case, 50912)) <= 1.2 * baseline
    (before,) = db.execute(
        "select valuenum from labevents where itemid = 51222 and hadm_id is null order by charttime desc limit 1"
    ).fetchone()
    fell = before - min(value for _, value in _within(db, case, 51222)) >= 2
    assert fell == (case.variant == "variceal-bleed-ascites-untapped")
    assert ("CHEST" in reports) == (case.variant != "screen-incomplete")
    text = _summary(db, case)
    assert "irrho" in text
    assert "ncephalopathy" in text
    assert db.execute("select 1 from emar where medication = 'Lactulose'").fetchall()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_trap_is_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    text = _summary(db, case)
    codes = {code for (code,) in db.execute("select icd_code from diagnoses_icd where hadm_id = ?", (case.hadm_id,))}
    others = {code for (code,) in db.execute("select icd_code from diagnoses_icd where hadm_id <> ?", (case.hadm_id,))}
    assert "K652" not in codes
    urine = [
        (org, comments)
        for org, comments in db.execute(
            "select org_name, comments from microbiologyevents where spec_type_desc = 'URINE' and hadm_id = ? "
            "order by charttime",
            (case.hadm_id,),
        )
    ]
    if case.variant in ("sedative-negative-tap", "negative-tap-old-sbp"):
        assert "K652" in others
    if case.variant == "sbp-bloody-tap-still-positive":
        assert "actulose" in text
        fluid = db.execute("select org_name from microbiologyevents where spec_type_desc = 'PERITONEAL FLUID'")
        assert {org for (org,) in fluid} == {None}
    if case.variant == "bloody-tap-artefact":
        cells, polys = (_within(db, case, item)[0][1] for item in (52065, 51125))
        assert cells * polys / 100 >= 300
    if case.variant == "uti-second-culture":
        assert "MIXED" in urine[0][1]
        assert urine[-1][0] == "ESCHERICHIA COLI"
    if case.variant == "late-catheter-uti":
        assert urine[-1][0] == "KLEBSIELLA PNEUMONIAE"
        assert urine[0][0] is None
    if case.variant == "hypokalaemia-diuretic":
        assert "furosemide" in {n for (n,) in db.execute("select name from medrecon")}
        assert _within(db, case, 50971)[-1][1] >= 3.6
    if case.variant == "negative-work-up-no-ascites":
        assert db.execute("select 1 from labevents where itemid = 51486 and value = 'TR'").fetchall()
        assert "dipstick" in text
    if case.variant == "earlier-episode-bleed":
        assert "bleeding ulcers" in text
        assert "I8511" in others
    if case.variant == "tap-ordered-dry":
        assert "Paracentesis ordered on admission" in text
        assert db.execute("select 1 from radiology where text like '%no safe pocket%'").fetchall()
    if case.variant == "screen-incomplete":
        assert "Infectious work-up negative" in text
    if case.variant == "bacterascites":
        rows = db.execute("select org_name from microbiologyevents where spec_type_desc = 'PERITONEAL FLUID'")
        assert {org for (org,) in rows} == {"ESCHERICHIA COLI"}
    if case.variant == "subdural-competes":
        assert db.execute("select 1 from radiology where text like '%subdural hematoma%'").fetchall()
        assert "not possible to distinguish" in text


def test_the_committed_cases_are_the_plan() -> None:
    assert sorted(plan(1), key=lambda case: case.id) == CASES
