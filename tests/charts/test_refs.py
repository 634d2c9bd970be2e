"""Refs name one row each, and survive being written down."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_clinicare.charts import TABLES, parse_ref, ref_of

_VALUES = {
    "i": st.integers(1, 2**31),
    "f": st.floats(0, 1e6),
    "s": st.from_regex(r"[A-Z0-9]{1,8}(-[A-Z0-9]{1,4}){0,2}", fullmatch=True),
    "t": st.just("2150-01-01 00:00:00"),
    "d": st.just("2150-01-01"),
}


@st.composite
def _rows(draw: st.DrawFn) -> tuple[str, dict[str, Any], int]:
    table = TABLES[draw(st.sampled_from(sorted(TABLES)))]
    row = {column.name: draw(_VALUES[column.type]) for column in table.columns if column.name in table.key}
    return table.name, row, draw(st.integers(1, 10**9))


@given(_rows())
def test_ref_leads_back_to_table_and_key(given_row: tuple[str, dict[str, Any], int]) -> None:
    table, row, rowid = given_row
    ref = ref_of(table, row, rowid)
    expected = tuple(str(row[column]) for column in TABLES[table].key)
    assert parse_ref(ref) == (table, expected, None if expected else rowid)
    assert parse_ref(f" {TABLES[table].module}.{ref}@120-310 ") == parse_ref(ref)


@given(st.text(max_size=40))
def test_any_text_is_a_ref_or_refused(text: str) -> None:
    try:
        table, _, _ = parse_ref(text)
    except ValueError:
        return
    assert table in TABLES


@pytest.mark.parametrize(
    ("ref", "said"),
    [
        ("labevents", "not a record reference"),
        ("labvents:12", "not a record reference"),
        ("chartevents:12", "chartevents:r<number>"),
        ("diagnoses_icd:2000001", "hadm_id/seq_num"),
    ],
)
def test_refusal_says_how_rows_are_cited(ref: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        parse_ref(ref)


def test_the_schema_has_the_41_tables() -> None:
    modules = [table.module for table in TABLES.values()]
    assert [modules.count(name) for name in ("hosp", "icu", "ed", "note")] == [22, 9, 6, 4]
