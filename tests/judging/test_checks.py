"""Each word of the vocabulary, tripped and met, over real tool calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_clinicare.judging import JudgedRun, RulesJudge
from pytest_clinicare.judging.checks import CHECKS
from tests.judging.conftest import EARLIER, HADM, Judge

Calls = list[tuple[str, dict[str, Any]]]
LABS: Calls = [("get_labs", {"items": [50912]})]
CREATININE = {"check": "queried", "table": "hosp.labevents", "items": [50912]}
WINDOW = {**CREATININE, "scope": "window", "start": "year_before", "end": "t0_48h"}
CLAIM: dict[str, Any] = {"text": "t", "kind": "peak", "name": "creatinine", "value": 1.5, "evidence": ["labevents:3"]}


@pytest.mark.parametrize(
    ("check", "calls", "met"),
    [
        (CREATININE, LABS, True),
        (CREATININE, [("get_labs", {"items": [50971]})], False),
        (CREATININE, [("get_labs", {"hadm_id": HADM})], False),
        (CREATININE, [("get_labs", {"hadm_id": HADM}), ("get_labs", {"hadm_id": EARLIER})], True),
        ({**CREATININE, "scope": "encounter"}, [("get_labs", {"hadm_id": HADM})], True),
        ({**CREATININE, "scope": "encounter"}, [("get_labs", {"hadm_id": EARLIER})], False),
        (WINDOW, [("get_labs", {"start": "2149-01-01", "end": "2150-03-05"})], True),
        (WINDOW, [("get_labs", {"start": "2150-01-01", "end": "2150-03-05"})], False),
        # Two queries that meet cover the window; with a gap between them they do not.
        (WINDOW, [("get_labs", {"start": "2149-01-01", "end": "2150-03-02"}), ("get_labs", {"hadm_id": HADM})], True),
        (WINDOW, [("get_labs", {"start": "2149-01-01", "end": "2150-02-02"}), ("get_labs", {"hadm_id": HADM})], False),
        ({**CREATININE, "complete": True}, [("get_labs", {"items": [50912], "limit": 2})], False),
        (
            {**CREATININE, "complete": True},
            [("get_labs", {"items": [50912], "limit": 2}), ("get_labs", {"items": [50912], "cursor": "2"})],
            True,
        ),
        # A valid empty result counts.
        ({"check": "queried", "table": "hosp.emar", "scope": "encounter"}, [], False),
        (
            {"check": "queried", "table": "hosp.emar", "scope": "encounter"},
            [("get_medication_administrations", {"hadm_id": HADM})],
            True,
        ),
        # An admission's administrations have nothing before it; results of no admission may lie there.
        (
            {"check": "queried", "table": "hosp.emar", "scope": "window", "start": "before", "end": "t0_48h"},
            [("get_medication_administrations", {"hadm_id": HADM})],
            True,
        ),
        ({**WINDOW, "start": "before"}, [("get_labs", {"hadm_id": HADM})], False),
        ({"check": "queried", "table": "hosp.poe", "order_type": ""}, [("get_orders", {})], True),
        ({"check": "queried", "table": "hosp.poe", "order_type": ""}, [("get_imaging", {})], False),
        ({"check": "queried", "table": "hosp.poe", "order_type": "Radiology"}, [("get_imaging", {})], True),
        ({"check": "queried", "table": ["hosp.omr", "hosp.labevents"]}, LABS, True),
        # SQL counts by the tables and rows really read.
        (WINDOW, [("run_sql", {"query": "SELECT labevent_id, valuenum FROM labevents WHERE labevent_id = 3"})], True),
        (WINDOW, [("run_sql", {"query": "SELECT charttime, valuenum FROM labevents"})], True),
        (WINDOW, [("run_sql", {"query": "SELECT labevent_id FROM labevents WHERE labevent_id = 4"})], False),
        (WINDOW, [("run_sql", {"query": "SELECT count(*) FROM labevents"})], False),
        # Naming a table beside another shows no row of it, nor does what many rows share.
        (WINDOW, [("run_sql", {"query": "SELECT l.valuenum, p.ordertime FROM labevents l, poe p"})], False),
        (WINDOW, [("run_sql", {"query": "SELECT itemid, hadm_id FROM labevents"})], False),
        (WINDOW, [("run_sql", {"query": "SELECT hadm_id FROM admissions"})], False),
        ({"check": "read_note", "kind": "radiology", "notes": "ct_notes"}, [("read_note", {"note_id": "r-1"})], True),
        ({"check": "read_note", "kind": "radiology", "notes": "ct_notes"}, [("list_notes", {})], False),
        ({"check": "read_note", "kind": "radiology", "notes": "no_notes"}, [("list_notes", {})], True),
        ({"check": "read_note", "kind": "radiology", "notes": "no_notes"}, LABS, False),
        ({"check": "retrieved", "rows": "creatinine"}, LABS, True),
        ({"check": "retrieved", "rows": "creatinine"}, [("get_labs", {"hadm_id": HADM})], False),
        ({"check": "retrieved", "rows": "creatinine", "every": False}, [("get_labs", {"hadm_id": HADM})], True),
        (
            {"check": "called", "tool": "search_lab_items", "text": "CYST"},
            [("search_lab_items", {"text": "cystatin"})],
            True,
        ),
        (
            {"check": "called", "tool": "search_lab_items", "text": "CYST"},
            [("search_lab_items", {"text": "sodium"})],
            False,
        ),
        ({"check": "fact", "fact": "t0"}, [], True),
        ({"check": "fact", "fact": "nothing"}, [], False),
        ({"check": "fact", "fact": "creatinine", "at_least": 4}, [], True),
        ({"check": "fact", "fact": "creatinine", "at_least": 5}, [], False),
        ({"check": "fact", "fact": "t0", "equals": "2150-03-01 20:00:00"}, [], True),
    ],
)
def test_checks_of_the_trace(grade: Judge, check: dict[str, Any], calls: Calls, met: bool) -> None:
    found = grade([check], calls, {})
    assert found.met is met, found.why


# A report gets credit for what its run retrieved: creatinine and notes, an empty answer, and policy lines.
LOOKED: Calls = [
    *LABS,
    ("get_medication_administrations", {}),
    ("read_note", {"note_id": "r-1"}),
    ("read_policy", {"document": "kdigo-aki-2012", "start_line": 1, "end_line": 10}),
]


@pytest.mark.parametrize(
    ("check", "report", "met"),
    [
        ({"check": "verdict_in", "verdicts": ["yes", "no"]}, {}, True),
        ({"check": "verdict_in", "verdicts": ["yes"]}, {"verdict": "lack"}, False),
        (
            {"check": "policy_cited", "documents": ["kdigo-aki-2012"]},
            {"rationale": "x [policy: kdigo-aki-2012 L3-L4]"},
            True,
        ),
        (
            {"check": "policy_cited", "documents": ["kdigo-aki-2012"]},
            {"rationale": "x [policy: kdigo-aki-2012]"},
            False,
        ),
        (
            {"check": "policy_cited", "documents": ["kdigo-aki-2012"]},
            {"rationale": "x [policy: kdigo-aki-2012 L11-L12]"},
            False,
        ),
        ({"check": "cites", "table": "labevents"}, {"rationale": "[record: labevents:3]"}, True),
        ({"check": "cites", "table": "labevents"}, {"rationale": "[record: radiology:r-1]"}, False),
        (
            {"check": "cites", "table": "labevents", "within": ["t0", "t0_48h"], "open_start": True},
            {"rationale": "[record: labevents:3]"},
            True,
        ),
        (
            {"check": "cites", "table": "labevents", "within": ["t0", "t0_48h"]},
            {"rationale": "[record: labevents:2]"},
            False,
        ),
        ({"check": "cites", "items": [50971]}, {"rationale": "[record: labevents:3]"}, False),
        ({"check": "cites", "rows": "creatinine", "every": True}, {"rationale": "[record: labevents:3]"}, False),
        # A free-text report cannot show what it states to a rule.
        ({"check": "claim", "kind": "peak"}, {"rationale": "the peak is 1.5"}, None),
        ({"check": "claim", "kind": "peak"}, {"claims": [CLAIM]}, True),
        ({"check": "claim", "kind": "baseline"}, {"claims": [CLAIM]}, False),
        ({"check": "claim", "about": "CREAT", "numeric": True}, {"claims": [CLAIM]}, True),
        ({"check": "claim", "about": "creat", "not_about": "creatinine"}, {"claims": [CLAIM]}, False),
        ({"check": "claim", "named": "urea"}, {"claims": [CLAIM]}, False),
        ({"check": "claim", "value": ["1.5"]}, {"claims": [CLAIM]}, True),
        ({"check": "claim", "table": "labevents", "outside": ["t0", "t0_48h"]}, {"claims": [CLAIM]}, False),
        (
            {"check": "claim", "table": "labevents", "outside": ["t0", "t0_48h"]},
            {"claims": [{**CLAIM, "evidence": ["labevents:4"]}]},
            True,
        ),
        ({"check": "claim", "not_rows": "creatinine"}, {"claims": [CLAIM]}, False),
        (
            {"check": "claim", "table": "labevents", "only": True},
            {"claims": [{**CLAIM, "evidence": ["labevents:3", "radiology:r-1"]}]},
            False,
        ),
        ({"check": "claim", "empty": True}, {"claims": [{**CLAIM, "kind": "absence", "evidence": ["call:2"]}]}, True),
        ({"check": "claim", "empty": True}, {"claims": [{**CLAIM, "evidence": ["call:1"]}]}, False),
        ({"check": "claim", "empty": "emar"}, {"claims": [{**CLAIM, "kind": "absence", "evidence": ["call:2"]}]}, True),
        # An empty answer shows an absence, never a value.
        ({"check": "claim", "kind": "peak"}, {"claims": [{**CLAIM, "evidence": ["call:2"]}]}, False),
        ({"check": "claim", "empty": "labevents"}, {"claims": [{**CLAIM, "evidence": ["call:2"]}]}, False),
        ({"check": "claim", "empty": True}, {"claims": [CLAIM]}, False),
        ({"check": "claim", "rows": "creatinine", "rows_at_least": 2}, {"claims": [CLAIM]}, False),
        ({"check": "claim", "at": "order_times"}, {"claims": [{**CLAIM, "time": "2150-03-01 18:00:00"}]}, True),
        ({"check": "claim", "at": "order_times"}, {"claims": [{**CLAIM, "time": "2150-03-01 20:00:00"}]}, False),
        ({"check": "claim", "not_at": "order_times"}, {"claims": [{**CLAIM, "time": "2150-03-01 18:00:00"}]}, False),
        ({"check": "claim", "per": "admissions"}, {"claims": [{**CLAIM, "name": str(HADM)}]}, False),
        (
            {"check": "claim", "per": "admissions"},
            {"claims": [{**CLAIM, "name": str(HADM)}, {**CLAIM, "text": f"of {EARLIER}"}]},
            True,
        ),
        (
            {"check": "explained", "notes": "summaries", "words": ["stopped"]},
            {"claims": [{"text": "missing", "kind": "difference", "name": "warfarin"}]},
            True,
        ),
        (
            {"check": "explained", "notes": "summaries", "words": ["stopped"]},
            {"claims": [{"text": "missing", "kind": "difference", "name": "lisinopril"}]},
            False,
        ),
        ({"check": "explained", "notes": "summaries", "words": ["stopped"]}, {}, None),
    ],
)
def test_checks_of_the_report(grade: Judge, check: dict[str, Any], report: dict[str, Any], met: bool | None) -> None:
    found = grade([check], LOOKED, report)
    assert found.met is met, found.why


@pytest.mark.parametrize(
    "check",
    [
        {"check": "cites", "table": "labevents"},
        {"check": "claim", "kind": "peak"},
        {"check": "policy_cited", "documents": ["kdigo-aki-2012"]},
    ],
)
def test_what_was_not_retrieved_earns_nothing_and_still_counts_against(grade: Judge, check: dict[str, Any]) -> None:
    cited = "[record: labevents:3] [policy: kdigo-aki-2012 L3-L4]"
    report = {"rationale": cited, "claims": [CLAIM]}
    assert grade([check], LOOKED, report).met is True
    assert grade([check], [], report).met is False
    assert grade([{"not": check}], [], report).met is False


def test_every_word_is_tested_above() -> None:
    marks = [*test_checks_of_the_trace.pytestmark, *test_checks_of_the_report.pytestmark]  # type: ignore[attr-defined]
    rows = [(row[0]["check"], row[2]) for mark in marks for row in mark.args[1]]
    assert {name for name, met in rows if met} == set(CHECKS)
    assert {name for name, met in rows if met is False} == set(CHECKS)


def test_citing_everything_points_at_nothing(judged: Callable[..., JudgedRun]) -> None:
    """Rows dumped on a claim or into the rationale earn nothing, and still count against the system."""
    dumped = [f"labevents:{number}" for number in range(3, 1000)]
    for checks, report in (
        ([{"check": "claim", "kind": "peak"}], {"claims": [{**CLAIM, "evidence": dumped[:61]}]}),
        ([{"check": "cites", "table": "labevents"}], {"rationale": " ".join(f"[record: {r}]" for r in dumped)}),
    ):
        for entry in (checks, [{"not": check} for check in checks]):
            assert RulesJudge().grade(judged(entry, LOOKED, report))[0].met is False


TRUE, FALSE = {"check": "fact", "fact": "t0"}, {"check": "fact", "fact": "nothing"}
OPEN = {"check": "claim", "kind": "peak"}


@pytest.mark.parametrize(
    ("checks", "met"),
    [
        ([TRUE, OPEN], None),
        ([FALSE, OPEN], False),
        ([{"any": [FALSE, OPEN]}], None),
        ([{"any": [TRUE, OPEN]}], True),
        ([{"any": [FALSE, FALSE]}], False),
        ([{"all": [TRUE, TRUE]}], True),
        ([{"not": TRUE}], False),
        ([{"not": OPEN}], None),
        ([{"not": {"any": [FALSE, {"all": [TRUE, FALSE]}]}}], True),
    ],
)
def test_combinations_follow_three_valued_logic(grade: Judge, checks: list[dict[str, Any]], met: bool | None) -> None:
    assert grade(checks, [], {}).met is met


def test_criterion_that_does_not_apply_is_left_out(grade: Judge) -> None:
    assert grade([TRUE], [], {}, applies=[FALSE]).applicable is False
    assert grade([TRUE], [], {}, applies=[OPEN]).applicable is True


def test_criterion_without_checks_is_for_a_reader(grade: Judge) -> None:
    assert grade([], [], {}).met is None
