"""What the blanks of a phrase stand for: words that follow the patient's sex."""

from __future__ import annotations


def pronouns(sex: str) -> dict[str, str]:
    """``{pronoun}`` he, ``{object}`` him, ``{possessive}`` his, each also with a capital."""
    he, him, his = ("he", "him", "his") if sex == "M" else ("she", "her", "her")
    words = {"pronoun": he, "object": him, "possessive": his}
    return words | {name.capitalize(): word.capitalize() for name, word in words.items()}
