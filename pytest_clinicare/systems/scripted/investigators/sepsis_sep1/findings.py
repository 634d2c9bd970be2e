"""The findings F1 to F8 of a SEP-1 report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.sepsis_sep1.elements import (
    ALONE,
    Element,
    first_doses,
    initial_lactate,
    lactates,
)
from pytest_clinicare.systems.scripted.investigators.sepsis_sep1.limbs import Sign
from pytest_clinicare.systems.scripted.session import refs

if TYPE_CHECKING:
    from pytest_clinicare.systems.scripted.investigators.sepsis_sep1.investigation import Reading

LOCAL, MEASURE = "refhosp-sepsis-bundle-audit", "cms-sep1-measure"
AUDIT = "refhosp-chart-audit-standard"
TITLES = {
    "F1": "Time zero",
    "F2": "Exclusions",
    "F3": "Initial lactate",
    "F4": "Blood culture",
    "F5": "Antibiotic",
    "F6": "Repeat lactate",
    "F7": "Crystalloid",
    "F8": "Persistent hypotension and vasopressor",
}


def write(reading: Reading, draft: Draft) -> None:
    """All findings."""
    zero(reading, draft)
    excluded(reading, draft)
    lactate(reading, draft)
    cultures(reading, draft)
    antibiotic(reading, draft)
    repeat(reading, draft)
    crystalloid(reading, draft)
    pressor(reading, draft)


def _limb(signs: list[Sign] | tuple[Sign, ...], most: int = 4) -> list[Sign]:
    seen: dict[str, Sign] = {}
    for sign in sorted(signs, key=lambda s: s.time):
        seen.setdefault(sign.kind, sign)
    return list(seen.values())[:most]


def zero(reading: Reading, draft: Draft) -> None:
    """F1."""
    policy, found = reading.chart.session.policy, reading.zero
    out = draft.finding("F1", policy(LOCAL, "2.2 Sliding"), policy(MEASURE, "3.1 The three limbs"))
    parts = (
        ("suspicion", found.suspicion if found else reading.limbs.suspicion),
        ("SIRS", found.sirs if found else reading.limbs.sirs),
        ("organ dysfunction", found.dysfunction if found else reading.limbs.dysfunction),
    )
    for name, signs in parts:
        for sign in _limb(signs):
            out.claim(
                "measurement", f"Limb {name}: {sign.told} at {iso(sign.time)}.", [sign.ref], name=f"limb {name}",
                value=sign.kind, time=iso(sign.time),
            )  # fmt: skip
    cited = [s.ref for _, signs in parts for s in _limb(signs, 2)]
    if found is None:
        out.absence("No time zero: the three limbs never fall inside six hours.", cited, "time zero")
        return
    out.claim(
        "index_event", f"Time zero is {iso(found.time)}; {found.last} came last.", cited, name="time zero",
        value=found.last, time=iso(found.time),
    )  # fmt: skip
    for item in reading.limbs.attributions:
        out.claim(
            "status", f'The summary on {item.kind}: "{item.sentence.text}" ({item.handling}).', [item.ref],
            policy(LOCAL, "2.4 Attribution"), name="attribution", value=item.handling,
        )  # fmt: skip


def excluded(reading: Reading, draft: Draft) -> None:
    """F2."""
    policy = reading.chart.session.policy
    out = draft.finding("F2", policy(LOCAL, "5 Exclusions"), policy(MEASURE, "6 Exclusions"))
    if not reading.excluded:
        cited = [str(reading.chart.admission["ref"]), *refs(reading.chart.status.rows[:4])]
        out.absence("Without time zero no exclusion is tested; the code status was looked up.", cited, "exclusion")
    for item in reading.excluded:
        out.status(
            f"Exclusion {item.name}: {item.told}; {'it holds' if item.holds else 'it does not hold'}.", item.evidence,
            f"exclusion, {item.name}", "holds" if item.holds else "does not hold",
        )  # fmt: skip
    for row in reading.chart.status.rows:
        if "resuscitate" in str(row.get("value")).lower() and "full" not in str(row.get("value")).lower():
            out.status("A do-not-resuscitate status is no comfort care.", refs([row]), "DNR", "no exclusion")
    if reading.stopped:
        cited = [str(reading.chart.admission["ref"])]
        out.status(f"The elements are not scored: {reading.stopped}.", cited, "scoring", "not evaluable")


def _element(reading: Reading, draft: Draft, finding: str, element: Element, *headings: tuple[str, str]) -> None:
    policy = reading.chart.session.policy
    out = draft.finding(finding, *(policy(document, heading) for document, heading in headings))
    scored = f" (not scored: {reading.stopped})" if reading.stopped else ""
    out.status(
        f"{element.name} {element.status}{scored}: {element.why}.", element.evidence, f"element {element.name}",
        "not scored" if reading.stopped else element.status,
    )  # fmt: skip


def _unreached(reading: Reading, draft: Draft, finding: str, name: str, evidence: tuple[str, ...]) -> bool:
    if reading.zero is not None:
        return False
    out = draft.finding(finding, reading.chart.session.policy(LOCAL, "7 Order"))
    out.absence(f"{name} is not reached without time zero.", evidence, name)
    return True


def lactate(reading: Reading, draft: Draft) -> None:
    """F3."""
    chart = reading.chart
    if _unreached(reading, draft, "F3", "initial lactate", chart.labs.evidence[:6]):
        return
    assert reading.zero
    found = initial_lactate(chart, reading.zero.time)
    if found:
        draft.finding("F3", chart.session.policy(LOCAL, "3 Windows")).measurement(
            f"Initial lactate {found.value} mmol/L at {iso(found.time)}, "
            f"{(found.time - reading.zero.time).total_seconds() / 3600:+.2f} h from time zero.",
            found, "initial lactate", "mmol/L",
        )  # fmt: skip
    _element(reading, draft, "F3", reading.element("E1"), (LOCAL, "3 Windows"), (MEASURE, "5.1 Three-hour"))


def cultures(reading: Reading, draft: Draft) -> None:
    """F4."""
    chart = reading.chart
    bloods = [c for c in chart.cultures if c.blood]
    out = draft.finding("F4", chart.session.policy(LOCAL, "3.1 Culture before"))
    if bloods:
        out.claim(
            "status", f"First blood culture collected {iso(bloods[0].collected)}.", refs(list(bloods[0].rows[:1])),
            name="first blood culture", time=iso(bloods[0].collected), value="collected",
        )  # fmt: skip
    else:
        out.absence("No blood culture.", chart.microbiology.evidence[:6], "blood culture")
    if chart.intravenous:
        dose = chart.intravenous[0]
        out.claim(
            "medication", f"First IV antibiotic: {dose.agent}, administered {iso(dose.time)}.", [dose.ref],
            name="first IV antibiotic", value=dose.agent, time=iso(dose.time),
        )  # fmt: skip
    else:
        out.absence(
            "No IV antibiotic administration is recorded.", chart.given.evidence[:8], "antibiotic administration"
        )
    if reading.zero is not None:
        _element(reading, draft, "F4", reading.element("E2"), (LOCAL, "3.1 Culture before"))


def antibiotic(reading: Reading, draft: Draft) -> None:
    """F5."""
    chart = reading.chart
    policy = chart.session.policy
    given = first_doses(chart, reading.zero.time) if reading.zero else chart.intravenous[:1]
    out = draft.finding("F5", policy(MEASURE, "5.4 Antibiotics"), policy(MEASURE, "5.5 Combinations"))
    for dose in given:
        listed = "on the list of single agents" if dose.agent in ALONE else "not on the list of single agents"
        out.claim(
            "medication", f"{dose.agent} IV administered {iso(dose.time)}: {listed}.", [dose.ref],
            name=f"antibiotic {dose.agent}", value=listed, time=iso(dose.time),
        )  # fmt: skip
    if not given:
        out.absence("No IV antibiotic was administered in the window.", chart.given.evidence[:8], "antibiotic")
    orders = [
        r for r in chart.orders.rows if "cef" in str(r.get("drug")).lower() or "pip" in str(r.get("drug")).lower()
    ]
    if orders:
        told = "; ".join(f"{r['drug']} ordered from {r['starttime']}" for r in orders[:4])
        out.claim(
            "order", f"Orders, which are no doses: {told}.", refs(orders[:4]), policy(AUDIT, "2.4 Cancelled"),
            name="antibiotic order",
        )  # fmt: skip
    if reading.zero is not None:
        _element(reading, draft, "F5", reading.element("E3"), (MEASURE, "5.4 Antibiotics"), (LOCAL, "3.2 Combination"))


def repeat(reading: Reading, draft: Draft) -> None:
    """F6."""
    chart = reading.chart
    if _unreached(
        reading, draft, "F6", "repeat lactate", tuple(v.ref for v in lactates(chart)) or chart.labs.evidence[:4]
    ):
        return
    _element(reading, draft, "F6", reading.element("E4"), (LOCAL, "3.3 Repeat"))


def crystalloid(reading: Reading, draft: Draft) -> None:
    """F7."""
    chart, fluids = reading.chart, reading.fluids
    if _unreached(reading, draft, "F7", "fluid trigger", chart.vitals.evidence[:6]):
        return
    policy = chart.session.policy
    out = draft.finding(
        "F7", policy(LOCAL, "4.1 Trigger"), policy(LOCAL, "4.2 Weight"), policy(MEASURE, "5.3 Crystalloid")
    )
    if fluids.trigger is None:
        looked = [v.ref for v in lactates(chart)[:3]] + list(chart.vitals.evidence[:6])
        out.absence("No trigger: no initial lactate of 4.0 or more and no hypotensive pair.", looked, "fluid trigger")
    else:
        out.claim(
            "index_event", f"Trigger {iso(fluids.trigger)}: {fluids.why}.", fluids.evidence, name="fluid trigger",
            value=fluids.why.split(" (")[0], time=iso(fluids.trigger),
        )  # fmt: skip
        per_kg = fluids.per_kg
        cited = [
            *(i.ref for i in fluids.infused),
            *([fluids.weight_ref] if fluids.weight_ref else []),
        ] or fluids.evidence
        out.claim(
            "computation",
            f"Crystalloid infused: {fluids.volume} mL, weight {fluids.weight} kg: "
            f"{'no weight' if per_kg is None else f'{per_kg:.1f} mL/kg'}; 27 suffices.",
            cited, name="crystalloid mL/kg", value=None if per_kg is None else round(float(per_kg), 2), unit="mL/kg",
        )  # fmt: skip
    _element(reading, draft, "F7", reading.element("E5"), (MEASURE, "5.3 Crystalloid"), (LOCAL, "4.3 Lesser"))


def pressor(reading: Reading, draft: Draft) -> None:
    """F8."""
    if _unreached(reading, draft, "F8", "persistent hypotension", reading.chart.vitals.evidence[:6]):
        return
    element = reading.element("E6")
    if not element.evidence:
        element = Element(element.name, element.status, element.why, reading.chart.vitals.evidence[:6])
    _element(reading, draft, "F8", element, (LOCAL, "4.4 Persistent"), (MEASURE, "4.2 Persistent"))
