"""The findings F1 to F7 of a transfusion report."""

from __future__ import annotations

from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.clinical.values import Value
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.transfusion_threshold.chart import HOUR, Chart
from pytest_clinicare.systems.scripted.investigators.transfusion_threshold.reading import Reading
from pytest_clinicare.systems.scripted.session import refs

LOCAL = "refhosp-rbc-transfusion-audit"
AABB = "aabb-rbc-2023"
TITLES = {
    "F1": "Start of the index unit",
    "F2": "Last haemoglobin before it",
    "F3": "Applicable threshold",
    "F4": "Overt bleeding",
    "F5": "Pressure and vasopressors",
    "F6": "Acute coronary syndrome",
    "F7": "Symptoms laid to anaemia",
}


def write(reading: Reading, draft: Draft) -> None:
    """All findings."""
    if not reading.chart.mine:
        draft.missing.append("There is no discharge summary of the admission.")
    unit(reading.chart, draft)
    haemoglobin(reading, draft)
    threshold(reading, draft)
    bleeding(reading, draft)
    pressure(reading, draft)
    coronary(reading, draft)
    symptoms(reading, draft)


def _looked(chart: Chart) -> list[str]:
    return [n.ref for n in chart.mine] or list(chart.discharge.evidence)


def unit(chart: Chart, draft: Draft) -> None:
    """F1, with the orders as what they are."""
    policy = chart.session.policy
    out = draft.finding("F1", policy(LOCAL, "2 Index unit"), policy("refhosp-chart-audit-standard", "2.4 Cancelled"))
    if chart.index is None:
        out.absence(
            "No red-cell unit is charted as given and the summary tells of none: no index transfusion, no start.",
            [*_looked(chart), *refs(chart.given.rows[:10])],
            "index transfusion",
        )
    elif chart.index.start is None:
        out.absence(
            "A unit was given, and no start time of the index transfusion is documented.",
            [*chart.index.evidence, *refs(chart.given.rows[:10])],
            "index transfusion",
        )
    else:
        out.claim(
            "index_event",
            f"The first red-cell unit outside the operating room started {iso(chart.index.start)}.",
            chart.index.evidence,
            name="index transfusion",
            time=iso(chart.index.start),
        )
    if chart.orders.rows:
        told = "; ".join(f"{r['order_subtype']} {r['transaction_type']} {r['ordertime']}" for r in chart.orders.rows)
        out.claim("order", f"Blood bank orders, which show intent alone: {told}.", refs(chart.orders.rows[:12]))


def haemoglobin(reading: Reading, draft: Draft) -> None:
    """F2."""
    chart = reading.chart
    out = draft.finding("F2", chart.session.policy(LOCAL, "3 Haemoglobin"))
    if chart.began is None:
        out.absence(
            "There is no start to measure from, hence no last haemoglobin before it.",
            refs(chart.labs.rows[:12]) or chart.labs.evidence,
            "haemoglobin",
        )
        return
    if reading.last is None:
        out.absence(
            f"No haemoglobin was collected from {iso(chart.began - 24 * HOUR)} to the start at {iso(chart.began)}.",
            refs(chart.labs.rows[-6:]) or chart.labs.evidence,
            "haemoglobin",
        )
        return
    value, kind = reading.last
    out.measurement(
        f"Last haemoglobin {value.value} g/dL ({kind}) at {iso(value.time)}, "
        f"{(chart.began - value.time) / HOUR:.2f} h before the start.",
        value,
        "last haemoglobin",
        "g/dL",
    )
    if reading.passed_over:
        gas = reading.passed_over[0]
        out.status(
            f"The blood gas of {iso(gas.time)} with {gas.value} g/dL lies within 60 min of the count, which is used.",
            [gas.ref],
            "blood-gas haemoglobin",
            "passed over",
        )


def threshold(reading: Reading, draft: Draft) -> None:
    """F3."""
    chart = reading.chart
    policy = chart.session.policy
    spans = (policy(LOCAL, "4 Applicable"), policy(AABB, "3.1 Recommendation 1"), policy(AABB, "3.3 Where"))
    out = draft.finding("F3", *spans)
    found = reading.threshold
    if found is None:
        out.absence(
            "No threshold is applied, since no index unit with a start can be fixed.", _looked(chart), "threshold"
        )
        return
    out.status(
        f"Applicable threshold {found.value} g/dL: {found.setting}.", found.evidence, "threshold", str(found.value)
    )
    out.claim("comparison", draft.why, [v.ref for v, _ in ([reading.last] if reading.last else [])], name="comparison")


