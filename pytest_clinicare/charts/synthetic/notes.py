"""Free text in the manner of MIMIC-IV-Note: radiology reports and discharge summaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.encounter import Encounter, stamp
from pytest_clinicare.charts.synthetic.streams import apart

if TYPE_CHECKING:
    from pytest_clinicare.charts.synthetic.record import Record

SECTIONS = (
    "Chief Complaint",
    "Major Surgical or Invasive Procedure",
    "History of Present Illness",
    "Past Medical History",
    "Social History",
    "Family History",
    "Physical Exam",
    "Pertinent Results",
    "Brief Hospital Course",
    "Medications on Admission",
    "Discharge Medications",
    "Discharge Disposition",
    "Discharge Diagnosis",
    "Discharge Condition",
    "Discharge Instructions",
    "Followup Instructions",
)
_PRINTED = (
    (51301, "WBC"),
    (51222, "Hgb"),
    (51265, "Plt Ct"),
    (50931, "Glucose"),
    (51006, "UreaN"),
    (50912, "Creat"),
    (50983, "Na"),
    (50971, "K"),
    (50902, "Cl"),
    (50882, "HCO3"),
)


@apart("exam", "time")
def radiology(
    record: Record, time: datetime, exam: str, text: str | None, enc: Encounter | None, exam_code: str | None
) -> str:
    """charttime is the examination time, as in the source; storetime is the signature."""
    body = text if text is not None else _chest_film(record, time, enc)
    note_id = f"{record.subject_id}-RR-{record.serial()}"
    record.add(
        "radiology",
        note_id=note_id,
        hadm_id=enc.hadm_id if enc else None,
        note_type="RR",
        note_seq=0,
        charttime=stamp(time),
        storetime=stamp(time + timedelta(minutes=record.rng.randrange(30, 400))),
        text=f"EXAMINATION:  {exam}\n\n{body}\n",
    )
    details = {"exam_code": exam_code or _code_of(exam), "exam_name": exam}
    for number, (name, value) in enumerate(details.items(), 1):
        record.add("radiology_detail", note_id=note_id, field_name=name, field_value=value, field_ordinal=number)
    return note_id


def _code_of(exam: str) -> str:
    """A stable code in the shape of the source's (C12, D21): letter of the modality, number of the examination."""
    letter = "T" if exam.startswith("CT") else "M" if exam.startswith("MR") else "C"
    return f"{letter}{sum(map(ord, exam)) % 200}"


def _chest_film(record: Record, time: datetime, enc: Encounter | None) -> str:
    """Why and what follow the illness on arrival, intensive care later on."""
    film = bank("phrases/notes")["chest_film"]
    findings, impression = record.rng.choice(film["readings"])
    why = record.rng.choice(film["on_arrival"])
    if enc is not None and "film" in enc.illness:
        why, findings, impression = enc.illness["film"]
    if enc is not None and enc.in_icu(time):
        why = record.rng.choice(film["in_intensive_care"])
    elif enc is not None and time - enc.start > timedelta(hours=12):
        why = record.rng.choice(film["on_the_ward"])
    person = "man" if record.gender == "M" else "woman"
    return (
        f"INDICATION:  ___ year old {person} {why}\n\n"
        f"TECHNIQUE:  Portable AP chest radiograph.\n\nCOMPARISON:  ___.\n\n"
        f"FINDINGS: \n\n{findings}\n\nIMPRESSION: \n\n{impression}"
    )


@apart("enc")
def discharge_summary(record: Record, enc: Encounter, sections: Mapping[str, str]) -> str:
    """KeyError: a heading that a summary does not have."""
    allowed = {*SECTIONS, "Allergies"}
    if unknown := sections.keys() - allowed:
        raise KeyError(f"a discharge summary has no section {', '.join(sorted(unknown))}")
    phrases = bank("phrases/notes")
    filled = {**_defaults(record, enc, phrases, sections), **sections}
    head = (
        " \nName:  ___                     Unit No:   ___\n \n"
        "Admission Date:  ___              Discharge Date:   ___\n \n"
        f"Date of Birth:  ___             Sex:   {record.gender}\n \n"
        f"Service: {phrases['services'].get(enc.service, 'MEDICINE')}\n \n"
        f"Allergies: \n{filled['Allergies']}\n \nAttending: ___.\n \n"
    )
    body = " \n".join(f"{name}:\n{filled[name]}\n" for name in SECTIONS)
    note_id = f"{record.subject_id}-DS-{record.serial()}"
    record.add(
        "discharge",
        note_id=note_id,
        hadm_id=enc.hadm_id,
        note_type="DS",
        note_seq=0,
        charttime=f"{enc.disch.date()} 00:00:00",
        storetime=stamp(enc.disch + timedelta(hours=record.rng.randrange(2, 60))),
        text=head + body,
    )
    record.add("discharge_detail", note_id=note_id, field_name="author", field_value="___", field_ordinal=1)
    return note_id


