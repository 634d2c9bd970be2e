"""Slips of a reviewer who knows QA-011."""

from __future__ import annotations

from datetime import timedelta

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.readmission_30d import findings
from pytest_clinicare.systems.scripted.investigators.readmission_30d.chart import WINDOW, Stay, day_of
from pytest_clinicare.systems.scripted.investigators.readmission_30d.investigation import Reading, classify, investigate
from pytest_clinicare.systems.scripted.session import Session


@investigate.slip
def any_return(reading: Reading, draft: Draft) -> None:
    """Counts whatever comes first: ED visits and observation stays too."""
    if reading.zero is None or reading.candidate is not None:
        return
    chart, zero = reading.chart, reading.zero
    seen = [(s.admit, s.ref) for s in chart.later(zero) if not s.inpatient]
    seen += [
        (came, str(row["ref"]))
        for row in chart.visits.rows
        if row.get("hadm_id") is None and (came := parse_time(row.get("intime"))) is not None and came >= zero
    ]
    inside = sorted(pair for pair in seen if day_of(pair[0], zero) <= WINDOW)
    if inside:
        draft.add(
            "F4", "status", "The patient came back.", name="candidate", value="readmission", evidence=[inside[0][1]],
        )  # fmt: skip
        draft.conclude(Verdict.YES, "The patient came back within 30 days.")


@investigate.slip
def no_exclusions(reading: Reading, draft: Draft) -> None:
    """Never asks whether the index is eligible."""
    draft.findings["F1"] = [c for c in draft.findings["F1"] if c.name != "eligibility"]
    if reading.excluded and reading.result and reading.candidate:
        draft.add(
            "F6", "status", "The return is unplanned.", name="classification", value="unplanned",
            evidence=[reading.candidate.ref, *(str(row["ref"]) for row in reading.result.rows)],
        )  # fmt: skip
        draft.conclude(Verdict.YES, "An emergency readmission followed within days.")


@investigate.slip
def only_related(reading: Reading, draft: Draft) -> None:
    """Wants the readmission to be for the index condition."""
    if reading.candidate is None or draft.verdict is not Verdict.YES:
        return
    first, own = reading.chart.first_listed(reading.candidate), reading.chart.first_listed(reading.chart.index)
    if first and own and first[0].value[:1] != own[0].value[:1]:
        draft.add(
            "F5", "status", "The readmission is unrelated to the index condition.", name="relation to the index",
            value="unrelated", evidence=[str(first[1]["ref"])],
        )  # fmt: skip
        draft.conclude(Verdict.NO, "The readmission is unrelated to the index condition.")


@investigate.slip
def last_return(reading: Reading, draft: Draft) -> None:
    """Looks on after a planned first readmission."""
    if reading.zero is None or reading.candidate is None or draft.verdict is not Verdict.NO:
        return
    zero, chart = reading.zero, reading.chart
    second: Stay | None = next(
        (s for s in chart.later(reading.candidate.admit + timedelta(hours=1)) if day_of(s.admit, zero) <= WINDOW), None
    )
    result = classify(chart, second) if second else None
    if second and result and not result.planned:
        draft.add(
            "F4", "status", "An unplanned admission lies in the window.", name="candidate", value=second.type,
            evidence=[second.ref],
        )  # fmt: skip
        draft.conclude(Verdict.YES, "A later admission within the 30 days is unplanned.")


@investigate.slip
def by_the_clock(reading: Reading, draft: Draft) -> None:
    """Measures 720 hours instead of counting dates."""
    if reading.zero is None or reading.excluded:
        return
    zero = reading.zero
    draft.findings["F4"] = [c for c in draft.findings["F4"] if c.name != "day of the candidate"]
    inside = [s for s in reading.chart.later(zero) if s.candidate_class]
    if inside:
        elapsed = round((inside[0].admit - zero) / timedelta(hours=1), 1)
        if 0 <= elapsed <= 24 * (WINDOW + 2):
            draft.add(
                "F4", "duration", f"{elapsed} hours elapsed to the next admission.", name="elapsed hours",
                value=elapsed, unit="h", evidence=[inside[0].ref],
            )  # fmt: skip
        if elapsed > 24 * (WINDOW - 1):
            draft.conclude(
                Verdict.YES if elapsed < 24 * WINDOW else Verdict.NO, "720 hours decide.",
            )  # fmt: skip


def type_alone(session: Session) -> Draft:
    """Reads the admissions table, and only of the index more than that."""
    draft, hadm_id = Draft(titles=findings.TITLES), session.brief.hadm_id
    rows = sorted(session.query("list_admissions").rows, key=lambda row: str(row["admittime"]))
    places = [n for n, row in enumerate(rows) if row["hadm_id"] == hadm_id]
    if not places or places[0] + 1 == len(rows):
        draft.conclude(Verdict.NO, "No admission follows.")
        return draft
    row, index = rows[places[0] + 1], rows[places[0]]
    came, left = parse_time(row.get("admittime")), parse_time(index.get("dischtime"))
    if not came or not left or not 0 <= day_of(came, left) <= WINDOW:
        draft.conclude(Verdict.NO, "The next admission is too late.")
        return draft
    planned = row.get("admission_type") in ("ELECTIVE", "SURGICAL SAME DAY ADMISSION")
    draft.add(
        "F6", "status", f"By its type {row.get('admission_type')} it is {'planned' if planned else 'unplanned'}.",
        name="classification", value="planned" if planned else "unplanned", evidence=[str(row["ref"])],
    )  # fmt: skip
    draft.conclude(Verdict.NO if planned else Verdict.YES, f"The next admission is {row.get('admission_type')}.")
    return draft


def index_stay_only(session: Session) -> Draft:
    """Reads the index summary and no further."""
    draft, hadm_id = Draft(titles=findings.TITLES), session.brief.hadm_id
    notes = session.notes("discharge", hadm_id=hadm_id)
    draft.add(
        "F7", "absence", "The summary announces no return.", name="scheduling", value="none",
        evidence=notes.evidence,
    )  # fmt: skip
    draft.conclude(Verdict.NO, "The index summary announces no return.")
    return draft


MISTAKES = (any_return, no_exclusions, only_related, last_return, by_the_clock, type_alone, index_stay_only)
