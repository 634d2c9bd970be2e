"""What synthetic charts are made from: dictionaries, phrase banks and distributions in ``fixtures/``.

They lie at the top of a checkout, or inside the wheel under ``_data``. Read once a process.
"""

from __future__ import annotations

import csv
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from pytest_clinicare.suite.location import suite_root

Row = dict[str, Any]


@cache
def fixtures_dir() -> Path:
    """The suite's ``fixtures/``; SuiteError when the installation holds none."""
    return suite_root().fixtures


@cache
def bank(name: str) -> dict[str, Any]:
    """A TOML file of ``fixtures/`` by its relative name without suffix (``phrases/notes``)."""
    return tomllib.loads((fixtures_dir() / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def dictionary(table: str) -> dict[tuple[str, ...], Row]:
    """A MIMIC dictionary (``d_items``), rows by their key as text: (itemid,) or (icd_code, icd_version)."""
    with (fixtures_dir() / "dictionaries" / f"{table}.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    width = 2 if "icd" in table else 1
    return {tuple(list(row.values())[:width]): _typed(row) for row in rows}


def _typed(row: dict[str, str]) -> Row:
    integers = {"itemid", "icd_version"}
    reals = {"lownormalvalue", "highnormalvalue"}
    out: Row = {}
    for column, text in row.items():
        if text == "":
            out[column] = None
        elif column in integers:
            out[column] = int(text)
        elif column in reals:
            out[column] = float(text)
        else:
            out[column] = text
    return out
