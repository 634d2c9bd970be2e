"""Medication lists, ingredients, statements of intent and plausible reasons (PT-014)."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from pytest_clinicare.systems.scripted.clinical.administration import dose_text, doses_of, is_given
from pytest_clinicare.systems.scripted.clinical.drugs import class_of, main_ingredients, renally_active
from pytest_clinicare.systems.scripted.clinical.intent import course_duration, decision, hold
from pytest_clinicare.systems.scripted.clinical.medication_list import changed, entries, parse_entry
from pytest_clinicare.systems.scripted.clinical.notes import section, sections
from pytest_clinicare.systems.scripted.clinical.reasons import Findings, plausible

NOTE = """Chief Complaint:
Dyspnea

Medications on Admission:
The Preadmission Medication list is accurate and complete.
1. Metoprolol Succinate XL 100 mg PO DAILY
2. Warfarin - stopped 2 months ago by cardiology, now apixaban 5 mg BID

Discharge Medications:
1. Amoxicillin-Clavulanic Acid 875 mg PO BID Duration: 7 Days
2. Acetaminophen 650 mg PO Q6H:PRN pain

Discharge Disposition:
Home
"""


def test_sections_keep_the_positions_of_the_note() -> None:
    part = section(NOTE, "discharge medications")
    assert part is not None
    assert NOTE[part.start : part.end] == part.text
    assert [s.name for s in sections(NOTE)][-1] == "discharge disposition"


def test_entries_are_read_with_their_spans() -> None:
    part = section(NOTE, "medications on admission")
    assert part is not None
    metoprolol, warfarin = entries(part)
    assert NOTE[metoprolol.start : metoprolol.end] == "Metoprolol Succinate XL 100 mg PO DAILY"
    assert (metoprolol.ingredients, metoprolol.daily_dose, metoprolol.extended) == (("metoprolol",), Decimal(100), True)
    assert (warfarin.ingredients, warfarin.stopped) == (("warfarin",), True)


@pytest.mark.parametrize("masked", ["\n___\n\n", "\n\n", " \n1. ___\n"])
def test_a_masked_list_has_no_content(masked: str) -> None:
    part = section(f"Discharge Medications:{masked}", "discharge medications")
    assert part is not None
    assert part.masked


@pytest.mark.parametrize(
    ("name", "ingredients"),
    [
        ("LevETIRAcetam", ("levetiracetam",)),
        ("Losartan Potassium", ("losartan",)),
        ("Toprol XL 50 mg", ("metoprolol",)),
        ("amoxicillin-pot clavulanate", ("amoxicillin", "clavulanate")),
        ("cholecalciferol (vitamin D3)", ("vitamin d",)),
        ("Obscuromab 5 mg", ("obscuromab",)),
    ],
)
def test_ingredient_ignores_brand_salt_and_strength(name: str, ingredients: tuple[str, ...]) -> None:
    assert main_ingredients(name) == ingredients


def test_classes() -> None:
    assert [class_of(i) for i in ("apixaban", "losartan", "docusate", "nothing")] == [
        "anticoagulant", "arb", "bowel-regimen", "unknown",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("home", "leaving", "what"),
    [
        ("Metoprolol Succinate XL 50 mg PO DAILY", "Metoprolol Tartrate 25 mg PO BID", ""),
        ("Metoprolol Succinate XL 100 mg PO DAILY", "Metoprolol Succinate XL 25 mg PO DAILY", "dose 100 to 25 mg"),
        ("Apixaban 5 mg PO BID", "Apixaban 2.5 mg PO BID", "dose 10 to 5 mg"),
        ("Levothyroxine 0.1 mg PO DAILY", "Levothyroxine 100 mcg PO QAM", ""),
        ("Cefpodoxime 200 mg PO Q12H", "Cefpodoxime 200 mg PO BID", ""),
        ("Oxycodone 5-10 mg PO Q6H", "Oxycodone 10 mg PO QID", ""),
        ("Ibuprofen 400 mg PO TID", "Ibuprofen 400 mg PO TID:PRN pain", "as-needed"),
        ("Lasix 40 mg IV DAILY", "Lasix 40 mg PO DAILY", "route IV to PO"),
    ],
)
def test_what_counts_as_a_change(home: str, leaving: str, what: str) -> None:
    found = changed(parse_entry(home), parse_entry(leaving))
    assert what in found
    assert bool(found) is bool(what)


@pytest.mark.parametrize(
    ("sentence", "decided"),
    [
        ("STOP taking aspirin.", True),
        ("Please hold lisinopril and aspirin until seen by your primary physician.", True),
        ("Aspirin was held on admission in the setting of bleeding.", False),
        ("Aspirin allergy was discussed.", False),
        ("Antiplatelet agents were discontinued.", True),
    ],
)
def test_a_decision_names_the_drug_or_its_class(sentence: str, decided: bool) -> None:
    note = f"Brief Hospital Course:\n{sentence}\n"
    assert (decision(note, "aspirin") is not None) is decided


def test_that_a_drug_was_held_is_found_and_is_no_decision() -> None:
    note = "Brief Hospital Course:\nLisinopril was held on admission in the setting of AKI.\n"
    assert hold(note, "lisinopril") is not None
    assert decision(note, "lisinopril") is None


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("Antibiotics were narrowed to levofloxacin to complete a 7-day course.", True),
        ("Ceftriaxone was given for 2 days and completed on hospital day 2.", False),
        ("He will complete 5 more days of antibiotics.", True),
        ("Levofloxacin was started.", False),
    ],
)
def test_a_course_is_not_given_the_duration_of_another_drug(sentence: str, found: bool) -> None:
    entry = parse_entry("Levofloxacin 750 mg PO DAILY")
    assert (course_duration(f"Brief Hospital Course:\n{sentence}\n", entry) is not None) is found


@pytest.mark.parametrize(
    ("event", "given"),
    [("Administered", True), ("Delayed Administered", True), ("Administered in Other Location", True),
     ("Restarted", True), ("Not Given", False), ("Hold Dose", False), ("Delayed", False), ("Flushed", False),
     ("", False)],
)  # fmt: skip
def test_administration_events(event: str, given: bool) -> None:
    assert is_given(event) is given


def test_plausible_reasons_are_judged_at_the_last_value() -> None:
    start = datetime(2150, 6, 1)

    def findings(*course: tuple[float, str], note: str = "") -> Findings:
        rows: list[dict[str, Any]] = [
            {"ref": f"labevents:{i}", "itemid": 50912, "charttime": str(start + timedelta(days=d)), "value": v}
            for i, (d, v) in enumerate(course)
        ]
        return Findings(rows, start, start, start + timedelta(days=5), note, 60, False)

    assert plausible("losartan", "arb", findings((-100, "1.0"), (0, "2.4"), (5, "1.5")))
    assert not plausible("losartan", "arb", findings((-100, "1.0"), (0, "2.4"), (5, "1.4")))
    assert not plausible("apixaban", "anticoagulant", findings(note="Brief Hospital Course:\nNo bleeding was seen.\n"))
    assert plausible("apixaban", "anticoagulant", findings(note="Brief Hospital Course:\nUpper GI bleeding.\n"))
    slow = "Physical Exam:\nDISCHARGE EXAM:\nVitals: T 98.2 BP 118/70 HR 50 RR 16\n"
    assert plausible("metoprolol", "beta-blocker", findings(note=slow))
    assert not plausible("losartan", "arb", findings(note=slow))


@pytest.mark.parametrize(
    ("given", "told", "total"),
    [("50,50", "100 mg", 100), ("12.5", "12.5 mg", Decimal("12.5")), ("___", "___ mg", 40), (None, "", 40)],
)
def test_the_parts_of_a_dose_are_one_dose(given: str | None, told: str, total: Decimal) -> None:
    row = {"ref": "emar:1", "drug": "Atenolol", "dose_given": given, "dose_given_unit": "mg", "dose_due": "40"}
    assert dose_text(row) == told
    assert [(amount, unit) for amount, unit, _ in doses_of([row], "atenolol")] == [(total, "mg")]


@pytest.mark.parametrize(
    ("drug", "expected"),
    [
        ("Enalaprilat", True),
        ("Sacubitril-Valsartan (24mg-26mg)", True),
        ("AcetaZOLamide Sodium", True),
        ("Indomethacin", True),
        ("Chlorothiazide Sodium", True),
        ("Tacrolimus Suspension", True),
        ("Lidocaine-Prilocaine", False),
        ("Prilosec", False),
        ("Vasopressin", False),
    ],
)
def test_drugs_that_act_on_the_kidney_are_told_by_ingredient(drug: str, expected: bool) -> None:
    assert renally_active(drug) is expected
