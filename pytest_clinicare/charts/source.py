"""Where charts come from: made from a case's recipe, or cut from MIMIC-IV."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from functools import cached_property
from pathlib import Path
from typing import Protocol

from pytest_clinicare.charts.chart import Chart, ChartError, open_chart
from pytest_clinicare.suite import Case


class ChartSource(Protocol):
    """Gives the chart of a case."""

    name: str

    def digest(self, case: Case) -> str:
        """What decides the content of the chart, as 16 hex digits."""
        ...

    def chart(self, case: Case) -> Chart:
        """The open chart; the caller closes it.

        Raises:
            ChartError: the chart is missing or cannot be built.
        """
        ...


class SyntheticSource:
    """Builds a case's chart on demand and keeps it under ``cache_dir`` by digest."""

    name = "synthetic"

    def __init__(self, cache_dir: Path, fixtures: Path) -> None:
        self.cache_dir = cache_dir
        self.fixtures = fixtures

    @cached_property
    def _generator(self) -> str:
        """Digest of the code and fixtures that charts are made with: a changed generator never meets an old cache."""
        here = Path(__file__).parent
        files = {f"code/{file.relative_to(here).as_posix()}": file for file in here.glob("*.py")}
        files |= {f"code/{file.relative_to(here).as_posix()}": file for file in (here / "synthetic").rglob("*.py")}
        files |= {f"fixtures/{file.relative_to(self.fixtures).as_posix()}": file for file in self.fixtures.rglob("*.*")}
        digest = hashlib.sha256()
        # By name, not by path: a checkout and an installed wheel have the same generator.
        for name in sorted(files):
            if files[name].is_file():
                content = files[name].read_bytes()
                digest.update(f"{name}\0{len(content)}\0".encode() + content)
        return digest.hexdigest()

    def digest(self, case: Case) -> str:
        content = case.model_dump_json(include={"scenario", "subject_id", "hadm_id", "stay_id", "seed", "recipe"})
        # Parsed again so that the order of keys in a case file does not matter.
        canonical = json.dumps(json.loads(content), sort_keys=True)
        return hashlib.sha256(f"{self._generator}\0{canonical}".encode()).hexdigest()[:16]

    def chart(self, case: Case) -> Chart:
        path = self.cache_dir / f"{self.digest(case)}.sqlite"
        if not path.exists():
            from pytest_clinicare.charts.synthetic import build

            # Two workers may build the same chart; both write the same content and the rename is atomic.
            draft = build(case)
            try:
                draft.save(path)
            except (OSError, sqlite3.Error) as error:
                raise ChartError(f"case {case.id}: its chart cannot be written to {path} ({error})") from error
        return open_chart(path)


class MimicSource:
    """Charts that ``clinicare charts build --mimic`` wrote: ``<folder>/<subject_id>.sqlite``."""

    name = "mimic"

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _path(self, case: Case) -> Path:
        return self.folder / f"{case.subject_id}.sqlite"

    def digest(self, case: Case) -> str:
        """Of the file's content: a chart that was built again from other data is another chart."""
        path = self._path(case)
        if not path.is_file():
            return hashlib.sha256(f"missing/{path.name}".encode()).hexdigest()[:16]
        with path.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest()[:16]

    def chart(self, case: Case) -> Chart:
        path = self._path(case)
        if not path.exists():
            raise ChartError(
                f"{path}: no chart of subject {case.subject_id}; "
                f"build it with `clinicare charts build --mimic MIMIC_FOLDER --out {self.folder}`"
            )
        return open_chart(path)
