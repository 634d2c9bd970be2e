"""Six slips of an auditor who knows CC-005."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.frequent_admitter import findings
from pytest_clinicare.systems.scripted.investigators.frequent_admitter.chart import ENOUGH
from pytest_clinicare.systems.scripted.investigators.frequent_admitter.investigation import Reading, investigate
from pytest_clinicare.systems.scripted.session import Session, refs


@investigate.slip
def every_row_counts(reading: Reading, draft: Draft) -> None:
    """Counts whatever has a row among the admissions."""
    rejected = [s for s in reading.chart.stays if s.why_not]
    for stay in rejected:
        draft.add(
            "F1", "encounter", f"Admission {stay.hadm_id} counts toward the four.", name=f"admission {stay.hadm_id}",
            value="counts", evidence=[stay.ref],
        )  # fmt: skip
    if rejected and len(reading.period) + len(rejected) >= ENOUGH:
        draft.conclude(Verdict.YES, "Four or more admissions and one problem.")


@investigate.slip
def second_codes_relate(reading: Reading, draft: Draft) -> None:
    """Takes a comorbidity that is coded each time for the common problem."""
    inside = {s.hadm_id for e in reading.period for s in e.stays}
    later = [r for r in reading.chart.diagnoses.of("diagnoses_icd") if r["hadm_id"] in inside and r["seq_num"] != 1]
    shared = [r for r in later if len({o["hadm_id"] for o in later if code_of(o) == code_of(r)}) >= 3]
    if not shared:
        return
    draft.findings.pop("F6", None)
    draft.add(
        "F6", "status", f"The admissions are related: {code_of(shared[0])} is coded on each.", name="relatedness",
        value="related", evidence=refs([r for r in shared if code_of(r) == code_of(shared[0])]),
    )  # fmt: skip
    if reading.met:
        draft.conclude(Verdict.YES, "The same disease is on each admission.")


@investigate.slip
def by_calendar_year(reading: Reading, draft: Draft) -> None:
    """Counts within calendar years."""
    if not reading.period:
        return
    years = [e.begin.year for e in reading.episodes]
    most = max(years, key=years.count)
    draft.findings.pop("F3", None)
    draft.add(
        "F3", "computation", f"Most admissions of a calendar year: {years.count(most)} in {most}.",
        name="count per calendar year", value=years.count(most),
        evidence=[e.stays[0].ref for e in reading.period if e.stays],
    )  # fmt: skip
    if years.count(most) < ENOUGH:
        draft.conclude(Verdict.NO, "No calendar year holds four admissions.")


def count_is_enough(session: Session) -> Draft:
    """Four admissions are four admissions; nothing is read about their reasons."""
    draft = Draft(titles=findings.TITLES)
    found = session.query("list_admissions")
    codes = session.query("get_diagnoses")
    enough = len(found.rows) >= ENOUGH
    text = f"{len(found.rows)} admissions on record; {len(codes.rows)} codes."
    draft.add("F3", "computation", text, name="number in total", value=len(found.rows), evidence=refs(found.rows[:40]))
    draft.conclude(Verdict.YES if enough else Verdict.NO, "The number of admissions decides.")
    return draft


@investigate.slip
def open_is_settled(reading: Reading, draft: Draft) -> None:
    """Reads 'versus' as the first of the two."""
    for episode in reading.period:
        if episode.reason.status == "open" and episode.reason.families:
            family = episode.reason.families[0]
            draft.add(
                "F5", "status", f"Reason: {family}.", name="family of the episode", value=family,
                evidence=episode.reason.evidence,
            )  # fmt: skip
            draft.conclude(Verdict.YES, f"Three episodes of {family}.")


@investigate.slip
def other_program(reading: Reading, draft: Draft) -> None:
    """Applies the program for users of the emergency department."""
    visits = [r for r in reading.chart.ed_stays.of("edstays") if r.get("hadm_id") is None]
    if not visits:
        return
    span = reading.chart.session.policy("refhosp-ed-high-utilizer", "Scope")
    draft.add(
        "F8", "status", f"{len(visits)} ED visits meet the program's threshold.", name="ED visits", value=len(visits),
        evidence=refs(visits), policy=[span],
    )  # fmt: skip


MISTAKES = (
    every_row_counts,
    second_codes_relate,
    open_is_settled,
    count_is_enough,
    by_calendar_year,
    other_program,
)
