"""Every post-ct-aki chart, read as bare SQL in decimal arithmetic, leads to its case's verdict, step and trap."""

from __future__ import annotations

import re
import sqlite3
import tomllib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from statistics import median

import pytest

from pytest_clinicare.charts.synthetic.scenarios.post_ct_aki.plan import plan
from pytest_clinicare.suite import Case, suite_root

FOLDER = suite_root().cases / "post-ct-aki"
SCENARIO = tomllib.loads((FOLDER / "scenario.toml").read_text(encoding="utf-8"))
CASES = [Case(**tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("post-ct-aki-*.toml"))]
Values = list[tuple[datetime, Decimal]]


@dataclass
class Derived:
    step: int
    verdict: str
    scan: datetime | None
    window: Values
    prior: Values
    pre: Values
    later: Values


def derive(db: sqlite3.Connection, hadm_id: int) -> Derived:
    """The eight steps of RH-NEPH-03, section 8."""
    admitted, arrived = (
        datetime.fromisoformat(t) if t else None
        for t in db.execute("select admittime, edregtime from admissions where hadm_id = ?", (hadm_id,)).fetchone()
    )
    start = arrived or admitted - timedelta(hours=6)
    values = [
        (datetime.fromisoformat(t), Decimal(v))
        for t, v in db.execute(
            "select charttime, value from labevents where itemid = 50912 and valueuom = 'mg/dL' order by charttime"
        )
    ]
    scans = [
        datetime.fromisoformat(t)
        for t, text in db.execute(
            "select charttime, text from radiology where hadm_id = ? order by charttime", (hadm_id,)
        )
        if re.match(r"EXAMINATION:\s+CT", text)
    ]
    prior = [v for v in values if timedelta(days=90) <= admitted - v[0] <= timedelta(days=365)]
    scan = scans[0] if scans else None
    closing = scan + timedelta(hours=48) if scan else None
    window = [v for v in values if scan and scan < v[0] <= closing]
    pre = [v for v in values if scan and start <= v[0] <= scan]
    later = [v for v in values if closing and closing < v[0]]
    step, verdict = _decide(db, hadm_id, scan, prior, pre, window)
    return Derived(step, verdict, scan, window, prior, pre, later)


def _decide(
    db: sqlite3.Connection, hadm_id: int, scan: datetime | None, prior: Values, pre: Values, window: Values
) -> tuple[int, str]:
    if scan is None:
        return 1, "lack"
    codes = {code for (code,) in db.execute("select icd_code from diagnoses_icd")}
    notes = " ".join(text for (text,) in db.execute("select text from discharge")).lower()
    ordered = db.execute(
        "select count(*) from poe where hadm_id = ? and (order_type = 'Hemodialysis' or order_subtype = 'Dialysis')",
        (hadm_id,),
    ).fetchone()[0]
    delivered = db.execute(
        "select count(*) from procedureevents where itemid in (225441, 225802, 225803, 225809, 225955, 225805)"
    ).fetchone()[0]
    if codes & {"N186", "Z992"} or ordered or delivered or "end stage renal" in notes or "dialysis" in notes:
        return 2, "ambiguous"
    ckd = any(code.startswith("N18") for code in codes) or "chronic kidney disease" in notes
    if prior:
        base = min(v for _, v in prior)
    elif pre:
        base = min(pre)[1]
    elif ckd:
        gender, age = db.execute("select gender, anchor_age from patients").fetchone()
        sex = 0.742 if gender == "F" else 1.0
        base = Decimal(str((75 / (175 * age**-0.203 * sex)) ** (1 / -1.154)))
    else:
        return 3, "lack"
    if len(prior) >= 2:
        levels = [v for _, v in prior]
        if max(levels) >= Decimal("1.5") * min(levels):
            middle = Decimal(median(levels))
            if any(_rises(v, base) for _, v in window) and not any(_rises(v, middle) for _, v in window):
                return 4, "ambiguous"
    if any(_rises(v, base) for _, v in window):
        return 5, "yes"
    if len(window) < 2:
        return 6, "lack"
    if codes & {"N184", "N185"} or re.search(r"stage [45]", notes):
        return 7, "ambiguous"
    return 8, "no"


