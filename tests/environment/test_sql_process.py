"""The process of agents' SQL: what it answers, and how it ends."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_clinicare.charts import Chart
from pytest_clinicare.environment.governed import QueryOverran, QueryRefused
from pytest_clinicare.environment.sql_process import SqlProcess

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
ONE = "SELECT 1 AS one"


@pytest.fixture
def impatient() -> Iterator[SqlProcess]:
    """Whose limit of the kernel comes long before a query's own limits."""
    process = SqlProcess(steps=10**12, seconds=1000.0, hard=-998)
    yield process
    process.close()


def _ask(process: SqlProcess, chart: Chart, sql: str) -> list[tuple[object, ...]]:
    return process.run(chart.path, sql, 0, 10, 10_000).rows


def test_the_kernel_ends_what_no_deadline_ends(chart: Chart, impatient: SqlProcess) -> None:
    began = time.monotonic()
    with pytest.raises(QueryRefused, match="of computing and was ended"):
        _ask(impatient, chart, ENDLESS)
    assert time.monotonic() - began < 20
    assert _ask(impatient, chart, ONE) == [(1,)]


def test_steps_end_a_query_before_its_time(chart: Chart) -> None:
    process = SqlProcess(steps=100_000)
    with pytest.raises(QueryRefused, match="more than 100,000 steps") as refused:
        _ask(process, chart, ENDLESS)
    assert not isinstance(refused.value, QueryOverran)
    assert _ask(process, chart, "SELECT count(*) FROM labevents") == [(13,)]
    process.close()


def test_time_ends_what_takes_few_steps(chart: Chart) -> None:
    process = SqlProcess(steps=10**12, seconds=0.2)
    with pytest.raises(QueryOverran, match=r"longer than 0\.2 s"):
        _ask(process, chart, ENDLESS)
    process.close()


def test_the_same_query_takes_as_many_steps_every_time(chart: Chart) -> None:
    """Found by halving between a number that is too small and one that is enough."""
    sql = "SELECT count(*) FROM labevents a, labevents b, labevents c, labevents d"

    def least() -> int:
        few, enough = 0, 10_000_000
        while enough - few > 1000:
            steps = (few + enough) // 2
            process = SqlProcess(steps=steps)
            try:
                _ask(process, chart, sql)
                enough = steps
            except QueryRefused:
                few = steps
            finally:
                process.close()
        return enough // 1000

    assert least() == least()


def test_a_process_that_does_not_answer_is_killed(chart: Chart) -> None:
    process = SqlProcess(stuck=6.0)
    assert _ask(process, chart, ONE) == [(1,)]
    child = process._process
    assert child is not None
    os.kill(child.pid, signal.SIGSTOP)
    with pytest.raises(QueryRefused, match="was ended"):
        _ask(process, chart, ONE)
    assert child.poll() == -signal.SIGKILL
    assert _ask(process, chart, ONE) == [(1,)]
    process.close()


def test_a_killed_process_costs_one_query(chart: Chart) -> None:
    process = SqlProcess()
    _ask(process, chart, ONE)
    child = process._process
    assert child is not None
    killer = threading.Timer(0.3, child.kill)
    killer.start()
    with pytest.raises(QueryRefused, match="was ended"):
        _ask(process, chart, ENDLESS)
    assert _ask(process, chart, ONE) == [(1,)]
    process.close()


def test_values_come_as_they_are(chart: Chart) -> None:
    process = SqlProcess()
    sql = "SELECT 1, 2.5, NULL, 'é\n\"', x'00ff', 9223372036854775807, -9e999"
    assert _ask(process, chart, sql) == [(1, 2.5, None, 'é\n"', b"\x00\xff", 2**63 - 1, float("-inf"))]
    process.close()


def test_no_key_is_in_its_environment(chart: Chart, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    process = SqlProcess()
    _ask(process, chart, ONE)
    assert process._process is not None
    assert b"sk-secret" not in Path(f"/proc/{process._process.pid}/environ").read_bytes()
    process.close()


def test_a_chart_built_again_is_read_again(chart: Chart, tmp_path: Path) -> None:
    import sqlite3

    process = SqlProcess()
    path = tmp_path / "again.sqlite"
    path.write_bytes(chart.path.read_bytes())
    before = process.run(path, "SELECT count(*) FROM labevents", 0, 1, 100).rows
    other = tmp_path / "other.sqlite"
    other.write_bytes(path.read_bytes())
    with sqlite3.connect(other) as db:
        db.execute("DELETE FROM labevents")
    os.replace(other, path)
    assert before != [(0,)]
    assert process.run(path, "SELECT count(*) FROM labevents", 0, 1, 100).rows == [(0,)]
    process.close()


def test_it_goes_when_the_asker_goes(chart: Chart) -> None:
    process = SqlProcess()
    _ask(process, chart, ONE)
    child = process._process
    assert child is not None
    assert child.stdin is not None
    child.stdin.close()
    assert child.wait(timeout=5) == 0


@pytest.mark.parametrize("failed", [ENDLESS, "SELECT printf('x')", "SELECT hex(text) || hex(text) FROM nothing"])
def test_full_text_goes_on_after_a_failed_query(chart: Chart, failed: str) -> None:
    process = SqlProcess()
    found = "SELECT count(*) FROM discharge_fts WHERE discharge_fts MATCH 'stage'"
    before = _ask(process, chart, found)
    with pytest.raises(QueryRefused):
        _ask(process, chart, failed)
    assert _ask(process, chart, found) == before
    process.close()
