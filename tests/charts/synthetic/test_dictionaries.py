"""The dictionaries that synthetic charts carry: each code once, and as MIMIC-IV has it."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
DEMO = ROOT.parent / "shared" / "mimic" / "demo"
KEYS = {"d_icd_diagnoses": 2, "d_icd_procedures": 2, "d_items": 1, "d_labitems": 1}
PLACES = {"d_items": "icu"}


def _rows(path: Path, key: int) -> list[tuple[tuple[str, ...], str]]:
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    _, *rows = csv.reader(text.splitlines())
    # The title or label follows the key.
    return [(tuple(part.strip() for part in row[:key]), row[key].strip()) for row in rows]


@pytest.mark.parametrize("name", KEYS)
def test_each_code_stands_once(name: str) -> None:
    keys = [key for key, _ in _rows(ROOT / "fixtures" / "dictionaries" / f"{name}.csv", KEYS[name])]
    assert [key for key in set(keys) if keys.count(key) > 1] == []


@pytest.mark.skipif(not DEMO.is_dir(), reason="the MIMIC-IV demo is not here")
@pytest.mark.parametrize("name", KEYS)
def test_titles_are_those_of_mimic(name: str) -> None:
    (path,) = (DEMO / PLACES.get(name, "hosp")).glob(f"{name}.csv*")
    real = dict(_rows(path, KEYS[name]))
    ours = _rows(ROOT / "fixtures" / "dictionaries" / f"{name}.csv", KEYS[name])
    assert {key: (title, real[key]) for key, title in ours if key in real and real[key] != title} == {}
    assert sum(key in real for key, _ in ours) > len(ours) / 2
