"""What a readmission review reads: all encounters with class and day, codes and summaries."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.clinical.times import iso, parse_time
from pytest_clinicare.systems.scripted.investigators.readmission_30d.lists import Code
from pytest_clinicare.systems.scripted.session import Found, Note, Notes, Row, Session

WINDOW = 30
_INPATIENT = frozenset(
    {"EW EMER.", "DIRECT EMER.", "URGENT", "ELECTIVE", "SURGICAL SAME DAY ADMISSION", "OBSERVATION ADMIT"}
)
_PSYCH = "INTERNAL TRANSFER TO OR FROM PSYCH"


@dataclass(frozen=True)
class Stay:
    """One row of admissions."""

    row: Row
    admit: datetime
    leaves: datetime | None

    @property
    def ref(self) -> str:
        return str(self.row["ref"])

    @property
    def hadm_id(self) -> int:
        return int(self.row["hadm_id"])

    @property
    def type(self) -> str:
        return str(self.row.get("admission_type") or "")

    @property
    def inpatient(self) -> bool:
        """QA-011 2.2: the class follows the type alone."""
        return self.type in _INPATIENT

    @property
    def candidate_class(self) -> bool:
        return self.inpatient and self.row.get("admission_location") != _PSYCH


@dataclass
class Chart:
    session: Session
    patient: Found
    admissions: Found
    visits: Found
    diagnoses: Found
    procedures: Found
    discharge: Notes
    index: Stay
    stays: list[Stay]

    def first_listed(self, stay: Stay) -> tuple[Code, Row] | None:
        """The principal diagnosis of a stay."""
        for row in self.diagnoses.rows:
            mine = row.get("hadm_id") == stay.hadm_id and str(row["ref"]).startswith("diagnoses_icd:")
            if mine and row.get("seq_num") == 1 and code_of(row):
                return Code(code_of(row), int(row.get("icd_version") or 10)), row
        return None

    def done(self, stay: Stay) -> list[tuple[Code, Row]]:
        """Coded procedures of a stay."""
        rows = [r for r in self.procedures.rows if r.get("hadm_id") == stay.hadm_id and r.get("icd_code")]
        return [(Code(code_of(r), int(r.get("icd_version") or 10)), r) for r in rows]

    def summary(self, stay: Stay) -> Note | None:
        return next((n for n in self.discharge.items if n.hadm_id == stay.hadm_id), None)

    def emergency(self, stay: Stay) -> Row | None:
        """The ED stay that carries the admission's id, or the admission itself where only its edregtime is filled."""
        found = next((r for r in self.visits.rows if r.get("hadm_id") == stay.hadm_id), None)
        return found or (stay.row if stay.row.get("edregtime") else None)

    def age(self, stay: Stay) -> int | None:
        row = self.patient.rows[0] if self.patient.rows else {}
        anchor, year = row.get("anchor_age"), row.get("anchor_year")
        return None if anchor is None or year is None else int(anchor) + stay.admit.year - int(year)

    def later(self, after: datetime) -> list[Stay]:
        """Stays of any class that begin at or after a time."""
        return [s for s in self.stays if s.admit >= after and s.hadm_id != self.index.hadm_id]

    @property
    def death(self) -> date | None:
        told = parse_time(self.patient.rows[0].get("dod")) if self.patient.rows else None
        return told.date() if told else None


def gather(session: Session) -> Chart | None:
    """All required sources in their scope; None when the admission is not on record."""
    admissions, visits = session.query("list_admissions"), session.query("list_ed_stays")
    stays = [
        Stay(row, admit, parse_time(row.get("dischtime")))
        for row in admissions.rows
        if (admit := parse_time(row.get("admittime"))) is not None
    ]
    stays.sort(key=lambda stay: stay.admit)
    index = next((s for s in stays if s.hadm_id == session.brief.hadm_id), None)
    if index is None:
        return None
    return Chart(
        session,
        session.query("get_patient"),
        admissions,
        visits,
        session.query("get_diagnoses"),
        session.query("get_procedures"),
        session.notes("discharge"),
        index,
        stays,
    )


def day_of(moment: datetime, zero: datetime) -> int:
    """Calendar days from the date of discharge."""
    return (moment.date() - zero.date()).days


def last_moment(zero: datetime) -> datetime:
    """The end of day 31, to which every encounter is reported."""
    return datetime.combine(zero.date() + timedelta(days=WINDOW + 1), time(23, 59, 59))


__all__ = ["WINDOW", "Chart", "Stay", "day_of", "gather", "iso", "last_moment"]
