"""Each med-reconciliation case derived again from its chart by the letter of PT-014, apart from any system."""

from __future__ import annotations

import itertools
import re
import tomllib
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic.scenarios.med_reconciliation.chart import build
from pytest_clinicare.charts.synthetic.scenarios.med_reconciliation.plan import plan
from pytest_clinicare.suite import Case, suite_root

CASES = plan(1)
BANK: dict[str, dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[3] / "fixtures" / "medications.toml").read_text(encoding="utf-8")
)
CREATININE, POTASSIUM, PLATELETS, GLUCOSE = 50912, 50971, 51265, 50931
TIMES = {"DAILY": 1, "QPM": 1, "QHS": 1, "BID": 2, "Q12H": 2, "TID": 3, "Q8H": 3, "Q6H": 4, "PRN": 1}
HEADINGS = (
    "Brief Hospital Course|Medications on Admission|Discharge Medications|Discharge Disposition"
    "|Discharge Diagnosis|Discharge Condition|Discharge Instructions|Followup Instructions|Physical Exam"
)
DECISION = r"stop|discontinu|hold \w+ until|held.*until|resume|restart"
GIVEN = ("Administered", "Delayed Administered", "Partial Administered", "Started", "Applied")


class Entry(NamedTuple):
    ingredient: str
    daily: float | None
    route: str
    as_needed: bool
    text: str


def clock(text: str) -> datetime:
    return datetime.fromisoformat(text)


def sections(text: str) -> dict[str, str]:
    parts = re.split(rf"^({HEADINGS}):[ \t]*$", text, flags=re.MULTILINE)
    return {name: body.strip() for name, body in zip(parts[1::2], parts[2::2], strict=True)}


def ingredient(text: str) -> str:
    names: dict[str, str] = {entry["ingredient"]: entry["ingredient"] for entry in BANK.values()}
    names |= {entry[field].lower(): entry["ingredient"] for entry in BANK.values() for field in ("home", "inpatient")}
    found = [name for name in sorted(names, key=len, reverse=True) if name in text.lower()]
    assert found, text
    return names[found[0]]


def entries(section: str) -> list[Entry]:
    out = []
    for line in re.findall(r"^\s*\d+\.\s+(.+)$", section, re.MULTILINE):
        dose = re.search(r"([\d.]+) (?:mg|mcg|UNIT|TAB|DROP) (PO|IH|IV|SC|BOTH EYES) ([A-Z0-9]+)(:PRN)?", line)
        if dose is None:
            assert "stopped" in line, line
            continue
        daily = float(dose[1]) * TIMES[dose[3]]
        out.append(Entry(ingredient(line), daily, dose[2], bool(dose[4]) or dose[3] == "PRN", line))
    return out


def high(name: str) -> bool:
    return any(e["significance"] == "high" for e in BANK.values() if e["ingredient"] == name)


def class_of(name: str) -> str:
    return next(str(entry["class"]) for entry in BANK.values() if entry["ingredient"] == name)


def linked_ed_stay(case: Case, draft: Draft) -> int | None:
    admission = next(row for row in draft.rows["admissions"] if row["hadm_id"] == case.hadm_id)
    admit = clock(admission["admittime"])
    for row in draft.rows["edstays"]:
        near = row.get("hadm_id") is None and abs(clock(row["outtime"]) - admit) <= timedelta(hours=24)
        if row.get("hadm_id") == case.hadm_id or near:
            return int(row["stay_id"])
    return None


