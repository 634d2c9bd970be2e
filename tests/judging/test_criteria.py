"""Every criterion that rules decide can be met and can be missed: the reference's report, varied a little."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pytest_clinicare.charts import SyntheticSource
from pytest_clinicare.environment import Brief, Corpus, Environment, Limits, ToolResult
from pytest_clinicare.judging import RulesJudge
from pytest_clinicare.pytest_side.bench import Bench, take_fingerprint
from pytest_clinicare.pytest_side.run import execute
from pytest_clinicare.suite import load_suite
from pytest_clinicare.systems import resolve_system

Report = dict[str, Any]
Refs = dict[str, list[str]]
Edit = Callable[[Report, Refs], Report]
CHARTS = Path(".clinicare/charts").resolve()
SUITE = load_suite()
CORPUS = Corpus(SUITE.root.policy_docs)


class _Varied:
    """A scripted system whose report is edited; ``blind`` files it in a run that looked at nothing."""

    name = "tests/varied"

    def __init__(self, base: str, edit: Edit, blind: bool = False) -> None:
        self._base, self._edit, self._blind = resolve_system(base), edit, blind

    def run(self, brief: Brief, tools: Any) -> str | None:
        if not self._blind:
            self._base.run(brief, _Editing(tools, self._edit))
            return None
        filed: list[Report] = []

        def keep(report: Report, _: Refs) -> Report:
            filed.append(report)
            return report

        with (
            SyntheticSource(CHARTS, SUITE.root.fixtures).chart(_case_of(brief)) as chart,
            Environment(chart, CORPUS, subject_id=brief.subject_id, hadm_id=brief.hadm_id) as apart,
        ):
            self._base.run(brief, _Editing(apart.tools, keep))
        tools.call("submit_report", self._edit(filed[0], {}))
        return None


class _Editing:
    def __init__(self, tools: Any, edit: Edit) -> None:
        self._tools, self._edit, self._refs = tools, edit, Refs()

    def call(self, tool: str, arguments: Report) -> ToolResult:
        if tool == "submit_report":
            arguments = self._edit(json.loads(json.dumps(arguments)), self._refs)
        result: ToolResult = self._tools.call(tool, arguments)
        for ref in result.refs:
            self._refs.setdefault(ref.partition(":")[0], []).append(ref)
        return result


def _case_of(brief: Brief) -> Any:
    return next(c for c in SUITE.cases if c.subject_id == brief.subject_id and c.scenario == brief.scenario)


def _grades(system: Any, case_id: str) -> dict[str, bool | None]:
    charts = SyntheticSource(CHARTS, SUITE.root.fixtures)
    fingerprint = take_fingerprint(SUITE, system)
    bench = Bench(SUITE, charts, CORPUS, system, RulesJudge(), Limits(), fingerprint)
    record = execute(bench, next(case for case in SUITE.cases if case.id == case_id), 1)
    assert record.error is None, record.error
    return {grade.criterion: grade.met for grade in record.grades if grade.applicable}


def _as_filed(report: Report, _: Refs) -> Report:
    return report


def _verdict(verdict: str) -> Edit:
    return lambda report, _: {**report, "verdict": verdict}


def _claiming(table: str = "", verdict: str = "", **claim: Any) -> Edit:
    """One more claim, which cites the first row retrieved of a table."""

    def edit(report: Report, refs: Refs) -> Report:
        evidence = refs[table][:1] if table else []
        added = {"text": "varied", "evidence": evidence, **claim}
        return {**report, "verdict": verdict or report["verdict"], "claims": [*report["claims"], added]}

    return edit


def _citing_only(verdict: str, *tables: str) -> Edit:
    """A report of one claim, which cites all rows retrieved of these tables."""

    def edit(report: Report, refs: Refs) -> Report:
        claim = {"text": "varied", "kind": "status", "evidence": [ref for table in tables for ref in refs[table]]}
        return {**report, "verdict": verdict, "rationale": "", "claims": [claim]}

    return edit


class Trip(NamedTuple):
    """A variation of what ``base`` reports on a case, which trips one must-not."""

    criterion: str
    case: str
    edit: Edit = _as_filed
    base: str = "reference"
    blind: bool = False


TRIPS = [
    Trip("N1", "post-ct-aki-02", base="shortcut"),
    Trip("N3", "post-ct-aki-02", _citing_only("yes", "diagnoses_icd")),
    Trip("N4", "post-ct-aki-22", base="shortcut"),
    Trip("N5", "post-ct-aki-02", _claiming("labevents", kind="baseline", name="tier 2")),
    Trip("N6", "post-ct-aki-30", _verdict("yes")),
    Trip("N1", "advanced-imaging-04", base="shortcut"),
    Trip("N2", "advanced-imaging-19", _verdict("yes")),
    Trip("N3", "advanced-imaging-18", _claiming("poe", kind="status", value="discontinued")),
    Trip("N4", "advanced-imaging-05", _citing_only("yes", "procedureevents")),
    Trip("N5", "advanced-imaging-15", _verdict("yes")),
    Trip("N6", "advanced-imaging-09", _verdict("no")),
    Trip("N1", "med-reconciliation-01", _claiming(kind="medication", text="continued", evidence=["prescriptions:1"])),
    Trip("N2", "med-reconciliation-08", base="shortcut"),
    Trip("N4", "med-reconciliation-03", base="shortcut"),
    Trip("N5", "med-reconciliation-01", _claiming(kind="duration", evidence=["pharmacy:1"])),
    Trip("N6", "med-reconciliation-09", base="shortcut"),
    Trip("N1", "renal-trajectory-02", base="shortcut"),
    Trip("N2", "renal-trajectory-19", lambda r, refs: _claiming(kind="baseline", evidence=refs["labevents"])(r, refs)),
    Trip("N3", "renal-trajectory-02", _citing_only("yes", "diagnoses_icd")),
    Trip("N4", "renal-trajectory-02", blind=True),
    Trip("N5", "renal-trajectory-19", _citing_only("yes", "procedures_icd")),
    Trip("N6", "renal-trajectory-02", _claiming("labevents", kind="computation", name="MDRD", value=60.0)),
]  # fmt: skip


@pytest.mark.parametrize("trip", TRIPS, ids=lambda trip: f"{trip.case}-{trip.criterion}")
def test_must_not_is_tripped(trip: Trip) -> None:
    assert _grades(_Varied(trip.base, trip.edit, trip.blind), trip.case)[trip.criterion] is True


@pytest.mark.parametrize(
    "case_id", ["post-ct-aki-02", "advanced-imaging-18", "med-reconciliation-01", "renal-trajectory-19"]
)
def test_must_do_is_met_by_work_and_not_by_its_report_alone(case_id: str) -> None:
    worked, blind = (_grades(_Varied("reference", _as_filed, blind=b), case_id) for b in (False, True))
    decided = {name for name, met in worked.items() if name.startswith("D") and met is not None}
    assert {name: worked[name] for name in decided} == dict.fromkeys(decided, True)
    assert {name: blind[name] for name in decided} == dict.fromkeys(decided, False)
