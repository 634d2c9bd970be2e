"""Between a run and the id of its pytest item, both ways."""

from __future__ import annotations

import re
from collections.abc import Iterable

Key = tuple[str, int]
"""(case id, attempt)"""

_PARAMETER = re.compile(r"::test_case\[(?P<case>[^\]@]+)(?:@(?P<attempt>\d+))?\]$")


def parameter_id(case: str, attempt: int, attempts: int) -> str:
    """``post-ct-aki-07``, or ``post-ct-aki-07@2`` where a case is run more than once."""
    return case if attempts == 1 else f"{case}@{attempt}"


def key_of(node_id: str) -> Key | None:
    """The run that an item stands for, or None for any other test."""
    found = _PARAMETER.search(node_id)
    return (found["case"], int(found["attempt"] or 1)) if found else None


def keys_of(node_ids: Iterable[str]) -> list[Key]:
    return [key for key in map(key_of, node_ids) if key is not None]
