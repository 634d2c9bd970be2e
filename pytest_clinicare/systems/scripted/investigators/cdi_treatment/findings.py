"""The findings F1 to F8 of a C. difficile report."""

from __future__ import annotations

from pytest_clinicare.systems.scripted.clinical.antibiotics import Dose
from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft, number
from pytest_clinicare.systems.scripted.investigators.cdi_treatment.chart import HOUR, Chart
from pytest_clinicare.systems.scripted.investigators.cdi_treatment.regimen import IN_2021, Regimen, Years, anti_cdi
from pytest_clinicare.systems.scripted.investigators.cdi_treatment.severity import Severity
from pytest_clinicare.systems.scripted.investigators.cdi_treatment.stool import Stool
from pytest_clinicare.systems.scripted.session import refs

LOCAL = "refhosp-cdi-audit"
IDSA = "idsa-shea-cdi-2017"
TITLES = {
    "F1": "Positive assay",
    "F2": "Infection or colonisation",
    "F3": "Edition in force",
    "F4": "White count and creatinine",
    "F5": "Fulminant features",
    "F6": "Earlier episodes",
    "F7": "First effective dose",
    "F8": "Regimen against the listed one",
}


def assay(chart: Chart, draft: Draft) -> None:
    """F1, with the code as a lead apart from it."""
    policy = chart.session.policy
    out = draft.finding("F1", policy(LOCAL, "3.1 Qualifying assay"))
    if chart.index is None:
        seen = refs([a.row for a in chart.inside]) or chart.microbiology.evidence[:20]
        out.absence("No positive C. difficile assay was collected in this admission.", seen, "positive assay")
    else:
        stored = iso(chart.index.stored) if chart.index.stored else "no recorded time"
        out.claim(
            "index_event",
            f"Positive C. difficile assay ({chart.index.kind}) on stool collected {iso(chart.index.collected)}, "
            f"result at {stored}.",
            [chart.index.ref],
            name="positive assay",
            value=chart.index.kind,
            time=iso(chart.index.collected),
        )
        for other in chart.inside:
            if other is not chart.index:
                out.status(
                    f"Companion assay of {iso(other.collected)}: {other.kind} {other.result}.",
                    [other.ref],
                    f"{other.kind} assay",
                    other.result,
                )
    codes = [r for r in chart.diagnoses.rows if code_of(r).startswith(("A047", "00845"))]
    if codes:
        out.status("C. difficile is coded, which is a lead and no assay.", refs(codes), "code", "lead")


def infection(chart: Chart, draft: Draft, stool: Stool | None, cause: tuple[str, tuple[str, ...]] | None) -> None:
    """F2."""
    out = draft.finding("F2", chart.session.policy(LOCAL, "3.2 Stool pattern"))
    if stool is None or chart.index is None:
        out.absence(
            "Without a positive assay of this admission neither infection nor colonisation is in question.",
            chart.microbiology.evidence[:20],
            "infection",
        )
        return
    told = {"symptomatic": "infection", "colonised": "colonisation"}.get(stool.status, "unknown")
    out.status(
        f'Stool pattern: "{stool.told}", hence {told}; the assay is {chart.index.kind}.',
        [*stool.evidence, chart.index.ref],
        "infection or colonisation",
        told,
    )
    if cause:
        out.status(f"Another cause of diarrhea: {cause[0]}.", cause[1], "other cause", cause[0])
    else:
        out.absence(
            "No laxative was begun within 48 h before collection and no other cause is named.",
            [*refs(chart.administrations.rows[:8]), *(n.ref for n in chart.mine)] or chart.administrations.evidence,
            "other cause",
        )


def edition(chart: Chart, draft: Draft, found: Years | None) -> None:
    """F3."""
    out = draft.finding(
        "F3", chart.session.policy(LOCAL, "2.1 Possible calendar"), chart.session.policy(LOCAL, "2.2 Edition")
    )
    cited = [str(chart.patient["ref"]), str(chart.admission["ref"])]
    if found is None:
        out.absence("The anchor-year group gives no interval of years.", cited, "edition")
        return
    group = chart.patient.get("anchor_year_group")
    named = {0: "not placed (2010 may have applied)", 1: "one edition", 2: "two editions possible"}[len(found.editions)]
    out.status(
        f"anchor_year {chart.patient.get('anchor_year')}, anchor_year_group {group}: the admission lies in "
        f"{found.earliest}-{found.latest}; {named}: {', '.join(found.editions) or 'none of this audit'}.",
        cited,
        "edition",
        ", ".join(found.editions) or "not placed",
    )


def values(chart: Chart, draft: Draft, found: Severity | None, over: str) -> None:
    """F4 and F5; ``over`` says what ends the audit before a class arises."""
    policy = chart.session.policy
    four = draft.finding("F4", policy(LOCAL, "4.1 Severity window"))
    five = draft.finding("F5", policy(LOCAL, "4.1 Severity window"), policy(LOCAL, "4.2 Attribution"))
    if found is None:
        four.status(f"No class arises: {over}.", chart.microbiology.evidence[:6], "class", "not judged")
        five.absence("No window for fulminant features arises.", chart.microbiology.evidence[:6], "fulminant features")
        return
    for value, name, unit in ((found.white, "white cells", "K/uL"), (found.creatinine, "creatinine", "mg/dL")):
        if value:
            four.measurement(
                f"Worst {name} within 24 h of collection: {value.value} {unit} at {iso(value.time)}.", value, name, unit
            )
        else:
            four.absence(f"No {name} within 24 h of collection.", chart.labs.evidence[:8], name)
    rows = [v.ref for v in (found.white, found.creatinine) if v] or list(chart.labs.evidence[:4])
    if over:
        four.status(f"No class is judged: {over}.", rows, "class", "not judged")
    else:
        four.status(f"Class: {found.name}.", rows, "class", found.name)
    if found.shock:
        five.status(
            f"Hypotension or vasopressor within 24 h of collection ({number(len(found.shock), 'row')}); the note "
            f"attributes it: {found.attribution}.",
            [*refs(found.shock[:10]), *found.attributed],
            "shock",
            found.attribution,
        )
    if found.ileus:
        five.status(f"Ileus or megacolon: {found.ileus.what}", found.ileus.evidence, "ileus", "present")
    if not found.shock and not found.ileus:
        looked = [*refs(chart.pressures.rows[:8]), *(n.ref for n in chart.radiology.items[:4])]
        five.absence(
            "No hypotension, vasopressor, ileus or megacolon within 24 h of collection.",
            looked or chart.pressures.evidence,
            "fulminant features",
        )


