"""Run directories on disk: append only, complete before counted, readable after any kill."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from pytest_clinicare.results.manifest import Manifest, StoreError, read_manifest
from pytest_clinicare.scoring import RecordError, RunRecord

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Key = tuple[str, int]
"""(case id, attempt)"""

_RUN_ID = re.compile(r"^\d{4}-\d{2}-\d{2}-[0-9a-f]{12}(?:-\d+)?$")


@dataclass(frozen=True)
class Resume:
    """Which records stand and why each other run is to be done."""

    reusable: dict[Key, RunRecord]
    why_not: dict[Key, str]


@dataclass(frozen=True)
class RunDir:
    """One run directory; the manifest is read once."""

    path: Path
    manifest: Manifest

    @property
    def id(self) -> str:
        return self.path.name

    def trace_name(self, case: str, attempt: int) -> str:
        """Where the trace of one run lies, relative to the run directory (the folder exists)."""
        return f"traces/{case}.{attempt}.jsonl"

    def artifacts_name(self, case: str, attempt: int) -> str:
        """The folder for what the shell of one run leaves, relative to the run directory; made when it leaves any."""
        return f"artifacts/{case}.{attempt}"

    def append(self, record: RunRecord, worker: str) -> None:
        """Write one record to ``records/<worker>.jsonl``; the line has left the process when this returns.

        One ``write`` on an append-only descriptor, so that ``kill -9`` loses at most the run in flight. No fsync: that
        guards against the machine's death, at milliseconds a record.
        """
        stamped = record.model_copy(update={"at": datetime.now(UTC).isoformat()})
        path = self.path / "records" / f"{worker}.jsonl"
        line = stamped.to_line().encode() + b"\n"
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            size = os.fstat(descriptor).st_size
            torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
            os.write(descriptor, b"\n" + line if torn else line)
        finally:
            os.close(descriptor)

    def records(self) -> dict[Key, RunRecord]:
        """The record that counts per (case, attempt), in the manifest's order: finished before errors, then the latest.

        Torn lines are skipped. Raises StoreError for a whole line of an unknown schema version.
        """
        best: dict[Key, RunRecord] = {}
        for path in sorted((self.path / "records").glob("*.jsonl")):
            for record in _read_lines(path):
                key = (record.case, record.attempt)
                held = best.get(key)
                if held is None or (record.finished, record.at) >= (held.finished, held.at):
                    best[key] = record
        order = {key: place for place, key in enumerate(self.manifest.expected)}
        return {key: best[key] for key in sorted(best, key=lambda k: (order.get(k, len(order)), k))}

    def missing(self) -> tuple[Key, ...]:
        """Expected runs without any record: what makes a run incomplete."""
        found = self.records()
        return tuple(key for key in self.manifest.expected if key not in found)

    def resume(self, digests: Mapping[Key, str]) -> Resume:
        """Which runs need not be done again, and why the others must; ``digests`` says per run what decides reuse."""
        found = self.records()
        reusable: dict[Key, RunRecord] = {}
        why_not: dict[Key, str] = {}
        for key, digest in digests.items():
            record = found.get(key)
            reason = _why_not(record, digest, self.path)
            if record is not None and reason is None:
                reusable[key] = record
            else:
                why_not[key] = reason or "no record"
        return Resume(reusable, why_not)


class RunStore:
    """All run directories under one folder (``.clinicare/runs``)."""

    def __init__(self, base_dir: Path) -> None:
        self.base_dir = base_dir

    def open(self, manifest: Manifest, *, fresh: bool = False, day: str | None = None) -> RunDir:
        """The run directory of this manifest today: an existing one is continued, unless ``fresh`` starts another.

        ``day`` is ISO text, today (UTC) by default. Raises StoreError where the folder cannot be written.
        """
        name = f"{day or datetime.now(UTC).date().isoformat()}-{manifest.digest}"
        same = [
            d.name for d in self.base_dir.glob(f"{name}*") if _RUN_ID.match(d.name) and (d / "manifest.json").exists()
        ]
        last = max((int(n[len(name) + 1 :] or 1) for n in same), default=0)
        number = last + 1 if fresh or not last else last
        path = self.base_dir / (name if number == 1 else f"{name}-{number}")
        try:
            (path / "records").mkdir(parents=True, exist_ok=True)
            (path / "traces").mkdir(exist_ok=True)
            if not (path / "manifest.json").exists():
                write_whole(path / "manifest.json", manifest.to_json())
        except OSError as error:
            raise StoreError(f"cannot write the run directory {path}: {error.strerror}") from error
        return self.at(path)

    @staticmethod
    def at(path: Path) -> RunDir:
        """The run directory at ``path``. Raises StoreError where it is none."""
        return RunDir(path, read_manifest(path / "manifest.json"))

    def runs(self) -> tuple[RunDir, ...]:
        """Readable run directories, oldest first."""
        return self._scan()[0]

    def unreadable(self) -> tuple[str, ...]:
        """Why each of the other directories with a manifest cannot be read."""
        return self._scan()[1]

    def _scan(self) -> tuple[tuple[RunDir, ...], tuple[str, ...]]:
        found, reasons = [], []
        for path in sorted(self.base_dir.glob("*/manifest.json"), key=lambda p: (p.stat().st_mtime, p)):
            try:
                found.append(self.at(path.parent))
            except StoreError as error:
                reasons.append(str(error))
        return tuple(found), tuple(reasons)

    def find(self, name: str) -> RunDir:
        """A run by path, id, unique part of its id, or ``latest``. Raises StoreError, naming what there is."""
        as_path = self.base_dir / name
        for path in (as_path, self.base_dir.__class__(name)):
            if (path / "manifest.json").exists():
                return self.at(path)
            if path.is_dir() and path != self.base_dir and path.name != "":
                raise StoreError(f"{path} is no run directory: it holds no manifest.json")
        runs = self.runs()
        hits = runs[-1:] if name == "latest" else [r for r in runs if name in r.id]
        if len(hits) == 1:
            return hits[0]
        if not hits:
            known = ", ".join(r.id for r in runs[-5:]) or "none"
            raise StoreError(f"no run {name!r} under {self.base_dir}; the latest runs are: {known}")
        raise StoreError(f"{name!r} fits several runs: {', '.join(r.id for r in hits)}; give more of the id")


def recorded_tip(trace: Path) -> str:
    """The digest with which a trace ended, as the record of its run says; empty for a trace outside a run directory."""
    directory = trace.resolve().parent.parent
    if trace.resolve().parent.name != "traces" or not (directory / "manifest.json").is_file():
        return ""
    return _tips(directory).get(f"traces/{trace.name}", "")


@lru_cache(maxsize=4)
def _tips(directory: Path) -> dict[str, str]:
    return {record.trace: record.trace_tip for record in RunStore.at(directory).records().values() if record.trace}


def write_whole(path: Path, text: str) -> None:
    """Write under another name and rename, so that a reader never sees half a file."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def _read_lines(path: Path) -> list[RunRecord]:
    records = []
    for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            records.append(RunRecord.from_line(line.decode("utf-8", errors="replace")))
        except RecordError as error:
            if "schema_version" in str(error):
                raise StoreError(f"{path}, line {number}: {error}") from error
    return records


def _why_not(record: RunRecord | None, digest: str, directory: Path) -> str | None:
    if record is None:
        return "no record"
    if not record.finished:
        return f"ended in an error ({record.outcome})"
    if record.digest != digest:
        return "the case, chart, system or limits changed since"
    if record.trace is not None and not (directory / record.trace).exists():
        return "its trace is gone"
    return None