def bleeding(reading: Reading, draft: Draft) -> None:
    """F4."""
    chart = reading.chart
    out = draft.finding("F4", chart.session.policy(LOCAL, "5 Unstable"))
    if reading.bleeding:
        out.status(
            f"Overt bleeding in the 24 h before the start: {reading.bleeding[0]}.",
            reading.bleeding[1],
            "overt bleeding",
            "present",
        )
        return
    told = "; ".join(f'"{t.text}"' for t in reading.dismissed[:2])
    out.absence(
        f"No overt bleeding in the 24 h before the start{f': {told}' if told else ''}.",
        [*(t.ref for t in reading.dismissed), *_looked(chart)],
        "overt bleeding",
    )


def pressure(reading: Reading, draft: Draft) -> None:
    """F5."""
    chart = reading.chart
    out = draft.finding("F5", chart.session.policy(LOCAL, "5 Unstable"))
    if chart.began is None:
        out.absence(
            "There is no start, hence no 6 h in which pressure counts.",
            refs(chart.vitals.rows[:8]) or chart.vitals.evidence,
            "lowest systolic pressure",
        )
        return
    if reading.lowest:
        out.measurement(
            f"Lowest systolic pressure of the 6 h before the start: {reading.lowest.value:f} mmHg at "
            f"{iso(reading.lowest.time)}.",
            Value(reading.lowest.ref, reading.lowest.time, reading.lowest.value),
            "lowest systolic pressure",
            "mmHg",
        )
    else:
        out.absence(
            "No systolic pressure in the 6 h before the start.", chart.vitals.evidence, "lowest systolic pressure"
        )
    if reading.mean:
        out.measurement(
            f"Lowest mean pressure: {reading.mean.value:f} mmHg at {iso(reading.mean.time)}.",
            reading.mean,
            "lowest mean pressure",
            "mmHg",
        )
    if reading.pressors:
        out.status("A vasopressor ran in that time.", refs(reading.pressors), "vasopressor", "running")
    else:
        out.absence(
            "No vasopressor ran in that time.", refs(chart.given.rows[:8]) or chart.given.evidence, "vasopressor"
        )
    if reading.fall and reading.fall[0].value > reading.fall[1].value:
        first, last = reading.fall
        out.claim(
            "computation",
            f"Widest fall in the 24 h before: {first.value} to {last.value}, by {first.value - last.value}.",
            [first.ref, last.ref],
            name="haemoglobin fall",
            value=float(first.value - last.value),
            unit="g/dL",
        )


def coronary(reading: Reading, draft: Draft) -> None:
    """F6."""
    chart = reading.chart
    out = draft.finding("F6", chart.session.policy(LOCAL, "6 Acute coronary"))
    rows = refs(reading.troponin[:6])
    course = ", ".join(f"{r.get('value')} at {r['charttime']}" for r in reading.troponin) or "not measured"
    if reading.syndrome:
        out.status(
            f'Acute coronary syndrome before the start: "{reading.syndrome[0].text}"; troponin T {course}.',
            [*(t.ref for t in reading.syndrome), *rows],
            "acute coronary syndrome",
            "present",
        )
        return
    why = f': "{reading.demand[0].text}"' if reading.demand else ""
    out.status(
        f"No acute coronary syndrome{why}; troponin T {course}.",
        [*(t.ref for t in reading.demand), *_looked(chart), *rows],
        "acute coronary syndrome",
        "absent",
    )


def symptoms(reading: Reading, draft: Draft) -> None:
    """F7."""
    chart = reading.chart
    out = draft.finding("F7", chart.session.policy(LOCAL, "7 Symptoms"), chart.session.policy(AABB, "5.4 Symptoms"))
    if reading.symptoms:
        out.status(
            f'Symptoms laid to the anaemia: "{reading.symptoms[0].text}"',
            [t.ref for t in reading.symptoms],
            "symptoms of anaemia",
            "present",
        )
    else:
        out.absence("No symptom of section 7 is laid to the anaemia.", _looked(chart), "symptoms of anaemia")
    if reading.programme:
        out.status(
            f'Transfusion programme: "{reading.programme[0].text}"',
            [t.ref for t in reading.programme],
            "transfusion programme",
            "present",
        )
