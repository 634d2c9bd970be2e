"""Each advanced-imaging case derived again from its chart by the letter of RH-RAD-01, apart from any system."""

from __future__ import annotations

import re
import tomllib
from datetime import date, datetime, timedelta
from typing import NamedTuple

import pytest

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic.scenarios.advanced_imaging.chart import build
from pytest_clinicare.charts.synthetic.scenarios.advanced_imaging.plan import plan
from pytest_clinicare.suite import Case, suite_root

CLASS = ("CT Scan", "MRI", "Cross-Sectional Interventional Radiology")
UNSETTLED = ("Nuclear Med", "Angio", "Interventional Neuro", "Interventional Radiology")
CASES = plan(1)


class Order(NamedTuple):
    subtype: str | None
    time: datetime
    ended: datetime | None


class Report(NamedTuple):
    kind: str
    time: datetime | None
    on: date


def clock(text: str) -> datetime:
    return datetime.fromisoformat(text)


def orders_of(draft: Draft) -> list[Order]:
    """Chains of New and Change rows as one order at its first time; ``ended`` only by a D/C."""
    rows = [row for row in draft.rows["poe"] if row["order_type"] == "Radiology"]
    by_id = {row["poe_id"]: row for row in rows}
    out = []
    for row in rows:
        if row["transaction_type"] != "New":
            continue
        last = row
        while (follower := by_id.get(last["discontinued_by_poe_id"])) and follower["transaction_type"] == "Change":
            last = follower
        ended = clock(follower["ordertime"]) if follower else None
        out.append(Order(row["order_subtype"], clock(row["ordertime"]), ended))
    return out


def kind_of(text: str) -> str:
    exam = text.split("EXAMINATION:")[1].split("\n")[0] if "EXAMINATION:" in text else text.lstrip().split("\n")[0]
    if "SECOND OPINION" in exam:
        return "outside"
    if "SPECT/CT" in text:
        return "hybrid"
    if re.search(r"\bCTA?\b", exam):
        return "CT"
    if re.search(r"\bMR\b|\bMRCP\b", exam):
        return "MR"
    if "under imaging guidance" in text.lower() and not re.search(r"fluoroscop|ultrasound|\bCT\b", text):
        return "unnamed guidance"
    return "other"


def reports_of(draft: Draft) -> list[Report]:
    out = []
    for row in draft.rows["radiology"]:
        time = clock(row["charttime"])
        out.append(Report(kind_of(row["text"]), None if time.time().isoformat() == "00:00:00" else time, time.date()))
    return out


def fits(report: Report, order: Order) -> bool:
    wanted = {"CT": (CLASS[0], CLASS[2]), "MR": (CLASS[1], CLASS[2])}.get(report.kind)
    if wanted is None or order.subtype not in wanted:
        return False
    if report.time is None:
        return order.time.date() == report.on and order.ended is None
    live = order.ended is None or order.ended >= report.time
    return live and order.time - timedelta(hours=1) <= report.time <= order.time + timedelta(hours=72)


