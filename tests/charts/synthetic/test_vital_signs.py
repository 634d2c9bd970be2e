"""ED vital signs and bedside charting come out as a scenario places them."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.vital_signs import emergency, hold, observe, triage
from pytest_clinicare.suite import Case, Verdict

ARRIVAL = datetime(2150, 3, 1, 9, 0)
HOUR = timedelta(hours=1)


def _record() -> Record:
    case = Case(
        id="x-01", scenario="x", subject_id=10000001, hadm_id=20000001, verdict=Verdict.YES, variant="v", step=1,
        seed=3, abstract="", trap="", recipe={},
    )  # fmt: skip
    return Record(case, "F", 60, 2150)


def test_triage_and_readings_are_those_of_the_scenario() -> None:
    record = _record()
    enc = record.admission(ARRIVAL + 4 * HOUR, ARRIVAL + 90 * HOUR, ed=(ARRIVAL, ARRIVAL + 5 * HOUR))
    triage(record, enc, {"sbp": 88, "dbp": 50, "o2sat": None}, "Cough")
    emergency(record, enc, [(ARRIVAL + 2 * HOUR, {"sbp": 101}), (ARRIVAL + HOUR, {"sbp": 95, "resprate": 30})])
    (first,) = record.rows["triage"]
    assert (first["sbp"], first["dbp"], first["o2sat"], first["chiefcomplaint"]) == (88.0, 50.0, None, "Cough")
    rows = record.rows["vitalsign"]
    assert [(row["charttime"][11:16], row["sbp"]) for row in rows] == [("10:00", 95), ("11:00", 101)]
    assert rows[0]["resprate"] == 30.0
    assert all(row["o2sat"] is None and abs(row["dbp"] - 50) < 25 for row in rows)


def test_a_misspelt_sign_or_a_stay_without_an_ed_is_refused() -> None:
    record = _record()
    enc = record.admission(ARRIVAL, ARRIVAL + 90 * HOUR)
    with pytest.raises(ValueError, match="ED stay"):
        triage(record, enc, {"sbp": 88})
    enc = record.admission(ARRIVAL + 200 * HOUR, ARRIVAL + 290 * HOUR, ed=(ARRIVAL, ARRIVAL + HOUR))
    with pytest.raises(KeyError, match="pulse"):
        triage(record, enc, {"pulse": 88})


def test_charting_is_held_inside_the_window_only() -> None:
    record = _record()
    enc = record.admission(ARRIVAL, ARRIVAL + 90 * HOUR)
    record.icu_stay(enc, ARRIVAL, ARRIVAL + 40 * HOUR)
    record.background(enc)
    window = (ARRIVAL, ARRIVAL + 6 * HOUR)
    hold(record, enc, 220210, (33, 35), window)
    observe(record, enc, 223900, "Confused", 4, window)
    rates = [r for r in record.rows["chartevents"] if r["itemid"] == 220210]
    inside = [r["valuenum"] for r in rates if r["charttime"] <= "2150-03-01 15:00:00"]
    assert inside
    assert all(33 <= value <= 35 for value in inside)
    assert all(r["value"] == f"{r['valuenum']:g}" for r in rates)
    assert any(r["valuenum"] < 33 for r in rates)
    verbal = [(r["charttime"], r["value"]) for r in record.rows["chartevents"] if r["itemid"] == 223900]
    assert {value for time, value in verbal if time <= "2150-03-01 15:00:00"} == {"Confused"}
    assert {value for time, value in verbal if time > "2150-03-01 15:00:00"} == {"Oriented"}
