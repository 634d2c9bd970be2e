"""The findings F1 to F8 of a frequent-admitter report."""

from __future__ import annotations

from datetime import datetime, timedelta

from pytest_clinicare.systems.scripted.clinical.times import iso, parse_time
from pytest_clinicare.systems.scripted.draft import Draft, number
from pytest_clinicare.systems.scripted.investigators.frequent_admitter.chart import (
    ENOUGH,
    PERIOD,
    Chart,
    Episode,
    Stay,
)
from pytest_clinicare.systems.scripted.session import refs

LOCAL, AUDIT = "refhosp-frequent-admitter", "refhosp-chart-audit-standard"
TITLES = {
    "F1": "Admissions",
    "F2": "Episodes",
    "F3": "Rolling count",
    "F4": "Reviewed period",
    "F5": "Reasons",
    "F6": "Families",
    "F7": "Admissions elsewhere",
    "F8": "Not counted in the period",
}
_HOUR = timedelta(hours=1)


def admissions(chart: Chart, draft: Draft) -> None:
    """F1."""
    policy = chart.session.policy
    out = draft.finding("F1", policy(LOCAL, "2.1 Qualifying"))
    for stay in chart.stays:
        cited = [stay.ref, *(refs([stay.first]) if stay.first else ())]
        value = "not counted" if stay.why_not else "counts"
        out.claim(
            "encounter",
            f"Admission {stay.hadm_id}, {stay.row.get('admission_type')}, {iso(stay.admit)} to {iso(stay.disch)}: "
            f"{value}{f' ({stay.why_not})' if stay.why_not else ''}.",
            cited,
            name=f"admission {stay.hadm_id}",
            value=value,
            time=iso(stay.admit),
        )
    rejected = [s for s in chart.stays if s.why_not]
    if rejected:
        told = f"{number(len(rejected), 'admission')} rejected by type or first-listed code."
        out.status(told, [s.ref for s in rejected], "rejected admissions", len(rejected))
    else:
        out.absence("No admission was rejected.", chart.admissions.evidence[:20], "rejected admissions")


def episodes(chart: Chart, found: list[Episode], draft: Draft) -> None:
    """F2."""
    out = draft.finding("F2", chart.session.policy(LOCAL, "2.2 Episodes"))
    merged = [e for e in found if len(e.stays) > 1]
    cited = [s.ref for e in found for s in e.stays][:40] or list(chart.admissions.evidence[:10])
    text = f"{number(len(found), 'qualifying episode')} over the record; {len(merged)} of several rows"
    told = "; ".join(f"{iso(e.begin)} joins {', '.join(str(s.hadm_id) for s in e.stays)}" for e in merged)
    out.claim("computation", f"{text}{': ' if told else ''}{told}.", cited, name="episodes", value=len(found))


def count(chart: Chart, all_: list[Episode], period: list[Episode], draft: Draft) -> None:
    """F3."""
    out = draft.finding("F3", chart.session.policy(LOCAL, "3.1 Rule"), chart.session.policy(LOCAL, "3.3 Count not met"))
    if not period:
        out.absence("No qualifying episode in any 365-day period.", chart.admissions.evidence[:20], "count")
        return
    first, last = period[0], period[-1]
    out.claim(
        "computation",
        f"The largest number of qualifying episodes in a rolling period of 365 x 24 h is {len(period)}, from "
        f"{iso(first.begin)} to {iso(last.begin)}: {_interval(last.begin - first.begin)} between them.",
        _cited(period),
        name="rolling count",
        value=len(period),
    )
    for nth, begin in ((period[ENOUGH - 1], first),) if len(period) >= ENOUGH else ():
        out.claim(
            "duration",
            f"First to fourth admittime: {_interval(nth.begin - begin.begin)}, at most 365 x 24 h.",
            [*_cited([begin, nth])],
            name="first to fourth",
            value=(nth.begin - begin.begin) / _HOUR,
            unit="h",
        )
    if len(period) < ENOUGH:
        spans = [(b.begin - a.begin, a, b) for a, b in zip(all_, all_[ENOUGH - 1 :], strict=False)]
        if spans:
            span, begin, nth = min(spans, key=lambda s: s[0])
            out.claim(
                "duration",
                f"The nearest four episodes take {_interval(span)} (from {iso(begin.begin)} to {iso(nth.begin)}), more "
                "than 365 x 24 h.",
                _cited([begin, nth]),
                name="nearest four",
                value=span / _HOUR,
                unit="h",
            )
        else:
            told = f"Only {number(len(all_), 'qualifying episode')} on record, short of four in 365 x 24 h."
            out.status(told, _cited(all_), "why short of four", len(all_))


