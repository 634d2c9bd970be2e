"""``run_sql``: what it answers, and what it withstands."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from pytest_clinicare.charts import Chart
from pytest_clinicare.environment import Corpus, Environment, Limits

from .conftest import SUBJECT

ATTACKS = {
    "attach": "ATTACH '{dir}/x.sqlite' AS x",
    "attach uri": "ATTACH 'file:{dir}/x.sqlite?mode=rwc' AS x",
    "vacuum into": "VACUUM INTO '{dir}/x.sqlite'",
    "pragma": "PRAGMA query_only=0",
    "pragma function": "SELECT * FROM pragma_database_list",
    "schema": "SELECT * FROM sqlite_master",
    "schema alias": "SELECT sql FROM sqlite_schema",
    "shadow table": "SELECT * FROM discharge_fts_content",
    "shadow table quoted": 'SELECT * FROM "discharge_fts_data"',
    "insert": "INSERT INTO labevents(labevent_id) VALUES (1) RETURNING labevent_id",
    "delete": "DELETE FROM labevents",
    "temp table": "CREATE TEMP TABLE t AS SELECT 1",
    "virtual table": "CREATE VIRTUAL TABLE temp.v USING fts5(a)",
    "begin": "BEGIN",
    "two statements": "SELECT 1; SELECT 2",
    "load_extension": "SELECT load_extension('x')",
    "fts3_tokenizer": "SELECT fts3_tokenizer('simple')",
    "printf": "SELECT printf('%.*c', 900000000, 'x')",
    "format": "SELECT format('%.*c', 900000000, 'x')",
    "randomblob": "SELECT randomblob(1000000000)",
    "zeroblob": "SELECT zeroblob(1000000000)",
    "random": "SELECT random()",
    "now": "SELECT date('now')",
    "now as bytes": "SELECT date(x'6e6f77')",
    "now before a NUL": "SELECT date(CAST(x'4e6f7700' AS TEXT), '+1 day')",
    "now of a format": "SELECT strftime('%s', x'6e6f77')",
    "time zone": "SELECT datetime('2150-03-01 10:00:00', 'localtime')",
    "time zone as bytes": "SELECT strftime('%H', '2150-03-01 10:00:00', '+1 day', x'757463')",
    "current timestamp": "SELECT CURRENT_TIMESTAMP",
    "version": "SELECT sqlite_version()",
    "growth": "SELECT replace(hex(text) || hex(text) || hex(text), 'a', text) FROM discharge CROSS JOIN radiology, "
    "(WITH RECURSIVE g(x) AS (SELECT 'aaaaaaaaaa' UNION ALL SELECT x||x FROM g) SELECT x FROM g)",
    "endless": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
    "cross join": "SELECT count(*) FROM labevents a, labevents b, labevents c, labevents d, labevents e, labevents f, "
    "labevents g, labevents h",
    "json tree": "SELECT * FROM json_tree('[1]')",
    "dbstat": "SELECT * FROM dbstat",
    "long": "SELECT " + "1+" * 9000 + "1",
    "deep": "SELECT " + "(" * 5000 + "1" + ")" * 5000,
    "wide": "SELECT " + ",".join(["1"] * 500),
    "explain": "EXPLAIN SELECT * FROM labevents",
    "query plan": "/* x */ EXPLAIN QUERY PLAN SELECT * FROM labevents",
    "bulk": "SELECT " + ", ".join(["(SELECT group_concat(text) FROM discharge, labevents)"] * 60) + " FROM labevents",
    "sort": "SELECT a.value || b.value || hex(zeroblob(9)) FROM labevents a, labevents b, labevents c, labevents d, "
    "labevents e, labevents f ORDER BY random()",
    "not sql": "labs please",
    "nothing": " -- ",
    "null byte": "SELECT 1\x00",
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_attack_is_refused(chart: Chart, corpus: Corpus, tmp_path: Path, attack: str) -> None:
    before = chart.path.read_bytes()
    began = time.process_time()
    with Environment(chart, corpus, subject_id=SUBJECT) as environment:
        result = environment.call("run_sql", {"query": ATTACKS[attack].replace("{dir}", str(tmp_path))})
        assert environment.call("run_sql", {"query": "SELECT 1 AS one"}).content["rows"] == [{"one": 1}]
    assert not result.ok
    assert result.content["error"]["message"]
    assert result.tables == ()
    assert list(tmp_path.iterdir()) == []
    assert chart.path.read_bytes() == before
    assert time.process_time() - began < 3


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("date('2150-03-01 10:00:00', '+1 day', 'start of month')", "2150-03-01"),
        ("round((julianday('2150-03-02') - julianday('2150-03-01 12:00:00')) * 24, 6)", 12.0),
        ("strftime('%Y', '2150-03-01')", "2150"),
        ("unixepoch('1970-01-02')", 86400),
        ("datetime(86400, 'unixepoch')", "1970-01-02 00:00:00"),
        ("date(' 2150-03-01')", None),
        ("date('yesterday')", None),
        ("date(NULL)", None),
    ],
)
def test_times_are_reckoned(environment: Environment, expression: str, value: object) -> None:
    result = environment.call("run_sql", {"query": f"SELECT {expression} AS value"})
    assert result.content["rows"] == [{"value": value}]


def test_tables_come_from_the_authorizer_every_time(environment: Environment) -> None:
    query = (
        "WITH c AS (SELECT * FROM labevents WHERE itemid = 50912) "
        "SELECT count(*) AS n FROM c WHERE hadm_id IN (SELECT hadm_id FROM admissions)"
    )
    for _ in range(2):
        result = environment.call("run_sql", {"query": query})
        assert result.content["rows"] == [{"n": 10}]
        assert set(result.tables) == {"hosp.labevents", "hosp.admissions"}
        assert result.refs == ()


@pytest.mark.parametrize(
    ("query", "tables"),
    [
        ("SELECT count(*) FROM labevents", {"hosp.labevents"}),
        ("SELECT 1 FROM poe, poe_detail WHERE poe.poe_id = 'x'", {"hosp.poe", "hosp.poe_detail"}),
        ("WITH labevents AS (SELECT 1 AS labevent_id) SELECT * FROM labevents", set()),
        ("WITH labevents AS (SELECT 1 AS labevent_id) SELECT count(*) FROM labevents", set()),
        ("WITH labevents AS (SELECT 1 AS x FROM poe) SELECT count(*) FROM labevents", {"hosp.poe"}),
        ("SELECT count(*) FROM discharge_fts WHERE discharge_fts MATCH 'stage'", {"note.discharge"}),
    ],
)
def test_a_borrowed_name_is_not_a_table_read(environment: Environment, query: str, tables: set[str]) -> None:
    result = environment.call("run_sql", {"query": query})
    assert result.ok, result.content
    assert set(result.tables) == tables


@pytest.mark.parametrize(
    ("query", "columns"),
    [
        ("SELECT count(*) FROM labevents", {"hosp.labevents": []}),
        ("SELECT value FROM labevents WHERE itemid = 50912", {"hosp.labevents": ["itemid", "value"]}),
        ("SELECT VALUE FROM LabEvents ORDER BY RowId", {"hosp.labevents": ["rowid", "value"]}),
        ("WITH c AS (SELECT charttime AS t, value FROM labevents) SELECT max(t) FROM c",
         {"hosp.labevents": ["charttime", "value"]}),
        ("SELECT (SELECT max(charttime) FROM chartevents c WHERE c.hadm_id = a.hadm_id) FROM admissions a",
         {"hosp.admissions": ["hadm_id"], "icu.chartevents": ["charttime", "hadm_id"]}),
        ("SELECT note_id FROM discharge d JOIN discharge_fts f ON f.rowid = d.rowid WHERE discharge_fts MATCH 'stage'",
         {"note.discharge": ["note_id", "rowid", "text"]}),
        ("SELECT * FROM icustays", {"icu.icustays": ["first_careunit", "hadm_id", "intime", "last_careunit", "los",
                                                     "outtime", "stay_id", "subject_id"]}),
        ("SELECT 1", {}),
    ],
)  # fmt: skip
def test_the_columns_read_are_in_the_log(environment: Environment, query: str, columns: dict[str, list[str]]) -> None:
    result = environment.call("run_sql", {"query": query})
    assert result.ok, result.content
    assert result.scope["columns"] == columns
    assert set(result.tables) == set(columns)


@pytest.mark.parametrize(
    ("query", "ref"),
    [
        ("SELECT labevent_id, value FROM labevents ORDER BY 1", "labevents:100"),
        ("SELECT l.labevent_id, d.label FROM labevents l JOIN d_labitems d USING (itemid) ORDER BY 1", "labevents:100"),
        ("SELECT hadm_id FROM admissions ORDER BY 1", "admissions:20000001"),
        ("SELECT rowid, value FROM chartevents", "chartevents:r1"),
        ("SELECT hadm_id, seq_num FROM diagnoses_icd", "diagnoses_icd:20000001/1"),
        ("SELECT note_id FROM discharge d JOIN discharge_fts f ON f.rowid = d.rowid WHERE discharge_fts MATCH 'stage'",
         f"discharge:{SUBJECT}-DS-1"),
    ],
)  # fmt: skip
def test_rows_with_a_key_are_cited(environment: Environment, chart: Chart, query: str, ref: str) -> None:
    result = environment.call("run_sql", {"query": query})
    assert result.ok, result.content
    assert result.refs[0] == ref
    assert chart.has_ref(ref)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT 12345 AS labevent_id FROM labevents",
        "SELECT labevent_id, valuenum + 1 AS valuenum FROM labevents",
        "SELECT DISTINCT NULL AS labevent_id FROM labevents",
    ],
)
def test_a_row_that_the_chart_does_not_hold_has_no_ref(environment: Environment, query: str) -> None:
    result = environment.call("run_sql", {"query": query})
    assert result.ok
    assert result.refs == ()
    assert all(row["ref"] is None for row in result.content["rows"])


def test_pages(chart: Chart, corpus: Corpus) -> None:
    with Environment(chart, corpus, subject_id=SUBJECT, limits=Limits(rows=8)) as environment:
        query = {"query": "SELECT labevent_id FROM labevents ORDER BY 1"}
        first = environment.call("run_sql", query)
        second = environment.call("run_sql", {**query, "cursor": first.content["next_cursor"]})
    assert (first.rows, first.truncated, first.content["total"]) == (8, True, None)
    assert (second.rows, second.truncated, second.content["total"]) == (5, False, 13)
    assert len({*first.refs, *second.refs}) == 13


@pytest.mark.parametrize(
    ("query", "told"),
    [("SELECT * FROM labevent", "labevents"), ("SELECT chartime FROM labevents", "charttime"),
     ("SELECT drug FROM labevents", "prescriptions")],
)  # fmt: skip
def test_a_slip_is_told(environment: Environment, query: str, told: str) -> None:
    assert told in environment.call("run_sql", {"query": query}).content["error"]["hint"]
