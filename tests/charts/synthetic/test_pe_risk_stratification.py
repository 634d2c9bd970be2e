"""Every pe-risk-stratification chart, read as bare SQL, holds the facts and the trap of its variant."""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.scenarios.pe_risk_stratification.plan import plan
from pytest_clinicare.suite import Case, suite_root

FOLDER = suite_root().cases / "pe-risk-stratification"
CASES = [Case(**tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("pe-risk-*.toml"))]
Open = Callable[[Case], sqlite3.Connection]
HOUR = timedelta(hours=1)
GIVEN = ("Administered", "Started", "Restarted")
SHOCKED = ("high-risk-lysed", "high-risk-heparin-only")


def _scan(db: sqlite3.Connection) -> tuple[datetime, str]:
    time, text = db.execute("select charttime, text from radiology where text like '%CTA CHEST%'").fetchone()
    return datetime.fromisoformat(time), text


def _systolic(db: sqlite3.Connection, scan: datetime) -> list[tuple[datetime, float]]:
    rows = db.execute(
        "select e.intime, t.sbp from triage t join edstays e on e.stay_id = t.stay_id union all "
        "select charttime, sbp from vitalsign union all "
        "select charttime, valuenum from chartevents where itemid in (220179, 220050)"
    ).fetchall()
    times = [(datetime.fromisoformat(time), value) for time, value in rows if value is not None]
    return sorted((t, v) for t, v in times if scan - 12 * HOUR <= t <= scan + 24 * HOUR)


def _span_below_90(pressures: list[tuple[datetime, float]]) -> float:
    """Minutes of the longest run of readings below 90."""
    longest, run = 0.0, []
    for time, value in pressures:
        run = [*run, time] if value < 90 else []
        longest = max(longest, (run[-1] - run[0]).total_seconds() / 60) if run else longest
    return longest


def _given(db: sqlite3.Connection, scan: datetime, drug: str) -> list[tuple[float, str, str, str]]:
    """Hour from the CT, dose, route and event of the charted rows of a drug."""
    rows: list[Any] = db.execute(
        "select m.charttime, p.dose_val_rx, p.route, m.event_txt from emar m join prescriptions p "
        "on p.pharmacy_id = m.pharmacy_id where m.medication like ? order by m.charttime",
        (f"{drug}%",),
    ).fetchall()
    return [((datetime.fromisoformat(t) - scan) / HOUR, dose, route, event) for t, dose, route, event in rows]


def _treated(db: sqlite3.Connection, scan: datetime) -> bool:
    """A treatment dose from -24 h to +6 h, by drug, dose and route of the prescription."""
    found = [r for r in _given(db, scan, "Heparin") if r[2] == "IV DRIP"]
    found += [r for r in _given(db, scan, "Enoxaparin") if float(r[1]) >= 50]
    found += [r for r in _given(db, scan, "Apixaban") if r[1] == "10"]
    found += [r for r in _given(db, scan, "Rivaroxaban") if r[1] == "15"]
    return any(-24 <= hours <= 6 and event in GIVEN for hours, _, _, event in found)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_decisive_facts_are_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    scan, text = _scan(db)
    pressures = _systolic(db, scan)
    assert bool(pressures) == (case.variant != "no-pressures")
    assert (_span_below_90(pressures) > 15) == (case.variant in SHOCKED)
    pressors = db.execute("select count(*) from inputevents where itemid = 221906").fetchone()[0]
    assert bool(pressors) == bool(case.recipe["vasopressors"])
    assert ("no pulmonary embolism" in text) == (case.variant == "addendum-retracts")
    assert ("no acute embolus" in text) == (case.variant == "chronic-only")
    untreated = case.step in (2, 4, 9, 10) or case.variant == "chronic-only"
    assert _treated(db, scan) != untreated
    alteplase = [hours for hours, *_ in _given(db, scan, "Alteplase")]
    assert bool(alteplase) == (case.variant in ("high-risk-lysed", "lysis-in-stable"))
    filters = db.execute("select charttime from radiology where text like '%IVC FILTER%'").fetchall()
    assert bool(filters) == (case.step == 9)
    assert all(datetime.fromisoformat(time) <= scan + 48 * HOUR for (time,) in filters)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_trap_is_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    scan, text = _scan(db)
    (summary,) = db.execute("select text from discharge").fetchone()
    codes = {code for (code,) in db.execute("select icd_code from diagnoses_icd")}
    assert any(code.startswith("I26") for code in codes)
    window = [row for drug in ("Heparin", "Enoxaparin") for row in _given(db, scan, drug) if -24 <= row[0] <= 6]
    if case.variant == "strain-but-stable":
        assert "RV/LV" in text
        assert "ubmassive" in summary
    if case.variant in ("prophylactic-heparin", "prophylactic-enoxaparin"):
        assert any(event == "Administered" for *_, event in window)
        assert "nticoagula" in summary or "lood thinners" in summary
    if case.variant == "treatment-dose-late":
        assert window
        assert all(event in ("Not Given", "Hold Dose") for *_, event in window)
    if case.variant == "filter-gi-bleed":
        assert [event for *_, event in window] == ["Not Given"]
    if case.variant == "lysis-in-stable":
        assert "assive PE" in summary
    if case.variant == "chronic-only":
        assert {"I2782", "I2699"} <= codes
        assert "Apixaban 5 mg PO BID" in summary
    if case.variant == "no-administrations":
        assert not db.execute("select 1 from emar").fetchall()
        assert db.execute("select 1 from prescriptions where drug = 'Heparin' and route = 'IV DRIP'").fetchall()
    if case.variant == "no-pressures":
        assert db.execute("select 1 from omr where result_name = 'Blood Pressure'").fetchall()
        assert "VITALS: ___" in summary
        assert not db.execute("select 1 from edstays").fetchall()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_an_ed_stay_has_its_administrations(case: Case, open_built: Open) -> None:
    """An ED stay without any would be unobserved, which is what one variant is about and no other."""
    db = open_built(case)
    for start, end in db.execute("select intime, outtime from edstays where hadm_id is not null"):
        rows = db.execute("select 1 from emar where charttime between ? and ?", (start, end)).fetchall()
        assert bool(rows) == (case.variant != "no-administrations")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_history_fits_the_sex(case: Case) -> None:
    wrong = {"M": ("Breast", "Ovarian"), "F": ("Prostate",)}[case.recipe["patient"][0]]
    assert not any(line.startswith(wrong) for line in case.recipe["past"])


def test_the_committed_cases_are_the_plan() -> None:
    assert sorted(plan(1), key=lambda case: case.id) == CASES
