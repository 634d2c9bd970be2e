"""The findings F1 to F9 of a sodium report."""

from __future__ import annotations

from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.sodium_correction.chart import (
    GLUCOSE,
    HOUR,
    POTASSIUM,
    SODIUM,
    Chart,
    Pair,
)
from pytest_clinicare.systems.scripted.investigators.sodium_correction.risk import Factor, Gap
from pytest_clinicare.systems.scripted.session import refs

LOCAL, PANEL, AUDIT = "refhosp-sodium-correction", "hyponatremia-us-panel-2013", "refhosp-chart-audit-standard"
TITLES = {
    "F1": "Index sodium",
    "F2": "Valid values",
    "F3": "Rise in 24 h",
    "F4": "Rise in 48 h",
    "F5": "Risk of osmotic demyelination and limit",
    "F6": "Duration",
    "F7": "Glucose",
    "F8": "Sampling",
    "F9": "Treatment",
}


def _seen(chart: Chart) -> tuple[str, ...]:
    """Serum sodium rows of the encounter."""
    return tuple(v.ref for v in chart.values) or chart.labs.evidence[:10]


def index(chart: Chart, draft: Draft) -> None:
    """F1."""
    out = draft.finding("F1", chart.session.policy(LOCAL, "2 Index"))
    if chart.index is None:
        out.absence("There is no index: no valid serum sodium of 120 mmol/L or less.", _seen(chart), "index sodium")
    else:
        text = f"Index: serum sodium {chart.index.value} mmol/L drawn at {iso(chart.index.time)}."
        out.measurement(text, chart.index, "index sodium", "mmol/L")
    codes = [r for r in chart.diagnoses.rows if code_of(r) in ("E871", "2761")]
    if codes:
        span = chart.session.policy(AUDIT, "2.2 Codes")
        out.status("Hyponatremia is coded; a code is a lead and no index.", refs(codes), "code", "lead", span)


def values(chart: Chart, draft: Draft) -> None:
    """F2."""
    out = draft.finding("F2", chart.session.policy(LOCAL, "3 Valid values"))
    listed = [v for v in chart.values if chart.index is None or v.time - chart.index.time <= 48 * HOUR]
    told = ", ".join(f"{v.value} at {iso(v.time)}" for v in listed)
    out.claim("trend", f"Valid serum sodium: {told}.", [v.ref for v in listed], name="serum sodium")
    for row in chart.void:
        out.status(
            f"{row['value']} at {row['charttime']} is excluded: {row['comments']}.", refs([row]), "excluded value",
            "not valid",
        )  # fmt: skip
    if chart.whole_blood:
        out.status(
            "Whole-blood sodium of the gas analyser is another method and no end of a pair.", refs(chart.whole_blood),
            "excluded method", "whole blood",
        )  # fmt: skip
    if not chart.void:
        looked = refs([r for r in chart.labs.rows if r.get("itemid") == SODIUM])[:12] or chart.labs.evidence[:8]
        out.absence("No serum value was excluded: no comment voids one.", looked, "excluded value")


def rises(chart: Chart, draft: Draft, day: Pair | None, two: Pair | None) -> None:
    """F3 and F4."""
    policy = chart.session.policy
    for finding, name, pair, hours in (("F3", "rise24", day, 24), ("F4", "rise48", two, 48)):
        out = draft.finding(finding, policy(LOCAL, "4 Rise"))
        if chart.index is None or pair is None:
            why = "there is no index value" if chart.index is None else f"no valid pair lies within {hours} h"
            out.absence(f"No {name} arises: {why}.", _seen(chart), name)
            continue
        out.claim(
            "computation",
            f"Largest rise over all pairs up to {hours} h apart: {pair.told}.",
            pair.refs,
            name=name,
            value=float(pair.rise),
            unit="mmol/L",
            time=iso(pair.second.time),
        )


def risk(chart: Chart, draft: Draft, found: list[Factor], level: str, limit: int) -> None:
    """F5."""
    policy = chart.session.policy
    out = draft.finding("F5", policy(LOCAL, "6 ODS risk"), policy(PANEL, "4.2 High risk"))
    if not found:
        out.absence("Without an index value no risk is judged.", _seen(chart), "risk")
        return
    for factor in found:
        out.status(f"{factor.name}: {factor.state} ({factor.why}).", factor.evidence, factor.name, factor.state)
    told = {"high": "above 8", "normal": "above 10", "unresolved": "above 8 if the factor holds, else above 10"}[level]
    draft.add(
        "F5", "comparison", f"Risk {level}: the limit of rise24 is passed {told} mmol/L, that of rise48 above 18.",
        name="limit", value=limit, evidence=[found[0].evidence[0]],
        policy=[policy(LOCAL, "5 Limits"), policy(PANEL, "4 Chronic"), policy(PANEL, "4.1 Reading")],
    )  # fmt: skip


