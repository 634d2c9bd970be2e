"""The neutral parts of two summaries are seldom worded alike."""

from __future__ import annotations

from itertools import combinations

from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.wording import plain_sections
from pytest_clinicare.suite import Case, Verdict

SHINGLE = 8


def _words(seed: int, letter: str = "") -> set[tuple[str, ...]]:
    case = Case(
        id=f"x-{seed:02d}{letter}", scenario="x", subject_id=10000001, hadm_id=20000001, verdict=Verdict.YES,
        variant="v", step=1, seed=seed, abstract="", trap="", recipe={},
    )  # fmt: skip
    words = " ".join(plain_sections(Record(case, "F", 60, 2150), f"illness {seed}").values()).lower().split()
    return {tuple(words[at : at + SHINGLE]) for at in range(len(words) - SHINGLE)}


def test_two_summaries_share_few_sentences() -> None:
    shares = [len(a & b) / min(len(a), len(b)) for a, b in combinations([_words(seed) for seed in range(1, 31)], 2)]
    assert sum(shares) / len(shares) < 0.1
    assert max(shares) < 0.25


def test_a_twin_is_worded_as_its_case() -> None:
    assert len(_words(7) & _words(7, "b")) == len(_words(7))
