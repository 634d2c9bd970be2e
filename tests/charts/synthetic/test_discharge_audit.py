"""Every discharge-audit chart, read as bare SQL, holds the facts and the trap of its variant."""

from __future__ import annotations

import re
import sqlite3
import tomllib
from collections.abc import Callable
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.scenarios.discharge_audit.plan import plan
from pytest_clinicare.suite import Case, suite_root

FOLDER = suite_root().cases / "discharge-audit"
CASES = [Case(**tomllib.loads(p.read_text(encoding="utf-8"))) for p in sorted(FOLDER.glob("discharge-*.toml"))]
Open = Callable[[Case], sqlite3.Connection]


def _part(text: str, heading: str) -> str:
    found = re.search(rf"^{heading}:\n(.*?)\n \n|^{heading}:\n(.*)\Z", text, re.MULTILINE | re.DOTALL)
    assert found, heading
    return (found.group(1) or found.group(2) or "").strip()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_decisive_facts_are_there(case: Case, open_built: Open) -> None:
    db, hadm = open_built(case), case.hadm_id
    texts = [t for (t,) in db.execute("select text from discharge where hadm_id = ?", (hadm,))]
    if case.variant == "no-summary":
        assert not texts
        later = db.execute("select text from discharge").fetchone()[0]
        assert "in hospital ___" in later
        return
    (text,) = texts
    (leaves, where) = db.execute(
        "select dischtime, discharge_location from admissions where hadm_id = ?", (hadm,)
    ).fetchone()
    late = db.execute(
        "select spec_type_desc, (julianday(?) - julianday(charttime)) * 24, (julianday(storetime) - julianday(?)) * 24,"
        " org_name from microbiologyevents where hadm_id = ? and storetime > ? and charttime < ?",
        (leaves, leaves, hadm, leaves, leaves),
    ).fetchall()
    given = [
        m for (m,) in db.execute(
            "select distinct medication from emar where hadm_id = ? and event_txt = 'Administered' and charttime"
            " between datetime(?, '-24 hours') and ?", (hadm, leaves, leaves),
        )
    ]  # fmt: skip
    first = db.execute("select icd_code from diagnoses_icd where hadm_id = ? and seq_num = 1", (hadm,)).fetchone()
    code = first[0] if first else None
    report = db.execute("select text from radiology where hadm_id = ?", (hadm,)).fetchone()[0]
    told = text.lower()
    expected: dict[str, Callable[[], Any]] = {
        "complete-and-concordant": lambda: not late and code == "J189" and "pneumonia" in told and where == "HOME",
        "pending-under-transitional-issues": lambda: late and "pending" in _part(text, "Brief Hospital Course").lower(),
        "masked-follow-up": lambda: _part(text, "Followup Instructions") == "___" and not late,
        "code-excluded-no-evidence": lambda: code == "A419" and "sepsis" in told and "OSELTAMivir" not in given,
        "death-in-hospital": lambda: where == "DIED" and "LevETIRAcetam" in given and late,
        "home-with-service": lambda: (where == "HOME") != (_part(text, "Discharge Disposition") == "Home"),
        "pending-culture-unnamed": lambda: late and 12 <= late[0][1] <= 60.1 and 24 <= late[0][2] <= 96.2,
        "empty-element": lambda: _part(text, "Discharge Condition") == "" and "stable" not in told,
        "disposition-group-differs": lambda: where in ("SKILLED NURSING FACILITY", "REHAB"),
        "antibiotic-lost-at-discharge": lambda: (
            "CefTRIAXone" in given and "ceftriaxone" not in _part(text, "Discharge Medications").lower()
        ),
        "bacteremia-unmentioned": lambda: code == "A4101" and not re.search("sepsis|bacteremi|bloodstream", told),
        "drainage-unnamed": lambda: "drain" in report and "drain" not in told and not late,
        "no-diagnosis-codes": lambda: code is None,
        "pending-statement-masked": lambda: late and re.search(r"pending[^:\n]*: ___", told),
        "excluded-but-measured": lambda: code == "J189" and "consistent with pneumonia" in report,
        "unresolved-differential": lambda: code == "K8590" and "pancreatitis versus gastritis" in told,
    }
    assert expected[str(case.variant)]()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_trap_is_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    chemistry = db.execute(
        "select count(*) from labevents l join admissions a using (hadm_id) where hadm_id = ?"
        " and l.charttime < a.dischtime and l.storetime > a.dischtime",
        (case.hadm_id,),
    ).fetchone()[0]
    assert chemistry > 0
    if case.variant == "bacteremia-unmentioned":
        assert len(
            db.execute("select distinct micro_specimen_id from microbiologyevents where org_name like 'STAPH AUREUS%'")
            .fetchall()
        ) == 2  # fmt: skip
    if case.variant == "unresolved-differential":
        (value,) = db.execute("select valuenum from labevents where itemid = 50956").fetchone()
        assert 1.5 <= value / 60 <= 2.5


def test_the_committed_cases_are_the_plan() -> None:
    assert sorted(plan(1), key=lambda case: case.id) == CASES
