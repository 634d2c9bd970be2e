"""Every hf-gdmt chart, read as bare SQL, holds the facts and the trap of its variant."""

from __future__ import annotations

import re
import sqlite3
import tomllib
from collections.abc import Callable

import pytest

from pytest_clinicare.charts.synthetic.scenarios.hf_gdmt.plan import plan
from pytest_clinicare.suite import Case, suite_root

FOLDER = suite_root().cases / "hf-gdmt"
CASES = [Case(**tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("hf-gdmt-*.toml"))]
Open = Callable[[Case], sqlite3.Connection]


def _range(db: sqlite3.Connection, hadm_id: int) -> tuple[int, int]:
    anchor, group, admitted = db.execute(
        "select anchor_year, anchor_year_group, admittime from patients, admissions where hadm_id = ?", (hadm_id,)
    ).fetchone()
    shift = int(admitted[:4]) - int(anchor)
    return min(int(group[:4]) + shift, 2022), min(int(group[-4:]) + shift, 2022)


def _listed(db: sqlite3.Connection, hadm_id: int) -> str:
    """The numbered lines of the discharge list."""
    row = db.execute("select text from discharge where hadm_id = ?", (hadm_id,)).fetchone()
    if row is None:
        return ""
    part = row[0].split("Discharge Medications:")[1].split("Discharge Disposition:")[0]
    return "\n".join(re.findall(r"^\d+\. .*$", part, re.MULTILINE)).lower()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_decisive_facts_are_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    assert case.hadm_id is not None
    variant, listed = str(case.variant), _listed(db, case.hadm_id)
    first, last = _range(db, case.hadm_id)
    if "2013" in variant or variant == "angioedema-excused":
        assert last <= 2016
    if "2017" in variant:
        assert (first, last) == (2017, 2019)
    if "2022" in variant:
        assert (first, last) == (2022, 2022)
    if "straddle" in variant:
        assert first < 2022 <= last
    if case.step in (7, 8):
        values = db.execute(
            "select itemid, valuenum from labevents where hadm_id = ? and itemid in (50971, 50912) order by charttime",
            (case.hadm_id,),
        ).fetchall()
        assert dict(values)[50971] == case.recipe["labs"][-1][1]
        assert dict(values)[50912] == case.recipe["labs"][-1][2]
    if variant == "no-discharge-list":
        assert not listed
        drugs = {d for (d,) in db.execute("select drug from prescriptions where hadm_id = ?", (case.hadm_id,))}
        assert len(drugs & {"Carvedilol", "Spironolactone", "Empagliflozin", "Sacubitril-Valsartan (49mg-51mg)"}) == 4
    if variant == "hospice":
        (where,) = db.execute("select discharge_location from admissions where hadm_id = ?", (case.hadm_id,)).fetchone()
        assert where == "HOSPICE"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_trap_is_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    assert case.hadm_id is not None
    variant, listed = str(case.variant), _listed(db, case.hadm_id)
    codes = {code for (code,) in db.execute("select icd_code from diagnoses_icd where hadm_id = ?", (case.hadm_id,))}
    if variant in ("no-lvef", "elderly-lvef-55"):
        assert any(code.startswith(("I50", "4282")) for code in codes)
    if variant == "inpatient-beta-blocker-dropped":
        assert "carvedilol" not in listed
        (given,) = db.execute(
            "select max(charttime) from emar where hadm_id = ? and medication = 'Carvedilol'", (case.hadm_id,)
        ).fetchone()
        (left,) = db.execute("select dischtime from admissions where hadm_id = ?", (case.hadm_id,)).fetchone()
        assert given[:10] == left[:10]
    if variant == "era-2017-arni":
        drugs = {d for (d,) in db.execute("select drug from prescriptions where hadm_id = ?", (case.hadm_id,))}
        assert "Lisinopril" in drugs
        assert "lisinopril" not in listed
    if variant == "tartrate-only":
        assert "metoprolol tartrate" in listed
    if variant == "ace-inhibitor-with-arni":
        assert "lisinopril" in listed
        assert "sacubitril" in listed
    if variant == "mra-missing-eligible":
        texts = db.execute("select text from discharge where hadm_id <> ?", (case.hadm_id,)).fetchall()
        assert any("hyperkalemia" in text for (text,) in texts)


def test_before_icd_10_no_code_is_of_it(open_built: Open) -> None:
    for case in CASES:
        if case.recipe["calendar"][1] == "2011 - 2013":
            versions = open_built(case).execute("select distinct icd_version from diagnoses_icd").fetchall()
            assert versions == [(9,)]


def test_the_committed_cases_are_the_plan() -> None:
    assert sorted(plan(1), key=lambda case: case.id) == CASES
