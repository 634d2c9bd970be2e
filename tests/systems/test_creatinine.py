"""Which creatinine is valid, which baseline it gives, and what is a rise."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pytest_clinicare.systems.scripted.clinical import creatinine
from pytest_clinicare.systems.scripted.clinical.creatinine import baseline, qualifies, serum_values
from pytest_clinicare.systems.scripted.clinical.values import Value

ADMITTED = datetime(2150, 6, 1, 12)
T0 = ADMITTED + timedelta(hours=30)


def row(number: int, time: datetime, value: str, **other: Any) -> dict[str, Any]:
    fields = {
        "ref": f"labevents:{number}",
        "itemid": 50912,
        "charttime": str(time),
        "value": value,
        "valueuom": "mg/dL",
    }
    return {**fields, "specimen_id": number, "comments": None, **other}


def value(figure: str, time: datetime) -> Value:
    return Value(f"labevents:{figure}", time, Decimal(figure))


def test_only_numeric_serum_results_that_nothing_withdraws_are_valid() -> None:
    rows = [
        row(1, T0, "1.2"),
        row(2, T0 + timedelta(hours=1), "___"),
        row(3, T0 + timedelta(hours=2), "9.9", itemid=52024),
        row(4, T0 + timedelta(hours=3), "9.9", comments="CANCELLED. Specimen contaminated."),
        row(5, T0 + timedelta(hours=4), "1.4", comments="CORRECTED; previously reported in error as 4.1"),
        row(6, T0, "1.2"),
        row(7, T0 + timedelta(hours=5), "110", valueuom="umol/L"),
        row(8, T0 + timedelta(hours=6), "___", valuenum=0.7, comments="POINT OF CARE.  May be falsely elevated."),
    ]
    assert [v.ref for v in serum_values(rows)] == ["labevents:1", "labevents:5"]


def test_a_value_without_text_is_read_from_its_number() -> None:
    (found,) = serum_values([row(1, T0, "", valuenum=1.2)])
    assert found.value == Decimal("1.2")


def test_a_masked_text_is_read_from_its_number() -> None:
    (found,) = serum_values([row(1, T0, "___", valuenum=5.5, comments="Verified - Consistent with other Data.")])
    assert found.value == Decimal("5.5")


def test_thresholds_are_inclusive_in_decimal_arithmetic() -> None:
    assert qualifies(Decimal("1.2"), Decimal("0.9"))
    assert qualifies(Decimal("0.75"), Decimal("0.5"))
    assert not qualifies(Decimal("1.2"), Decimal("1.0"))


@given(st.integers(3, 80), st.integers(0, 200))
def test_a_rise_is_judged_as_in_tenths(reference: int, rise: int) -> None:
    expected = rise >= 3 or 2 * (reference + rise) >= 3 * reference
    assert qualifies(Decimal(reference + rise) / 10, Decimal(reference) / 10) is expected


def test_the_first_tier_that_yields_a_value_is_used() -> None:
    start = ADMITTED - timedelta(hours=6)
    prior = [value("1.1", ADMITTED - timedelta(days=90)), value("1.4", ADMITTED - timedelta(days=365))]
    outside = [value("0.7", ADMITTED - timedelta(days=89)), value("0.6", ADMITTED - timedelta(days=366))]
    arrival = [value("1.3", ADMITTED), value("1.5", T0)]
    late = [value("1.9", T0 + timedelta(minutes=1))]

    def tier(values: list[Value], mdrd: Decimal | None = None) -> tuple[int, Decimal] | None:
        found = baseline(sorted(values, key=lambda v: v.time), ADMITTED, start, T0, mdrd)
        return (found.tier, found.value) if found else None

    assert tier(prior + outside + arrival + late) == (1, Decimal("1.1"))
    assert tier(outside + arrival + late) == (2, Decimal("1.3"))
    assert tier(outside + late, Decimal("1.01")) == (3, Decimal("1.01"))
    assert tier(outside + late) is None


def test_tier_one_is_unstable_from_one_and_a_half_times_the_lowest() -> None:
    values = [value(v, ADMITTED - timedelta(days=200 - i)) for i, v in enumerate(("0.9", "1.5", "1.6"))]
    found = baseline(values, ADMITTED, ADMITTED, T0, None)
    assert found is not None
    assert found.unstable
    assert found.median == Decimal("1.5")


def test_the_window_opens_after_the_scan_and_closes_at_48_hours_inclusive() -> None:
    times = [T0, T0 + timedelta(seconds=1), T0 + timedelta(hours=48), T0 + timedelta(hours=48, seconds=1)]
    assert [v.time for v in creatinine.post_scan([value("1.0", t) for t in times], T0)] == times[1:3]
