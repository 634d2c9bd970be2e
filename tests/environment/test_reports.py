"""Reports read leniently, and the citations in them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_clinicare.environment import (
    Claim,
    Corpus,
    PolicyCitation,
    Report,
    call_citations,
    parse_confidence,
    parse_report,
    parse_verdict,
    policy_citations,
    record_citations,
    span_of,
    strip_span,
)
from pytest_clinicare.suite import Verdict

YES, NO, LACK, AMBIGUOUS = Verdict.YES, Verdict.NO, Verdict.LACK, Verdict.AMBIGUOUS


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("yes", YES), ("**Yes**.", YES), ("YES, AKI followed, no doubt", YES), ("No", NO), ("no - none rose", NO),
        ("Indeterminate: Lack of Data", LACK), ("indeterminate (insufficient data)", LACK), ("No data", LACK),
        ("lack_of_data", LACK), ("Indeterminate: Lack of Data - no CT report", LACK), ("insufficient evidence", LACK),
        ("Indeterminate: Medically Ambiguous", AMBIGUOUS), ("medically ambiguous", AMBIGUOUS), ("ambiguous", AMBIGUOUS),
        ("indeterminate", None), ("yes or no", None), ("Yes/No", None), ("lack of data or ambiguous", None), ("", None),
        ("maybe", None), (True, YES), (None, None), (3, None),
    ],
)  # fmt: skip
def test_verdicts(text: Any, verdict: Verdict | None) -> None:
    assert parse_verdict(text) == verdict


@pytest.mark.parametrize("verdict", Verdict)
def test_every_verdict_is_read_in_both_spellings(verdict: Verdict) -> None:
    assert parse_verdict(verdict.value) == parse_verdict(verdict.label) == verdict


@pytest.mark.parametrize(
    ("given", "confidence"),
    [(0.85, 0.85), (1, 1.0), (85, 0.85), ("85%", 0.85), ("0.5 %", 0.005), ("about 0.7", 0.7), ("85", 0.85), (0, 0.0),
     (-0.1, None), (101, None), ("high", None), (None, None), (True, None), (float("nan"), None), (10**400, None)],
)  # fmt: skip
def test_confidences(given: Any, confidence: float | None) -> None:
    assert parse_confidence(given) == (confidence if confidence is None else pytest.approx(confidence))


@pytest.mark.parametrize(
    ("text", "verdict", "confidence"),
    [
        ("Verdict: Yes\nConfidence: 80%\n\nBecause.", YES, 0.8),
        ("## Verdict\n\nIndeterminate: Lack of Data\n", LACK, None),
        ("**Final verdict:** **No**\n- Confidence: 0.6", NO, 0.6),
        ("Verdict: Yes\n...\nVerdict: No", None, None),
        ("Verdict: yes or no", None, None),
        ("Verdict: banana", None, None),
        ("Verdict: Yes\n\nConclusion: the injury followed the scan.", YES, None),
        ('Here it is:\n```json\n{"verdict": "no", "confidence": 90}\n```\n', NO, 0.9),
        ('{"Verdict": "medically ambiguous", "claims": ["x", {"text": "y", "evidence": "poe:1"}]}',
         AMBIGUOUS, None),
        ('```json\n{"verdict": "no"}\n```\n```json\n{"verdict": "yes"}\n```', None, None),
        ("No.", NO, None),
    ],
)  # fmt: skip
def test_reports_in_text(text: str, verdict: Verdict | None, confidence: float | None) -> None:
    report = parse_report(text)
    assert report is not None
    assert (report.verdict, report.confidence, report.raw) == (verdict, confidence, text)


@pytest.mark.parametrize("text", ["", "  \n", "I could not open the chart.", '{"answer_to": 42}', None, "yes " * 50])
def test_no_report(text: str | None) -> None:
    assert parse_report(text) is None


def test_claims_are_read_as_far_as_they_go() -> None:
    claims = [
        {"text": "peak", "kind": "peak", "value": 2, "evidence": ["labevents:1", 7], "policy": "kdigo-aki-2012 L1"},
        {"text": "odd", "kind": "sonnet", "value": [1], "unit": 5},
        {"kind": "peak"},
        17,
        "plain",
    ]
    report = parse_report({"verdict": "yes", "claims": claims})
    assert report is not None
    assert [claim.text for claim in report.claims] == ["peak", "odd", "plain"]
    assert report.claims[0].evidence == ("labevents:1", "7")
    assert report.claims[0].policy == ("kdigo-aki-2012 L1",)
    assert (report.claims[1].kind, report.claims[1].value, report.claims[1].unit) == ("other", "[1]", "5")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)
NAMES = st.sampled_from(["verdict", "Verdict", "confidence", "rationale", "claims", "x"])
PIECES = st.lists(
    st.sampled_from(["Verdict:", "yes", "no", "lack", "\n", "{", "}", '"verdict"', ":", "```json", "```", "Confidence:",
                     "9" * 400, "%", "[record: ", "]", "[policy: a L", "@1-", "L9", "\ud800"]) | st.text(max_size=5),
    max_size=25,
).map("".join)  # fmt: skip


@given(st.dictionaries(NAMES, JSON, max_size=5) | PIECES | JSON.map(json.dumps))
def test_reading_never_raises(given_report: Any) -> None:
    report = parse_report(given_report)
    if report is not None:
        assert report.confidence is None or 0 <= report.confidence <= 1
        record_citations(report)
        call_citations(report)
        policy_citations(report)


def test_deep_json_is_no_report() -> None:
    assert parse_report("[" * 100_000 + "{" + "]" * 100_000 + "}") is None


LINES = st.integers(1, 9999)


@given(
    st.sampled_from(["kdigo-aki-2012", "acr.x_1"]),
    LINES,
    LINES,
    st.sampled_from(["{d} L{s}-L{e}", "{d} L{s}--L{e}", "{d} L_{s}--L_{e}", "{d} L{s}\u2013L{e}", "{d}, lines {s}-{e}",
                     "{d}.md L{s}-{e}", "{d}:L{s}-L{e}"]),
)  # fmt: skip
def test_policy_spellings(document: str, start: int, end: int, spelling: str) -> None:
    text = spelling.format(d=document, s=start, e=end)
    inline = Report(verdict=YES, rationale=f"so says [policy: {text}].")
    typed = Report(verdict=YES, claims=(Claim(text="c", policy=(text,)),))
    expected = [PolicyCitation(document=document, start=start, end=end)]
    assert policy_citations(inline) == policy_citations(typed) == expected


def test_citations_of_text_and_claims() -> None:
    report = Report(
        verdict=YES,
        rationale="Peak [record: labevents:1; labevents:2], seen [record: discharge:1-DS-2@120-310]. None [call: 7]. "
        "[policy: kdigo-aki-2012 L41] [Policy: acr-nkf-contrast-2020]",
        claims=(
            Claim(
                text="c [record: poe:1-2]", evidence=("labevents:1", "call:9", "outputevents:3/2150-01-01 10:00:00/9")
            ),
        ),
    )
    assert record_citations(report) == [
        "labevents:1", "labevents:2", "discharge:1-DS-2@120-310", "poe:1-2", "outputevents:3/2150-01-01 10:00:00/9",
    ]  # fmt: skip
    assert call_citations(report) == [7, 9]
    assert policy_citations(report) == [
        PolicyCitation(document="kdigo-aki-2012", start=41, end=41),
        PolicyCitation(document="acr-nkf-contrast-2020"),
    ]
    assert strip_span("discharge:1-DS-2@120-310") == "discharge:1-DS-2"
    assert span_of("discharge:1-DS-2@120-310") == (120, 310)
    assert span_of("discharge:1-DS-2") is None


@pytest.mark.parametrize(
    ("citation", "resolves"),
    [("kdigo-aki-2012", True), ("kdigo-aki-2012 L1-L20", True), ("kdigo-aki-2012 L20-L1", False),
     ("kdigo-aki-2012 L1-L99999", False), ("kdigo-aki-2012 L0", False), ("kdigo-aki-2099 L1", False),
     ("as everyone knows", False)],
)  # fmt: skip
def test_resolution(corpus: Corpus, citation: str, resolves: bool) -> None:
    report = Report(verdict=YES, claims=(Claim(text="c", policy=(citation,)),))
    assert [corpus.resolve(found) for found in policy_citations(report)] == [resolves]
