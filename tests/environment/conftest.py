"""One small chart of one patient, with a row or more for every tool."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_clinicare.charts import Chart, Draft
from pytest_clinicare.environment import Corpus, Environment

SUBJECT, HADM, EARLIER, ICU, ED = 10000032, 20000001, 20000002, 30000001, 30000002
ROOT = Path(__file__).resolve().parents[2]


def _draft() -> Draft:
    draft = Draft(SUBJECT, 1)
    add = draft.add
    add("patients", gender="F", anchor_age=60, anchor_year=2150, anchor_year_group="2014 - 2016")
    for hadm_id, start, end in ((EARLIER, "2149-11-01", "2149-11-03"), (HADM, "2150-03-01", "2150-03-09")):
        add(
            "admissions",
            hadm_id=hadm_id,
            admittime=f"{start} 10:00:00",
            dischtime=f"{end} 15:00:00",
            admission_type="EW EMER.",
        )
    add("icustays", hadm_id=HADM, stay_id=ICU, intime="2150-03-02 00:00:00", outtime="2150-03-04 00:00:00", los=2.0)
    add(
        "edstays",
        hadm_id=HADM,
        stay_id=ED,
        intime="2150-03-01 06:00:00",
        outtime="2150-03-01 10:00:00",
        gender="F",
        arrival_transport="WALK IN",
    )
    add("triage", stay_id=ED, temperature=98.6, chiefcomplaint="Dyspnea")
    add("vitalsign", stay_id=ED, charttime="2150-03-01 07:00:00", heartrate=88, sbp=120, dbp=70)
    add("medrecon", stay_id=ED, charttime="2150-03-01 06:30:00", name="metformin", etcdescription="Biguanides")
    add("diagnosis", stay_id=ED, seq_num=1, icd_code="R0600", icd_version=10, icd_title="DYSPNEA")
    add("transfers", hadm_id=HADM, transfer_id=ICU, eventtype="transfer", careunit="MICU", intime="2150-03-02 00:00:00")
    add("services", hadm_id=HADM, transfertime="2150-03-01 10:00:00", curr_service="MED")
    add("d_labitems", itemid=50912, label="Creatinine", fluid="Blood", category="Chemistry")
    add("d_labitems", itemid=51082, label="Creatinine, Urine", fluid="Urine", category="Chemistry")
    for number in range(12):
        add(
            "labevents",
            labevent_id=100 + number,
            hadm_id=HADM if number > 1 else None,
            specimen_id=number,
            itemid=50912,
            charttime=f"2150-03-01 {number:02}:00:00",
            storetime=f"2150-03-01 {number:02}:30:00",
            value=f"1.{number}",
            valuenum=1 + number / 10,
            valueuom="mg/dL",
        )
    add(
        "labevents",
        labevent_id=200,
        specimen_id=99,
        itemid=51082,
        charttime="2150-03-02 00:00:00",
        value="80",
        valuenum=80,
    )
    add(
        "d_items",
        itemid=220045,
        label="Heart Rate",
        abbreviation="HR",
        linksto="chartevents",
        category="Routine",
        param_type="Numeric",
    )
    add(
        "chartevents",
        hadm_id=HADM,
        stay_id=ICU,
        charttime="2150-03-02 01:00:00",
        itemid=220045,
        value="90",
        valuenum=90.0,
    )
    add("chartevents", hadm_id=HADM, stay_id=ICU, charttime="2150-03-02 02:00:00", itemid=223758, value="DNR / DNI")
    add("omr", chartdate="2149-12-01", seq_num=1, result_name="eGFR", result_value="55")
    _orders(draft)
    _notes(draft)
    return draft


def _orders(draft: Draft) -> None:
    add = draft.add
    for number, kind, subtype in ((1, "Radiology", "CT Scan"), (2, "General Care", "Code status"), (3, "Lab", None)):
        add(
            "poe",
            poe_id=f"{SUBJECT}-{number}",
            poe_seq=number,
            hadm_id=HADM,
            ordertime=f"2150-03-01 1{number}:00:00",
            order_type=kind,
            order_subtype=subtype,
            transaction_type="New",
            order_status="Inactive",
        )
    add("poe_detail", poe_id=f"{SUBJECT}-2", poe_seq=2, field_name="Code status", field_value="Resuscitate (Full code)")
    add(
        "prescriptions",
        hadm_id=HADM,
        pharmacy_id=7,
        poe_id=f"{SUBJECT}-9",
        starttime="2150-03-01 12:00:00",
        stoptime="2150-03-03 12:00:00",
        drug_type="MAIN",
        drug="Furosemide",
        dose_val_rx="40",
        dose_unit_rx="mg",
    )
    for pharmacy_id, medication in ((7, "Furosemide"), (8, "Heparin")):
        add(
            "pharmacy",
            hadm_id=HADM,
            pharmacy_id=pharmacy_id,
            starttime="2150-03-01 12:00:00",
            medication=medication,
            proc_type="Unit Dose",
            entertime="2150-03-01 11:00:00",
            frequency="BID",
        )
    add(
        "emar",
        hadm_id=HADM,
        emar_id=f"{SUBJECT}-1",
        emar_seq=1,
        poe_id=f"{SUBJECT}-9",
        charttime="2150-03-01 13:00:00",
        medication="Furosemide",
        event_txt="Administered",
        storetime="2150-03-01 13:01:00",
    )
    for part in ("0", "0.1"):  # two tablets, scanned one after the other
        tablet = {"dose_given": "20", "dose_given_unit": "mg", "parent_field_ordinal": part}
        add("emar_detail", emar_id=f"{SUBJECT}-1", emar_seq=1, **tablet)
    add(
        "inputevents",
        hadm_id=HADM,
        stay_id=ICU,
        starttime="2150-03-02 01:00:00",
        endtime="2150-03-02 03:00:00",
        itemid=225158,
        amount=500.0,
        amountuom="ml",
        orderid=1,
    )
    add(
        "outputevents",
        hadm_id=HADM,
        stay_id=ICU,
        charttime="2150-03-02 02:00:00",
        storetime="2150-03-02 02:00:00",
        itemid=226559,
        value=120.0,
        valueuom="ml",
    )
    add("procedures_icd", hadm_id=HADM, seq_num=1, chartdate="2150-03-02", icd_code="5A1D70Z", icd_version=10)
    add(
        "procedureevents",
        hadm_id=HADM,
        stay_id=ICU,
        starttime="2150-03-02 05:00:00",
        endtime="2150-03-02 05:10:00",
        storetime="2150-03-02 05:10:00",
        itemid=229581,
        orderid=55,
        ordercategoryname="Imaging",
    )
    add("diagnoses_icd", hadm_id=HADM, seq_num=1, icd_code="N179", icd_version=10)
    add("d_icd_diagnoses", icd_code="N179", icd_version=10, long_title="Acute kidney failure, unspecified")
    add(
        "microbiologyevents",
        microevent_id=5,
        hadm_id=HADM,
        micro_specimen_id=5,
        chartdate="2150-03-02 00:00:00",
        spec_itemid=70012,
        spec_type_desc="BLOOD CULTURE",
        test_seq=1,
    )


def _notes(draft: Draft) -> None:
    draft.add(
        "discharge",
        note_id=f"{SUBJECT}-DS-1",
        hadm_id=HADM,
        note_type="DS",
        note_seq=1,
        charttime="2150-03-09 00:00:00",
        text="Name: ___\nBrief Hospital Course:\nShe has chronic kidney disease stage 3.\n" + "Course stable. " * 200,
    )
    draft.add(
        "radiology",
        note_id=f"{SUBJECT}-RR-1",
        hadm_id=HADM,
        note_type="RR",
        note_seq=1,
        charttime="2150-03-01 14:00:00",
        text="EXAMINATION:  CT ABD AND PELVIS WITH CONTRAST\n\nIMPRESSION: No acute process. Kidneys unremarkable.",
    )
    draft.add(
        "radiology_detail",
        note_id=f"{SUBJECT}-RR-1",
        field_name="exam_name",
        field_value="CT ABD & PELVIS",
        field_ordinal=1,
    )


@pytest.fixture(scope="session")
def chart_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("charts") / "chart.sqlite"
    _draft().save(path)
    return path


@pytest.fixture
def chart(chart_path: Path) -> Iterator[Chart]:
    with Chart(chart_path) as opened:
        yield opened


@pytest.fixture(scope="session")
def corpus() -> Corpus:
    return Corpus(ROOT / "policy_docs")


@pytest.fixture
def environment(chart: Chart, corpus: Corpus) -> Iterator[Environment]:
    with Environment(chart, corpus, subject_id=SUBJECT, hadm_id=HADM) as opened:
        yield opened
