"""Every eol-goal-concordance chart, read as bare SQL, holds its variant's facts and trap, and leads to its verdict."""

from __future__ import annotations

import re
import sqlite3
import tomllib
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from pytest_clinicare.charts.synthetic.scenarios.eol_goal_concordance.plan import plan
from pytest_clinicare.suite import Case, suite_root

FOLDER = suite_root().cases / "eol-goal-concordance"
SCENARIO = tomllib.loads((FOLDER / "scenario.toml").read_text(encoding="utf-8"))
CASES = [
    Case(**tomllib.loads(path.read_text(encoding="utf-8")))
    for path in sorted(FOLDER.glob("eol-goal-concordance-*.toml"))
]
HOUR = timedelta(hours=1)
Open = Callable[[Case], sqlite3.Connection]
LIMITING = {"Full code": 0, "DNR (do not resuscitate)": 1, "DNR / DNI": 2, "Comfort measures only": 3}
ORDERED = {"Resuscitate (Full code)": 0, "DNAR (DO NOT attempt resuscitation for cardiac arrest)": 1}
PRESSOR, TUBE, OUT, VENT, MASK, ARREST = 221906, 224385, 227194, 225792, 225794, 225466
RENAL = (225802, 225441)


def clock(text: str) -> datetime:
    return datetime.fromisoformat(text)


class Stay:
    """An admission as rows."""

    def __init__(self, db: sqlite3.Connection, case: Case) -> None:
        self.admit, self.left, self.died, self.where = db.execute(
            "select admittime, dischtime, deathtime, discharge_location from admissions where hadm_id = ?",
            (case.hadm_id,),
        ).fetchone()
        self.orders = [
            (clock(t), ORDERED.get(v, 2), k)
            for t, v, k in db.execute(
                "select p.ordertime, d.field_value, p.transaction_type from poe p left join poe_detail d using (poe_id)"
                " where p.order_subtype = 'Code status' order by 1"
            )
        ]
        self.charted = [
            (clock(t), LIMITING[v])
            for t, v in db.execute("select charttime, value from chartevents where itemid = 223758 order by 1")
        ]
        self.done = [
            (clock(a), clock(b), item)
            for a, b, item in db.execute("select starttime, endtime, itemid from procedureevents order by 1")
        ]
        self.drips: list[tuple[datetime, datetime]] = []
        for a, b in db.execute("select starttime, endtime from inputevents where itemid = ? order by 1", (PRESSOR,)):
            if self.drips and clock(a) - self.drips[-1][1] <= HOUR:
                self.drips[-1] = (self.drips[-1][0], clock(b))
            else:
                self.drips.append((clock(a), clock(b)))
        self.text = db.execute("select text from discharge where hadm_id = ?", (case.hadm_id,)).fetchone()[0]
        self.codes = {c for (c,) in db.execute("select icd_code from diagnoses_icd")}

    def starts(self, *items: int) -> list[datetime]:
        return [a for a, _, item in self.done if item in items]

    def level(self, time: datetime) -> int:
        """An order replaces; charting adds a limit, and changes what rests on charting."""
        rows = sorted([(t, v, True) for t, v, _ in self.orders] + [(t, v, False) for t, v in self.charted])
        level, by_order = 0, False
        for at, value, ordered in rows:
            if at >= time:
                break
            if ordered:
                level, by_order = value, True
            elif value > level or not by_order:
                level, by_order = value, by_order and value == level
        return level

    @property
    def comfort(self) -> datetime | None:
        return next((t for t, v in self.charted if v == 3), None)


def derive(stay: Stay) -> tuple[str, int]:
    """The eight steps of EPC-003, section 7."""
    if not stay.died and stay.where != "HOSPICE":
        return "lack", 1
    if not stay.orders and not stay.charted:
        return ("lack", 6) if "DNR/DNI" in stay.text else ("lack", 2)
    conflict = unread = False
    events = [(t, "tube") for t in stay.starts(TUBE)] + [(a, "drip") for a, _ in stay.drips]
    events += [(t, "renal") for t in stay.starts(*RENAL)] + [(t, "mask") for t in stay.starts(MASK)]
    if "CPR for" in stay.text:
        events += [(t, "cpr") for t in stay.starts(ARREST)]
    for time, what in sorted(events):
        level = stay.level(time)
        if not {"cpr": level >= 1, "tube": level >= 2}.get(what, level == 3):
            continue
        order = [v for t, v, _ in stay.orders if t < time]
        loose = [t for t, v in stay.charted if time - 12 * HOUR <= t < time and order and v < order[-1]]
        ordered = [t for t, _, _ in stay.orders if t < time]
        if what == "mask":
            unread = True
        elif [t for t in loose if t > ordered[-1]]:
            conflict = True
        else:
            return "no", 3
    if stay.comfort and "until" not in stay.text.split("Brief Hospital Course")[1].split("Medications on")[0]:
        running = [(a, b) for a, b, item in stay.done if item in (VENT, *RENAL)] + stay.drips
        if any(a < stay.comfort and b - stay.comfort > 12 * HOUR for a, b in running):
            return "no", 4
    return ("ambiguous", 7) if conflict or unread else ("yes", 8)


