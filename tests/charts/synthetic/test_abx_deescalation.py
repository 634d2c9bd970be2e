"""Every abx-deescalation chart, read as bare SQL, holds the facts and the trap of its variant."""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from pytest_clinicare.charts.synthetic.scenarios.abx_deescalation.plan import plan
from pytest_clinicare.suite import Case, suite_root

FOLDER = suite_root().cases / "abx-deescalation"
CASES = [Case(**tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("abx-*.toml"))]
BROAD = ("Piperacillin-Tazobactam", "CefePIME", "Meropenem", "Vancomycin")
Open = Callable[[Case], sqlite3.Connection]


def _final(db: sqlite3.Connection, hadm_id: int) -> datetime:
    """Latest store time of the panel of the first specimen that has one."""
    (found,) = db.execute(
        "select max(storetime) from microbiologyevents where interpretation is not null and hadm_id = ? "
        "and charttime = (select min(charttime) from microbiologyevents "
        "where interpretation is not null and hadm_id = ?)",
        (hadm_id, hadm_id),
    ).fetchone()
    return datetime.fromisoformat(found)


def _last(db: sqlite3.Connection, hadm_id: int, final: datetime) -> dict[str, float]:
    """Hours from T_final to the last given dose of each broad agent up to 96 h."""
    rows = db.execute(
        "select medication, max(charttime) from emar where event_txt = 'Administered' and hadm_id = ? "
        "and charttime <= ? group by medication",
        (hadm_id, str(final + timedelta(hours=96))),
    )
    return {d: (datetime.fromisoformat(t) - final) / timedelta(hours=1) for d, t in rows if d in BROAD}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_last_broad_dose_lies_where_the_verdict_wants_it(case: Case, open_built: Open) -> None:
    db = open_built(case)
    assert case.hadm_id is not None
    final = _final(db, case.hadm_id)
    last = _last(db, case.hadm_id, final)
    if case.verdict == "yes":
        assert last
        assert max(last.values()) <= 48
    if case.step in (6, 7):
        assert max(last.values()) > 48
    if case.variant == "exactly-48-hours":
        assert last == {"Meropenem": 48.0}
    if case.variant == "no-administrations":
        assert not db.execute("select 1 from emar where hadm_id = ?", (case.hadm_id,)).fetchall()
    (left,) = db.execute("select dischtime from admissions where hadm_id = ?", (case.hadm_id,)).fetchone()
    watched = (datetime.fromisoformat(left) - final) / timedelta(hours=1)
    assert (watched > 96) == (case.variant not in ("home-inside-window", "died-in-window"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_trap_is_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    assert case.hadm_id is not None
    final = _final(db, case.hadm_id)
    last = _last(db, case.hadm_id, final)
    orders = dict(
        db.execute("select drug, max(stoptime) from prescriptions where hadm_id = ? group by drug", (case.hadm_id,))
    )
    (text,) = db.execute("select text from discharge where hadm_id = ?", (case.hadm_id,)).fetchone()
    if case.variant == "mssa-both-stopped":
        assert (datetime.fromisoformat(orders["Vancomycin"]) - final) / timedelta(hours=1) > last["Vancomycin"] + 40
    if case.variant == "late-in-window":
        stains = db.execute(
            "select min(storetime) from microbiologyevents where hadm_id = ? and comments like 'GRAM %'",
            (case.hadm_id,),
        ).fetchone()
        assert max(last.values()) - (datetime.fromisoformat(stains[0]) - final) / timedelta(hours=1) > 60
    if case.variant == "narrow-order-not-given":
        events = db.execute(
            "select distinct event_txt from emar where hadm_id = ? and medication = 'CefTRIAXone'", (case.hadm_id,)
        ).fetchall()
        assert events == [("Not Given",)]
    if case.variant == "narrow-order-discontinued":
        assert "CefTRIAXone" in orders
        assert not db.execute("select 1 from emar where medication = 'CefTRIAXone'").fetchall()
    if case.variant == "one-of-two-stopped":
        assert db.execute("select 1 from microbiologyevents where org_name like 'POSITIVE FOR METH%'").fetchall()
    if case.variant == "contaminant-only":
        grown = db.execute(
            "select count(distinct micro_specimen_id) from microbiologyevents where hadm_id = ? "
            "and org_name is not null and spec_type_desc = 'BLOOD CULTURE'",
            (case.hadm_id,),
        ).fetchone()
        assert grown == (1,)
    if case.variant == "mixed-infection-continued":
        assert "undrained" in text or "not drained" in text or "unsafe" in text


def test_the_committed_cases_are_the_plan() -> None:
    assert sorted(plan(1), key=lambda case: case.id) == CASES