def _defaults(
    record: Record, enc: Encounter, phrases: Mapping[str, Any], sections: Mapping[str, str]
) -> dict[str, str]:
    history = "\n".join(f"- {name}" for name in record.person.history)
    listed = drug_list(record.person.home_drugs)
    at_home = enc.discharge_location in ("HOME", "HOME HEALTH CARE")
    problem = (sections.get("Discharge Diagnosis", "").strip().splitlines() or ["your illness"])[-1].lower()
    home = {"HOME": "Home", "HOME HEALTH CARE": "Home With Service\n \nFacility:\n___", "DIED": "Expired"}
    return {
        "Allergies": record.person.allergies,
        "Chief Complaint": "___",
        "Major Surgical or Invasive Procedure": "None",
        "History of Present Illness": "___",
        "Past Medical History": history,
        "Social History": record.person.social,
        "Family History": record.person.family,
        "Physical Exam": physical_exam(record),
        "Pertinent Results": _results(record, enc),
        "Brief Hospital Course": "___",
        "Medications on Admission": f"The Preadmission Medication list is accurate and complete.\n{listed}",
        "Discharge Medications": listed,
        "Discharge Disposition": home.get(enc.discharge_location, "Extended Care\n \nFacility:\n___"),
        "Discharge Diagnosis": "___",
        "Discharge Condition": phrases["condition_home" if at_home else "condition_facility"],
        "Discharge Instructions": phrases["instructions"].format(problem=problem),
        "Followup Instructions": "___",
    }


def drug_list(drugs: Sequence[str]) -> str:
    """A numbered medication list."""
    return "\n".join(f"{n}. {drug} " for n, drug in enumerate(drugs, 1))


@apart()
def physical_exam(record: Record, arrival: Mapping[str, str] | None = None) -> str:
    """Examination at discharge, after one on arrival where ``arrival`` says what was found (lungs, abdomen...)."""
    rng = record.rng
    template = bank("phrases/notes")["exam"]
    healthy = {
        "general": "Well appearing, in no acute distress",
        "lungs": "Clear to auscultation bilaterally",
        "abdomen": "Soft, non-distended",
        "extremities": "Warm, no edema",
        "neuro": "Alert and oriented, moving all extremities",
    }
    vitals = (
        f"T {rng.uniform(97.6, 98.8):.1f} BP {rng.randrange(108, 142)}/{rng.randrange(58, 84)} "
        f"HR {rng.randrange(64, 92)} RR {rng.choice((16, 18))} O2 {rng.randrange(95, 99)}% RA"
    )
    leaving = f"DISCHARGE PHYSICAL EXAM\nVITALS: {vitals}\n{template.format(**healthy)}"
    if arrival is None:
        return leaving
    found = template.format(**{**healthy, "general": "Uncomfortable but in no extremis", **arrival})
    return f"ADMISSION PHYSICAL EXAM\n{found}\n\n{leaving}"


def _results(record: Record, enc: Encounter) -> str:
    """Printed results of the first and the last day, quoted from the rows themselves."""
    names = dict(_PRINTED)
    days: dict[str, list[tuple[str, int, str]]] = {}
    for row in record.rows.get("labevents", ()):
        if row["hadm_id"] == enc.hadm_id and row["value"] is not None and row["itemid"] in names:
            days.setdefault(row["charttime"][:10], []).append((row["charttime"], row["itemid"], row["value"]))
    if not days:
        return "___"
    first, last = min(days), max(days)
    parts = [("ADMISSION LABS", sorted(days[first], reverse=True))]
    if last != first:
        parts.append(("DISCHARGE LABS", sorted(days[last])))
    lines = []
    for title, draws in parts:
        # The value that stays is the day's earliest on admission and its latest at discharge.
        kept = {item: (time, value) for time, item, value in draws}
        clock = datetime.fromisoformat(kept[next(iter(kept))][0]).strftime("%I:%M%p")
        printed = " ".join(f"{name}-{kept[item][1]}" for item, name in _PRINTED if item in kept)
        lines.append(f"{title}:\n___ {clock} BLOOD {printed}")
    return "\n\n".join(lines)