class Admission:
    def __init__(self, case: Case, draft: Draft) -> None:
        self.row = next(row for row in draft.rows["admissions"] if row["hadm_id"] == case.hadm_id)
        self.admit, self.leave = clock(self.row["admittime"]), clock(self.row["dischtime"])
        self.labs = draft.rows["labevents"]
        note = next(row for row in draft.rows["discharge"] if row["hadm_id"] == case.hadm_id)
        self.note = note["text"]
        self.parts = sections(self.note)
        start = (self.leave - timedelta(hours=24)).isoformat(" ")
        rows = [row for row in draft.rows["emar"] if row["hadm_id"] == case.hadm_id and row["event_txt"] in GIVEN]
        window = [row for row in rows if start <= row["charttime"] <= self.row["dischtime"]]
        doses = {row["emar_id"]: float(row["dose_given"]) for row in draft.rows["emar_detail"] if row.get("dose_given")}
        self.final: dict[str, list[float]] = {}
        for row in window:
            self.final.setdefault(ingredient(row["medication"]), []).append(doses[row["emar_id"]])

    def values(self, item: int, start: datetime, end: datetime) -> list[float]:
        found = [row for row in self.labs if row["itemid"] == item and start <= clock(row["charttime"]) <= end]
        return [row["valuenum"] for row in sorted(found, key=lambda row: str(row["charttime"]))]

    def plausible(self, name: str) -> bool:
        arrival = self.admit - timedelta(hours=24)
        baseline = min(self.values(CREATININE, self.admit - timedelta(days=365), arrival))
        last = {item: self.values(item, arrival, self.leave)[-1] for item in (CREATININE, POTASSIUM, PLATELETS)}
        exam = self.note[self.note.index("DISCHARGE EXAM") :]
        systolic = int(re.search(r"BP (\d+)/", exam)[1])  # type: ignore[index]
        rate = int(re.search(r"HR (\d+)", exam)[1])  # type: ignore[index]
        kind = class_of(name)
        if kind in ("ace-inhibitor", "arb", "diuretic"):
            return last[CREATININE] >= 1.5 * baseline or last[POTASSIUM] > 5.5 or systolic < 100
        if kind in ("beta-blocker", "calcium-blocker"):
            return rate < 55 or systolic < 100
        if kind in ("anticoagulant", "antiplatelet"):
            return last[PLATELETS] < 50 or "bleed" in self.parts["Brief Hospital Course"].lower()
        return False

    def decided(self, name: str) -> bool:
        told = self.parts["Brief Hospital Course"] + "\n" + self.parts["Discharge Instructions"]
        sentences = re.split(r"[.\n]", told + "\n" + self.parts["Discharge Medications"])
        return any(name in s.lower() and re.search(DECISION, s, re.IGNORECASE) for s in sentences)


def differences(stay: Admission, home: list[Entry], leaving: list[Entry]) -> list[str]:
    """Each high-significance T1, T2 or T4 difference as documented, plausible or unintended."""
    out = []
    for entry in (entry for entry in home if high(entry.ingredient)):
        kept = next((other for other in leaving if other.ingredient == entry.ingredient), None)
        if kept and (kept.daily, kept.route, kept.as_needed) == (entry.daily, entry.route, entry.as_needed):
            continue
        if stay.decided(entry.ingredient):
            out.append("documented")
        elif stay.plausible(entry.ingredient) or (kept and sum(stay.final.get(entry.ingredient, [])) == kept.daily):
            out.append("plausible")
        else:
            out.append("unintended")
    return out


def unlimited_courses(stay: Admission, home: list[Entry], leaving: list[Entry]) -> list[str]:
    known = {entry.ingredient for entry in home}
    courses = [e for e in leaving if e.ingredient not in known and class_of(e.ingredient) == "antibacterial"]
    limit = r"\d+[- ]day course|for \d+ days|last day|Duration"
    sentences = re.split(r"[.\n]", stay.note)
    return [
        e.ingredient
        for e in courses
        if not any(e.ingredient in s.lower() and re.search(limit, s, re.IGNORECASE) for s in sentences)
    ]


def derive(case: Case, draft: Draft) -> tuple[str, int]:
    """Verdict and the step of the scenario's procedure that gives it."""
    ed_stay = linked_ed_stay(case, draft)
    listed = [row for row in draft.rows["medrecon"] if row["stay_id"] == ed_stay]
    if ed_stay is None or not listed:
        return "lack", 1
    stay = Admission(case, draft)
    if not stay.parts["Discharge Medications"].replace("_", "").strip():
        return "lack", 2
    home, leaving = entries(stay.parts["Medications on Admission"]), entries(stay.parts["Discharge Medications"])
    stopped = re.findall(r"^\s*\d+\.\s+(.+stopped.+)$", stay.parts["Medications on Admission"], re.MULTILINE)
    gone = {ingredient(line.split(" - ")[0]) for line in stopped}
    assert {ingredient(row["name"]) for row in listed} <= {entry.ingredient for entry in home} | gone
    found = differences(stay, home, leaving)
    if "unintended" in found:
        return "yes", 3
    if unlimited_courses(stay, home, leaving):
        return "yes", 4
    return ("ambiguous", 5) if "plausible" in found else ("no", 6)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_chart_leads_to_the_verdict(case: Case) -> None:
    draft = build(case)
    assert derive(case, draft) == (case.verdict, case.step)
    assert 300 <= sum(map(len, draft.rows.values())) <= 30_000


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_last_day_holds_the_recipe_doses_and_no_reason_by_accident(case: Case) -> None:
    draft = build(case)
    stay = Admission(case, draft)
    expected: dict[str, int] = {}
    for key, *_ in case.recipe["final_24h"]:
        name = BANK[key]["ingredient"]
        expected[name] = expected.get(name, 0) + 1
    assert {name: len(doses) for name, doses in stay.final.items()} == expected
    final = (stay.leave - timedelta(hours=48), stay.leave)
    assert all(value >= 70 for value in stay.values(GLUCOSE, *final))
    assert all(value >= 150 for value in stay.values(PLATELETS, *final))
    assert all(3.5 <= value <= 5.0 for value in stay.values(POTASSIUM, *final))