def reviewed(chart: Chart, period: list[Episode], draft: Draft) -> None:
    """F4."""
    out = draft.finding("F4", chart.session.policy(LOCAL, "3.2 Which period"))
    if len(period) < ENOUGH:
        cited = _cited(period) or list(chart.admissions.evidence[:10])
        out.absence("No period is reviewed, as none holds four episodes.", cited, "reviewed period")
        return
    begin = period[0].begin
    out.status(
        f"Reviewed period: {iso(begin)} to {iso(begin + PERIOD)}, with the most episodes ({len(period)}), the "
        "latest of those with as many.",
        _cited(period),
        "reviewed period",
        iso(begin),
    )


def reasons(chart: Chart, period: list[Episode], draft: Draft) -> None:
    """F5, with the family that each reason gives."""
    policy = chart.session.policy
    out = draft.finding(
        "F5", policy(LOCAL, "4.1 Reason"), policy(LOCAL, "4.2 Condition"), policy(AUDIT, "2.2 Codes are leads")
    )
    if not period:
        out.absence("No qualifying episode whose reason could be read.", chart.admissions.evidence[:10], "reason")
    for episode in period:
        found = episode.reason
        of = f"admission {episode.stays[0].hadm_id}" if episode.stays else "a stay elsewhere"
        if found.status == "unknown":
            value = "unknown"
        elif found.status == "open":
            value = f"open: {' or '.join(found.families) or 'no family named'}"
        else:
            value = found.families[0]
        text = f'Reason of the episode of {iso(episode.begin)} ({of}), by {found.source}: "{found.told}": {value}.'
        out.status(text, found.evidence, f"family of {of}", value)


def relatedness(
    chart: Chart, period: list[Episode], totals: list[tuple[str, int, int]], unknown: int, draft: Draft
) -> None:
    """F6."""
    policy = chart.session.policy
    out = draft.finding("F6", policy(LOCAL, "4.2 Condition"), policy(LOCAL, "4.3 Rule"), policy(LOCAL, "5 Result"))
    evidence = [ref for episode in period for ref in episode.reason.evidence] or list(chart.admissions.evidence[:10])
    n = len(period)
    out.claim("computation", f"n = {n} qualifying episodes.", evidence, name="qualifying episodes n", value=n)
    for name, placed, left in totals:
        told = f"{name}: m = {placed} placed, u = {left} open, k = {unknown} unknown, of n = {n}."
        out.claim("computation", told, evidence, name=f"m of {name}", value=placed)
    if not totals:
        out.claim("computation", f"No family: k = {unknown} unknown, of n = {n}.", evidence, name="m", value=0)
    out.claim("comparison", draft.why, evidence, name="verdict", value=draft.verdict.value)


def elsewhere(chart: Chart, draft: Draft) -> None:
    """F7."""
    out = draft.finding("F7", chart.session.policy(LOCAL, "3.4 Outside"))
    for mention in chart.mentions:
        value = "counted" if mention.counted else "date or class not given"
        out.status(
            f'Stay at an outside hospital: "{mention.told}": {value}.', [mention.evidence], "outside stay", value
        )
    if not chart.mentions:
        looked = [n.ref for n in chart.discharge.items][:20] or list(chart.search.evidence)
        out.absence(
            "No unplanned or unclear admission to an outside hospital is told by any summary or triage text.",
            [*looked, *chart.ed_stays.evidence[:6]],
            "outside stay",
        )


def not_counted(chart: Chart, period: list[Episode], draft: Draft) -> None:
    """F8."""
    out = draft.finding(
        "F8", chart.session.policy(LOCAL, "2.1 Qualifying"), chart.session.policy(LOCAL, "7 Not covered")
    )
    begin = period[0].begin if period else None
    visits = [r for r in chart.ed_stays.of("edstays") if r.get("hadm_id") is None]
    near = [r for r in visits if begin and (t := parse_time(r.get("intime"))) and begin <= t <= begin + PERIOD]
    if near:
        told = f"{number(len(near), 'ED visit')} without admission in the period, not counted."
        out.status(told, refs(near), "ED visits", "not counted")
    else:
        out.absence("No ED visit without admission in the period.", chart.ed_stays.evidence[:20], "ED visits")
    watched = [s for s in chart.stays if "observation" in s.why_not and _inside(s, begin)]
    if watched:
        told = f"{number(len(watched), 'observation stay')} in the period, not counted."
        out.status(told, [s.ref for s in watched], "observation stays", "not counted")
    else:
        out.absence("No observation stay in the period.", chart.admissions.evidence[:20], "observation stays")


def _inside(stay: Stay, begin: datetime | None) -> bool:
    return begin is not None and begin <= stay.admit <= begin + PERIOD


def _cited(found: list[Episode]) -> list[str]:
    return [ref for e in found for ref in ([e.stays[0].ref] if e.stays else e.reason.evidence)]


def _interval(span: timedelta) -> str:
    minutes = int(span / timedelta(minutes=1))
    return f"{minutes // 1440} d {minutes % 1440 // 60} h {minutes % 60} min ({span / _HOUR:.2f} h)"
