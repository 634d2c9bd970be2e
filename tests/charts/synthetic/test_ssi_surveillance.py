"""Every ssi-surveillance chart, read as bare SQL, holds the facts and the trap of its variant."""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.scenarios.ssi_surveillance.plan import plan
from pytest_clinicare.suite import Case, suite_root

FOLDER = suite_root().cases / "ssi-surveillance"
CASES = [Case(**tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("ssi-*.toml"))]
Open = Callable[[Case], sqlite3.Connection]
CODES = {
    "COLO": ("0DTN0ZZ", "0DTF0ZZ", "0DTG0ZZ"),
    "APPY": ("0DTJ4ZZ",),
    "CHOL": ("0FT40ZZ",),
    "HER": ("0WUF0JZ",),
    "KPRO": ("0SRC0J9",),
    "HPRO": ("0SR90JA",),
}
SITE = "('ABSCESS', 'SWAB', 'TISSUE', 'PERITONEAL FLUID', 'JOINT FLUID', 'FLUID,OTHER')"


def _day_1(db: sqlite3.Connection, case: Case) -> date | None:
    codes = [code for group in CODES.values() for code in group]
    marks = ", ".join("?" * len(codes))
    row = db.execute(
        f"select chartdate from procedures_icd where hadm_id = ? and icd_code in ({marks})", (case.hadm_id, *codes)
    ).fetchone()
    return date.fromisoformat(row[0]) if row else None


def _cultures(db: sqlite3.Connection, first: date) -> list[tuple[int, str, str | None, int | None]]:
    """Specimens of the site after day 1: day, type, organism, admission."""
    rows = db.execute(
        f"select distinct charttime, spec_type_desc, org_name, hadm_id from microbiologyevents "
        f"where spec_type_desc in {SITE} and test_name not like 'R/O%' order by 1, 3"
    )
    found = [((datetime.fromisoformat(t).date() - first).days + 1, kind, grown, hadm) for t, kind, grown, hadm in rows]
    return [row for row in found if row[0] > 1]


def _texts(db: sqlite3.Connection, table: str) -> str:
    return "\n".join(text for (text,) in db.execute(f"select text from {table}"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_decisive_facts_are_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    first = _day_1(db, case)
    if case.step == 1:
        assert first is None
        assert "colectomy" in _texts(db, "discharge")
        return
    assert first is not None
    cultures, event = _cultures(db, first), case.recipe["event"]
    grown = [row for row in cultures if row[2]]
    told, reports = _texts(db, "discharge"), _texts(db, "radiology")
    expected: dict[str, Callable[[], Any]] = {
        "opened-without-culture": lambda: not cultures and "opened" in told and 6 <= event[0] <= 10,
        "abscess-at-readmission": lambda: grown and all(10 <= d <= 21 for d, *_ in grown) and "abscess" in reports,
        "present-at-surgery": lambda: grown and all(7 <= d <= 14 for d, *_ in grown) and "operati" in told,
        "deep-mesh-day-45-80": lambda: [k for _, k, *_ in grown] == ["TISSUE"] and "fascia" in told,
        "superficial-on-day-30": lambda: [row[0] for row in grown] == [30] and "fascia" in told,
        "ed-culture-without-hadm": lambda: grown and all(row[3] is None and 12 <= row[0] <= 20 for row in grown),
        "cellulitis-with-code": lambda: not cultures and "ellulitis" in told and "versus" not in told,
        "code-without-event": lambda: not cultures and "URINE" in case.recipe["cultures"][-1][0].upper(),
        "late-superficial-after-prosthesis": lambda: (
            {k for _, k, *_ in cultures} == {"SWAB", "JOINT FLUID"} and all(36 <= d <= 51 for d, *_ in cultures)
        ),
        "sterile-collection": lambda: cultures and not grown and "cannot be excluded" in reports,
        "abscess-after-day-30": lambda: grown and event[0] > 30,
        "infection-elsewhere": lambda: not cultures and 4 <= event[0] <= 9 and case.recipe["white"] >= 16,
        "second-operation-between": lambda: grown and 18 <= grown[0][0] <= 24,
        "treated-elsewhere": lambda: not cultures and case.recipe["past"] in told,
        "pus-or-old-blood": lambda: not cultures and "urulent fluid" in reports and "not infected" in told,
        "infection-versus-cellulitis": lambda: not cultures and "versus" in told,
    }
    assert expected[str(case.variant)]()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_trap_is_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    coded = db.execute("select icd_code from diagnoses_icd where icd_code like 'T814%'").fetchall()
    if case.variant in ("cellulitis-with-code", "code-without-event", "abscess-after-day-30"):
        assert coded
    if case.variant == "sterile-collection":
        assert db.execute("select 1 from emar where medication like 'Piperacillin%'").fetchone()
        assert 38.1 <= case.recipe["temperature"] <= 38.5
    if case.variant == "abscess-at-readmission":
        (code,) = db.execute(
            "select d.icd_code from diagnoses_icd d join procedures_icd p using (hadm_id) "
            "where d.seq_num = 1 and p.icd_code = '0W9J30Z'"
        ).fetchone()
        assert code in ("A419", "K567")
    if case.variant == "second-operation-between":
        (again,) = db.execute("select chartdate from procedures_icd where icd_code = '0DN80ZZ'").fetchone()
        first = _day_1(db, case)
        assert first
        assert 9 <= (date.fromisoformat(again) - first).days + 1 <= 12
    if case.variant == "treated-elsewhere":
        assert not coded


def test_the_committed_cases_are_the_plan() -> None:
    assert sorted(plan(1), key=lambda case: case.id) == CASES