def _rises(value: Decimal, base: Decimal) -> bool:
    return value - base >= Decimal("0.3") or value >= Decimal("1.5") * base


def test_case_files_are_the_plan() -> None:
    assert plan(1) == CASES


def test_case_plan_matches_the_scenario() -> None:
    variants = {v["name"]: v for v in SCENARIO["variants"]}
    assert Counter(case.variant for case in CASES) == {name: v["count"] for name, v in variants.items()}
    for case in CASES:
        variant = variants[case.variant]
        assert (case.verdict, case.step) == (variant["verdict"], variant["step"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_chart_leads_to_the_case(case: Case, open_built: Callable[[Case], sqlite3.Connection]) -> None:
    db = open_built(case)
    derived = derive(db, case.hadm_id)
    assert (derived.verdict, derived.step) == (case.verdict, case.step)
    TRAPS[case.variant](db, case, derived)


def _levels(values: Values) -> list[float]:
    return [float(v) for _, v in values]


def _codes(db: sqlite3.Connection, case: Case) -> set[str]:
    return {c for (c,) in db.execute("select icd_code from diagnoses_icd where hadm_id = ?", (case.hadm_id,))}


def _ct_order(db: sqlite3.Connection, case: Case) -> datetime:
    query = "select min(ordertime) from poe where hadm_id = ? and order_subtype = 'CT Scan'"
    return datetime.fromisoformat(db.execute(query, (case.hadm_id,)).fetchone()[0])


def _hours(derived: Derived, time: datetime) -> float:
    return (time - derived.scan).total_seconds() / 3600


def _summary(db: sqlite3.Connection, case: Case) -> str:
    return db.execute("select text from discharge where hadm_id = ?", (case.hadm_id,)).fetchone()[0].lower()


def _second_value_peak(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    base = d.prior[0][1]
    assert len(d.prior) == 1
    assert d.window[0][1] - base <= Decimal("0.1")
    assert Decimal("1.5") <= d.window[1][1] / base <= Decimal("1.9")
    assert 30 <= _hours(d, d.window[1][0]) <= 40
    assert "kidney" not in _summary(db, case)


def _exact_threshold(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    base = min(v for _, v in d.prior)
    peak = max(v for _, v in d.window)
    assert base in (Decimal("0.9"), Decimal("1.1"))
    assert peak - base == Decimal("0.3")
    assert sum(v == peak for _, v in d.window) == 1
    assert peak / base < Decimal("1.5")
    assert "N179" not in _codes(db, case)


def _late(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    time, peak = d.window[-1]
    assert all(v < Decimal("1.3") for _, v in d.window[:-1])
    assert peak >= Decimal("1.4")
    assert 45 <= _hours(d, time) <= 48
    assert time - _ct_order(db, case) > timedelta(hours=48)


def _single(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    assert len(d.window) == 1
    assert _hours(d, d.later[0][0]) > 60


def _admission_high(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    assert not d.prior
    base, peak = d.pre[0][1], max(v for _, v in d.window)
    assert Decimal("2.2") <= base <= Decimal("2.6")
    assert Decimal("0.3") <= peak - base <= Decimal("0.6")
    assert peak / base < Decimal("1.5")
    assert "N179" in _codes(db, case)
    assert not any(code.startswith("N18") for code in _codes(db, case))


def _mdrd(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    assert not d.prior
    assert not d.pre
    assert db.execute("select gender, anchor_age from patients").fetchone() == ("M", 60)
    assert "stage 3" in _summary(db, case)


def _ckd4_rise(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    assert sorted(_levels(d.prior)) == [2.9, 3.1]
    assert "N184" in _codes(db, case)
    assert max(_levels(d.window)) / 2.9 < 1.25


def _stable(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    assert 3 <= len(d.window) <= 5
    report = db.execute("select text from radiology where text like 'EXAMINATION:  CT ABD%'").fetchone()[0]
    assert "follow-up of renal function" in report.lower()
    assert "intravenous contrast" in report


def _later_ct(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    query = "select charttime from radiology where text like 'EXAMINATION:  CT%' order by charttime"
    second = datetime.fromisoformat(db.execute(query).fetchall()[1][0])
    after = [v for t, v in d.later if second < t <= second + timedelta(hours=48)]
    assert max(after) >= Decimal("1.4")
    assert max(v for t, v in d.later if t <= second) < Decimal("1.2")


def _coded_outside(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    assert "N179" in _codes(db, case)
    assert "acute kidney injury" in _summary(db, case)
    high = [t for t, v in d.later if v >= Decimal("1.3")]
    assert min(_hours(d, t) for t in high) >= 120


def _just_past(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    time, value = d.later[0]
    assert Decimal("1.4") <= value <= Decimal("1.8")
    assert 48 + 1 / 3 <= _hours(d, time) <= 60


def _between(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    ordered = _ct_order(db, case)
    time, value = d.pre[-1]
    assert value == Decimal("1.5")
    assert timedelta(hours=1) <= time - ordered <= timedelta(hours=4)
    assert timedelta(hours=2) <= d.scan - time <= timedelta(hours=6)


def _tempting(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    query = "select min(cast(value as real)) from labevents where itemid = 50912"
    assert db.execute(query).fetchone()[0] == 0.7
    assert min(_levels(d.prior)) == 1.1


def _never_reported(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    rows = db.execute("select transaction_type, discontinued_by_poe_id from poe where order_subtype = 'CT Scan'")
    assert rows.fetchall() == [("New", None)]
    assert db.execute("select count(*) from radiology where hadm_id = ?", (case.hadm_id,)).fetchone()[0] > 0


def _no_baseline(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    arrived = db.execute("select edregtime from admissions").fetchall()
    assert len(arrived) == 1
    assert d.scan - datetime.fromisoformat(arrived[0][0]) == timedelta(minutes=20)
    first = db.execute("select min(charttime) from labevents").fetchone()[0]
    assert datetime.fromisoformat(first) > d.scan


def _one_value(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    time, value = d.window[0]
    copy = db.execute(
        "select valuenum from chartevents where itemid = 220615 and charttime = ?", (str(time),)
    ).fetchall()
    assert copy == [(float(value),)]
    assert d.later[0][1] == Decimal("1.5")
    assert 70 <= _hours(d, d.later[0][0]) <= 80


def _dialysis(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    assert {"N186", "Z992"} <= _codes(db, case)
    assert _levels(d.window) == [5.1, 6.8]
    assert min(_levels(d.prior)) == 4.4
    assert db.execute("select count(*) from poe where order_type = 'Hemodialysis'").fetchone()[0] >= 2


def _unstable(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    assert sorted(_levels(d.prior)) == [0.9, 1.5, 1.6]
    assert _levels(d.window) == [1.3, 1.4]


def _ckd4_flat(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    assert len(d.window) == 3
    assert "N184" in _codes(db, case)
    assert "stage 4" in _summary(db, case)


TRAPS: dict[str | None, Callable[[sqlite3.Connection, Case, Derived], None]] = {
    "second-value-peak": _second_value_peak,
    "exact-threshold": _exact_threshold,
    "qualifies-late-in-the-window": _late,
    "single-qualifying-value": _single,
    "admission-baseline-already-high": _admission_high,
    "mdrd-baseline": _mdrd,
    "ckd4-with-rise": _ckd4_rise,
    "stable-after-ct": _stable,
    "rise-after-a-later-ct": _later_ct,
    "coded-aki-outside-the-window": _coded_outside,
    "rise-just-past-the-close": _just_past,
    "peak-between-order-and-scan": _between,
    "tempting-low-baseline": _tempting,
    "ordered-never-reported": _never_reported,
    "no-baseline": _no_baseline,
    "one-unremarkable-value": _one_value,
    "maintenance-dialysis": _dialysis,
    "unstable-prior-baseline": _unstable,
    "ckd4-without-rise": _ckd4_flat,
}
