"""A patient made by hand, audited through the real tools."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts import Chart, Draft, open_chart
from pytest_clinicare.environment import Brief, Corpus, Environment
from pytest_clinicare.systems import resolve_system

ROOT = Path(__file__).resolve().parents[2]
SUBJECT = 10000032
ADMITTED = datetime(2150, 6, 10, 8)


@dataclass
class Patient:
    """Rows to come; ``audit`` saves them and runs a system on the chart."""

    path: Path
    corpus: Corpus
    draft: Draft = field(default_factory=lambda: Draft(SUBJECT, 1))
    charts: list[Chart] = field(default_factory=list)

    def admission(self, number: int = 1, admitted: datetime = ADMITTED, days: float = 10) -> int:
        hadm_id = 20000000 + number
        self.draft.add(
            "admissions",
            hadm_id=hadm_id,
            admittime=str(admitted),
            dischtime=str(admitted + timedelta(days=days)),
            admission_type="EW EMER.",
            hospital_expire_flag=0,
        )
        return hadm_id

    def creatinine(self, time: datetime, value: float, hadm_id: int | None = None) -> None:
        number = len(self.draft.rows["labevents"]) + 1
        self.draft.add(
            "labevents", labevent_id=number, specimen_id=number, itemid=50912, charttime=str(time), storetime=str(time),
            value=str(value), valuenum=value, valueuom="mg/dL", hadm_id=hadm_id,
        )  # fmt: skip

    def note(self, table: str, text: str, time: datetime, hadm_id: int) -> None:
        number = len(self.draft.rows[table]) + 1
        kind = "DS" if table == "discharge" else "RR"
        note_id = f"{SUBJECT}-{kind}-{number}"
        self.draft.add(
            table, note_id=note_id, hadm_id=hadm_id, note_type=kind, note_seq=number, charttime=str(time), text=text
        )

    def code(self, code: str, hadm_id: int) -> None:
        number = len(self.draft.rows["diagnoses_icd"]) + 1
        self.draft.add("diagnoses_icd", hadm_id=hadm_id, seq_num=number, icd_code=code, icd_version=10)

    def order(self, kind: str, subtype: str, time: datetime, hadm_id: int, **other: Any) -> None:
        number = len(self.draft.rows["poe"]) + 1
        fields = {"transaction_type": "New", "order_status": "Inactive", **other}
        self.draft.add(
            "poe", poe_id=f"{SUBJECT}-{number}", poe_seq=number, hadm_id=hadm_id, ordertime=str(time), order_type=kind,
            order_subtype=subtype, **fields,
        )  # fmt: skip

    def audit(
        self, scenario: str, hadm_id: int | None = None, stay_id: int | None = None, system: str = "reference"
    ) -> Environment:
        self.draft.save(self.path)
        self.charts.append(open_chart(self.path))
        environment = Environment(self.charts[-1], self.corpus, subject_id=SUBJECT, hadm_id=hadm_id, stay_id=stay_id)
        brief = Brief(scenario=scenario, query="", subject_id=SUBJECT, hadm_id=hadm_id, stay_id=stay_id)
        resolve_system(system).run(brief, environment)
        return environment


@pytest.fixture(scope="session")
def corpus() -> Corpus:
    return Corpus(ROOT / "policy_docs")


@pytest.fixture
def patient(tmp_path: Path, corpus: Corpus) -> Iterator[Patient]:
    made = Patient(tmp_path / "chart.sqlite", corpus)
    made.draft.add("patients", gender="M", anchor_age=60, anchor_year=2150, anchor_year_group="2014 - 2016")
    yield made
    for chart in made.charts:
        chart.close()