def derive(case: Case, draft: Draft) -> tuple[str, int]:
    """Verdict and the step of the scenario's procedure that gives it."""
    stays = [row for row in draft.rows["icustays"] if row["hadm_id"] == case.hadm_id]
    stay = next((row for row in stays if row["stay_id"] == case.stay_id), None)
    if stay is None or not stay.get("intime") or not stay.get("outtime"):
        return "lack", 1
    low, high = clock(stay["intime"]), clock(stay["outtime"])
    orders, reports = orders_of(draft), reports_of(draft)
    inside = [order for order in orders if low <= order.time <= high]
    attributed: list[tuple[Report, list[Order]]] = []
    for report in (r for r in reports if r.kind in ("CT", "MR")):
        candidates = [order for order in orders if fits(report, order)]
        if report.time is not None and candidates:
            candidates = [min(candidates, key=lambda o: (abs(o.time - report.time), o.time))]  # type: ignore[operator]
        attributed.append((report, candidates))
    if any(found and all(order in inside for order in found) for _, found in attributed):
        return "yes", 2
    for report, found in attributed:
        mixed = any(order in inside for order in found) and any(order not in inside for order in found)
        orphan = not found and report.time is not None and low <= report.time <= high
        if mixed or orphan:
            return "lack", 3
    if any(order.subtype in CLASS for order in inside):
        return "lack", 4
    if any(order.subtype in UNSETTLED for order in inside) and any(
        r.kind in ("hybrid", "unnamed guidance") for r in reports
    ):
        return "ambiguous", 5
    if not any(low <= clock(row["ordertime"]) <= high for row in draft.rows["poe"]):
        return "lack", 6
    return ("no", 7) if inside else ("no", 8)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_chart_leads_to_the_verdict(case: Case) -> None:
    draft = build(case)
    assert derive(case, draft) == (case.verdict, case.step)
    assert 300 <= sum(map(len, draft.rows.values())) <= 30_000


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.recipe["outtime"] != "missing"], ids=lambda case: case.id
)
def test_chart_holds_the_stated_order_stream(case: Case) -> None:
    rows = build(case).rows["poe"]
    inside = [row for row in rows if case.recipe["intime"] <= row["ordertime"] <= case.recipe["outtime"]]
    other = [row for row in inside if row["order_type"] != "Radiology" and row["order_subtype"] != "Echo"]
    assert len(other) == case.recipe["order_stream"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_reports_agree_with_their_place_and_with_each_other(case: Case) -> None:
    draft = build(case)
    stays = [row for row in draft.rows["icustays"] if row["hadm_id"] == case.hadm_id]
    seen: set[str] = set()
    for row in sorted(draft.rows["radiology"], key=lambda row: str(row["charttime"])):
        title = row["text"].split("\n")[0]
        in_unit = any(s["intime"] <= row["charttime"] <= (s["outtime"] or "9") for s in stays)
        assert in_unit or "in the intensive care unit" not in row["text"]
        if row["hadm_id"] == case.hadm_id:
            compared = row["text"].split("COMPARISON:")[1].split("\n")[0].strip()
            assert compared.startswith("Prior study") is (title in seen)
        seen.add(title)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_summary_agrees_with_reports_and_drugs(case: Case) -> None:
    draft = build(case)
    note = next(row["text"] for row in draft.rows["discharge"] if row["hadm_id"] == case.hadm_id)
    reports = "\n".join(row["text"] for row in draft.rows["radiology"] if row["hadm_id"] == case.hadm_id)
    assert ("Percutaneous drainage" in note) is bool(re.search(r"pigtail|10 ___ (drain|catheter)", reports))
    assert ("contrast allergy" in reports) is ("Iodinated contrast" in note)
    drugs = {row["drug"] for row in draft.rows["prescriptions"] if row["hadm_id"] == case.hadm_id}
    assert "antibiotics" not in note or "CefTRIAXone" in drugs
    assert "diuresis" not in note or "Furosemide" in drugs
    for quote in re.findall(r"showed no (pulmonary embolism|drainable|acute intracranial)", note):
        assert re.search(rf"no (evidence of )?{quote}", reports, re.IGNORECASE)


def test_ct_that_a_radiograph_names_tells_no_verdict() -> None:
    naming = {
        case.verdict
        for case in CASES
        for row in build(case).rows["radiology"]
        if re.search(r"portable|supine", row["text"].split("TECHNIQUE:")[1].split("\n")[0])
        and re.search(r"\bCT\b", row["text"])
    }
    assert naming == {"yes", "no", "lack", "ambiguous"}


def test_same_case_gives_the_same_rows() -> None:
    case = CASES[0]
    assert build(case).rows == build(case).rows


def test_plan_is_what_the_case_files_hold() -> None:
    folder = suite_root().cases / "advanced-imaging"
    files = sorted(folder.glob("advanced-imaging-*.toml"))
    assert [Case.model_validate(tomllib.loads(file.read_text(encoding="utf-8"))) for file in files] == CASES
