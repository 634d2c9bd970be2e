"""Every ards-lung-protective chart, read as bare SQL, holds the facts and the trap of its variant."""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Callable
from datetime import datetime, timedelta
from statistics import median

import pytest

from pytest_clinicare.charts.synthetic.scenarios.ards_lung_protective.plan import plan
from pytest_clinicare.suite import Case, suite_root

FOLDER = suite_root().cases / "ards-lung-protective"
CASES = [Case(**tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("ards-*.toml"))]
Open = Callable[[Case], sqlite3.Connection]
HOUR = timedelta(hours=1)


def _qualifying(db: sqlite3.Connection) -> datetime | None:
    """The first arterial gas of at most 300 mmHg."""
    rows = db.execute(
        "select p.charttime, p.valuenum, coalesce((select o.valuenum from labevents o where o.itemid = 50816 "
        "and o.specimen_id = p.specimen_id), (select c.valuenum from chartevents c where c.itemid = 223835 "
        "and c.charttime <= p.charttime order by c.charttime desc limit 1)) from labevents p join labevents t "
        "using (specimen_id) where p.itemid = 50821 and t.itemid = 52033 and t.value = 'ART.' order by 1"
    )
    return next((datetime.fromisoformat(time) for time, po2, oxygen in rows if po2 * 100 / oxygen <= 300), None)


def _charted(db: sqlite3.Connection, itemid: int, after: datetime) -> list[float]:
    rows = db.execute(
        "select valuenum from chartevents where itemid = ? and charttime > ? and charttime <= ?",
        (itemid, str(after), str(after + 24 * HOUR)),
    )
    return [value for (value,) in rows]


def _heights(db: sqlite3.Connection) -> list[float]:
    rows = db.execute("select valuenum from chartevents where itemid in (226730, 226707) order by charttime")
    return [value * 2.54 if value < 100 else value for (value,) in rows]


def _predicted(db: sqlite3.Connection, height: float) -> float:
    (sex,) = db.execute("select gender from patients").fetchone()
    return (50 if sex == "M" else 45.5) + 0.91 * (height - 152.4)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_decisive_facts_are_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    onset = _qualifying(db)
    assert (onset is None) == (case.step == 2)
    if onset is None:
        return
    heights = _heights(db)
    assert (not heights) == (case.step == 5)
    volumes, plateaus = _charted(db, 224684, onset), _charted(db, 224696, onset)
    assert len(volumes) >= 6
    assert (not plateaus) == (case.step == 9)
    per = [median(volumes) / _predicted(db, height) for height in heights]
    if case.step == 8:
        assert min(per) > 8
    if case.step in (9, 10, 11):
        assert max(per) <= 8
    if case.step == 7:
        assert min(per) <= 8 < max(per)
    if case.step in (10, 11):
        assert (median(plateaus) > 30) == (case.step == 10)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_trap_is_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    codes = {code for (code,) in db.execute("select icd_code from diagnoses_icd")}
    (text,) = db.execute("select text from discharge").fetchone()
    (weight,) = db.execute("select valuenum from chartevents where itemid = 226512").fetchone()
    onset = _qualifying(db)
    if case.variant in ("textbook-protective", "ards-unnamed"):
        assert "J80" not in codes
    if case.variant in ("not-ards-unilateral", "no-height"):
        assert "J80" in codes
    if case.variant == "ards-unnamed":
        films = [film for (film,) in db.execute("select text from radiology")]
        assert not any("ARDS" in said or "acute respiratory distress" in said.lower() for said in (text, *films))
    if case.variant == "protocol-claimed-in-note":
        assert "ARDSNet" in text
    if case.variant == "heavy-patient-small-volume":
        assert weight >= 110
    if case.variant == "short-man-everyday-volume":
        assert 450 / weight < 8
    if case.variant in ("at-the-limits", "plateau-high"):
        assert onset
        plateaus = _charted(db, 224696, onset)
        assert min(plateaus) <= 30 < max(plateaus)
    if case.variant == "corrected-before-onset":
        first = db.execute("select valuenum from chartevents where itemid = 224684 order by charttime").fetchone()
        assert first == (600,)
    if case.variant == "inches-under-cm-item":
        assert db.execute("select itemid, valuenum from chartevents where itemid in (226730, 226707)").fetchall() == [
            (226730, 70)
        ]


def test_the_committed_cases_are_the_plan() -> None:
    assert sorted(plan(1), key=lambda case: case.id) == CASES
