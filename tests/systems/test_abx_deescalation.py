"""The borders of ASC-11: windows inclusive to the minute, limits, and what a discharge list settles."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.scenarios.abx_deescalation.pairs import EDITS
from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.cultures import Isolate
from pytest_clinicare.systems.scripted.investigators.abx_deescalation.need import activity, options, unneeded
from tests.systems.recipes import answer, case_of, check_edits

SCENARIO = "abx-deescalation"
MINUTE = 1 / 60


def _isolate(organism: str, **panel: str) -> Isolate:
    return Isolate(organism, {name.replace("_", "-"): reading for name, reading in panel.items()}, (), None)


def _changed(variant: str, **changes: Any) -> tuple[Any, dict[str, Any]]:
    case = case_of(SCENARIO, variant)
    return case, {**deepcopy(case.recipe), **changes}


@pytest.mark.parametrize(
    ("last", "verdict"),
    [
        (48.0, Verdict.YES),
        (48.0 + MINUTE, Verdict.NO),
        (96.0, Verdict.NO),
    ],
)
def test_the_window_ends_inclusive_to_the_minute(tmp_path: Path, last: float, verdict: Verdict) -> None:
    case, recipe = _changed("exactly-48-hours")
    recipe["doses"][0][2] = last
    recipe["orders"][0][2] = 100.0
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_a_restart_after_96_hours_is_a_new_decision(tmp_path: Path) -> None:
    case, recipe = _changed("exactly-48-hours")
    recipe["doses"].append(["cefepime", 96.0 + MINUTE, 104.0, "Administered"])
    recipe["orders"].append(["cefepime", 95.0, 105.0, "discontinued"])
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES
    recipe["doses"][-1][1] = 96.0
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO


@pytest.mark.parametrize(
    ("count", "hours", "verdict"),
    [(0.49, 24.0, Verdict.AMBIGUOUS), (0.5, 0.0, Verdict.NO), (0.1, -24.5, Verdict.NO)],
)
def test_neutropenia_is_below_500_within_24_hours(tmp_path: Path, count: float, hours: float, verdict: Verdict) -> None:
    case, recipe = _changed("switch-after-window", anc=[count, hours])
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("leaving", "verdict"),
    [(["tmp-smx"], Verdict.YES), (["cefepime"], Verdict.LACK), ([], Verdict.LACK)],
)
def test_the_discharge_list_settles_a_window_that_ends_early(
    tmp_path: Path, leaving: list[str], verdict: Verdict
) -> None:
    case, recipe = _changed("home-inside-window")
    recipe["exit"][2] = leaving
    recipe["summary"] = recipe["summary"][:1]
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_no_broad_agent_before_the_result_is_no_premise(tmp_path: Path) -> None:
    case, recipe = _changed("exactly-48-hours")
    recipe["doses"] = [["ceftriaxone", -40.0, 100.0, "Administered"]]
    recipe["orders"] = [["ceftriaxone", -41.0, 104.0, "discontinued"]]
    assert answer(case, recipe, tmp_path).verdict is Verdict.LACK


def test_options_follow_the_protocol() -> None:
    rod = {"ceftriaxone": "S", "gentamicin": "S", "nitrofurantoin": "S", "cefepime": "S"}
    assert options(Isolate("ESCHERICHIA COLI", rod, (), None), urine=False) == ["ceftriaxone"]
    assert options(Isolate("ESCHERICHIA COLI", rod, (), None), urine=True) == ["nitrofurantoin", "ceftriaxone"]
    assert options(Isolate("ENTEROBACTER CLOACAE COMPLEX", rod, (), None), urine=False) == []
    assert options(Isolate("PSEUDOMONAS AERUGINOSA", {"ciprofloxacin": "S"}, (), None), urine=False) == []


def test_need_follows_the_isolate() -> None:
    mssa, mrsa = _isolate("STAPH AUREUS COAG +", oxacillin="S"), _isolate("STAPH AUREUS COAG +", oxacillin="R")
    rod = _isolate("KLEBSIELLA PNEUMONIAE", ceftriaxone="I", meropenem="S")
    assert unneeded("vancomycin", (mssa,), False)
    assert not unneeded("vancomycin", (mrsa,), False)
    assert unneeded("cefepime", (mrsa,), False)
    assert not unneeded("meropenem", (rod,), False)
    assert not unneeded("vancomycin", (rod, mrsa), False)


def test_activity_is_reported_inferred_or_accepted() -> None:
    mssa = _isolate("STAPH AUREUS COAG +", oxacillin="S")
    rod = _isolate("ESCHERICHIA COLI", ciprofloxacin="R", ceftriaxone="S")
    assert activity("cefazolin", (mssa,)) == "S"
    assert activity("levofloxacin", (rod,)) == "R"
    assert activity("doxycycline", (rod,)) == "accepted"


def test_edits_lead_where_they_say(tmp_path: Path) -> None:
    check_edits(SCENARIO, EDITS, tmp_path)
