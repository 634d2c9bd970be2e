"""Texts of an agent on which patterns would work for hours: what reads a report takes seconds at most on any."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from pytest_clinicare.environment import (
    Claim,
    Report,
    call_citations,
    parse_report,
    policy_citations,
    record_citations,
)

_LONG = 40_000
_PARTS = (
    " ",
    "\n",
    "\t ",
    "-",
    " -",
    "`",
    "```a\n",
    "*",
    "9",
    "[",
    "[record: ",
    "{",
    ";",
    ",a",
    "@1 ",
    "verdict ",
    "no ",
)
_BEGINNINGS = ("", "verdict", "verdict: ", "```", "[record: x", "[policy: x", "confidence", '{"verdict": "')
_READERS: dict[str, Callable[[Report], object]] = {
    "report": lambda report: parse_report(report.rationale),
    "records": record_citations,
    "calls": call_citations,
    "policies": policy_citations,
}


@pytest.mark.parametrize("read", _READERS.values(), ids=list(_READERS))
@pytest.mark.parametrize("beginning", _BEGINNINGS)
def test_repetition_is_read_in_no_time(read: Callable[[Report], object], beginning: str) -> None:
    began = time.process_time()
    for part in _PARTS:
        text = beginning + part * (_LONG // len(part)) + "y]"
        read(Report(verdict=None, rationale=text, claims=(Claim(text="x", evidence=(text,), policy=(text,)),)))
    assert time.process_time() - began < 8
