"""Phrase banks read well for any patient: pronouns in the right case, nothing that only one sex can have or be."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.pronouns import pronouns

BANKS = sorted((Path(__file__).parents[3] / "fixtures" / "phrases").glob("*.toml"))
ACTS = (
    "accepted|allowed|bent|brought|carried|carry|cleared|drove|follow|found|gave|helped|kept|left|let|made|met|moved|put|"
    "reached|saw|see|sent|showed|struck|taught|told|took|wake|wheeled|woke|to|for|with|of|by|at"
)
# After these words a subject may still follow: "at discharge {pronoun} began", "to what {pronoun} called".
OBJECT = re.compile(rf"\b(?:{ACTS}) \{{pronoun\}}(?! (?:was|is|had|has|could|would|did|died|\w+ed)\b)")
ONE_SEX = re.compile(
    r"\b(?:prostat\w*|testic\w*|scrot\w*|ovar(?:y|ies|ian)|uter(?:us|ine)|hysterectom\w*|pregnan\w*|menopaus\w*|"
    r"himself|watchman|widower)\b",
    re.IGNORECASE,
)


def texts(node: Any) -> Iterator[str]:
    """Every text that a chart may show, but those of an entry that says for which sex it is."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, list):
        for item in node:
            yield from texts(item)
    elif isinstance(node, dict) and "sex" not in node:
        for key, item in node.items():
            yield from () if key == "name" else texts(item)


@pytest.mark.parametrize("path", BANKS, ids=lambda path: path.stem)
def test_a_pronoun_that_is_acted_upon_is_the_objects(path: Path) -> None:
    told = list(texts(tomllib.loads(path.read_text(encoding="utf-8"))))
    assert not [text for text in told if OBJECT.search(text)]


@pytest.mark.parametrize("path", BANKS, ids=lambda path: path.stem)
def test_what_only_one_sex_has_is_told_of_that_sex(path: Path) -> None:
    told = list(texts(tomllib.loads(path.read_text(encoding="utf-8"))))
    assert not [text for text in told if ONE_SEX.search(text)]


def test_pronouns_follow_the_sex() -> None:
    sentence = "{Pronoun} kept {possessive} word and it kept {object}."
    assert sentence.format(**pronouns("F")) == "She kept her word and it kept her."
    assert sentence.format(**pronouns("M")) == "He kept his word and it kept him."
