"""What a discharge audit gathers: the summary of the admission and the record that it must agree with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from pytest_clinicare.systems.scripted.clinical.times import encounter_start, iso, parse_time
from pytest_clinicare.systems.scripted.session import Found, Note, Notes, Row, Session

LAST_DAY = timedelta(hours=24)


@dataclass
class Chart:
    """``note`` is the discharge note of this admission with its addenda, None where there is none."""

    session: Session
    admission: Row
    leaves: datetime
    listed: Found
    note: Note | None
    diagnoses: Found
    procedures: Found
    microbiology: Found
    labs: Found
    doses: Found
    orders: Found
    reports: Notes

    @property
    def hadm_id(self) -> int:
        return int(self.admission["hadm_id"])

    @property
    def location(self) -> str:
        return str(self.admission.get("discharge_location") or "").strip().upper()

    @property
    def died(self) -> bool:
        return self.location == "DIED" or bool(self.admission.get("hospital_expire_flag"))

    @property
    def principal(self) -> Row | None:
        """The first-listed code of the admission."""
        coded = [r for r in self.diagnoses.rows if r.get("source") != "ed" and r.get("hadm_id") == self.hadm_id]
        return min(coded, key=lambda r: int(r.get("seq_num") or 99), default=None)

    @property
    def coded_procedures(self) -> list[Row]:
        return [r for r in self.procedures.rows if r.get("icd_code")]


def gather(session: Session) -> Chart | None:
    """All required sources in their scope; None when the admission is not on record."""
    hadm_id = session.brief.hadm_id
    admissions, visits = session.query("list_admissions"), session.query("list_ed_stays")
    admission = next((r for r in admissions.rows if r["hadm_id"] == hadm_id), None)
    leaves = parse_time(admission.get("dischtime")) if admission else None
    if admission is None or leaves is None or hadm_id is None:
        return None
    start = encounter_start(admission, visits.rows, timedelta()) or leaves - LAST_DAY
    window = {"start": iso(start), "end": iso(leaves)}
    listed = session.query("list_notes", kind="discharge")
    mine = [session.read_note(row) for row in listed.rows if row.get("hadm_id") == hadm_id]
    return Chart(
        session,
        admission,
        leaves,
        listed,
        mine[0] if mine else None,
        session.query("get_diagnoses", hadm_id=hadm_id),
        session.query("get_procedures", hadm_id=hadm_id),
        session.query("get_microbiology", **window),
        session.query("get_labs", **window),
        session.query("get_medication_administrations", start=iso(leaves - LAST_DAY), end=iso(leaves)),
        session.query("get_medication_orders", hadm_id=hadm_id),
        session.notes("radiology", hadm_id=hadm_id, start=iso(start), end=iso(leaves)),
    )
