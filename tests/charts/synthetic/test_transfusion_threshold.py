"""Every transfusion-threshold chart, read as bare SQL, holds the facts and the trap of its variant."""

from __future__ import annotations

import itertools
import sqlite3
import tomllib
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from pytest_clinicare.charts.synthetic.scenarios.transfusion_threshold.plan import plan
from pytest_clinicare.suite import Case, suite_root

FOLDER = suite_root().cases / "transfusion-threshold"
CASES = [Case(**tomllib.loads(p.read_text(encoding="utf-8"))) for p in sorted(FOLDER.glob("transfusion-*.toml"))]
Open = Callable[[Case], sqlite3.Connection]
HOUR = timedelta(hours=1)
# Lowest and highest last haemoglobin of a variant, as the specification has them.
RANGES = {
    "below-7-default": (6.1, 6.9),
    "orthopaedic-7x": (7.1, 7.9),
    "cvd-in-note-only": (7.2, 7.9),
    "cardiac-surgery-7-0-to-7-4": (7.0, 7.4),
    "unstable-bleed-hb-9": (8.8, 10.8),
    "acs-below-8": (7.2, 7.9),
    "haematology-below-7": (6.2, 6.8),
    "default-7-0-and-above": (7.0, 8.4),
    "gas-value-beside-cbc": (8.0, 8.5),
    "cardiac-surgery-8-plus": (8.0, 9.4),
    "orthopaedic-8-plus": (8.0, 9.2),
    "demand-troponin": (9.0, 9.6),
    "historical-bleed": (7.4, 8.6),
    "stale-low-value": (7.6, 8.2),
    "acs-8-to-10": (8.2, 9.7),
    "symptomatic-anaemia": (7.3, 8.7),
}
# Words of heart and vessel disease that no chart without it may hold.
VESSELS = ("coronary artery disease", "CAD", "heart failure", "yocardial infarction", "stroke", "peripheral arter")


def _start(db: sqlite3.Connection) -> datetime | None:
    (found,) = db.execute("select min(starttime) from inputevents where itemid = 225168 and amount > 0").fetchone()
    return datetime.fromisoformat(found) if found else None


def _values(db: sqlite3.Connection, first: datetime, last: datetime, item: int = 51222) -> list[float]:
    rows = db.execute(
        "select valuenum from labevents where itemid = ? and charttime between ? and ? order by charttime",
        (item, str(first), str(last)),
    )
    return [value for (value,) in rows]


def _text(db: sqlite3.Connection) -> str:
    (text,) = db.execute("select text from discharge").fetchone()
    return str(text).replace("Father with coronary artery disease", "")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_decisive_facts_are_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    start = _start(db)
    assert (start is None) == (case.variant in ("ordered-never-given", "time-unknown"))
    if start is None:
        return
    before = _values(db, start - 24 * HOUR, start)
    if case.variant == "no-hb-in-24h":
        assert not before
        assert not _values(db, start - 24 * HOUR, start, 50811)
        assert _values(db, start - 40 * HOUR, start - 31 * HOUR)[-1] == 7.3
        return
    low, high = RANGES[str(case.variant)]
    assert low <= before[-1] <= high
    window = (str(start - 6 * HOUR), str(start))
    systolic = "select min(valuenum) from chartevents where itemid in (220179, 220050) and charttime between ? and ?"
    mean = "select min(valuenum) from chartevents where itemid in (220181, 220052) and charttime between ? and ?"
    (lowest,), (lowest_mean,) = db.execute(systolic, window).fetchone(), db.execute(mean, window).fetchone()
    assert (lowest < 90) == (case.variant in ("unstable-bleed-hb-9", "historical-bleed"))
    assert (lowest_mean < 65) == (lowest < 90)
    assert not db.execute("select 1 from inputevents where itemid = 221906").fetchall()
    operated = db.execute(
        "select chartdate from procedures_icd where icd_code in "
        "('0QS606Z', '0QS806Z', '0SR90JZ', '0SRC0J9', '021209W', '02RF08Z')"
    ).fetchall()
    assert bool(operated) == ("surgery" in str(case.variant) or "orthopaedic" in str(case.variant))
    assert all(date[:10] < str(start)[:10] for (date,) in operated)
    hurt = operated or str(case.variant).startswith(("cvd", "acs", "demand"))
    if not hurt:
        assert [word for word in VESSELS if word in _text(db)] == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_trap_is_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    start, text = _start(db), _text(db)
    codes = {code for (code,) in db.execute("select icd_code from diagnoses_icd")}
    procedures = {code for (code,) in db.execute("select icd_code from procedures_icd")}
    orders = db.execute("select transaction_type from poe where order_subtype = 'Red Cell Product Order'").fetchall()
    assert orders
    match case.variant:
        case "below-7-default":
            assert start
            assert 8.2 <= _values(db, start, start + 12 * HOUR)[0] <= 8.8
        case "cvd-in-note-only":
            assert not any(code.startswith(("I2", "I5")) for code in codes)
        case "cardiac-surgery-7-0-to-7-4":
            assert db.execute("select count(*) from inputevents where itemid = 226368").fetchone() == (2,)
        case "default-7-0-and-above":
            assert "6.9" in text or "< 7" in text or "under 7" in text or "below 7" in text
        case "gas-value-beside-cbc":
            assert start
            assert 6.5 <= _values(db, start - 2 * HOUR, start, 50811)[-1] <= 6.8
        case "haematology-below-7":
            assert " 8" in text
        case "cardiac-surgery-8-plus":
            assert "> 9" in text or "above 9" in text
        case "orthopaedic-8-plus":
            assert "10 / Hct 30" in text or "10/30" in text
        case "demand-troponin":
            assert "type 2" in text
        case "historical-bleed":
            assert "two years ago" in text
        case "stale-low-value":
            assert min(_values(db, datetime(1, 1, 1), datetime(9999, 1, 1))) <= 6.6
        case "time-unknown":
            assert "30233N1" in procedures
            assert "during" in text or "in the course" in text
        case "ordered-never-given":
            assert "30233N1" not in procedures


def test_nothing_fixes_the_time_of_a_unit_of_unknown_time(open_built: Open) -> None:
    """From the order on the last count is now above 7.0 and now below, and none jumps by what a unit adds."""
    db = open_built(next(case for case in CASES if case.variant == "time-unknown"))
    (ordered,) = db.execute("select ordertime from poe where order_subtype = 'Red Cell Product Order'").fetchone()
    counts = db.execute("select charttime, valuenum from labevents where itemid = 51222 order by 1").fetchall()
    before = [value for time, value in counts if time <= ordered][-1:]
    after = [value for time, value in counts if time > ordered]
    last = [*before, *after]
    assert last[0] >= 7.0 > min(last)
    assert max(later - earlier for earlier, later in itertools.pairwise(last)) < 0.8


def test_the_committed_cases_are_the_plan() -> None:
    assert sorted(plan(1), key=lambda case: case.id) == CASES
