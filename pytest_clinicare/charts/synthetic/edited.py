"""A case with one decisive fact changed, so that the procedure stops at a neighbouring step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_clinicare.suite import Verdict


@dataclass(frozen=True)
class Edited:
    """``recipe`` is the whole recipe after the change; ``verdict`` and ``step`` are what it leads to now.

    ``decisive`` says the change as a clinician reads it: ``glucose at -1 h: 182 -> 204 mg/dL``.
    """

    recipe: dict[str, Any]
    verdict: Verdict
    step: int
    decisive: str


# ``edit(recipe)`` leaves its argument as it is.
Edit = Callable[[Mapping[str, Any]], Edited]
