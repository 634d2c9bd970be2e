"""Two discharge summaries of a scenario are worded apart: no pair shares more than a fifth of its 8-word runs.

Headings, lists (medication, laboratory, follow-up) and figures are left out, since those are alike in any hospital.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from itertools import combinations

from pytest_clinicare.suite import Case
from tests.proofs.audit import SOURCE, by_scenario, cases_of

WORDS = 8
BOUND = 0.2
# A summary of fewer runs of words would have no prose to compare.
FEWEST = 60
_HEADING = re.compile(r"^\s*(?:[A-Z][\w /&'-]{2,50}:\s*$|[A-Z][A-Z ,/&-]{3,}:?\s*$)")
_LIST = re.compile(r"^\s*(?:\d+\.|[-*•#]|\[ \])\s")
_LABEL = re.compile(r"^\s*[A-Z][\w /&'-]{1,40}:")


def prose(text: str) -> str:
    """The running sentences of a summary."""
    lines = []
    for line in text.splitlines():
        if _HEADING.match(line) or _LIST.match(line):
            continue
        said = _LABEL.sub("", line)
        if sum(c.isdigit() for c in said) > len(said) / 6:
            continue
        lines.append(said)
    return " ".join(lines)


def runs_of_words(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9_/.%+-]+", prose(text).lower())
    return {tuple(words[at : at + WORDS]) for at in range(len(words) - WORDS + 1)}


def _summaries(case: Case) -> list[str]:
    SOURCE.chart(case).close()
    with closing(sqlite3.connect(SOURCE.cache_dir / f"{SOURCE.digest(case)}.sqlite")) as db:
        return [text for (text,) in db.execute("select text from discharge order by note_id")]


@by_scenario()
def test_summaries_of_a_scenario_are_worded_apart(scenario: str) -> None:
    """Of different patients: that a patient's next summary copies the last is how it is."""
    runs = [(case.id, runs_of_words(text)) for case in cases_of(scenario) for text in _summaries(case)]
    assert all(len(seen) >= FEWEST for _, seen in runs)
    shares = [
        (one, two, len(a & b) / min(len(a), len(b))) for (one, a), (two, b) in combinations(runs, 2) if one != two
    ]
    alike = [(one, two, round(share, 2)) for one, two, share in shares if share > BOUND]
    assert alike == [], f"{len(alike)} of {len(shares)} pairs"


def test_headings_and_lists_do_not_count() -> None:
    text = "Brief Hospital Course:\nHe was admitted.\n1. aspirin 81 mg daily\n- call us\nFOLLOW UP:\nRest well."
    assert prose(text).split() == ["He", "was", "admitted.", "Rest", "well."]


def test_copied_sentences_would_be_seen() -> None:
    said = "the patient was seen by the team and felt well enough to go home on the next day"
    assert runs_of_words(said) == runs_of_words(f"- a list\n{said}")
