"""The findings F1 to F9 of a surveillance report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_clinicare.systems.scripted.clinical.antibiotics import doses, routes
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft, number
from pytest_clinicare.systems.scripted.investigators.ssi_surveillance.chart import Chart
from pytest_clinicare.systems.scripted.investigators.ssi_surveillance.criteria import organisms
from pytest_clinicare.systems.scripted.investigators.ssi_surveillance.operation import (
    LONGEST,
    SUPERFICIAL_DAYS,
    Operation,
)
from pytest_clinicare.systems.scripted.investigators.ssi_surveillance.site import Said
from pytest_clinicare.systems.scripted.session import refs

if TYPE_CHECKING:
    from pytest_clinicare.systems.scripted.investigators.ssi_surveillance.investigation import Reading

LOCAL, NHSN = "refhosp-ssi-surveillance", "cdc-nhsn-ssi"
AUDIT = "refhosp-chart-audit-standard"
TITLES = {
    "F1": "Operation, day 1, category and period",
    "F2": "Encounters of the period",
    "F3": "Cultures of the incision or space",
    "F4": "Imaging of the site",
    "F5": "Descriptions of the wound or drainage",
    "F6": "Level and criterion",
    "F7": "Date of the event",
    "F8": "Infection at surgery, later operations, attribution",
    "F9": "Codes as leads",
}


def write(reading: Reading, draft: Draft) -> None:
    """All findings."""
    operation(reading.chart, draft)
    encounters(reading.chart, draft)
    specimens(reading, draft)
    imaging(reading, draft)
    descriptions(reading, draft)
    level(reading, draft)
    when(reading, draft)
    attribution(reading, draft)
    codes(reading.chart, draft)


def operation(chart: Chart, draft: Draft) -> None:
    """F1."""
    policy, index = chart.session.policy, chart.operation
    out = draft.finding("F1", policy(LOCAL, "2.1 Identification"), policy(LOCAL, "2.2 Categories"))
    if index is None:
        looked = [r for r in chart.procedures.rows if r.get("hadm_id") == chart.hadm_id]
        cited = [*refs(looked), *(n.ref for n in chart.mine)] or list(chart.procedures.evidence)
        out.absence("No operation of an NHSN category with a date; day 1 cannot be established.", cited, "operation")
        return
    out.claim(
        "index_event",
        f"Operation {index.row.get('icd_code')} ({index.row.get('label')}), category {index.category}, day 1 is "
        f"{index.day_1}; the category's period is {index.period} days, last day {index.date_of(index.period)}.",
        [index.ref],
        policy(NHSN, "3 Surveillance period"),
        name="operation",
        value=index.category,
        time=str(index.day_1),
    )
    periods(index, out_of=draft, chart=chart)


def periods(index: Operation, out_of: Draft, chart: Chart) -> None:
    """The period of each level."""
    out = out_of.finding("F1", chart.session.policy(NHSN, "3 Surveillance period"))
    out.claim(
        "status", "A superficial infection counts to day 30 in every category.", [index.ref],
        name="period for superficial infection", value=SUPERFICIAL_DAYS,
    )  # fmt: skip
    out.claim(
        "status", f"A deep or organ/space infection counts to day {index.period} in {index.category}.", [index.ref],
        name="period for deep and organ/space infection", value=index.period,
    )  # fmt: skip


def _day(chart: Chart, moment: object) -> str:
    index = chart.operation
    if index is None or not hasattr(moment, "year"):
        return ""
    return f", day {index.day_of(moment)}"  # type: ignore[arg-type]


def encounters(chart: Chart, draft: Draft) -> None:
    """F2."""
    out = draft.finding(
        "F2", chart.session.policy(LOCAL, "3 Sources and search"), chart.session.policy(AUDIT, "3 How absence")
    )
    later = [s for s in chart.spots if s.hadm_id != chart.hadm_id]
    if not later:
        looked = [*refs(chart.admissions.rows), *refs(chart.visits.rows)]
        out.absence(
            f"No later admission and no emergency visit up to day {LONGEST}; surveillance is passive.",
            looked, "later encounters",
        )  # fmt: skip
    for spot in later:
        complaint = f" for {spot.complaint}" if spot.complaint else ""
        out.status(
            f"{spot.kind.capitalize()} from {iso(spot.start)}{_day(chart, spot.start)}{complaint}.",
            [spot.ref], "encounter", spot.kind,
        )  # fmt: skip


def specimens(reading: Reading, draft: Draft) -> None:
    """F3."""
    chart = reading.chart
    out = draft.finding("F3", chart.session.policy(LOCAL, "4.2 Culture"))
    found = [c for site in reading.sites for c in (*site.incisional, *site.tissue, *site.space)]
    if chart.operation is None:
        kinds = ("BLOOD", "URINE", "SPUTUM", "STOOL")
        found = [c for s in chart.spots for c in s.cultures if not c.specimen.upper().startswith(kinds)]
    if not found:
        looked = chart.microbiology.evidence[:20]
        out.absence("No culture of the incision or space in the period.", looked, "site culture")
    for culture in found:
        told = organisms([culture]) or "no growth"
        out.status(
            f"{culture.specimen} collected {iso(culture.collected)}{_day(chart, culture.collected)}: {told}.",
            refs(list(culture.rows)), "site culture", told,
        )  # fmt: skip
    others = [c for s in chart.spots for c in s.cultures if c.isolates and c not in found]
    for culture in others:
        out.status(
            f"{culture.specimen} of {iso(culture.collected)} grew {organisms([culture])}, which is of another site "
            "or of the operation itself.",
            refs(list(culture.rows)), "other culture", organisms([culture]),
        )  # fmt: skip


def imaging(reading: Reading, draft: Draft) -> None:
    """F4."""
    chart = reading.chart
    out = draft.finding("F4", chart.session.policy(LOCAL, "4.4 Imaging"))
    told = [s for site in reading.sites for s in (*site.abscess, *site.equivocal) if s.source == "report"]
    for said in told:
        out.status(f'Report of {said.on}{_day(chart, said.on)}: "{said.text}"', [said.ref], "imaging", said.text[:60])
    if not told:
        looked = [n.ref for n in chart.radiology.items] or list(chart.radiology.evidence)
        out.absence("No report of the period shows an abscess or collection of the site.", looked, "imaging")


def descriptions(reading: Reading, draft: Draft) -> None:
    """F5."""
    chart = reading.chart
    out = draft.finding("F5", chart.session.policy(LOCAL, "4.1 Purulence"))
    parts = (
        ("pus", "affirmed", lambda s: (*s.pus, *s.space_pus)),
        ("pus", "denied", lambda s: s.denied),
        ("opening", "opened", lambda s: s.opened),
        ("depth", "deep", lambda s: s.deep),
        ("depth", "superficial", lambda s: s.shallow),
        ("diagnosis", "affirmed", lambda s: s.diagnosed),
        ("diagnosis", "left open", lambda s: s.left_open),
        ("redness of the skin", "cellulitis by name", lambda s: s.cellulitis),
        ("incision", "clean", lambda s: s.clear),
    )
    said_any = False
    for name, value, pick in parts:
        told: list[Said] = [said for site in reading.sites for said in pick(site)]
        for said in told[:4]:
            said_any = True
            out.status(f'{name.capitalize()}, {value} ({said.source}): "{said.text}"', [said.ref], name, value)
    if not said_any:
        cited = [n.ref for n in chart.mine] or list(chart.discharge.evidence)
        out.absence("No text of the period describes the wound or a drainage.", cited, "description")


def level(reading: Reading, draft: Draft) -> None:
    """F6: the decisive element, or why none is met."""
    chart, index, policy = reading.chart, reading.index, reading.chart.session.policy
    spans = [
        policy(NHSN, "4 Superficial incisional SSI"),
        policy(NHSN, "5 Deep incisional SSI"),
        policy(NHSN, "6 Organ/space SSI"),
        policy(LOCAL, "4.3 Physician"),
    ]
    out = draft.finding("F6", *spans)
    if index is None:
        cited = [n.ref for n in chart.mine] or list(chart.procedures.evidence)
        out.absence("Without day 1 no criterion can be tested.", cited, "criterion")
        return
    for event, taken in reading.events:
        inside = event.inside(index) and taken is None
        value = event.status if inside else f"{event.status}, not counted"
        site = f" Site criterion: {event.site_criterion}." if event.site_criterion else ""
        out.status(
            f"{event.level.capitalize()}: {event.element}; criterion {value}.{site}",
            event.evidence, f"criterion, {event.level}", value,
        )  # fmt: skip
    if not reading.events:
        looked = [n.ref for n in chart.discharge.items[:3]] + list(chart.microbiology.evidence[:6])
        out.absence("There is no candidate event at the site.", looked, "criterion")
    if reading.outside:
        out.status(
            f'Treatment elsewhere without particulars: "{reading.outside.text}"', [reading.outside.ref],
            "treated elsewhere", "no date, finding or culture", policy(LOCAL, "5 Lack of data"),
        )  # fmt: skip
    if reading.counting("disputed"):
        out.claim(
            "status", draft.why, reading.counting("disputed")[0].evidence, policy(LOCAL, "4.8 Contradictory"),
            name="contradiction", value="not settled",
        )  # fmt: skip


def when(reading: Reading, draft: Draft) -> None:
    """F7."""
    chart, index = reading.chart, reading.index
    out = draft.finding(
        "F7", chart.session.policy(LOCAL, "4.5 Window"), chart.session.policy(NHSN, "7.2 Date of event")
    )
    if index is None:
        cited = [n.ref for n in chart.mine] or list(chart.procedures.evidence)
        out.absence("There is no day 1, hence no day number.", cited, "day of the event")
        return
    for event, _ in reading.events:
        day = index.day_of(event.on)
        told = "inside" if event.inside(index) else "outside"
        out.claim(
            "duration",
            f"Operation {index.day_1}, {event.level} candidate {event.on}: day {day}, {told} the "
            f"{event.allowed(index)} days of that level.",
            [index.ref, *event.evidence[:4]],
            name="day of the event",
            value=day,
            unit="days",
        )
    if not reading.events:
        out.absence("There is no candidate event, so no day number.", [index.ref], "day of the event")


def attribution(reading: Reading, draft: Draft) -> None:
    """F8."""
    chart, policy = reading.chart, reading.chart.session.policy
    out = draft.finding("F8", policy(LOCAL, "4.6 PATOS"), policy(LOCAL, "4.7 Attribution"))
    patos = [said for site in reading.sites for said in site.patos]
    looked = [n.ref for n in chart.mine] or list(chart.procedures.evidence)
    if patos:
        out.status(
            f'Infection was present at surgery, which is recorded and changes nothing: "{patos[0].text}"',
            [patos[0].ref], "infection present at surgery", "recorded",
        )  # fmt: skip
    else:
        out.absence("No infection is described at the operation.", looked, "infection present at surgery")
    again = chart.later_operations
    for moment, row in again:
        out.status(
            f"Later operation at the site: {row.get('icd_code')} on {moment.date()}{_day(chart, moment)}.",
            refs([row]), "attribution to a later operation", "takes later events",
        )  # fmt: skip
    for moment, row in chart.entries:
        out.status(
            f"Entry of the space: {row.get('icd_code')} on {moment.date()}{_day(chart, moment)}.",
            refs([row]), "entry of the space", "for diagnosis or treatment",
        )  # fmt: skip
    if not again:
        cited = refs(chart.procedures.rows[:20]) or chart.procedures.evidence
        out.absence("No later operation at the site: attribution to the index operation.", cited, "attribution")


def codes(chart: Chart, draft: Draft) -> None:
    """F9: codes and antibacterials are leads."""
    out = draft.finding("F9", chart.session.policy(LOCAL, "4.3 Physician"))
    if chart.codes:
        named = ", ".join(str(r["icd_code"]) for r in chart.codes)
        out.status(f"Coded: {named}. A code is a lead and no element.", refs(chart.codes), "codes", "lead")
    else:
        out.absence("No infection after a procedure is coded.", chart.diagnoses.evidence[:12], "codes")
    given = doses(chart.drugs.rows, routes([]))
    if given:
        agents = ", ".join(dict.fromkeys(d.agent for d in given))
        out.status(
            f"Antibacterials in the period ({number(len(given), 'dose')}: {agents}); treatment is no element.",
            [d.ref for d in given[:6]], "antibacterials", "lead",
        )  # fmt: skip
    else:
        out.absence("No antibacterial was given in the period.", chart.drugs.evidence[:12], "antibacterials")
