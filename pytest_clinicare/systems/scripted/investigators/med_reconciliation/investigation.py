"""Medication reconciliation at discharge, as PT-014 directs: gathering the record and deciding."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.administration import given
from pytest_clinicare.systems.scripted.clinical.medication_list import Entry, entries
from pytest_clinicare.systems.scripted.clinical.notes import Section, Sentence, find_asserted, section, sentences
from pytest_clinicare.systems.scripted.clinical.reasons import ITEMS, Findings
from pytest_clinicare.systems.scripted.clinical.reconciliation import Comparison, compare, home_list
from pytest_clinicare.systems.scripted.clinical.times import encounter_start, iso, linked_ed_stay, parse_time
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigation import Investigation
from pytest_clinicare.systems.scripted.investigators.med_reconciliation import findings
from pytest_clinicare.systems.scripted.session import Found, Note, Row, Session

_NO_HOME_DRUGS = re.compile(
    r"\b(?:takes?|taking|on) no (?:home |regular |prescription )?medications?\b|\bno (?:home|regular"
    r"|outpatient|preadmission) medications?\b"
    r"|\b(?:does not|not) tak(?:e|ing) any (?:home )?medications?\b",
    re.IGNORECASE,
)
_SURGERY = re.compile(
    r"\bs/p [^.\n]*(?:repair|replacement|ORIF|arthroplasty|resection|ectomy)|\bunderwent [^.\n]*(?:repair"
    r"|replacement|arthroplasty|resection|ectomy)\b",
    re.IGNORECASE,
)


@dataclass
class Chart:
    """What the tools returned for one admission."""

    session: Session
    patient: Row
    admission: Row
    admitted: datetime
    discharged: datetime
    start: datetime
    ed_stays: Found
    ed_stay: Row | None
    link: str
    medrecon: Found
    orders: Found
    emar: Found
    labs: Found
    notes: Found
    note: Note | None
    any_summary: Found
    any_emar: Found
    addenda: list[Note] = field(default_factory=list)

    @property
    def text(self) -> str:
        return self.note.text if self.note else ""

    @property
    def on_admission(self) -> Section | None:
        return section(self.text, "medications on admission")

    @property
    def leaving(self) -> Section | None:
        return section(self.text, "discharge medications")

    @property
    def course(self) -> Section | None:
        return section(self.text, "brief hospital course", "hospital course")

    @property
    def no_home_drugs(self) -> Sentence | None:
        """Text that says the patient takes no medication."""
        stated = find_asserted(_NO_HOME_DRUGS, self.text) or next(
            (s for s in sentences(self.text) if _NO_HOME_DRUGS.search(s.text)), None
        )
        part = self.on_admission
        if stated is None and part and re.match(r"\s*(?:\d+\.\s*)?none\b", part.text, re.IGNORECASE):
            return Sentence(part.text.strip(), part.start, part.end, part.name)
        return stated

    @property
    def died(self) -> bool:
        return bool(self.admission.get("deathtime")) or str(self.admission.get("hospital_expire_flag") or "0") == "1"

    @property
    def gaps(self) -> list[str]:
        """What keeps the three lists from being compared, in the protocol's order (procedure steps 1 and 2)."""
        return [
            gap
            for gap in (self._home_gap, "the patient died in the admission" if self.died else "", self._leaving_gap)
            if gap
        ]

    @property
    def gap(self) -> str:
        return "; ".join(self.gaps)

    @property
    def _home_gap(self) -> str:
        if self.ed_stay is None:
            return "no ED stay links to the admission"
        if (
            not self.medrecon.rows
            and not self.no_home_drugs
            and "no med" not in str(self.ed_stay.get("chiefcomplaint") or "").lower()
        ):
            return "the linked ED stay has no home medication row, and no text says that the patient takes none"
        return ""

    @property
    def _leaving_gap(self) -> str:
        if self.note is None:
            whole = "" if self.any_summary.rows else " (the chart holds none of any admission)"
            return f"the admission has no discharge summary{whole}"
        if self.leaving is None:
            return "the discharge summary has no discharge-medication section"
        return "the discharge-medication section is wholly masked" if self.leaving.masked else ""

    @property
    def gap_evidence(self) -> list[str]:
        """What shows the gap: rows, a note, or the call that came back empty."""
        shown: list[str] = []
        if self._home_gap:
            shown += self.ed_stays.evidence if self.ed_stay is None else [f"call:{self.medrecon.call}"]
        if self.died:
            shown.append(str(self.admission["ref"]))
        if self._leaving_gap:
            shown += [self.note.ref] if self.note else self.notes.evidence
        return shown

    @property
    def last_values(self) -> list[str]:
        """Refs of the last value of each analyte in the admission."""
        latest = {
            r.get("itemid"): str(r["ref"]) for r in self.labs.rows if str(r.get("charttime") or "") >= iso(self.start)
        }
        return list(latest.values())


