"""The run store: what a kill leaves, what is reused, what is refused."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pytest_clinicare.cli import application
from pytest_clinicare.judging import Grade
from pytest_clinicare.results import Manifest, RunDir, RunStore, StoreError, write_report
from tests.results.conftest import record

MANIFEST = Manifest(
    package_version="0.1.0",
    suite_digest="abc",
    cases=("a", "b"),
    chart_source="synthetic",
    system="scripted/x",
    judge="rules",
)


@pytest.fixture
def run(tmp_path: Path) -> RunDir:
    return RunStore(tmp_path).open(MANIFEST, day="2026-01-02")


def test_same_manifest_on_the_same_day_is_the_same_run(tmp_path: Path, run: RunDir) -> None:
    store = RunStore(tmp_path)
    assert store.open(MANIFEST, day="2026-01-02").id == run.id
    fresh = store.open(MANIFEST, day="2026-01-02", fresh=True)
    assert fresh.id == f"{run.id}-2"
    # Going on continues the latest, and another configuration is another run.
    assert store.open(MANIFEST, day="2026-01-02").id == fresh.id
    assert store.open(MANIFEST.model_copy(update={"judge": "panel"}), day="2026-01-02").id != run.id


def test_torn_last_line_is_skipped_and_written_after(run: RunDir) -> None:
    run.append(record("a", "yes", "yes"), "gw0")
    file = run.path / "records" / "gw0.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole + whole[: len(whole) // 2])
    assert set(run.records()) == {("a", 1)}
    assert run.missing() == (("b", 1),)
    run.append(record("b", "no", "no"), "gw0")
    assert set(run.records()) == {("a", 1), ("b", 1)}


@pytest.mark.parametrize("cut", range(1, 40, 7))
def test_any_cut_leaves_the_records_before_it(run: RunDir, cut: int) -> None:
    run.append(record("a", "yes", "yes"), "gw0")
    run.append(record("b", "no", "no"), "gw0")
    file = run.path / "records" / "gw0.jsonl"
    file.write_bytes(file.read_bytes()[: -cut - 1])
    assert set(run.records()) == {("a", 1)}


def _write_forever(path: Path) -> None:
    run = RunStore.at(path)
    while True:
        run.append(record("a", "yes", "yes"), "gw0")


def test_killed_writer_leaves_readable_records(run: RunDir) -> None:
    writer = multiprocessing.get_context("fork").Process(target=_write_forever, args=(run.path,))
    writer.start()
    file = run.path / "records" / "gw0.jsonl"
    while not file.exists() or file.stat().st_size < 20_000:
        time.sleep(0.005)
    assert writer.pid is not None
    os.kill(writer.pid, signal.SIGKILL)
    writer.join()
    run.append(record("b", "no", "no"), "gw0")
    assert set(run.records()) == {("a", 1), ("b", 1)}


def test_finished_record_stands_before_a_later_error(run: RunDir) -> None:
    run.append(record("a", "yes", "yes"), "gw1")
    run.append(record("a", "yes", None, outcome="worker_crash"), "gw0")
    assert run.records()["a", 1].outcome == "answered"
    run.append(record("a", "yes", "no"), "gw0")
    assert run.records()["a", 1].verdict == "no"


def test_resume_says_why_not(run: RunDir) -> None:
    run.append(record("a", "yes", "yes", digest="1"), "gw0")
    run.append(record("b", "yes", None, outcome="endpoint_down", digest="1"), "gw0")
    resume = run.resume({("a", 1): "1", ("b", 1): "1", ("c", 1): "1"})
    assert set(resume.reusable) == {("a", 1)}
    assert "endpoint_down" in resume.why_not["b", 1]
    assert resume.why_not["c", 1] == "no record"
    assert "changed" in run.resume({("a", 1): "2"}).why_not["a", 1]


def test_trace_that_is_gone_is_run_again(run: RunDir) -> None:
    run.append(record("a", "yes", "yes", trace=run.trace_name("a", 1)), "gw0")
    assert "trace" in run.resume({("a", 1): ""}).why_not["a", 1]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"schema_version": 2}', "schema_version 2"),
        ("{", "not valid JSON"),
        ('{"schema_version": 1}', "key package_version"),
    ],
)
def test_unreadable_manifest_is_refused(run: RunDir, text: str, told: str) -> None:
    (run.path / "manifest.json").write_text(text)
    with pytest.raises(StoreError) as error:
        RunStore.at(run.path)
    assert told in str(error.value)


def test_record_of_another_version_is_refused(run: RunDir) -> None:
    (run.path / "records" / "gw0.jsonl").write_text('{"schema_version": 9}\n')
    with pytest.raises(StoreError) as error:
        run.records()
    assert "line 1" in str(error.value)


def test_find(tmp_path: Path, run: RunDir) -> None:
    store = RunStore(tmp_path)
    assert store.find("latest").id == store.find(run.id[-6:]).id == store.find(str(run.path)).id == run.id
    with pytest.raises(StoreError, match=r"no run 'x'.*the latest runs are"):
        store.find("x")


def test_report_is_the_same_bytes_again(run: RunDir) -> None:
    run.append(record("a", "yes", "no", scores={"defects": ("N1",)}, grades=(Grade(criterion="N1", met=True),)), "gw1")
    run.append(record("b", "yes", None, outcome="system_error", error="boom \x00 <&>"), "gw0")
    write_report(run, resamples=200)
    names = ("report.json", "junit.xml", "report.html")
    before = [(run.path / name).read_bytes() for name in names]
    write_report(run, resamples=200)
    assert [(run.path / name).read_bytes() for name in names] == before
    report = json.loads(before[0])
    assert report["metrics"]["accuracy"] | {"wilson": 0, "bootstrap": 0} == {
        "value": 0.0,
        "n": 2,
        "out_of": 2,
        "wilson": 0,
        "bootstrap": 0,
    }
    assert report["complete"] is True


def test_error_may_quote_text_that_is_no_unicode(run: RunDir) -> None:
    broken = record("a", "yes", None, outcome="system_error", error="KeyError: '\ud800'")
    run.append(broken, "gw0")
    assert run.records()["a", 1].error == "KeyError: '?'"
    write_report(run)


def test_list_of_runs_names_what_it_cannot_read(tmp_path: Path, run: RunDir) -> None:
    broken = tmp_path / "2026-01-01-torn"
    broken.mkdir()
    (broken / "manifest.json").write_text("{")
    listed = CliRunner().invoke(application(), ["runs", "list", "--runs", str(tmp_path)])
    assert listed.exit_code == 0, listed.output
    assert run.id in listed.output
    assert "2026-01-01-torn" in listed.output


def _runs(folder: Path, *manifests: Manifest) -> list[RunDir]:
    return [RunStore(folder).open(manifest, day="2026-01-02") for manifest in manifests]


def test_runs_of_the_same_cases_are_put_side_by_side(tmp_path: Path) -> None:
    one, other = _runs(tmp_path, MANIFEST, MANIFEST.model_copy(update={"system": "scripted/y"}))
    for run, verdicts in ((one, ("yes", "no")), (other, ("yes", "yes"))):
        for case, verdict in zip(("a", "b"), verdicts, strict=True):
            run.append(record(case, "yes", verdict, system=run.manifest.system), "main")
    table = CliRunner().invoke(application(), ["runs", "compare", "--runs", str(tmp_path)])
    assert table.exit_code == 0, table.output
    assert [line.split() for line in table.output.splitlines()[:3]] == [
        ["scenario", "x", "y"],
        ["post-ct-aki", *["50", "/", "50", "100", "/", "100"]],
        ["all", *["50", "/", "50", "100", "/", "100"]],
    ]
    markdown = CliRunner().invoke(application(), ["runs", "compare", other.id, "--markdown", "--runs", str(tmp_path)])
    assert markdown.output.splitlines() == [
        "| scenario | y |",
        "| --- | ---: |",
        "| post-ct-aki | 100 / 100 |",
        "| all | 100 / 100 |",
    ]


def test_runs_that_may_not_be_compared_are_refused(tmp_path: Path) -> None:
    one, other = _runs(tmp_path, MANIFEST, MANIFEST.model_copy(update={"judge": "panel", "suite_digest": "def"}))
    refused = CliRunner().invoke(application(), ["runs", "compare", one.id, other.id, "--runs", str(tmp_path)])
    assert refused.exit_code == 4
    assert "differ in suite_digest, judge" in refused.output
    unfinished = CliRunner().invoke(application(), ["runs", "compare", one.id, "--runs", str(tmp_path)])
    assert unfinished.exit_code == 4
    assert "lacks 2 of 2 runs" in unfinished.output
    none = CliRunner().invoke(application(), ["runs", "compare", "--runs", str(tmp_path / "none")])
    assert (none.exit_code, "no runs to compare" in none.output) == (4, True)
