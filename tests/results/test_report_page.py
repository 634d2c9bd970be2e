"""The report page: what it says of runs of every kind, and that nothing in a report can act in it."""

from __future__ import annotations

from collections.abc import Sequence
from html.parser import HTMLParser

from pytest_clinicare.judging import Grade
from pytest_clinicare.results import Manifest, aggregate
from pytest_clinicare.results.report_html import report_html
from pytest_clinicare.scoring import RunRecord
from tests.results.conftest import record

HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)>'


class Page(HTMLParser):
    """Rows, links, buttons and elements of a page."""

    def __init__(self, records: Sequence[RunRecord]) -> None:
        super().__init__()
        self.rows: list[dict[str, str]] = []
        self.links: list[dict[str, str]] = []
        self.buttons: list[str] = []
        self.tags: list[str] = []
        self.handlers: list[str] = []
        self.chunks: list[str] = []
        manifest = Manifest(
            package_version="0", suite_digest="s", cases=(), chart_source="synthetic", system="x", judge="rules"
        )
        self.feed(report_html(manifest, "run-1", records, aggregate(records)))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        self.handlers += [name for name in given if name.startswith("on")]
        if "data-words" in given:
            self.rows.append(given)
        if "data-search" in given:
            self.links.append(given)
        if tag == "button":
            self.buttons.append(given["data-flag"])

    def handle_data(self, data: str) -> None:
        self.chunks.append(data.strip())

    @property
    def text(self) -> str:
        return " ".join(chunk for chunk in self.chunks if chunk)

    def found_by(self, search: str) -> int:
        """Rows that the page's own search shows: words with a colon or slash whole, others anywhere."""
        return sum(
            all(
                word in row["data-words"].split() if {":", "/"} & set(word) else word in row["data-words"]
                for word in search.lower().split()
            )
            for row in self.rows
        )


def grade(name: str, met: bool | None, why: str = "") -> Grade:
    return Grade(criterion=name, met=met, why=why)


MET, UNMET, OPEN = grade("N1", True, "the order time"), grade("D2", False, "no tier"), grade("D7", None, "a reader")
RUNS = (
    record("a", "yes", "yes"),
    record("b", "yes", "yes", scores={"defects": ("N1",)}, grades=(MET, UNMET)),
    record("c", "no", "yes", scores={"defects": ("N1",), "sources_missing": ("hosp.poe",)}, grades=(MET,)),
    record("d", "no", None, outcome="no_report"),
    record("e", "no", None, outcome="system_error", error="endpoint gone"),
    record("f", "lack", "lack", scores={"undecided": ("D7",)}, grades=(OPEN,)),
)


def test_every_lead_finds_as_many_runs_as_it_counts() -> None:
    page = Page(RUNS)
    found = {link["data-search"]: page.found_by(link["data-search"]) for link in page.links}
    assert found == {
        "post-ct-aki verdict:system_error": 1,
        "post-ct-aki/N1": 2,
        "post-ct-aki reference:no verdict:yes": 1,
        "post-ct-aki verdict:no_report": 1,
        "post-ct-aki/D2-": 1,
        "post-ct-aki:hosp.poe": 1,
        "post-ct-aki": 6,
        "post-ct-aki/D7?": 1,
    }
    assert "no answered yes" in page.text


def test_runs_carry_the_flags_of_all_that_went_wrong() -> None:
    page = Page(RUNS)
    assert [set(row["data-flags"].split()) for row in page.rows] == [
        {"passed"},
        {"defect", "failed"},
        {"wrong", "failed", "defect"},
        {"unread", "failed", "wrong"},
        {"error", "failed"},
        {"passed", "undecided"},
    ]
    assert page.buttons == ["", "failed", "wrong", "unread", "defect", "error", "undecided"]


def test_buttons_that_would_show_nothing_are_not_there() -> None:
    assert Page(RUNS[:1]).buttons == [""]


def test_unlabelled_runs_show_no_accuracy_and_no_reference() -> None:
    page = Page((record("a", None, "yes"), record("b", None, None, outcome="no_report")))
    assert "No accuracy is given." in page.text
    for absent in ("Macro-F1", "Over-commitment", "Reference", "Wrong verdict"):
        assert absent not in page.text
    assert [row["data-flags"] for row in page.rows] == ["passed", "unread failed"]
    assert "1 no readable verdict" in page.text
    assert "Process score" in page.text


def test_labelled_and_unlabelled_runs_together_keep_both() -> None:
    page = Page((record("a", "yes", "yes"), record("b", None, "yes")))
    assert "1 without a reference" in page.text
    assert "Macro-F1" in page.text
    assert "No accuracy is given." not in page.text


def test_many_signs_of_a_kind_are_cut_and_said_to_be() -> None:
    runs = [record(f"c{i}", "yes", "yes", scores={"sources_missing": (f"hosp.t{i}",)}) for i in range(11)]
    page = Page(runs)
    assert sum("hosp.t" in link["data-search"] for link in page.links) == 8
    assert "and 3 more" in page.text


def test_text_of_reports_and_errors_stays_text() -> None:
    evil = Grade(criterion="N1", met=True, why=HOSTILE, refs=(HOSTILE,))
    page = Page(
        (
            record(f"c{HOSTILE}", "yes", "yes", scores={"defects": ("N1",)}, grades=(evil,), trace=f"traces/{HOSTILE}"),
            record("e", "yes", None, outcome="system_error", error=HOSTILE, scenario=f"s{HOSTILE}"),
            record("u", "yes", "yes", scores={"undecided": ("D7",)}, grades=(grade("D7", None, HOSTILE),)),
        )
    )
    assert page.tags.count("script") == 1
    assert "img" not in page.tags
    assert page.handlers == []
    assert page.text.count(HOSTILE) >= 5
