"""Cultures that charts hold are read back as what was placed."""

from __future__ import annotations

from datetime import datetime, timedelta

from pytest_clinicare.charts.synthetic.cultures import Isolate, blood_cultures, culture, stain
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.suite import Case, Verdict
from pytest_clinicare.systems.scripted.clinical.cultures import contaminants, cultures

AT = datetime(2150, 3, 1, 9)


def _record() -> Record:
    case = Case(
        id="x-01", scenario="x", subject_id=10000001, hadm_id=20000001, verdict=Verdict.YES, variant="v", step=1,
        seed=7, abstract="", trap="", recipe={},
    )  # fmt: skip
    return Record(case, "F", 60, 2150)


def test_a_panel_a_stain_and_a_negative_set() -> None:
    record = _record()
    enc = record.admission(AT, AT + timedelta(days=6))
    final = AT + timedelta(hours=60)
    panel = {"ceftriaxone": "S", "ampicillin": "R", "meropenem": "P"}
    first, _ = blood_cultures(record, enc, AT, 2, [[Isolate("e-coli", panel)]], [final])
    stain(record, first, "aerobic-gram", AT + timedelta(hours=15), "GRAM NEGATIVE ROD(S).  ")
    culture(record, "urine", AT, None, enc)
    found = {c.specimen_id: c for c in cultures(record.rows["microbiologyevents"])}
    grown = found[first]
    assert grown.isolates[0].panel == {"ceftriaxone": "S", "ampicillin": "R", "meropenem": "P"}
    assert grown.isolates[0].final == final
    assert len(grown.early_reports) == 1
    assert sorted((c.specimen, len(c.isolates), c.pending) for c in found.values()) == [
        ("BLOOD CULTURE", 0, False),
        ("BLOOD CULTURE", 1, False),
        ("URINE", 0, True),
    ]


def test_a_skin_organism_in_one_set_is_a_contaminant_and_in_two_is_not() -> None:
    for growths, expected in (([[Isolate("cons")]], 1), ([[Isolate("cons")], [Isolate("cons")]], 0)):
        record = _record()
        enc = record.admission(AT, AT + timedelta(days=6))
        blood_cultures(record, enc, AT, 2, growths, [AT + timedelta(days=2)] * 2)
        assert len(contaminants(cultures(record.rows["microbiologyevents"]))) == expected


def test_screens_are_no_clinical_cultures() -> None:
    record = _record()
    enc = record.admission(AT, AT + timedelta(days=6))
    culture(record, "mrsa-screen", AT, AT + timedelta(days=2), enc, [Isolate("mrsa-positive")])
    culture(record, "vre-screen", AT, AT + timedelta(days=2), enc)
    culture(record, "swab", AT, AT + timedelta(days=2), enc)
    assert [c.screen for c in cultures(record.rows["microbiologyevents"])] == [True, True, False]
