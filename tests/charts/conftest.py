"""A small whole chart, and a MIMIC-IV folder of two invented patients."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts import TABLES, Draft

SUBJECT, OTHER, HADM = 10000001, 10000002, 20000001
DEMO = Path(__file__).resolve().parents[3] / "shared" / "mimic" / "demo"


@pytest.fixture
def draft() -> Draft:
    """One admission with a result, a vital sign, an order and a report; consistent by itself."""
    draft = Draft(SUBJECT, seed=1)
    for table, row in _rows(SUBJECT, HADM):
        draft.add(table, **row)
    draft.add(
        "radiology", note_id=f"{SUBJECT}-RR-1", hadm_id=HADM, note_type="RR", note_seq=1,
        charttime="2150-03-02 14:00:00", text="EXAMINATION:  CT HEAD W/O CONTRAST\n\nIMPRESSION: No haemorrhage.",
    )  # fmt: skip
    draft.add("d_labitems", itemid=50912, label="Creatinine", fluid="Blood", category="Chemistry")
    draft.add(
        "d_items", itemid=220045, label="Heart Rate", abbreviation="HR", linksto="chartevents", category="Vital Signs",
        param_type="Numeric",
    )  # fmt: skip
    return draft


def _rows(subject: int, hadm: int) -> list[tuple[str, dict[str, Any]]]:
    stay = hadm + 10_000_000
    return [
        ("patients", {"gender": "F", "anchor_age": 60, "anchor_year": 2150, "anchor_year_group": "2014 - 2016"}),
        (
            "admissions",
            {
                "hadm_id": hadm, "admittime": "2150-03-01 10:00:00", "dischtime": "2150-03-05 15:00:00",
                "admission_type": "EW EMER.", "hospital_expire_flag": 0,
            },
        ),
        (
            "icustays",
            {"hadm_id": hadm, "stay_id": stay, "intime": "2150-03-01 12:00:00", "outtime": "2150-03-03 12:00:00"},
        ),
        (
            "labevents",
            {
                "labevent_id": hadm + 5, "hadm_id": hadm, "specimen_id": 7, "itemid": 50912,
                "charttime": "2150-03-02 06:00:00", "value": "1.1", "valuenum": 1.1, "valueuom": "mg/dL",
            },
        ),
        (
            "chartevents",
            {
                "hadm_id": hadm, "stay_id": stay, "charttime": "2150-03-02 07:00:00", "itemid": 220045, "value": "88",
                "valuenum": 88.0,
            },
        ),
        (
            "poe",
            {
                "poe_id": f"{subject}-1", "poe_seq": 1, "hadm_id": hadm, "ordertime": "2150-03-02 13:00:00",
                "order_type": "Radiology", "order_subtype": "CT Scan", "transaction_type": "New",
            },
        ),
    ]  # fmt: skip


Folder = dict[str, list[dict[str, Any]]]


@pytest.fixture
def mimic_rows() -> Folder:
    """Rows by table of two patients; every other table has its header only."""
    rows: Folder = {name: [] for name in TABLES if TABLES[name].module != "note"}
    for subject, hadm in ((OTHER, HADM + 1), (SUBJECT, HADM)):
        for table, row in _rows(subject, hadm):
            rows[table].append({"subject_id": subject, **row})
    rows["d_labitems"] = [
        {"itemid": 50912, "label": "Creatinine", "fluid": "Blood", "category": "Chemistry"},
        {"itemid": 50813, "label": "Lactate", "fluid": "Blood", "category": "Blood Gas"},
    ]
    rows["d_items"] = [
        {
            "itemid": 220045, "label": "Heart Rate", "abbreviation": "HR", "linksto": "chartevents",
            "category": "Routine", "param_type": "Numeric",
        }
    ]  # fmt: skip
    return rows


@pytest.fixture
def write_mimic(tmp_path: Path) -> Callable[[Folder], Path]:
    """Writes rows as a MIMIC-IV folder: hospital tables compressed, the rest plain."""

    def write(rows: Folder) -> Path:
        folder = tmp_path / "mimic"
        for name, given in rows.items():
            table = TABLES[name]
            suffix = ".csv.gz" if table.module == "hosp" else ".csv"
            path = folder / table.module / f"{name}{suffix}"
            path.parent.mkdir(parents=True, exist_ok=True)
            text = io.StringIO(newline="")
            writer = csv.DictWriter(text, [column.upper() for column in table.column_names])
            writer.writeheader()
            writer.writerows({column.upper(): value for column, value in row.items()} for row in given)
            content = text.getvalue().encode()
            path.write_bytes(gzip.compress(content) if suffix == ".csv.gz" else content)
        return folder

    return write


@pytest.fixture(scope="session")
def demo() -> Path:
    if not DEMO.is_dir():
        pytest.skip("the MIMIC-IV demo is not on this machine")
    return DEMO