def earlier(chart: Chart, draft: Draft, found: Severity | None) -> None:
    """F6."""
    out = draft.finding("F6", chart.session.policy(LOCAL, "4.3 Recurrence"))
    if found is None or found.earlier is None or found.days is None:
        out.absence(
            "No earlier positive C. difficile assay in any encounter of the patient: no recurrence.",
            chart.microbiology.evidence[:20],
            "earlier positive",
        )
        return
    status = "recurrence" if found.recurrent else "same episode" if found.days <= 14 else "initial"
    out.status(
        f"The previous positive was collected {iso(found.earlier.collected)}, {found.days} days before: {status}.",
        [found.earlier.ref, *([chart.index.ref] if chart.index else [])],
        "initial or recurrent",
        status,
    )
    if found.prior:
        out.status(f"It was treated with {found.prior}.", found.prior_evidence, "earlier treatment", found.prior)


def therapy(chart: Chart, draft: Draft, regimen: Regimen | None) -> None:
    """F7."""
    policy = chart.session.policy
    out = draft.finding("F7", policy(LOCAL, "5.1 Effective"), policy(LOCAL, "5.2 Start"), policy(LOCAL, "6 Evidence"))
    if not chart.administrations.rows:
        out.absence(
            "No administration row of any drug from collection to result + 48 h: administration was not observed.",
            chart.administrations.evidence,
            "administrations",
        )
    intravenous = [d for d in chart.doses if d.agent == "vancomycin" and d.route == "IV"]
    if intravenous:
        out.status(
            f"IV vancomycin ({number(len(intravenous), 'dose')}) is no therapy of C. difficile.",
            [d.ref for d in intravenous[:6]],
            "IV vancomycin",
            "not effective",
        )
    orders = [r for r in chart.orders.rows if _anti(str(r.get("drug") or ""))]
    if orders:
        told = "; ".join(
            f"{r['drug']} {r.get('dose_val_rx')} {r.get('dose_unit_rx')} {r.get('route')} {r.get('frequency')}"
            for r in orders
        )
        out.claim("order", f"Prescriptions: {told}.", refs(orders[:10]), name="anti-CDI prescriptions")
    effective = regimen.effective if regimen else [d for d in chart.doses if anti_cdi(d)]
    if not effective:
        if chart.administrations.rows:
            out.absence(
                "No effective anti-CDI dose was administered; the administration record holds other rows.",
                refs(chart.administrations.rows[:12]),
                "first effective dose",
            )
        return
    first = effective[0]
    order = chart.prescription(first) or {}
    lag = ""
    if chart.index and chart.index.stored:
        lag = f", {(first.time - chart.index.stored) / HOUR:+.2f} h from the result"
    out.claim(
        "medication",
        f"First effective dose: {_told(first, order)} administered {iso(first.time)}{lag}; the last of "
        f"{number(len(effective), 'dose')} at {iso(effective[-1].time)}.",
        [first.ref, effective[-1].ref, *refs([order] if order else [])],
        name="first effective dose",
        value=first.agent,
        time=iso(first.time),
    )


def listed(chart: Chart, draft: Draft, regimen: Regimen | None, found: Years | None, told: str) -> None:
    """F8: the comparison, in the words of the decision."""
    policy = chart.session.policy
    spans = [
        policy(LOCAL, "5.3 Regimen"),
        policy(LOCAL, "7 Order"),
        policy(IDSA, "4.2 Regimens"),
        policy(IDSA, "5.1 First"),
    ]
    if found and IN_2021 in found.editions:
        spans += [policy(IN_2021, "4.2 Regimens"), policy(IN_2021, "5.2 Regimens")]
    else:
        spans.append(policy(IN_2021, "2 Relation"))
    out = draft.finding("F8", *spans)
    given = regimen.given if regimen else []
    cited = [d.ref for d in given[:8]] or [str(chart.admission["ref"])]
    out.claim("comparison", told, cited, name="regimen", value=draft.verdict.value)
    if regimen and regimen.planned is not None:
        out.status(
            f"Planned total: {regimen.planned} days.", regimen.planned_evidence, "planned duration", regimen.planned
        )
    elif regimen and regimen.pulsed:
        out.status("The summary writes out an extended-pulsed schedule.", regimen.pulsed, "planned duration", "25")
    else:
        out.absence("No planned total is documented.", [n.ref for n in chart.mine], "planned duration")


def _told(dose: Dose, order: dict[str, object]) -> str:
    amount = f"{order.get('dose_val_rx')} {order.get('dose_unit_rx')} " if order else ""
    often = f" {order.get('frequency')}" if order and order.get("frequency") else ""
    return f"{dose.agent} {amount}{dose.route}{often}"


def _anti(drug: str) -> bool:
    return any(name in drug.lower() for name in ("vancomycin", "fidaxomicin", "metronidazole"))