def test_the_committed_cases_are_the_plan() -> None:
    assert sorted(plan(1), key=lambda case: case.id) == CASES


def test_variants_come_as_often_as_the_scenario_says() -> None:
    variants = {v["name"]: v for v in SCENARIO["variants"]}
    assert Counter(case.variant for case in CASES) == {name: v["count"] for name, v in variants.items()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_chart_leads_to_the_case(case: Case, open_built: Open) -> None:
    assert derive(Stay(open_built(case), case)) == (case.verdict, case.step)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_trap_is_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    stay = Stay(db, case)
    if case.variant == "orderly-withdrawal":
        assert stay.comfort
        assert db.execute(
            "select 1 from inputevents where itemid = ? and starttime > ?", (PRESSOR, str(stay.comfort))
        ).fetchone()
        assert db.execute(
            "select 1 from prescriptions where drug = 'Vasopressin' and stoptime > ?", (str(stay.comfort),)
        ).fetchone()
        assert not db.execute("select 1 from emar where medication = 'Vasopressin'").fetchone()
    if case.variant == "dnr-with-full-icu-care":
        limit = next(t for t, v, _ in stay.orders if v == 1)
        assert 12 * HOUR <= stay.starts(TUBE)[0] - limit <= 40 * HOUR
        assert 20 * HOUR <= stay.starts(225802)[0] - limit <= 60 * HOUR
        assert stay.comfort is None
        assert not stay.starts(ARREST)
    if case.variant == "intubated-before-dni":
        assert stay.starts(TUBE)[0] < next(t for t, v, _ in stay.orders if v == 2)
    if case.variant == "full-code-to-the-end":
        assert {v for _, v, _ in stay.orders} | {v for _, v in stay.charted} == {0}
        assert re.search(r"CPR for \d+ minutes", stay.text)
    if case.variant == "intubated-after-dni":
        limit = next(t for t, v, _ in stay.orders if v == 2)
        assert 10 * HOUR <= stay.starts(TUBE)[0] - limit <= 72 * HOUR
        assert not re.search(
            r"intubat|ventilat", stay.text.split("Goals")[-1].split("Medications on")[0], re.IGNORECASE
        )
    if case.variant in ("pressor-started-after-cmo", "dialysis-started-after-cmo", "niv-under-comfort-care"):
        assert "Z515" in stay.codes
        assert stay.comfort
    if case.variant == "resuscitation-under-dnr":
        assert (stay.starts(ARREST)[0].date() - clock(stay.admit).date()).days == 4
        assert [v for t, v in stay.charted if t > stay.starts(ARREST)[0]] == [1]
    if case.variant == "only-a-z66-code":
        assert "Z66" in stay.codes
        course = stay.text.split("Brief Hospital Course")[1].split("Medications on")[0]
        assert not re.search(r"DNR|comfort|full code|resuscit", course, re.IGNORECASE)
    if case.variant == "same-day-order-unknown":
        tube = stay.starts(TUBE)[0]
        assert (tube.hour, tube.minute) == (15, 10)
        assert "hospital day 4" in stay.text


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_nothing_is_charted_after_the_end(case: Case, open_built: Open) -> None:
    db = open_built(case)
    stay = Stay(db, case)
    for table, column in (
        ("chartevents", "charttime"),
        ("emar", "charttime"),
        ("inputevents", "endtime"),
        ("procedureevents", "endtime"),
        ("labevents", "charttime"),
    ):
        (last,) = db.execute(f"select max({column}) from {table}").fetchone()
        assert last <= stay.left, (table, last)
    if stay.comfort:
        assert db.execute("select max(charttime) from labevents").fetchone()[0] < str(stay.comfort)