def test_drugs_that_are_no_longer_on_the_list_are_named_nowhere_in_the_course() -> None:
    for case in CASES:
        if case.variant not in ("silent-omission", "persisting-aki-arb-absent"):
            continue
        leaving = {row[0] for row in case.recipe["discharge_list"]}
        missing = [row[0] for row in case.recipe["home_meds"] if row[0] not in leaving]
        parts = Admission(case, build(case)).parts
        told = parts["Brief Hospital Course"] + parts["Discharge Instructions"] + parts["Discharge Medications"]
        assert not [key for key in missing if BANK[key]["ingredient"] in told.lower()]


# What a course says was given, and the drug and route of the administration that bears it out.
TOLD = {
    "intravenous crystalloid": ("Lactated Ringers", "IV"),
    "intravenous fluids": ("Lactated Ringers", "IV"),
    "intravenous then oral acid suppression": ("Pantoprazole", "IV"),
    "ondansetron": ("Ondansetron", "IV"),
    "acetaminophen": ("Acetaminophen", "PO"),
    "azithromycin": ("Azithromycin", "PO"),
    "Ceftriaxone": ("CefTRIAXone", "IV"),
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_what_the_summary_tells_was_done(case: Case) -> None:
    draft = build(case)
    stay = Admission(case, draft)
    course = stay.parts["Brief Hospital Course"]
    orders = [row for row in draft.rows["prescriptions"] if row["hadm_id"] == case.hadm_id]
    given = {row["pharmacy_id"] for row in draft.rows["emar"] if row["event_txt"] in GIVEN}
    done = {(row["drug"], row["route"]) for row in orders if row["pharmacy_id"] in given}
    assert {proof for words, proof in TOLD.items() if words in course} <= done
    named = re.search(r"Procedure:\n(.+)", stay.note)
    operated = "EGD showed" in course or "underwent" in course
    assert named
    assert (named[1] != "None") is operated
    assert re.search(r"CHRONIC ISSUES:\n=+\n# \w", course)
    fever = float(re.search(r"ADMISSION EXAM:\nVitals: T ([\d.]+)", stay.note)[1]) > 100.4  # type: ignore[index]
    assert fever is ("fever on arrival" in course)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_no_drug_is_ordered_twice_at_a_time(case: Case) -> None:
    spans: dict[str, list[tuple[str, str]]] = {}
    draft = build(case)
    for row in draft.rows["prescriptions"]:
        if row["hadm_id"] == case.hadm_id:
            spans.setdefault(ingredient(row["drug"]), []).append((row["starttime"], row["stoptime"]))
    for times in spans.values():
        times.sort()
        assert all(ended <= begun for (_, ended), (begun, _) in itertools.pairwise(times))
    classes = [(row["stay_id"], row["name"], row["etcdescription"]) for row in draft.rows.get("medrecon", ())]
    assert len(classes) == len(set(classes))


def test_entry_as_needed_tells_no_verdict() -> None:
    lists = {case.id: Admission(case, build(case)).parts["Medications on Admission"] for case in CASES}
    assert {case.verdict for case in CASES if "PRN" in lists[case.id]} >= {"yes", "no", "ambiguous"}


@pytest.mark.parametrize("seed", range(1, 5))
def test_hold_has_no_reason_left_by_the_ranges_of_its_variant(seed: int) -> None:
    for case in (case for case in plan(seed) if case.variant == "hold-never-resolved"):
        (_, baseline), (_, arrival), *_, (_, last) = case.recipe["creatinine"]
        assert 0.9 <= baseline <= 1.1
        assert 2.0 <= arrival <= 2.4
        assert 1.0 <= last <= 1.2
        assert 118 <= case.recipe["vitals_last"][1] <= 142


def test_conditions_that_are_coded_stand_in_the_history() -> None:
    names = {"I10": "Hypertension", "E785": "Hyperlipidemia", "E039": "Hypothyroidism", "F329": "Depression"}
    for case in CASES:
        draft = build(case)
        note = Admission(case, draft).note
        coded = {row["icd_code"] for row in draft.rows["diagnoses_icd"] if row["hadm_id"] == case.hadm_id}
        assert {code for code, name in names.items() if f"- {name}" in note} == coded & names.keys()


def test_same_case_gives_the_same_rows() -> None:
    assert build(CASES[0]).rows == build(CASES[0]).rows


def test_plan_is_what_the_case_files_hold() -> None:
    folder = suite_root().cases / "med-reconciliation"
    files = sorted(folder.glob("med-reconciliation-*.toml"))
    assert [Case.model_validate(tomllib.loads(file.read_text(encoding="utf-8"))) for file in files] == CASES
