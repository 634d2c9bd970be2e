"""What a clinician would stumble over: clocks, one patient told twice, indications and results that do not fit."""

from __future__ import annotations

import itertools
import re
import tomllib
from datetime import datetime, timedelta
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic import build
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.suite import Case, suite_root

Rows = dict[str, list[dict[str, Any]]]
CASES = [
    Case(**tomllib.loads(path.read_text(encoding="utf-8")))
    for scenario in ("post-ct-aki", "renal-trajectory")
    for path in sorted((suite_root().cases / scenario).glob(f"{scenario}-*.toml"))
]
CHARTS = [pytest.param(case, id=case.id) for case in CASES[::3]]
STARTS = {"poe": "ordertime", "prescriptions": "starttime", "inputevents": "starttime", "icustays": "intime"}
ENDS = {"prescriptions": "stoptime", "inputevents": "endtime", "procedureevents": "endtime", "emar": "storetime"}
NEUTROPHILS, DIFFERENTIAL = 51256, {51256, 51244, 51254, 51200, 51146}
PH, PCO2, TOTAL_CO2, SODIUM = 50820, 50818, 50804, 50983


def rows_of(case: Case) -> Rows:
    return build(case).rows


def by_variant(*names: str) -> list[Any]:
    return [pytest.param(case, id=case.id) for case in CASES if case.variant in names]


@pytest.mark.parametrize("case", CHARTS)
def test_nothing_before_arrival_or_after_discharge(case: Case) -> None:
    rows = rows_of(case)
    stays = {row["hadm_id"]: (row["edregtime"] or row["admittime"], row["dischtime"]) for row in rows["admissions"]}
    for table, collected in rows.items():
        times = [column for column in ("charttime", STARTS.get(table), ENDS.get(table)) if column]
        for row in collected:
            if table in ("discharge", "edstays") or row.get("hadm_id") is None:
                continue
            arrival, discharge = stays[row["hadm_id"]]
            assert all(arrival <= row[column] <= discharge for column in times if row.get(column)), (table, row)
    units = {row["stay_id"]: row["outtime"] for row in rows.get("icustays", ())}
    assert all(row["endtime"] <= units[row["stay_id"]] for row in rows.get("inputevents", ()))


@pytest.mark.parametrize("case", CHARTS)
def test_every_film_follows_an_order(case: Case) -> None:
    rows = rows_of(case)
    for report in rows["radiology"]:
        kind = "CT Scan" if re.match(r"EXAMINATION:\s+CT", report["text"]) else "General Xray"
        ordered = [r["ordertime"] for r in rows["poe"] if r["order_subtype"] == kind]
        assert min(ordered) < report["charttime"]


@pytest.mark.parametrize("case", CHARTS)
def test_ct_is_done_for_the_illness_of_the_admission(case: Case) -> None:
    rows = rows_of(case)
    summaries = {row["hadm_id"]: row["text"] for row in rows["discharge"]}
    illnesses = [entry for kind in ("admission", "trauma") for entry in bank("phrases/illnesses")[kind]]
    for report in rows["radiology"]:
        if re.match(r"EXAMINATION:\s+CT", report["text"]):
            text = summaries[report["hadm_id"]]
            mine = next(entry for entry in illnesses if f"# {entry['problem']}:" in text)
            own = [reason["indication"] for reason in mine.get("ct", {}).values()]
            assert any(told in report["text"] for told in (*own, mine["problem"].lower()))


@pytest.mark.parametrize("case", CHARTS)
def test_summaries_of_one_patient_agree(case: Case) -> None:
    texts = [row["text"] for row in rows_of(case)["discharge"]]
    for heading in ("Allergies", "Social History", "Family History"):
        assert len({re.search(rf"^{heading}: *\n(.*)$", text, re.MULTILINE)[1] for text in texts}) == 1  # type: ignore[index]


@pytest.mark.parametrize("case", CHARTS)
def test_results_hang_together(case: Case) -> None:
    specimens: dict[int, dict[int, float]] = {}
    chemistries: list[datetime] = []
    for row in rows_of(case)["labevents"]:
        if row["valuenum"] is not None:
            specimens.setdefault(row["specimen_id"], {})[row["itemid"]] = row["valuenum"]
        if row["itemid"] == SODIUM:
            chemistries.append(datetime.fromisoformat(row["charttime"]))
    for values in specimens.values():
        if NEUTROPHILS in values:
            assert sum(values[item] for item in DIFFERENTIAL) == pytest.approx(100, abs=1)
        if PH in values:
            total = 0.0307 * values[PCO2] * (1 + 10 ** (values[PH] - 6.1))
            assert values[TOTAL_CO2] == pytest.approx(total, abs=1.5)
    chemistries.sort()
    assert all(b - a >= timedelta(hours=2) for a, b in itertools.pairwise(chemistries))


@pytest.mark.parametrize("case", by_variant("transplant-onset"))
def test_creatinine_falls_from_the_day_of_transplantation(case: Case) -> None:
    rows = rows_of(case)
    hadm_id = rows["procedures_icd"][0]["hadm_id"]
    levels = [r["valuenum"] for r in rows["labevents"] if r["itemid"] == 50912 and r["hadm_id"] == hadm_id]
    assert levels == sorted(levels, reverse=True)
    assert levels[0] > 4
    text = next(r["text"] for r in rows["discharge"] if r["hadm_id"] == hadm_id)
    assert "Living donor kidney transplantation (___)" in text
    assert "Tacrolimus 3 mg PO Q12H" in text


@pytest.mark.parametrize("case", by_variant("dialysis-onset"))
def test_creatinine_falls_over_the_last_session(case: Case) -> None:
    rows = rows_of(case)
    ordered = max(r["ordertime"] for r in rows["poe"] if r["order_type"] == "Hemodialysis")
    before, after = sorted((r["charttime"], r["valuenum"]) for r in rows["labevents"] if r["itemid"] == 50912)[-2:]
    assert ordered < before[0] < after[0]
    assert after[1] < before[1]
    assert datetime.fromisoformat(before[0]) - datetime.fromisoformat(ordered) < timedelta(hours=20)


@pytest.mark.parametrize("case", by_variant("improving"))
def test_drugs_that_stopped_stand_on_the_first_lists_alone(case: Case) -> None:
    first, *later = [row["text"] for row in sorted(rows_of(case)["discharge"], key=lambda row: row["charttime"])]
    assert first.count("Naproxen 250 mg") == first.count("Furosemide 40 mg") == 2
    assert not any("Naproxen 250 mg" in text or "Furosemide 40 mg" in text for text in later)
