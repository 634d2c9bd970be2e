"""Every frequent-admitter chart, read as bare SQL, holds the facts and the trap of its variant."""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from pytest_clinicare.charts.synthetic.scenarios.frequent_admitter.plan import plan
from pytest_clinicare.suite import Case, suite_root

FOLDER = suite_root().cases / "frequent-admitter"
CASES = [Case(**tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("frequent-*.toml"))]
Open = Callable[[Case], sqlite3.Connection]
TYPES = ("EW EMER.", "DIRECT EMER.", "URGENT", "OBSERVATION ADMIT")
YEAR, DAY = timedelta(days=365), timedelta(hours=24)


def _times(db: sqlite3.Connection) -> list[tuple[datetime, datetime]]:
    rows = db.execute(
        f"select a.admittime, a.dischtime from admissions a left join diagnoses_icd d on d.hadm_id = a.hadm_id "
        f"and d.seq_num = 1 where a.admission_type in {TYPES} and coalesce(d.icd_code, '') <> 'Z5111' order by 1"
    )
    return [(datetime.fromisoformat(a), datetime.fromisoformat(d)) for a, d in rows]


def _begins(db: sqlite3.Connection) -> list[datetime]:
    begins: list[datetime] = []
    until = datetime.min
    for admit, disch in _times(db):
        if admit - until > DAY:
            begins.append(admit)
        until = max(until, disch)
    return begins


def _most(begins: list[datetime]) -> int:
    return max(sum(first <= other <= first + YEAR for other in begins) for first in begins)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_decisive_facts_are_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    most = _most(_begins(db))
    assert (most >= 4) == (case.step not in (1, 2))
    assert (most == 3) or case.step != 1
    told = [text for (text,) in db.execute("select text from discharge")]
    assert any("hospitaliz" in text and "outside hospital" in text for text in told) == (case.step == 1)
    assert any("versus" in text for text in told) == (case.step == 5)
    (silent,) = db.execute(
        "select count(*) from admissions where hadm_id not in (select hadm_id from discharge) "
        "and hadm_id not in (select hadm_id from diagnoses_icd)"
    ).fetchone()
    assert silent == (2 if case.step == 4 else 0)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_trap_is_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    begins = _begins(db)
    rows = db.execute("select count(*) from admissions").fetchone()[0]
    first = [code for (code,) in db.execute("select icd_code from diagnoses_icd where seq_num = 1")]
    if case.variant == "heart-failure-across-new-year":
        years = [begin.year for begin in begins]
        assert sorted(years.count(year) for year in set(years))[-1] < 4
    if case.variant == "exactly-365-days":
        assert timedelta(0) <= begins[0] + YEAR - begins[3] <= timedelta(hours=6)
    if case.variant == "fourth-just-outside":
        assert timedelta(hours=2) <= begins[3] - begins[0] - YEAR <= timedelta(hours=10)
    if case.variant in ("chemotherapy-cycles", "observation-inflated", "split-rows-merge", "spread-over-years"):
        assert rows >= 5
    if case.variant == "chemotherapy-cycles":
        assert first.count("Z5111") >= 6
    if case.variant == "split-rows-merge":
        assert len(_times(db)) - len(begins) == 2
    if case.variant == "unrelated-with-shared-comorbidity":
        (shared,) = db.execute("select count(*) from diagnoses_icd where icd_code = 'I5022' and seq_num > 1").fetchone()
        assert shared >= 4
    if case.variant == "open-common-cause":
        assert "I509" in first
    if case.variant == "ed-user-not-admitter":
        (visits,) = db.execute("select count(*) from edstays where hadm_id is null").fetchone()
        assert visits >= 12
    if case.variant == "liver-disease-many-codes":
        assert len(set(first)) >= 5


def test_the_committed_cases_are_the_plan() -> None:
    assert sorted(plan(1), key=lambda case: case.id) == CASES
