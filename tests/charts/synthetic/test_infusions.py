"""Infusions in the ICU input record: segments, amounts, links, and pushes without a rate."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from pytest_clinicare.charts.synthetic.course import emergency_admission
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.infusions import PAUSED, STOPPED, Segment, infusion, push, stepped
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.suite import Case, Verdict

T = datetime(2150, 3, 1, 8)
HOUR = timedelta(hours=1)


def _record() -> tuple[Record, Encounter]:
    case = Case(
        id="infusions-01", scenario="infusions", source="synthetic", subject_id=10000001, hadm_id=20000001,
        verdict=Verdict.YES, seed=7, recipe={},
    )  # fmt: skip
    record = Record(case, "F", 40, 2150)
    entry = {"complaint": "Weakness", "codes": []}
    icu = (T + 4 * HOUR, T + 60 * HOUR)
    return record, emergency_admission(record, entry, T, T + 90 * HOUR, icu=icu, hadm_id=20000001)


def test_segments_of_one_infusion_share_a_link_and_say_how_each_ended() -> None:
    record, enc = _record()
    start = T + 10 * HOUR
    rows = infusion(record, enc, enc.icu[0], "insulin", stepped(start, start + 4 * HOUR, [6.0, 4.0], STOPPED))
    assert [r["rate"] for r in rows] == [6.0, 4.0]
    assert [r["amount"] for r in rows] == [12.0, 8.0]
    assert [r["statusdescription"] for r in rows] == ["ChangeDose/Rate", "Stopped"]
    assert rows[0]["endtime"] == rows[1]["starttime"] == "2150-03-01 20:00:00"
    assert {r["linkorderid"] for r in rows} == {rows[0]["orderid"]}
    assert rows[1]["originalamount"] == 88.0


def test_a_rate_per_kilogram_and_minute_goes_by_weight() -> None:
    record, enc = _record()
    record.weight_kg = 80.0
    (row,) = infusion(record, enc, enc.icu[0], "norepinephrine", [Segment(T, T + 2 * HOUR, 0.1, PAUSED)])
    assert (row["amount"], row["amountuom"], row["rateuom"]) == (0.96, "mg", "mcg/kg/min")


def test_a_push_has_no_rate() -> None:
    record, enc = _record()
    row = push(record, enc, enc.icu[0], "insulin", T + 10 * HOUR, 7.0)
    assert row.get("rate") is None
    assert (row["ordercategorydescription"], row["amount"]) == ("Drug Push", 7.0)


def test_changes_are_one_fewer_than_rates() -> None:
    with pytest.raises(ValueError, match="2 rates"):
        stepped(T, T + HOUR, [1.0, 2.0], changes=[T, T])
