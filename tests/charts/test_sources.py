"""Charts on demand: cached by what decides them, also when several processes ask at once."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
from pathlib import Path

import pytest

from pytest_clinicare.charts import ChartError, Draft, MimicSource, SyntheticSource
from pytest_clinicare.charts.verify import verify_chart
from pytest_clinicare.suite import Case, load_suite, suite_root


@pytest.fixture(scope="module")
def case() -> Case:
    return next(case for case in load_suite().cases if case.scenario == "med-reconciliation")


def _ask(cache: Path, case: Case, barrier: object, paths: object) -> None:
    barrier.wait()  # type: ignore[attr-defined]
    with SyntheticSource(cache, suite_root().fixtures).chart(case) as chart:
        paths.put((str(chart.path), chart.subject_id))  # type: ignore[attr-defined]


def test_two_processes_ask_for_the_same_chart(case: Case, tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    barrier, paths = spawn.Barrier(2), spawn.Queue()
    workers = [spawn.Process(target=_ask, args=(tmp_path, case, barrier, paths)) for _ in range(2)]
    for worker in workers:
        worker.start()
    answers = [paths.get(timeout=60) for _ in workers]
    for worker in workers:
        worker.join()
    assert answers[0] == answers[1]
    assert [path.name for path in tmp_path.iterdir()] == [Path(answers[0][0]).name]
    assert verify_chart(Path(answers[0][0])) == []


def _die_writing(path: Path) -> None:
    draft = Draft(1, 1)
    rows = draft.rows["labevents"]

    class Killer(dict[str, object]):
        def get(self, *_: object) -> None:
            os.kill(os.getpid(), signal.SIGKILL)

    rows.append(Killer())
    draft.save(path)


def test_killed_writer_leaves_no_chart(tmp_path: Path) -> None:
    worker = multiprocessing.get_context("spawn").Process(target=_die_writing, args=(tmp_path / "chart.sqlite",))
    worker.start()
    worker.join()
    assert worker.exitcode == -signal.SIGKILL
    assert not (tmp_path / "chart.sqlite").exists()


def test_chart_is_built_once_and_again_when_the_recipe_or_generator_changes(case: Case, tmp_path: Path) -> None:
    source = SyntheticSource(tmp_path / "cache", suite_root().fixtures)
    with source.chart(case) as chart:
        path, written = chart.path, chart.path.stat().st_mtime_ns
    with source.chart(case) as chart:
        assert (chart.path, chart.path.stat().st_mtime_ns) == (path, written)
    relabelled = case.model_copy(update={"verdict": None, "abstract": "other", "trap": ""})
    assert source.digest(relabelled) == source.digest(case)
    assert source.digest(case.model_copy(update={"seed": case.seed + 1})) != source.digest(case)
    other = tmp_path / "fixtures"
    shutil.copytree(suite_root().fixtures, other)
    assert SyntheticSource(tmp_path, other).digest(case) == source.digest(case)
    (other / "new.toml").write_text("a = 1\n")
    assert SyntheticSource(tmp_path, other).digest(case) != source.digest(case)


def test_real_chart_is_found_by_subject(draft: Draft, tmp_path: Path) -> None:
    source = MimicSource(tmp_path)
    case = Case(id="x-1", scenario="x", source="mimic", subject_id=draft.subject_id)
    missing = source.digest(case)
    with pytest.raises(ChartError, match="clinicare charts build --mimic"):
        source.chart(case)
    draft.save(tmp_path / f"{draft.subject_id}.sqlite")
    with source.chart(case) as chart:
        assert chart.subject_id == draft.subject_id
    assert source.digest(case) != missing
