"""JUnit and HTML: what another tool and a reader get."""

from __future__ import annotations

from xml.etree import ElementTree

from pytest_clinicare.judging import Grade
from pytest_clinicare.results import Manifest, aggregate, junit
from pytest_clinicare.results.report_html import report_html
from tests.results.conftest import record

GRADE = Grade(criterion="N1", met=True, why="used <the order>", refs=("poe:o-1",))
RUNS = (
    record("a", "yes", "yes", confidence=0.9),
    record("b", "yes", "yes", scores={"defects": ("N1",)}, grades=(GRADE,), trace="traces/b.1.jsonl"),
    record("c", "no", None, outcome="no_report"),
    record("d", "no", None, outcome="system_error", error="boom \x1b[0m <&>"),
    record("e", None, "yes"),
)


def test_junit_tells_failures_from_errors() -> None:
    root = ElementTree.fromstring(junit("scripted/x", RUNS))
    assert {key: root.attrib[key] for key in ("tests", "failures", "errors")} == {
        "tests": "5",
        "failures": "2",
        "errors": "1",
    }
    cases = {case.attrib["name"]: case for case in root.iter("testcase")}
    assert [name for name, case in cases.items() if case.find("failure") is not None] == ["b", "c"]
    assert [name for name, case in cases.items() if case.find("error") is not None] == ["d"]
    failure = cases["b"].find("failure")
    assert failure is not None
    assert "defect N1: used <the order> (poe:o-1)" in str(failure.text)
    properties = {p.attrib["name"]: p.attrib["value"] for p in cases["b"].iter("property")}
    assert properties["verdict"] == "yes"
    assert properties["reference"] == "yes"
    assert properties["defects"] == "N1"
    assert properties["process"] == "1"


def test_page_is_self_contained_and_escaped() -> None:
    manifest = Manifest(
        package_version="0", suite_digest="s", cases=(), chart_source="synthetic", system="<b>", judge="rules"
    )
    page = report_html(manifest, "run-1", RUNS, aggregate(RUNS, expected=6))
    assert "<h1>&lt;b&gt;</h1>" in page
    assert "used &lt;the order&gt;" in page
    assert 'href="traces/b.1.jsonl"' in page
    assert "1 runs left no record" in page
    assert "src=" not in page
    assert "http" not in page
