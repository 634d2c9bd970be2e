"""``Record``: a patient's chart written in clinical terms, the surface that every scenario builds on."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic import background, encounters, finish, labs, medications, notes, orders, person
from pytest_clinicare.charts.synthetic.banks import Row
from pytest_clinicare.charts.synthetic.encounter import Encounter, IcuStay, day, stamp
from pytest_clinicare.charts.synthetic.streams import Streams, apart
from pytest_clinicare.suite.case import Case

_RACES = ("WHITE",) * 13 + ("BLACK/AFRICAN AMERICAN",) * 4 + ("HISPANIC/LATINO - DOMINICAN", "ASIAN - CHINESE", "OTHER")


class Record:
    """Collects the rows of one synthetic patient; ``finish`` hands them over as a ``Draft``.

    Rows stay in memory until ``finish`` sorts each table by time and numbers orders, administrations, results and notes
    in that order, so that neither row order nor an id tells which rows a scenario placed by hand. Ids returned before
    ``finish`` (poe_id, note_id, labevent_id) are provisional handles: use them as arguments, not in text.
    """

    def __init__(self, case: Case, gender: str, anchor_age: int, anchor_year: int) -> None:
        self.case = case
        self.draft = Draft(case.subject_id, case.seed)
        self.streams = Streams(case.seed)
        self.subject_id = case.subject_id
        self.gender = gender
        self.anchor_age = anchor_age
        self.anchor_year = anchor_year
        self.race = self.rng.choice(_RACES)
        self.marital_status = self.rng.choice(("MARRIED", "SINGLE", "WIDOWED", "DIVORCED"))
        self.insurance = "Medicare" if anchor_age >= 65 else self.rng.choice(("Other", "Medicaid", "Other"))
        self.weight_kg = round(self.rng.gauss(82 if gender == "M" else 70, 11), 1)
        self.height_cm = round(self.rng.gauss(175 if gender == "M" else 162, 6))
        self.rows: dict[str, list[Row]] = {}
        self.encounters: list[Encounter] = []
        self.controlled: set[str] = set()
        self.levels: dict[str, float] = {}
        self.creatinine: list[tuple[datetime, float]] = []
        self.person = person.draw(self.rng)
        self.urine_ml_kg_h = (0.8, 1.3)
        self.dod: date | None = None
        self._serial = 0
        self._taken: set[int] = {case.hadm_id or 0, case.stay_id or 0}
        self.providers = [self._provider() for _ in range(14)]
        self.caregivers = self.rng.sample(range(1000, 99999), 9)
        years = ("2008 - 2010", "2011 - 2013", "2014 - 2016", "2017 - 2019")
        self.anchor_year_group = self.rng.choice(years)

    @property
    def rng(self) -> random.Random:
        """What the chart draws from: see ``streams``."""
        return self.streams.current

    def _provider(self) -> str:
        letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        return f"P{self.rng.randrange(100):02d}" + "".join(self.rng.choices(letters, k=3))

    # -- rows and ids ------------------------------------------------------------------------------------------------

    def add(self, table: str, **columns: Any) -> Row:
        """Append a raw row (subject_id is filled in); for what has no method of its own. Times as ``stamp`` text."""
        row = {"subject_id": self.subject_id, **columns}
        self.rows.setdefault(table, []).append(row)
        return row

    def serial(self) -> int:
        """A provisional number, unique within the record."""
        self._serial += 1
        return self._serial

    def fresh_id(self, leading: int) -> int:
        """An unused random 8-digit id; ``leading`` 2 for admissions, 3 for stays and transfers."""
        while True:
            number = leading * 10_000_000 + self.rng.randrange(10_000_000)
            if number not in self._taken:
                self._taken.add(number)
                return number

    def age_at(self, time: datetime) -> int:
        return self.anchor_age + time.year - self.anchor_year

    def control(self, *analytes: str) -> None:
        """From now on panels hold these analytes only where a caller passes a value for them."""
        self.controlled.update(analytes)

    # -- encounters --------------------------------------------------------------------------------------------------

    def admission(
        self,
        admit: datetime,
        disch: datetime,
        *,
        hadm_id: int | None = None,
        ed: tuple[datetime, datetime] | None = None,
        ed_linked: bool = True,
        ed_stay_id: int | None = None,
        kind: str = "EW EMER.",
        died: bool = False,
        discharge_location: str | None = None,
        service: str = "MED",
        admission_location: str | None = None,
        chief_complaint: str | None = None,
    ) -> Encounter:
        """Admission with its ED visit (``ed`` = arrival, departure; unlinked means edstays.hadm_id is null)."""
        return encounters.admission(
            self,
            admit,
            disch,
            hadm_id=hadm_id,
            ed=ed,
            ed_linked=ed_linked,
            ed_stay_id=ed_stay_id,
            kind=kind,
            died=died,
            discharge_location=discharge_location,
            service=service,
            admission_location=admission_location,
            chief_complaint=chief_complaint,
        )

    def icu_stay(
        self,
        enc: Encounter,
        intime: datetime,
        outtime: datetime | None,
        unit: str = "Medical Intensive Care Unit (MICU)",
        stay_id: int | None = None,
    ) -> IcuStay:
        return encounters.icu_stay(self, enc, intime, outtime, unit, stay_id)

    def ed_visit(
        self, intime: datetime, outtime: datetime, *, disposition: str = "HOME", chief_complaint: str | None = None
    ) -> int:
        """Emergency visit without admission; returns its stay_id."""
        return encounters.ed_visit(self, intime, outtime, disposition=disposition, chief_complaint=chief_complaint)

    # -- measurements ------------------------------------------------------------------------------------------------

    def lab(
        self,
        item: str,
        time: datetime,
        value: float | str | None,
        enc: Encounter | None = None,
        comment: str | None = None,
        specimen_id: int | None = None,
    ) -> Row:
        """One result; ``item`` is a key of ``fixtures/distributions/labs.toml``. The flag follows the range."""
        return labs.lab(self, item, time, value, enc, comment, specimen_id)

    def panel(self, name: str, time: datetime, enc: Encounter | None = None, **overrides: float | None) -> int:
        """A drawn panel (basic, electrolytes, cbc, coag, liver, gas) from one specimen; None leaves an analyte out."""
        return labs.panel(self, name, time, enc, overrides)

    @apart("itemid", "time")
    def flowsheet(
        self, stay: IcuStay, enc: Encounter, itemid: int, time: datetime, value: float | str, unit: str | None = None
    ) -> Row:
        """One chartevents row."""
        number = value if isinstance(value, int | float) else None
        return self.add(
            "chartevents",
            hadm_id=enc.hadm_id,
            stay_id=stay.stay_id,
            caregiver_id=self.rng.choice(self.caregivers),
            charttime=stamp(time),
            storetime=stamp(time + timedelta(minutes=self.rng.randrange(1, 40))),
            itemid=itemid,
            value=f"{value:g}" if isinstance(value, int | float) else value,
            valuenum=number,
            valueuom=unit,
            warning=0,
        )

    def outpatient(self, when: date | datetime, name: str, value: str) -> Row:
        """An omr row (``Weight (Lbs)``, ``BMI (kg/m2)``, ``Blood Pressure``)."""
        return self.add("omr", chartdate=day(when), seq_num=1, result_name=name, result_value=value)

    # -- orders and drugs --------------------------------------------------------------------------------------------

    def order(
        self,
        enc: Encounter,
        order_type: str,
        subtype: str | None,
        time: datetime,
        transaction: str = "New",
        replaces: str | None = None,
        detail: Mapping[str, str] | None = None,
    ) -> str:
        """A poe row; ``replaces`` names the order that a Change or D/C ends (linked both ways)."""
        return orders.order(self, enc, order_type, subtype, time, transaction, replaces, detail)

    def medication(
        self,
        enc: Encounter,
        drug: str,
        dose: str,
        unit: str,
        route: str,
        frequency: str,
        start: datetime,
        stop: datetime,
        given: Sequence[tuple[datetime, str]] = (),
    ) -> str:
        """Order, prescription, pharmacy entry and administrations (time, event_txt); returns the poe_id."""
        return medications.medication(self, enc, drug, dose, unit, route, frequency, start, stop, given)

    def home_med(self, ed_stay: int, name: str, time: datetime, *, group: str = "", rows: int = 1) -> None:
        """Medication reconciliation rows at the ED; several ``rows`` differ only in their therapeutic class."""
        medications.home_med(self, ed_stay, name, time, group, rows)

    # -- text and codes ----------------------------------------------------------------------------------------------

    def radiology(
        self, time: datetime, exam: str, text: str | None, enc: Encounter | None = None, *, exam_code: str | None = None
    ) -> str:
        """Radiology report at ``time``; ``text`` follows the EXAMINATION line (None: a routine reading)."""
        return notes.radiology(self, time, exam, text, enc, exam_code)

    def discharge_summary(self, enc: Encounter, sections: Mapping[str, str]) -> str:
        """Discharge summary; ``sections`` by heading, the rest is filled in from the record and the phrase bank."""
        return notes.discharge_summary(self, enc, sections)

    def diagnosis(self, enc: Encounter, code: str, version: int = 10) -> Row:
        """A coded diagnosis; sequence numbers follow the order of calls within the admission."""
        return self._coded("diagnoses_icd", enc, code, version)

    def procedure(self, enc: Encounter, code: str, version: int, when: date | datetime) -> Row:
        return self._coded("procedures_icd", enc, code, version, chartdate=day(when))

    def _coded(self, table: str, enc: Encounter, code: str, version: int, **columns: Any) -> Row:
        seen = sum(1 for row in self.rows.get(table, ()) if row["hadm_id"] == enc.hadm_id)
        return self.add(table, hadm_id=enc.hadm_id, seq_num=seen + 1, icd_code=code, icd_version=version, **columns)

    # -- filler and end ----------------------------------------------------------------------------------------------

    def background(self, enc: Encounter, *, skip: Sequence[str] = ()) -> None:
        """Routine care at real frequencies; ``skip`` what of it a scenario places itself (``background.fill``)."""
        background.fill(self, enc, frozenset(skip))

    def finish(self) -> Draft:
        """Sort, number, add patient and dictionary rows, and hand over; call once, last."""
        return finish.hand_over(self)
