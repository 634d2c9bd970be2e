"""Every readmission-30d chart, read as bare SQL, holds the facts and the trap of its variant."""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import pairwise

import pytest

from pytest_clinicare.charts.synthetic.scenarios.readmission_30d.plan import plan
from pytest_clinicare.suite import Case, suite_root

FOLDER = suite_root().cases / "readmission-30d"
CASES = [Case(**tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("readmission-*.toml"))]
Open = Callable[[Case], sqlite3.Connection]
OBSERVED = ("EU OBSERVATION", "DIRECT OBSERVATION")


def _at(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _later(db: sqlite3.Connection, case: Case) -> list[tuple[int, int, str, str | None, str | None]]:
    """Admissions after the index: day, id, type, edregtime, first-listed code."""
    (left,) = db.execute("select dischtime from admissions where hadm_id = ?", (case.hadm_id,)).fetchone()
    rows = db.execute(
        "select a.admittime, a.hadm_id, a.admission_type, a.edregtime, d.icd_code from admissions a left join "
        "diagnoses_icd d on d.hadm_id = a.hadm_id and d.seq_num = 1 where a.admittime >= ? order by 1",
        (left,),
    )
    return [((_at(came).date() - _at(left).date()).days, *more) for came, *more in rows]


def _codes(db: sqlite3.Connection, hadm_id: int) -> list[str]:
    return [code for (code,) in db.execute("select icd_code from procedures_icd where hadm_id = ?", (hadm_id,))]


def _summary(db: sqlite3.Connection, hadm_id: int) -> str:
    return "\n".join(t for (t,) in db.execute("select text from discharge where hadm_id = ?", (hadm_id,)))


# Type, first-listed codes, days, procedures of the first admission in the window.
CANDIDATES: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[int, int], tuple[str, ...]]] = {
    "emergency-unrelated": (("EW EMER.",), ("S72001A", "K922"), (9, 20), ()),
    "late-on-day-30": (("EW EMER.",), ("J189", "N390"), (30, 30), ()),
    "observation-converted": (("OBSERVATION ADMIT",), ("I5033", "J441"), (6, 15), ()),
    "pci-for-acute-mi": (("EW EMER.", "URGENT"), ("I214",), (5, 25), ("027034Z",)),
    "elective-type-no-procedure": (("ELECTIVE",), ("E871",), (12, 24), ()),
    "same-day-other-condition": (("EW EMER.",), ("I2699",), (0, 0), ()),
    "left-against-advice": (("EW EMER.",), ("I5033",), (1, 4), ()),
    "same-day-continuation": (("EW EMER.",), ("I5033",), (0, 0), ()),
    "chemotherapy-cycle": (("ELECTIVE", "URGENT"), ("Z5111",), (14, 28), ()),
    "elective-arthroplasty": (("SURGICAL SAME DAY ADMISSION",), ("M1611",), (18, 29), ("0SR90JA", "0SR904A")),
    "transplant-called-in": (("URGENT",), ("N186",), (10, 26), ("0TY00Z0",)),
    "planned-then-unplanned": (("ELECTIVE",), ("Z5111",), (7, 12), ()),
    "planned-by-code-emergency-by-chart": (
        ("EW EMER.", "OBSERVATION ADMIT"), ("K8020", "I2510"), (8, 25), ("0FT44ZZ", "027034Z"),
    ),
    "unplanned-by-code-scheduled-by-text": (("ELECTIVE",), ("T8451XA",), (13, 16), ("0SW90JZ",)),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_candidate_is_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    inside = [row for row in _later(db, case) if row[0] <= 30]
    inpatient = [row for row in inside if row[2] not in OBSERVED]
    if case.variant not in CANDIDATES:
        assert (case.variant == "candidate-unclassifiable") == bool(inpatient)
        return
    types, codes, days, procedures = CANDIDATES[case.variant]
    day, hadm_id, kind, _, code = inpatient[0]
    assert (kind in types, code in codes, days[0] <= day <= days[1]) == (True, True, True), inpatient[0]
    assert not procedures or set(procedures) & set(_codes(db, hadm_id))
    assert len(inpatient) == (2 if case.variant == "planned-then-unplanned" else 1)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_trap_is_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    later = _later(db, case)
    first = later[0] if later else None
    (text,) = db.execute("select dischtime from admissions where hadm_id = ?", (case.hadm_id,)).fetchone()
    left = _at(text)
    (where,) = db.execute("select discharge_location from admissions where hadm_id = ?", (case.hadm_id,)).fetchone()
    visits = [
        _at(t)
        for (t,) in db.execute("select intime from edstays where hadm_id is null and disposition = 'HOME'")
        if left <= _at(t) <= left + timedelta(days=29)
    ]
    assert (where == "AGAINST ADVICE") == (case.variant == "left-against-advice")
    assert bool(visits) == (case.variant == "ed-visits-only")
    observed = [row for row in later if row[0] <= 30 and row[2] in OBSERVED]
    assert bool(observed) == (case.variant == "observation-stay-only")
    if case.variant in ("late-on-day-30", "day-31-just-past-midnight"):
        assert first is not None
        came = _at(db.execute("select admittime from admissions where hadm_id = ?", (first[1],)).fetchone()[0])
        assert came - left > timedelta(days=30)
        assert first[0] == (30 if case.variant == "late-on-day-30" else 31)
    if case.variant in ("transplant-called-in", "planned-by-code-emergency-by-chart"):
        assert first is not None
        assert first[3] is not None
    if case.variant == "candidate-unclassifiable":
        assert first is not None
        assert first[2] == "URGENT"
        assert first[4] is None
        assert _codes(db, first[1]) == []
        assert _summary(db, first[1]) == ""
    if case.variant == "outside-stay-unclear":
        assert first is not None
        assert 35 <= first[0] <= 90
        assert "outside hospital after discharge" in _summary(db, first[1])
    if case.variant == "unplanned-by-code-scheduled-by-text":
        assert case.hadm_id is not None
        assert "will return in two weeks for scheduled second-stage revision" in _summary(db, case.hadm_id)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_encounters_do_not_overlap(case: Case, open_built: Open) -> None:
    db = open_built(case)
    rows = db.execute("select coalesce(edregtime, admittime), dischtime from admissions order by 1").fetchall()
    rows += db.execute("select intime, outtime from edstays where hadm_id is null").fetchall()
    spans = sorted((str(start), str(end)) for start, end in rows)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


def test_the_plan_gives_the_committed_cases() -> None:
    assert plan(1) == CASES
