"""Suspected HIT, decided in the order of HEM-05 section 11."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigation import Investigation
from pytest_clinicare.systems.scripted.investigators.hit_4ts import findings
from pytest_clinicare.systems.scripted.investigators.hit_4ts.chart import HOUR, Chart, gather
from pytest_clinicare.systems.scripted.investigators.hit_4ts.response import Response, respond
from pytest_clinicare.systems.scripted.investigators.hit_4ts.score import Score, evaluable, score, second_fall


@dataclass
class Reading:
    """``second`` is the score of a fall after a partial recovery from bypass."""

    chart: Chart
    score: Score | None = None
    second: Score | None = None
    response: Response | None = None


def look(chart: Chart) -> Reading:
    reading = Reading(chart)
    if evaluable(chart):
        reading.score = score(chart)
        partial = second_fall(chart)
        if partial:
            reading.second = score(chart, partial[1])
        best = reading.score if reading.score.t0 else reading.second
        if best and best.t0:
            reading.response = respond(chart, best.t0.time, best.total)
    return reading


def decide(reading: Reading, draft: Draft) -> None:
    """The first step that fits."""
    chart, found, second, response = reading.chart, reading.score, reading.second, reading.response
    if not chart.heparin:
        draft.reopens = "An administered dose of heparin."
        return draft.conclude(Verdict.LACK, "No heparin product was administered in this admission.", Verdict.NO)
    if found is None:
        draft.reopens = "Platelet counts from before the first dose, or a second one after it."
        return draft.conclude(Verdict.LACK, "There are too few valid platelet counts for a score.", Verdict.NO)
    if second and (found.t0 is None) != (second.t0 is None) and response and response.complete:
        return draft.conclude(
            Verdict.AMBIGUOUS,
            f"Recovery after bypass was partial: read as one early fall the total is {found.total}, as a second fall "
            f"{second.total}.",
            Verdict.YES,
        )
    scored = found if found.t0 else second
    if scored is None or scored.t0 is None or response is None:
        return draft.conclude(
            Verdict.NO, f"Low probability: the total is {found.total}, and at no count does it reach 4."
        )
    t0, total = scored.t0.time, scored.total
    if response.cut and not response.complete:
        draft.reopens = "A longer window after T0."
        return draft.conclude(
            Verdict.LACK,
            f"Total {total}; {response.cut} came before T0 + 24 h with the response incomplete.",
            Verdict.NO,
        )
    if response.late:
        last = max(response.late, key=lambda g: g.end)
        return draft.conclude(
            Verdict.NO,
            f"Total {total}; heparin not stopped: {last.row.get('drug')} still {(last.end - t0) / HOUR:+.1f} h from T0 "
            f"({iso(t0)}).",
        )
    if not response.started and (response.reason or response.negative):
        return draft.conclude(
            Verdict.AMBIGUOUS,
            f"Total {total}, heparin stopped, and no alternative for a documented reason left to judgment.",
            Verdict.NO,
        )
    if response.accepted:
        first = response.accepted[0]
        return draft.conclude(
            Verdict.YES,
            f"Total {total}; all heparin stopped and {first.agent} given {(first.start - t0) / HOUR:+.1f} h from T0.",
        )
    return draft.conclude(
        Verdict.NO, f"Total {total}; heparin stopped, but the alternative was not started within 24 h of T0."
    )


def write(reading: Reading, draft: Draft) -> None:
    """All findings."""
    if not reading.chart.mine:
        draft.missing.append("There is no discharge summary of the admission.")
    findings.exposure(reading.chart, draft)
    findings.counts(reading.chart, draft, reading.score)
    findings.components(reading.chart, draft, reading.score, reading.second)
    findings.stopped(reading.chart, draft, reading.response)
    findings.alternative(reading.chart, draft, reading.response)


investigate = Investigation(findings.TITLES, gather, look, decide, write)
