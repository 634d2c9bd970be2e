"""A MIMIC-IV folder becomes charts, and charts become unlabelled cases."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts import ChartError, open_chart
from pytest_clinicare.charts.mimic import build_charts, draw_sample, sample_cases
from pytest_clinicare.charts.verify import verify_chart
from pytest_clinicare.suite import load_cases, load_suite

Folder = dict[str, list[dict[str, Any]]]
Writer = Callable[[Folder], Path]
SUBJECT, OTHER = 10000001, 10000002


def test_one_sound_chart_for_each_subject(mimic_rows: Folder, write_mimic: Writer, tmp_path: Path) -> None:
    mimic_rows["labevents"][0]["storetime"] = "2150-03-02 06:30:10.983"
    said: list[str] = []
    built = build_charts(write_mimic(mimic_rows), tmp_path / "charts", progress=said.append)
    assert built.subjects == (SUBJECT, OTHER)
    assert built.absent == ("note.discharge", "note.discharge_detail", "note.radiology", "note.radiology_detail")
    assert "note.discharge" in said[0]
    assert sorted(p.name for p in built.folder.iterdir()) == [f"{SUBJECT}.sqlite", f"{OTHER}.sqlite"]
    for subject in built.subjects:
        assert verify_chart(built.folder / f"{subject}.sqlite") == []
    with open_chart(built.folder / f"{OTHER}.sqlite") as chart:
        lab = chart.rows("SELECT * FROM labevents")[0]
        assert (lab["valuenum"], lab["value"], lab["flag"]) == (1.1, "1.1", None)
        assert lab["storetime"] == "2150-03-02 06:30:10"
        assert [row["label"] for row in chart.rows("SELECT label FROM d_labitems")] == ["Creatinine"]


def test_some_subjects_only(mimic_rows: Folder, write_mimic: Writer, tmp_path: Path) -> None:
    folder = write_mimic(mimic_rows)
    (tmp_path / "charts").mkdir()
    (tmp_path / "charts" / ".staging-999999999.sqlite").touch()  # of a build that was killed
    build_charts(folder, tmp_path / "charts", subjects=[SUBJECT])
    assert [path.name for path in (tmp_path / "charts").iterdir()] == [f"{SUBJECT}.sqlite"]
    with pytest.raises(ChartError, match="holds no subject 5"):
        build_charts(folder, tmp_path / "charts", subjects=[5])


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("ed/triage.csv", None, "lacks ed.triage"),
        ("hosp/omr.csv.gz", b"subject_id,chartdate\n", "omr.csv.gz:1: not the columns of hosp.omr: lacks seq_num"),
        ("icu/caregiver.csv", b"caregiver_id,name\n1,x\n", "unknown column 'name'"),
        ("icu/caregiver.csv", b"caregiver_id\n1\n2,3\n", "caregiver.csv:3: a row of icu.caregiver does not have 1"),
        ("hosp/poe.csv.gz", b"cut off", "poe.csv.gz:1: hosp.poe cannot be read"),
        ("icu/caregiver.csv", b"", "caregiver.csv:1: not the columns"),
    ],
)
def test_bad_file_is_named(
    file: str, content: bytes | None, said: str, mimic_rows: Folder, write_mimic: Writer, tmp_path: Path
) -> None:
    path = write_mimic(mimic_rows) / file
    if content is None:
        path.unlink()
    elif path.suffix == ".gz" and b"," in content:
        path.write_bytes(gzip.compress(content))
    else:
        path.write_bytes(content)
    with pytest.raises(ChartError, match=said):
        build_charts(path.parents[1], tmp_path / "charts")
    assert not list(tmp_path.glob("charts/*"))


def test_row_without_a_required_value_is_named(mimic_rows: Folder, write_mimic: Writer, tmp_path: Path) -> None:
    mimic_rows["labevents"][1]["itemid"] = ""
    with pytest.raises(ChartError, match=r"labevents\.csv\.gz:3: labevents\.itemid is empty"):
        build_charts(write_mimic(mimic_rows), tmp_path / "charts")


def test_folder_without_charts_gives_no_sample(tmp_path: Path) -> None:
    with pytest.raises(ChartError, match="holds no charts"):
        draw_sample(tmp_path, per_scenario=3, seed=0)


def test_sample_is_written_as_cases_that_load(mimic_rows: Folder, write_mimic: Writer, tmp_path: Path) -> None:
    charts = build_charts(write_mimic(mimic_rows), tmp_path / "charts").folder
    cases = sample_cases(charts, tmp_path / "cases", per_scenario=5, seed=0)
    # Two adults in intensive care with a CT order and no home list, each with one admission only.
    assert {(case.scenario, case.subject_id) for case in cases} == {
        (scenario, subject)
        for scenario in ("post-ct-aki", "advanced-imaging", "med-reconciliation")
        for subject in (SUBJECT, OTHER)
    }
    suite = load_cases(tmp_path / "cases", load_suite())
    assert sorted(suite.cases, key=lambda c: c.id) == sorted(cases, key=lambda c: c.id)
    assert {case.verdict for case in suite.cases} == {None}
    assert (tmp_path / "cases" / "charts" / f"{SUBJECT}.sqlite").is_file()
    told = json.loads((tmp_path / "cases" / "attrition.json").read_text())["scenarios"]
    assert [step["subjects"] for step in told["renal-trajectory"]] == [2, 2, 0, 0, 0]
    assert told["advanced-imaging"][3]["note"] == "note.radiology has no rows: condition dropped"
    with pytest.raises(ChartError, match="holds cases already"):
        sample_cases(charts, tmp_path / "cases", per_scenario=5, seed=0)


def test_the_demo_gives_charts_and_cases(demo: Path, tmp_path: Path) -> None:
    subjects = (10000032, 10001217, 10002428)
    built = build_charts(demo, tmp_path / "charts", subjects=subjects)
    assert built.subjects == subjects
    for subject in subjects:
        assert verify_chart(built.folder / f"{subject}.sqlite") == []
    with open_chart(built.folder / "10000032.sqlite") as chart:
        assert chart.rows("SELECT count(*) FROM labevents")[0][0] == 623
        assert chart.has_ref("icustays:39553978")
    first, again = (draw_sample(built.folder, per_scenario=2, seed=3) for _ in range(2))
    assert first == again
    assert {case.scenario for case in first.cases} >= {"post-ct-aki", "advanced-imaging", "renal-trajectory"}
    assert len({(case.scenario, case.subject_id) for case in first.cases}) == len(first.cases)


@pytest.mark.slow
def test_the_whole_demo(demo: Path, tmp_path: Path) -> None:
    built = build_charts(demo, tmp_path / "charts")
    assert len(built.subjects) == 100
    problems = {path.name: verify_chart(path) for path in built.folder.iterdir()}
    assert {name: found for name, found in problems.items() if found} == {}
    drawn = Counter(case.scenario for case in draw_sample(built.folder, per_scenario=10, seed=0).cases)
    assert max(drawn.values()) == 10
    # Heparin-induced thrombocytopenia and its like are not met among a hundred patients.
    assert len(drawn) >= 20
