"""Every anticoag-reversal chart, read as bare SQL, holds the facts and the trap of its variant."""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from pytest_clinicare.charts.synthetic.scenarios.anticoag_reversal.plan import plan
from pytest_clinicare.suite import Case, suite_root

FOLDER = suite_root().cases / "anticoag-reversal"
CASES = [Case(**tomllib.loads(p.read_text(encoding="utf-8"))) for p in sorted(FOLDER.glob("anticoag-*.toml"))]
Open = Callable[[Case], sqlite3.Connection]
MINUTE = timedelta(minutes=1)
AGENTS = "(medication LIKE 'Kcentra%' OR medication LIKE 'Idaru%' OR medication LIKE 'Andexanet%')"
# Product, units or mg of each administered row, and the least and greatest minute of the first.
GIVEN = {
    "vka-sdh-fixed-1500": ("Kcentra", ["1500"], 35, 100),
    "vka-weight-cap": ("Kcentra", ["2500"], 40, 110),
    "dabigatran-two-vials": ("IdaruCIZUmab", ["2.5", "2.5"], 45, 45),
    "apixaban-andexanet-low": ("Andexanet Alfa bolus", ["400", "480"], 60, 110),
    "apixaban-pcc-2000": ("Kcentra", ["2000"], 30, 110),
    "vka-pcc-late": ("Kcentra", None, 140, 260),
    "vka-no-vitamin-k": ("Kcentra", ["1500"], 40, 100),
    "agent-without-indication": ("Kcentra", ["1000"], 30, 120),
    "rivaroxaban-andexanet-underdosed": ("Andexanet Alfa bolus", ["400", "480"], 70, 70),
    "agent-unnamed": ("Kcentra", ["1500"], 40, 100),
    "no-inr": ("Kcentra", ["1500"], 40, 100),
    "no-weight": ("Kcentra", None, 60, 60),
}


def _t0(db: sqlite3.Connection, case: Case) -> datetime:
    if case.recipe["site"] in ("gi", "nose"):
        (found,) = db.execute("select intime from edstays").fetchone()
    else:
        (found,) = db.execute("select charttime from radiology where text like 'EXAMINATION:  CT%'").fetchone()
    return datetime.fromisoformat(found)


def _text(db: sqlite3.Connection) -> str:
    (text,) = db.execute("select text from discharge").fetchone()
    return str(text)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_agents_are_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    t0 = _t0(db, case)
    rows = db.execute(
        "select e.charttime, e.medication, d.dose_given from emar e join emar_detail d using (emar_id) where"
        f" {AGENTS} and e.event_txt in ('Administered', 'Started') and d.dose_given is not null order by 1"
    ).fetchall()
    if case.variant not in GIVEN:
        assert rows == []
        return
    product, doses, least, most = GIVEN[case.variant]
    assert rows[0][1] == product
    assert doses is None or [dose for _, _, dose in rows] == doses
    assert least <= (datetime.fromisoformat(rows[0][0]) - t0) / MINUTE <= most


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_facts_and_the_trap_are_there(case: Case, open_built: Open) -> None:
    db = open_built(case)
    t0, text, variant = _t0(db, case), _text(db), str(case.variant)
    inr = db.execute(
        "select valuenum from labevents where itemid = 51237 and charttime between ? and ? order by charttime",
        (str(t0 - 360 * MINUTE), str(t0 + 120 * MINUTE)),
    ).fetchall()
    assert bool(inr) == (variant != "no-inr")
    (lowest,) = db.execute(
        "select min(v) from (select sbp v from vitalsign union all"
        " select valuenum from chartevents where itemid = 220179)"
    ).fetchone()
    assert lowest >= 100
    weights = db.execute(
        "select 1 from chartevents where itemid in (226512, 224639)"
        " union select 1 from omr where result_name like 'Weight%'"
        " union select 1 from inputevents where patientweight is not null"
    ).fetchall()
    assert bool(weights) == (variant != "no-weight")
    plasma = db.execute(
        "select transaction_type from poe where order_subtype = 'Frozen Plasma Product Order'"
    ).fetchall()
    infused = db.execute("select count(*) from inputevents where itemid = 220970").fetchone()[0]
    assert (("D/C",) in plasma) == (infused == 0)
    redosed = db.execute(
        "select count(*) from emar where event_txt = 'Administered' and (medication like 'Warfarin%'"
        " or medication like 'Apixaban%' or medication like 'Rivaroxaban%' or medication like 'Dabigatran%')"
    ).fetchone()[0]
    assert bool(redosed) == (variant == "anticoagulant-redosed")
    match variant:
        case "vka-weight-cap":
            assert 126 <= case.recipe["weight_kg"] <= 145
        case "inr-below-2":
            assert 1.5 <= inr[0][0] <= 1.9
        case "gi-bleed-stable-no-agent":
            counts = [
                v for (v,) in db.execute("select valuenum from labevents where itemid = 51222 and hadm_id not null")
            ]
            assert 2.2 <= round(max(counts) - min(counts), 1) <= 3.4
        case "pcc-ordered-not-given":
            assert "iven Kcentra per protocol" in text
            assert db.execute("select count(*) from prescriptions where drug = 'Kcentra'").fetchone() == (1,)
        case "agent-unnamed":
            assert db.execute("select count(*) from medrecon").fetchone() == (0,)
            assert not any(name in text.lower() for name in ("warfarin", "apixaban", "rivaroxaban", "dabigatran"))
        case "ct-equivocal":
            assert db.execute("select count(*) from diagnoses_icd where icd_code = 'I6200'").fetchone() == (1,)
            assert db.execute("select count(*) from radiology where text like '%CT HEAD%'").fetchone() == (1,)


@pytest.mark.parametrize("seed", range(8))
def test_the_eight_hours_of_andexanet_hold_from_either_moment(seed: int) -> None:
    """Last dose to T0 and last dose to andexanet lie on one side of 8 h where the side decides the dose."""
    case = next(case for case in plan(seed) if case.variant == "rivaroxaban-andexanet-underdosed")
    last, given = case.recipe["last_dose_h"], case.recipe["agents"][0][4][0]
    assert last + given / 60 < 8


def test_the_plan_is_what_is_committed() -> None:
    assert plan(1) == CASES