@dataclass
class Reading:
    """``comparison`` is None when a list is missing."""

    chart: Chart
    comparison: Comparison | None


def gather(session: Session) -> Chart | None:
    """All required sources, in their required scope; None when the admission is not on record."""
    hadm_id = session.brief.hadm_id
    patient = next(iter(session.query("get_patient").rows), {})
    admission = next((r for r in session.query("list_admissions").rows if r["hadm_id"] == hadm_id), None)
    admitted = parse_time(admission.get("admittime")) if admission else None
    if admission is None or admitted is None:
        return None
    ed_stays = session.query("list_ed_stays")
    stay, link = linked_ed_stay(admission, ed_stays.rows)
    discharged = parse_time(admission.get("dischtime")) or admitted
    # Without a linked stay all lists are looked at, so that it is seen that each belongs to another stay; none is used.
    listed_at_home = session.query("get_home_medications", stay_id=stay["stay_id"] if stay else None)
    medrecon = listed_at_home if stay else Found([], listed_at_home.call)
    listed = session.query("list_notes", kind="discharge", hadm_id=hadm_id)
    read = [session.read_note(row) for row in listed.rows]
    addenda = [n for n in read if "-AD-" in n.note_id]
    main = [n for n in read if n not in addenda]
    emar = session.query(
        "get_medication_administrations",
        hadm_id=hadm_id,
        start=iso(discharged - timedelta(hours=24)),
        end=iso(discharged),
    )
    return Chart(
        session,
        patient,
        admission,
        admitted,
        discharged,
        encounter_start(admission, ed_stays.rows, timedelta(hours=6)) or admitted,
        ed_stays,
        stay,
        link,
        medrecon,
        session.query("get_medication_orders", hadm_id=hadm_id),
        emar,
        session.query("get_labs", items=list(ITEMS), start=iso(admitted - timedelta(days=365)), end=iso(discharged)),
        listed,
        main[-1] if main else None,
        listed if read else session.holds("list_notes", kind="discharge"),
        emar if emar.rows else session.holds("get_medication_administrations", hadm_id=hadm_id),
        addenda,
    )


def look(chart: Chart) -> Reading:
    """Compares the lists."""
    if chart.gap or chart.leaving is None:
        return Reading(chart, None)
    on_admission: list[Entry] = entries(chart.on_admission) if chart.on_admission else []
    home = home_list(chart.medrecon.rows, on_admission)
    age = (
        int(chart.patient.get("anchor_age") or 0)
        + chart.admitted.year
        - int(chart.patient.get("anchor_year") or chart.admitted.year)
    )
    note = "\n".join([chart.text, *(n.text for n in chart.addenda)])
    known = Findings(
        chart.labs.rows,
        chart.start,
        chart.admitted,
        chart.discharged,
        note,
        age,
        str(chart.patient.get("gender")).upper() == "F",
    )
    comparison = compare(
        home,
        entries(chart.leaving),
        known,
        given(chart.emar.rows),
        after_surgery=bool(_SURGERY.search(chart.text)),
    )
    return Reading(chart, comparison)


def write(reading: Reading, draft: Draft) -> None:
    """All findings."""
    if not reading.chart.any_summary.rows:
        draft.missing.append("There is no discharge summary, of this or any other admission.")
    if not reading.chart.any_emar.rows:
        draft.missing.append("The administration record holds nothing of this admission.")
    findings.write(reading.chart, draft, reading.comparison)


def decide(reading: Reading, draft: Draft) -> None:
    """The first step that fits."""
    chart, comparison = reading.chart, reading.comparison
    if comparison is None:
        draft.reopens = f"Nothing: {chart.gaps[0]}." if chart.died else "The missing list, as it was given at the time."
        return draft.conclude(Verdict.LACK, f"The three lists cannot be compared: {chart.gap}.")
    judged = [d for d in comparison.differences if d.high and d.kind in ("T1", "T2", "T4")]
    unintended = [d for d in judged if d.intent == "unintended"]
    escalated = [d for d in judged if d.intent == "undeterminable"]
    if unintended:
        named = "; ".join(f"{d.ingredient} ({d.kind}, {d.text})" for d in unintended)
        return draft.conclude(Verdict.YES, f"Unintended high-significance difference: {named}.")
    if comparison.missing_durations:
        named = ", ".join(c.entry.ingredients[0] for c in comparison.missing_durations)
        return draft.conclude(
            Verdict.YES, f"A time-limited course has no duration in the list or the text: {named} (T3)."
        )
    if escalated:
        named = "; ".join(f"{d.ingredient} ({d.kind}): {d.events[0].text}" for d in escalated)
        return draft.conclude(
            Verdict.AMBIGUOUS, f"Intent cannot be determined, for a pharmacist to review: {named}.", Verdict.YES
        )
    return draft.conclude(Verdict.NO, "Every difference is trivial or a documented decision.")


investigate = Investigation(findings.TITLES, gather, look, decide, write)
