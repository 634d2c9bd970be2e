"""The findings F1 to F8 of a report on therapy at discharge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.hf_gdmt.classes import (
    ALL,
    BETA,
    E2013,
    E2017,
    E2022,
    EDITIONS,
    MRA,
    RAS,
    SGLT2,
    ended,
)
from pytest_clinicare.systems.scripted.session import refs

if TYPE_CHECKING:
    from pytest_clinicare.systems.scripted.investigators.hf_gdmt.investigation import Reading

LOCAL = "refhosp-hf-gdmt-audit"
TITLES = {
    "F1": "Ejection fraction",
    "F2": "Years and candidate editions",
    "F3": "Renin-angiotensin class",
    "F4": "Beta-blocker",
    "F5": "MRA",
    "F6": "SGLT2 inhibitor",
    "F7": "Last potassium and creatinine",
    "F8": "Contraindications and reasons",
}
_PLACE = {RAS: "F3", BETA: "F4", MRA: "F5", SGLT2: "F6"}
_YEARS = {E2013: "7 Relation", E2017: "9 Years in force", E2022: "8 What this document"}


def write(reading: Reading, draft: Draft) -> None:
    """All findings."""
    fraction(reading, draft)
    edition(reading, draft)
    for kind in ALL:
        one_class(reading, draft, kind)
    values(reading, draft)
    reasons(reading, draft)


def fraction(reading: Reading, draft: Draft) -> None:
    chart = reading.chart
    policy = chart.session.policy
    out = draft.finding("F1", policy(LOCAL, "3 Ejection"))
    back = chart.looked_back
    for found in back:
        out.claim(
            "status",
            f"LVEF {found.told} % in a note of {iso(found.time)}{' of this admission' if found.mine else ''}.",
            [found.ref],
            name="LVEF",
            value=found.told,
            time=iso(found.time),
        )
    for found in chart.fractions:
        if found not in back:
            out.claim(
                "status", f"LVEF {found.told} % of {iso(found.time)} lies outside the look-back.", [found.ref],
                name="LVEF outside the look-back", value=found.told, time=iso(found.time),
            )  # fmt: skip
    if not back:
        seen = [n.ref for n in (*chart.discharge.items, *chart.radiology.items)][:20]
        out.absence(
            "No LVEF is stated from 365 days before admission to discharge.",
            seen or [f"call:{chart.discharge.listed.call}"], "LVEF",
        )  # fmt: skip
    codes = [r for r in chart.diagnoses.rows if str(r.get("icd_code") or "").startswith(("I50", "428"))]
    if codes:
        out.status("A code of heart failure establishes no LVEF.", refs(codes), "code", "lead")


def edition(reading: Reading, draft: Draft) -> None:
    chart, found = reading.chart, reading.years
    policy = chart.session.policy
    spans = [policy(LOCAL, "2.2 The rule"), *(policy(e, _YEARS[e]) for e in EDITIONS)]
    out = draft.finding("F2", *spans)
    cited = [str(chart.patient["ref"]), str(chart.admission["ref"])]
    if found is None:
        out.absence("The anchor year group gives no range of years.", cited, "edition")
        return
    group = chart.patient.get("anchor_year_group")
    out.status(
        f"anchor_year_group {group}, anchor_year {chart.patient.get('anchor_year')}, shift d = {found.shift}: "
        f"the range of years is {found.first}-{found.last}; candidate editions: {', '.join(found.candidates)}.",
        cited,
        "candidate edition",
        ", ".join(found.candidates),
    )
    for each in EDITIONS:
        word = "is a candidate" if each in found.candidates else f"is no candidate for {found.first}-{found.last}"
        out.status(f"{each} {word}.", cited, f"years of {each}", word.split(" for ")[0])


def one_class(reading: Reading, draft: Draft, kind: str) -> None:
    chart, regimen = reading.chart, reading.regimen
    policy = chart.session.policy
    spans = [policy(LOCAL, "5 Required"), policy(LOCAL, "4 The discharge list")]
    tables = {E2013: "3.1 ACE", E2017: "10 Table", E2022: "7 Table"}
    spans += [policy(each, tables[each]) for each in (reading.years.candidates if reading.years else ())]
    out = draft.finding(_PLACE[kind], *spans)
    orders = [r for r in chart.orders.rows if any(d in str(r.get("drug")).lower() for d in _WORDS[kind])]
    if reading.over:
        where = regimen.ref if regimen else str(chart.admission["ref"])
        out.status(
            f"The audit ends before the classes: {reading.over}; {kind} is not judged.", [where], kind, "not judged"
        )
        if regimen is None:
            listed = chart.discharge.evidence[:6]
            out.absence("There is no discharge list of this admission.", listed, "discharge list")
        return
    assert regimen is not None
    needing = [e for e, kinds in reading.needs.items() if kind in kinds]
    need = f"required under {', '.join(needing)}" if needing else "not required under any candidate edition"
    if kind in regimen.present:
        told = ", ".join(" ".join(e.text.split()) for e in regimen.present[kind])
        note = chart.mine
        assert note is not None
        spans_of = [note.span(e.start, e.end) for e in regimen.present[kind]]
        out.claim("medication", f"On the discharge list: {told}; {need}.", spans_of, name=kind, value="present")
    else:
        value = "not required" if not needing else "excused" if kind in reading.excuses else "missing"
        extra = ""
        if kind == BETA and regimen.other:
            extra = (
                f" Listed is {', '.join(e.text.split(' PO')[0].strip() for e in regimen.other)}, which does not count."
            )
        elif kind == BETA:
            extra = " None is listed."
        out.status(f"{kind} is not on the discharge list; {need}: {value}.{extra}", [regimen.ref], kind, value)
    if orders:
        out.claim(
            "order", f"Ordered in hospital, which is no discharge therapy: {number_of(orders)}.", refs(orders[:6]),
            name=f"hospital order of {kind}",
        )  # fmt: skip


_WORDS = {
    RAS: ("pril", "sartan", "sacubitril"),
    BETA: ("metoprolol", "carvedilol", "bisoprolol", "atenolol"),
    MRA: ("spironolactone", "eplerenone"),
    SGLT2: ("gliflozin",),
}


def number_of(rows: list[dict[str, object]]) -> str:
    return ", ".join(dict.fromkeys(str(r.get("drug")) for r in rows))


def values(reading: Reading, draft: Draft) -> None:
    chart, last = reading.chart, reading.last
    out = draft.finding("F7", chart.session.policy(LOCAL, "5 Required"))
    for value, name, unit in ((last.potassium, "potassium", "mmol/L"), (last.creatinine, "creatinine", "mg/dL")):
        if value:
            out.measurement(
                f"Last {name} before discharge: {value.value} {unit} at {iso(value.time)}.", value, name, unit
            )
        else:
            out.absence(f"No {name} in the admission.", chart.labs.evidence[:4], name)
    if last.egfr is not None and last.creatinine:
        out.claim(
            "computation", f"eGFR {last.egfr:.0f} mL/min/1.73 m2 (CKD-EPI 2021, age {chart.age}).",
            [last.creatinine.ref, str(chart.patient["ref"])], name="eGFR", value=round(last.egfr),
            unit="mL/min/1.73 m2",
        )  # fmt: skip


def reasons(reading: Reading, draft: Draft) -> None:
    chart = reading.chart
    out = draft.finding("F8", chart.session.policy(LOCAL, "6 Excused"))
    where = [reading.regimen.ref] if reading.regimen else [str(chart.admission["ref"])]
    if reading.over:
        out.status(f"The audit ends before the classes: {reading.over}.", where, "excuse", "not judged")
        return
    needed = {kind for kinds in reading.needs.values() for kind in kinds}
    absent = [k for k in ALL if k in needed and reading.regimen is not None and k not in reading.regimen.present]
    if not absent:
        out.absence("No required class is omitted, so no excuse is needed.", where, "excuse")
    for kind in absent:
        found = reading.excuses.get(kind)
        if found:
            out.status(f"{kind}: excused by {found.told}.", found.evidence, f"excuse of {kind}", "excused")
            continue
        note = chart.mine
        out.absence(
            f"{kind}: no contraindication or reason in force.", [note.ref] if note else where, f"excuse of {kind}"
        )
        if over := ended(chart, kind):
            out.status(f"{kind}: a reason that has ended: {over.told}.", over.evidence, f"excuse of {kind}", "ended")
