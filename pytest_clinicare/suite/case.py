"""A case: a scenario instantiated on one patient."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from pytest_clinicare.suite.scenario import Frozen
from pytest_clinicare.suite.verdict import Verdict


class Case(Frozen):
    """``verdict`` is None for an unlabelled case (real patients); ``recipe`` is empty then.

    ``id`` is the scenario id and a number that says nothing (``post-ct-aki-07``), with the code of the form between
    them in a generated form (``post-ct-aki-3f09ac-07``). ``holdout`` keeps the case out of runs that do not ask
    for it.

    ``pair_of`` names the case whose twin this is: the same patient but for one decisive fact, which ``edit`` tells. A
    twin is of no variant, and its id is that of the case with a letter (``post-ct-aki-07b``).
    """

    id: str
    scenario: str
    source: Literal["synthetic", "mimic"] = "synthetic"
    subject_id: int
    hadm_id: int | None = None
    stay_id: int | None = None
    verdict: Verdict | None = None
    variant: str | None = None
    step: int | None = None
    seed: int = 0
    abstract: str = ""
    trap: str = ""
    holdout: bool = False
    pair_of: str | None = None
    edit: str = ""
    recipe: dict[str, Any] = Field(default_factory=dict)
