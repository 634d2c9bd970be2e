"""What a ventilation audit gathers: the episode, gases, settings, chest imaging, height and the summary."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from pytest_clinicare.systems.scripted.clinical.gases import (
    CHARTED_OXYGEN,
    CHARTED_PO2,
    OXYGEN,
    PO2,
    SPECIMEN,
    Gas,
    gases,
)
from pytest_clinicare.systems.scripted.clinical.times import encounter_start, iso, parse_time
from pytest_clinicare.systems.scripted.clinical.ventilator import (
    MODES,
    PEEP,
    PLATEAU,
    VOLUME_OBSERVED,
    VOLUME_SET,
    Episode,
    controlled_volumes,
    episodes,
)
from pytest_clinicare.systems.scripted.session import Found, Note, Notes, Row, Session

HOUR = timedelta(hours=1)
HEIGHT_CM, HEIGHT_INCH, WEIGHTS = 226730, 226707, (226512, 224639)
VENTILATOR = (*MODES, VOLUME_SET, VOLUME_OBSERVED, PLATEAU, PEEP, CHARTED_OXYGEN, CHARTED_PO2)


@dataclass
class Chart:
    """What the tools returned of one ICU stay; ``episode`` is None where nobody was ventilated."""

    session: Session
    patient: Row
    stay: Row
    arrival: datetime
    left: datetime
    procedures: Found
    charted: Found
    body: Found
    outpatient: Found
    labs: Found
    radiology: Notes
    discharge: Notes
    diagnoses: Found
    episode: Episode | None
    gases: list[Gas]

    @property
    def female(self) -> bool:
        return str(self.patient.get("gender")).upper() == "F"

    @property
    def mine(self) -> list[Note]:
        return [note for note in self.discharge.items if note.hadm_id == self.session.brief.hadm_id]

    @property
    def stay_ref(self) -> str:
        return str(self.stay["ref"])


def gather(session: Session) -> Chart | None:
    """All required sources in their scope; None when the stay or its times are not on record."""
    brief = session.brief
    patient = next(iter(session.query("get_patient").rows), {})
    admission = next((r for r in session.query("list_admissions").rows if r["hadm_id"] == brief.hadm_id), None)
    stay = next((r for r in session.query("list_icu_stays").rows if r["stay_id"] == brief.stay_id), None)
    if admission is None or stay is None or brief.stay_id is None:
        return None
    began = parse_time(stay.get("intime"))
    arrival = encounter_start(admission, session.query("list_ed_stays").rows, timedelta()) or began
    if began is None or arrival is None:
        return None
    left = parse_time(stay.get("outtime")) or parse_time(admission.get("dischtime")) or began + timedelta(days=60)
    procedures = session.query("get_procedures", hadm_id=brief.hadm_id)
    charted = session.query("get_vitals", stay_id=brief.stay_id, items=list(VENTILATOR))
    body = session.query("get_vitals", stay_id=brief.stay_id, items=[HEIGHT_CM, HEIGHT_INCH, *WEIGHTS])
    found = episodes(procedures.rows, brief.stay_id)
    episode = found[0] if found else _by_settings(charted.rows, left, stay)
    start, end = (episode.start, episode.end) if episode else (began, left)
    window = {"start": iso(start), "end": iso(end)}
    labs = session.query("get_labs", items=[PO2, OXYGEN, SPECIMEN], **window)
    around = {"start": iso(start - 48 * HOUR), "end": iso(end + 24 * HOUR)}
    return Chart(
        session=session,
        patient=patient,
        stay=stay,
        arrival=arrival,
        left=left,
        procedures=procedures,
        charted=charted,
        body=body,
        outpatient=session.query("get_outpatient_measurements", name="Height"),
        labs=labs,
        radiology=session.notes("radiology", hadm_id=brief.hadm_id, **around),
        discharge=session.notes("discharge"),
        diagnoses=session.query("get_diagnoses", hadm_id=brief.hadm_id),
        episode=episode,
        gases=[g for g in gases(labs.rows, charted.rows, 2 * HOUR) if start <= g.time <= end],
    )


def _by_settings(rows: list[Row], left: datetime, stay: Row) -> Episode | None:
    """Without a charted episode, controlled settings show invasive ventilation from the first to the last of them."""
    volumes = controlled_volumes(rows, datetime.min, left)
    return Episode(volumes[0].time, volumes[-1].time, volumes[0].row) if volumes else None