def duration(chart: Chart, draft: Draft, acute: tuple[str, tuple[str, ...]] | None) -> None:
    """F6."""
    policy = chart.session.policy
    out = draft.finding("F6", policy(LOCAL, "7.1 Documented acute"))
    if acute:
        out.status(f"Documented acute: {acute[0]}.", acute[1], "duration", "acute", policy(PANEL, "3 Acute"))
    else:
        looked = [n.ref for n in chart.mine] or list(_seen(chart))
        text = "No acute onset is documented: duration is chronic or unknown, which counts as chronic."
        out.status(text, looked, "duration", "chronic", policy(PANEL, "2 Terms"))


def glucose(chart: Chart, draft: Draft, day: Pair | None) -> None:
    """F7."""
    out = draft.finding("F7", chart.session.policy(LOCAL, "7.2 Hyperglyc"))
    ends = [chart.glucose_at(v.time) for v in ((day.first, day.second) if day else ())]
    for value in ends:
        if value:
            out.measurement(
                f"Glucose at an end of the pair: {value.value} mg/dL at {iso(value.time)}.", value, "glucose", "mg/dL"
            )
    high = [v for v in chart.of(GLUCOSE) if v.value >= 300]
    if high:
        out.status("Glucose of 300 mg/dL or more was measured.", [v.ref for v in high], "hyperglycemia", "present")
    else:
        looked = [v.ref for v in chart.of(GLUCOSE)[:8]] or chart.labs.evidence[:8]
        out.absence("No glucose of 300 mg/dL or more.", looked, "hyperglycemia")


def sampling(chart: Chart, draft: Draft, found: list[Gap]) -> None:
    """F8."""
    out = draft.finding("F8", chart.session.policy(LOCAL, "8 Sampling"))
    if not found:
        out.absence("Without an index value no sampling gap is judged.", _seen(chart), "sampling gap")
        return
    first = [g for g in found if g.limit == 12]
    longest = max(first or found, key=lambda g: g.hours)
    out.claim(
        "duration",
        f"Largest sampling gap that began in the first 24 h: {longest.hours:.2f} h from {iso(longest.start)}.",
        longest.evidence,
        name="largest gap",
        value=round(longest.hours, 2),
        unit="h",
    )
    for gap in found:
        if gap.too_long:
            text = f"A gap of {gap.hours:.2f} h from {iso(gap.start)} exceeds {gap.limit} h."
            out.status(text, gap.evidence, "sampling gap", "too long")
    if not any(g.too_long for g in found):
        out.status("No gap beyond the rule in the first 48 h.", _seen(chart), "sampling", "adequate")


def treatment(chart: Chart, draft: Draft) -> None:
    """F9."""
    out = draft.finding("F9", chart.session.policy(LOCAL, "10 Reporting"))
    for row in chart.treatments:
        amount = f"{row.get('rate')} {row.get('rateuom')}" if row.get("rate") else str(row.get("dose_given") or "")
        out.claim(
            "medication", f"{row['drug']} {amount} at {row['charttime']}.", refs([row]), name=str(row["drug"]),
            time=str(row["charttime"]),
        )  # fmt: skip
    if not chart.treatments:
        looked = refs(chart.given.rows[:10]) or chart.given.evidence
        out.absence("No hypertonic saline, desmopressin or dextrose was given.", looked, "treatment")
    after = [r for r in chart.treatments if "3%" not in str(r.get("drug"))]
    low = [v for v in chart.of(POTASSIUM) if v.value < 3]
    told = "Desmopressin or dextrose was given" if after else "Neither desmopressin nor dextrose was given"
    out.status(f"{told}; whether that lowered sodium again does not cancel a rise.", refs(after) or _seen(chart),
        "re-lowering", "given" if after else "none")  # fmt: skip
    if low:
        out.measurement(f"Potassium {low[0].value} mmol/L, treated or not.", low[0], "potassium", "mmol/L")
