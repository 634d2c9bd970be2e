"""Readings of triage, ED and flowsheet as one series."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.systems.scripted.clinical.vital_signs import readings

T0 = datetime(2150, 3, 1, 9, 0)
END = T0 + timedelta(hours=6)
STAY = {"intime": "2150-03-01 09:00:00", "triage_ref": "triage:1", "resprate": 24.0, "sbp": 120.0, "dbp": 61.0}


def _row(time: str, value: float, *, label: str = "", itemid: int | None = None, stay: int = 1) -> dict[str, Any]:
    ref = f"{'chartevents' if itemid else 'vitalsign'}:{time}/{label or itemid}"
    return {
        "ref": ref, "charttime": f"2150-03-01 {time}", "value": f"{value:g}", "label": label, "itemid": itemid,
        "stay_id": stay,
    }  # fmt: skip


def test_sources_are_read_together_and_both_ends_count() -> None:
    rows = [
        _row("15:00:00", 30, itemid=220210),
        _row("15:00:01", 34, itemid=220210),
        _row("10:00:00", 22, label="resprate"),
        _row("10:00:00", 90, label="sbp"),
    ]
    found = readings("respiratory rate", STAY, rows, T0, END)
    assert [(s.source, int(s.value)) for s in found] == [("triage", 24), ("ed", 22), ("icu", 30)]


def test_impossible_values_are_disregarded() -> None:
    rows = [
        _row("10:00:00", 2, label="resprate"),
        _row("11:00:00", 112, label="sbp"),
        _row("11:00:00", 131, label="dbp"),
        _row("12:00:00", 112, itemid=220179),
        _row("12:00:00", 60, itemid=220180),
        _row("12:00:00", 30, itemid=220050),
    ]
    assert [int(s.value) for s in readings("respiratory rate", STAY, rows, T0, END)] == [24]
    assert [int(s.value) for s in readings("diastolic pressure", STAY, rows, T0, END)] == [61, 60]
    assert [int(s.value) for s in readings("systolic pressure", STAY, rows, T0, END)] == [120, 112, 112]
    assert [int(s.value) for s in readings("diastolic pressure", {**STAY, "dbp": 140.0}, [], T0, END)] == []


def test_without_an_ed_stay_the_flowsheet_remains() -> None:
    rows = [_row("12:00:00", 112, itemid=220179)]
    assert [s.source for s in readings("systolic pressure", None, rows, T0, END)] == ["icu"]
