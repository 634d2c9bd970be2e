"""The one prompt, which every model and every agent gets alike; its digest stands in the manifest."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from string import Template
from typing import NamedTuple

from pytest_clinicare.environment import Brief

VERSION = "audit-1"


class Prompt(NamedTuple):
    """``instructions`` are the same for every case with the same limits; ``task`` is the question."""

    instructions: str
    task: str


def prompt_of(brief: Brief) -> Prompt:
    limits = brief.limits
    instructions = Template(_text()).substitute(
        calls=limits.calls, turns=limits.turns, minutes=f"{limits.seconds / 60:g}", rows=limits.rows, bytes=limits.bytes
    )
    ids = [f"subject_id {brief.subject_id}"]
    ids += [f"hadm_id {brief.hadm_id}"] if brief.hadm_id is not None else []
    ids += [f"stay_id {brief.stay_id}"] if brief.stay_id is not None else []
    return Prompt(instructions, f"Patient: {', '.join(ids)}.\n\n{brief.query.strip()}\n")


def prompt_digest() -> str:
    """Version and digest of the text, such as ``audit-1 3f2a90c1d2e4``."""
    return f"{VERSION} {hashlib.sha256(_text().encode()).hexdigest()[:12]}"


@cache
def _text() -> str:
    return files("pytest_clinicare.systems").joinpath("prompts/audit.md").read_text(encoding="utf-8")
