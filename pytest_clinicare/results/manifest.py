"""Everything that decides whether two runs may be compared, digested into the run id."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

if TYPE_CHECKING:
    from pathlib import Path

MANIFEST_SCHEMA: Literal[1] = 1


class StoreError(ValueError):
    """A run directory that cannot be found or read; the message says what, where and what to do."""


class Manifest(BaseModel):
    """``cases`` are the ids selected, in order; ``limits`` those of one run (see environment.Limits).

    ``split`` and ``holdout`` (``none``: there are no holdout cases; ``left out``; ``included``) tell how they were
    selected.
    ``system_settings`` are harness and version, model, effort, prompt and endpoint, for a system that tells them.
    ``policy`` is the condition of the policy corpus (``on``, ``off``), ``policies`` the digest of each document, since
    citations are of lines. ``shell`` is ``present`` or ``absent``, and
    ``sandbox`` its isolation, how its limits are held, the limits and the versions of what it has, as JSON.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: Literal[1] = MANIFEST_SCHEMA
    package_version: str
    suite_digest: str
    cases: tuple[str, ...]
    chart_source: str
    system: str
    system_settings: dict[str, str] = {}
    judge: str
    attempts: int = 1
    limits: dict[str, Any] = {}
    split: str = "all"
    holdout: str = "none"
    policy: str = "on"
    policies: dict[str, str] = {}
    shell: str = "absent"
    sandbox: str = "absent"
    extra: dict[str, str] = {}

    @property
    def digest(self) -> str:
        """Twelve hex digits of the SHA-256 of the manifest's canonical JSON."""
        canonical = json.dumps(self.model_dump(mode="json"), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()[:12]

    @property
    def expected(self) -> tuple[tuple[str, int], ...]:
        """The (case, attempt) pairs that a complete run has a record of."""
        return tuple((case, attempt) for case in self.cases for attempt in range(1, self.attempts + 1))

    def to_json(self) -> str:
        """Deterministic text, with a line end."""
        return json.dumps(self.model_dump(mode="json"), indent=2, sort_keys=True) + "\n"


def read_manifest(path: Path) -> Manifest:
    """Raises StoreError where the file is missing, unreadable, of an unknown schema version or invalid."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise StoreError(f"{path.parent} is no run directory: cannot read {path.name} ({error.strerror})") from error
    except ValueError as error:
        raise StoreError(f"{path} is not valid JSON: {error}; start the run again to write a new one") from error
    version = data.get("schema_version") if isinstance(data, dict) else None
    if version != MANIFEST_SCHEMA:
        raise StoreError(
            f"{path} has schema_version {version!r}; this version reads {MANIFEST_SCHEMA}. "
            "Use the version of pytest-clinicare that wrote it"
        )
    try:
        return Manifest.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise StoreError(f"{path}: key {where}: {first['msg']}") from error
