"""The question as a system sees it."""

from __future__ import annotations

import re

from pytest_clinicare.suite.case import Case
from pytest_clinicare.suite.scenario import Scenario

_PLACEHOLDER = re.compile(r"<([a-z_]+(?:\s*,\s*[a-z_]+)*)>")
_IDENTIFIERS = ("subject_id", "hadm_id", "stay_id")


def fill_query(scenario: Scenario, case: Case) -> str:
    """The query with ``<subject_id, hadm_id>`` replaced by ``subject_id 10000032, hadm_id 22595853``.

    Raises ValueError where a placeholder names no identifier, or one that the case does not have.
    """

    def fill(match: re.Match[str]) -> str:
        names = [name.strip() for name in match.group(1).split(",")]
        return ", ".join(f"{name} {_identifier(case, name)}" for name in names)

    return _PLACEHOLDER.sub(fill, scenario.query)


def query_identifiers(scenario: Scenario) -> tuple[str, ...]:
    """The names in the query's placeholders, in order, each once."""
    names = (name.strip() for group in _PLACEHOLDER.findall(scenario.query) for name in group.split(","))
    return tuple(dict.fromkeys(names))


def _identifier(case: Case, name: str) -> int:
    value = getattr(case, name) if name in _IDENTIFIERS else None
    if value is None:
        raise ValueError(f"case {case.id}: the query asks for {name}, which the case does not have")
    return int(value)
