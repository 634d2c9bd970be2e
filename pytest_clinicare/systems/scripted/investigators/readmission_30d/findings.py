"""The findings F1 to F8 of a readmission review."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from pytest_clinicare.systems.scripted.clinical.times import iso, parse_time
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.readmission_30d.chart import WINDOW, Stay, day_of, last_moment
from pytest_clinicare.systems.scripted.investigators.readmission_30d.lists import (
    acute,
    always_planned_diagnosis,
    always_planned_procedure,
    potentially_planned,
)
from pytest_clinicare.systems.scripted.session import Row, refs

if TYPE_CHECKING:
    from pytest_clinicare.systems.scripted.investigators.readmission_30d.investigation import Reading

LOCAL, CMS = "refhosp-readmission-review", "cms-hwr-planned-readmission"
AUDIT = "refhosp-chart-audit-standard"
TITLES = {
    "F1": "Index admission and eligibility",
    "F2": "Encounters to day 31",
    "F3": "Same-day return",
    "F4": "The candidate",
    "F5": "Its first-listed diagnosis",
    "F6": "Its procedures and the algorithm",
    "F7": "Scheduling, staging, outside stays",
    "F8": "Death",
}


def write(reading: Reading, draft: Draft) -> None:
    """All findings."""
    index(reading, draft)
    if reading.zero is None:
        for finding in ("F2", "F3", "F4", "F5", "F6"):
            draft.finding(finding, reading.chart.session.policy(LOCAL, "2.3 Days")).absence(
                "Not examined, as the index has no usable discharge time to count from; no candidate.",
                [reading.chart.index.ref], "candidate",
            )  # fmt: skip
    else:
        encounters(reading, draft, reading.zero)
        same_day(reading, draft, reading.zero)
        candidate(reading, draft, reading.zero)
        diagnosis(reading, draft)
        procedures(reading, draft)
    statements(reading, draft)
    death(reading, draft)


def index(reading: Reading, draft: Draft) -> None:
    """F1."""
    chart, stay = reading.chart, reading.chart.index
    out = draft.finding("F1", chart.session.policy(LOCAL, "2.1 Index"), chart.session.policy(CMS, "2.2 Excluded"))
    first = chart.first_listed(stay)
    code = first[0].value if first else "none"
    cited = [stay.ref, *([str(first[1]["ref"])] if first else []), *refs(chart.patient.rows)]
    out.claim(
        "index_event",
        f"Index admission {iso(stay.admit)} to {stay.row.get('dischtime') or 'unknown'}, {stay.type} "
        f"({'inpatient' if stay.inpatient else 'observation'} class), discharged to "
        f"{stay.row.get('discharge_location') or 'nowhere named'}, age {chart.age(stay)}, first-listed {code}.",
        cited,
        name="index discharge",
        time=str(stay.row.get("dischtime") or ""),
    )
    considered = (
        "age, death, against advice, transfer, observation class, psychiatric, rehabilitation, cancer treatment"
    )
    if reading.excluded:
        why, row = reading.excluded
        out.status(
            f"Not eligible: {why}. Each exclusion was considered ({considered}); the premise is unmet.",
            [str(row["ref"]), *cited], "eligibility", "excluded",
        )  # fmt: skip
    else:
        out.status(f"Eligible: no exclusion holds ({considered}).", cited, "eligibility", "eligible")


def encounters(reading: Reading, draft: Draft, zero: datetime) -> None:
    """F2."""
    chart = reading.chart
    out = draft.finding("F2", chart.session.policy(LOCAL, "2.2 Class"), chart.session.policy(LOCAL, "2.3 Days"))
    start = chart.index.leaves or zero
    end, found = last_moment(zero), False
    for stay in chart.later(start):
        if stay.admit <= end:
            found = True
            kind = "inpatient class" if stay.inpatient else "observation class, no admission"
            out.status(
                f"Admission {stay.hadm_id} ({stay.type}, {kind}) from {iso(stay.admit)}, "
                f"day {day_of(stay.admit, zero)}.",
                [stay.ref], "encounter", kind,
            )  # fmt: skip
    for row in chart.visits.rows:
        came = parse_time(row.get("intime"))
        if row.get("hadm_id") is None and came and start <= came <= end:
            found = True
            out.status(
                f"ED visit {row['stay_id']} without admission from {iso(came)}, day {day_of(came, zero)}, "
                f"for {row.get('chiefcomplaint')}.",
                [str(row["ref"]), str(row.get("triage_ref") or row["ref"])], "encounter", "ED visit only",
            )  # fmt: skip
    looked = [*refs(chart.admissions.rows), *refs(chart.visits.rows)]
    if not found:
        policy = chart.session.policy(AUDIT, "3 How absence")
        out.absence(
            "No later encounter to day 31: neither admission, observation stay nor ED visit.", looked,
            "later encounters", policy,
        )  # fmt: skip
    elif not any(c.value == "ED visit only" for c in draft.findings["F2"]):
        out.absence("No ED visit without admission to day 31.", looked, "ED visits")


def same_day(reading: Reading, draft: Draft, zero: datetime) -> None:
    """F3."""
    chart = reading.chart
    out = draft.finding("F3", chart.session.policy(LOCAL, "2.4 Same-day"))
    for stay, same in reading.same_day:
        cited = [stay.ref, chart.index.ref, *_leading(reading, stay), *_leading(reading, chart.index)]
        if same:
            text = (
                f"The return of {iso(stay.admit)} for the same condition continues the index admission; "
                f"the window starts from {iso(zero)}."
            )
        else:
            text = f"The return of {iso(stay.admit)} on day 0 is for another condition and is a readmission."
        out.status(text, cited, "same-day return", "continues the index" if same else "another condition")
    if not reading.same_day:
        out.absence("No inpatient admission on the day of discharge.", refs(chart.admissions.rows), "same-day return")


def _leading(reading: Reading, stay: Stay) -> list[str]:
    first = reading.chart.first_listed(stay)
    return [str(first[1]["ref"])] if first else []


def candidate(reading: Reading, draft: Draft, zero: datetime) -> None:
    """F4."""
    chart, stay = reading.chart, reading.candidate
    out = draft.finding("F4", chart.session.policy(LOCAL, "2.5 Candidate"), chart.session.policy(CMS, "3.1 Counting"))
    if reading.excluded:
        out.absence(
            "No candidate is classified, as the index is excluded; whatever came after it has no place in the measure.",
            [str(reading.excluded[1]["ref"])], "candidate", chart.session.policy(LOCAL, "4 Deferral"),
        )  # fmt: skip
        return
    if stay is None:
        out.absence(
            f"No candidate: no inpatient-class admission on day 0 to {WINDOW}.",
            [reading.last.ref, *refs(chart.admissions.rows)], "candidate", chart.session.policy(CMS, "3.2 Not"),
        )  # fmt: skip
        return
    came = chart.emergency(stay)
    route = "through the ED" if came else "without an ED stay"
    cited = [stay.ref, *([str(came["ref"])] if came else [])]
    out.status(
        f"First inpatient-class admission in the window: {stay.hadm_id}, {stay.type}, {route}.", cited, "candidate",
        stay.type,
    )  # fmt: skip
    out.claim(
        "duration",
        f"From discharge on {zero.date()} to admission on {stay.admit.date()} is calendar day "
        f"{day_of(stay.admit, zero)}.",
        [reading.last.ref, stay.ref],
        chart.session.policy(LOCAL, "2.3 Days"),
        name="day of the candidate",
        value=day_of(stay.admit, zero),
        unit="d",
    )


def diagnosis(reading: Reading, draft: Draft) -> None:
    """F5."""
    chart, stay = reading.chart, reading.candidate
    out = draft.finding("F5", chart.session.policy(LOCAL, "3.2 P4"), chart.session.policy(CMS, "4.4 Always"))
    if stay is None or reading.excluded:
        _nothing(reading, draft, "F5", "first-listed diagnosis")
        return
    first = chart.first_listed(stay)
    if first is None:
        out.absence("The candidate has no first-listed diagnosis code.", _searched(reading), "first-listed diagnosis")
        return
    code, row = first
    listed = "always planned (P2)" if always_planned_diagnosis(code) else None
    name = acute(code)
    listed = listed or (f"acute or complication (P4, {name})" if name else "on neither list")
    out.status(
        f"First-listed diagnosis {code.value} ({row.get('long_title')}): {listed}.", [str(row["ref"])],
        "first-listed diagnosis", listed,
    )  # fmt: skip


def _searched(reading: Reading) -> list[str]:
    """What was looked through for rows that a stay does not have."""
    stay = reading.candidate or reading.chart.index
    return [stay.ref, *reading.chart.diagnoses.evidence[:4]]


def _nothing(reading: Reading, draft: Draft, finding: str, name: str) -> None:
    chart = reading.chart
    row: Row = reading.excluded[1] if reading.excluded else reading.last.row
    text = "the index is excluded" if reading.excluded else "there is no candidate"
    draft.finding(finding, chart.session.policy(CMS, "4.2 Sequence")).absence(
        f"Not asked, as {text}.", [str(row["ref"])], name
    )


def procedures(reading: Reading, draft: Draft) -> None:
    """F6."""
    chart, stay = reading.chart, reading.candidate
    sequence = chart.session.policy(CMS, "4.2 Sequence")
    out = draft.finding("F6", sequence)
    if stay is None or reading.excluded:
        _nothing(reading, draft, "F6", "procedures")
        return
    for code, row in chart.done(stay):
        name = "always planned (P1)" if always_planned_procedure(code) else potentially_planned(code)
        listed = name or "on no list"
        out.status(
            f"Procedure {code.value} ({row.get('label') or row.get('long_title')}): {listed}.", [str(row["ref"])],
            "procedure", listed, chart.session.policy(CMS, "4.3 Always"), chart.session.policy(CMS, "4.5 Potentially"),
        )  # fmt: skip
    if not chart.done(stay):
        out.absence("The candidate has no coded procedure.", [stay.ref, *chart.procedures.evidence[:4]], "procedures")
    result = reading.result
    if result is None:
        out.absence(
            "The algorithm cannot be applied: no first-listed code and no discharge summary.",
            _searched(reading), "algorithm", chart.session.policy(LOCAL, "4 Deferral"),
        )  # fmt: skip
        return
    rows = [str(row["ref"]) for row in result.rows] or [stay.ref]
    how = "planned" if result.planned else "unplanned"
    out.status(f"Step {result.step} of the algorithm decides: {result.why}; {how}.", rows, "classification", how)
    if reading.conflict:
        came = chart.emergency(stay)
        said = [reading.scheduled.ref] if reading.scheduled else []
        cited = [stay.ref, *rows, *([str(came["ref"])] if came else []), *said]
        out.claim(
            "conflict", f"Referred to a physician, {reading.conflict}.", cited,
            chart.session.policy(LOCAL, "3.4 Conflict"), name="conflict", value="medically ambiguous",
        )  # fmt: skip


def statements(reading: Reading, draft: Draft) -> None:
    """F7."""
    chart = reading.chart
    out = draft.finding(
        "F7", chart.session.policy(LOCAL, "3.4 Conflict"), chart.session.policy(LOCAL, "4 Deferral"),
        chart.session.policy(AUDIT, "3 How absence"),
    )  # fmt: skip
    read = [n.ref for n in chart.discharge.items] or list(chart.discharge.evidence)
    if reading.scheduled and not reading.excluded:
        out.status(f'The summary states: "{reading.scheduled.text}"', [reading.scheduled.ref], "scheduling", "stated")
    else:
        out.absence("No summary states that the return was scheduled or staged.", read, "scheduling")
    if reading.outside:
        for told in reading.outside:
            out.status(
                f'An outside stay is mentioned: "{told.said.text}"', [told.said.ref], "outside stay", "mentioned"
            )
    else:
        out.absence(
            "No later text tells of a stay at another hospital; care elsewhere is a limit.", read, "outside stay"
        )


def death(reading: Reading, draft: Draft) -> None:
    """F8."""
    chart = reading.chart
    out = draft.finding("F8", chart.session.policy(LOCAL, "6 Reporting"))
    cited = refs(chart.patient.rows) or chart.patient.evidence
    died, zero = chart.death, reading.zero
    day = (died - zero.date()).days if died and zero else None
    if day is not None and 0 <= day <= WINDOW:
        out.status(
            f"Died on {died}, day {day}: inside the window, no readmission by itself.", cited, "death", str(died)
        )
    elif died:
        out.absence(f"No death in the window; date of death {died}.", cited, "death in the window")
    else:
        out.absence("No death is recorded.", cited, "death in the window")
