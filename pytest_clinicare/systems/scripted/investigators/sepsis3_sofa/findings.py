"""The findings F1 to F9 of a Sepsis-3 report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_clinicare.systems.scripted.clinical.antibiotics import agent_of
from pytest_clinicare.systems.scripted.clinical.sofa import CNS, COMPONENTS
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft, number
from pytest_clinicare.systems.scripted.session import refs

if TYPE_CHECKING:
    from pytest_clinicare.systems.scripted.investigators.sepsis3_sofa.investigation import Reading, Score

LOCAL, SEPSIS, SOFA, AUDIT = (
    "refhosp-sepsis3-operational",
    "sepsis3-2016",
    "sofa-1996",
    "refhosp-chart-audit-standard",
)
TITLES = {
    "F1": "ICU stay and period",
    "F2": "Cultures",
    "F3": "Antibiotics",
    "F4": "Pair and onset",
    "F5": "SOFA by component",
    "F6": "Components not measured",
    "F7": "Baseline",
    "F8": "Rise",
    "F9": "Causes in the summary",
}

_TABLES = dict(
    zip(
        COMPONENTS,
        ("2.1 Respiration", "2.2 Coagulation", "2.3 Liver", "2.4 Cardiovascular", "2.5 Central", "2.6 Renal"),
        strict=True,
    )
)


def write(reading: Reading, draft: Draft) -> None:
    """All findings."""
    if not reading.chart.mine:
        draft.missing.append("There is no discharge summary of the admission.")
    stay(reading, draft)
    cultures(reading, draft)
    antibiotics(reading, draft)
    pair(reading, draft)
    best = reading.leading
    components(reading, best, draft)
    missing(reading, best, draft)
    baseline(reading, best, draft)
    rise(reading, best, draft)
    causes(reading, draft)


def stay(reading: Reading, draft: Draft) -> None:
    """F1."""
    chart = reading.chart
    out = draft.finding("F1", chart.session.policy(LOCAL, "2.3 Pair"), chart.session.policy(AUDIT, "1 "))
    first, last = chart.period
    out.status(
        f"ICU stay {iso(chart.intime)} to {iso(chart.outtime)}; onset must lie from {iso(first)} to {iso(last)}.",
        [str(chart.stay["ref"])],
        "ICU stay",
        "identified",
    )


def cultures(reading: Reading, draft: Draft) -> None:
    """F2."""
    chart, suspicion = reading.chart, reading.suspicion
    out = draft.finding("F2", chart.session.policy(LOCAL, "2.1 Culture"))
    for found in suspicion.diagnostic[:8]:
        out.claim(
            "status",
            f"Diagnostic culture: {found.specimen.lower()} ({found.tests[0]}) collected {iso(found.collected)}.",
            refs(list(found.rows))[:2],
            name="culture",
            value=found.specimen.lower(),
            time=iso(found.collected),
        )
    if not suspicion.diagnostic:
        out.absence("No diagnostic culture in the period.", chart.microbiology.evidence[:10], "culture")
    for found in suspicion.screens[:4]:
        text = f"{found.tests[0]} of {iso(found.collected)} is surveillance and is set aside."
        out.status(text, refs(list(found.rows))[:1], "surveillance", "set aside")


def antibiotics(reading: Reading, draft: Draft) -> None:
    """F3."""
    chart, suspicion = reading.chart, reading.suspicion
    out = draft.finding("F3", chart.session.policy(LOCAL, "2.2 Antibiotic"))
    for course in suspicion.courses[:6]:
        out.claim(
            "medication",
            f"First administered dose of {course.agent}: {iso(course.first)}; the last of "
            f"{number(len(course.doses), 'dose')} at {iso(course.last)}.",
            [course.doses[0].ref, course.doses[-1].ref],
            name=course.agent,
            value=course.agent,
            time=iso(course.first),
        )
    for course, why in suspicion.set_aside:
        text = f"{course.agent} from {iso(course.first)} to {iso(course.last)} is prophylaxis: {why}."
        out.status(text, [course.doses[0].ref, course.doses[-1].ref], "prophylaxis", "set aside")
    given = {course.agent for course in suspicion.courses} | {course.agent for course, _ in suspicion.set_aside}
    orders = [row for row in chart.ordered if agent_of(str(row.get("drug"))) not in given]
    if orders:
        out.claim(
            "order",
            f"Ordered without an administered dose: {', '.join(sorted({str(r['drug']) for r in orders}))}.",
            refs(orders[:4]),
            name="orders without administration",
        )
    if not suspicion.courses:
        looked = refs([r for r in chart.administrations.rows if r.get("source") == "emar"][:8])
        out.absence(
            "No systemic antibiotic for infection was administered in the period."
            if chart.administered
            else "There is no record of drug administration in the admission.",
            looked or [f"call:{chart.administrations.call}"],
            "administered antibiotic",
        )


def pair(reading: Reading, draft: Draft) -> None:
    """F4."""
    chart, suspicion = reading.chart, reading.suspicion
    policy = chart.session.policy
    out = draft.finding("F4", policy(LOCAL, "2.3 Pair"), policy(SEPSIS, "3.2 Suspected"))
    best = reading.leading
    for found in (best.pair,) if best else ():
        first = "culture" if found.hours >= 0 else "antibiotic"
        out.claim(
            "index_event",
            f"Pair: culture {iso(found.culture.collected)} and {found.course.agent} {iso(found.course.first)}, "
            f"{abs(found.hours):.2f} h apart, {first} first; onset t = {iso(found.onset)}; "
            f"{number(len(suspicion.pairs), 'pair')} in all.",
            [*refs(list(found.culture.rows))[:1], found.course.doses[0].ref],
            name="pair",
            value=round(abs(found.hours), 2),
            unit="h",
            time=iso(found.onset),
        )
    if best is None:
        nearest = [
            (abs((course.first - culture.collected).total_seconds()), culture, course)
            for culture in suspicion.diagnostic
            for course in suspicion.courses
        ]
        told = "No pair: "
        cited = list(chart.microbiology.evidence[:3])
        if nearest:
            _, culture, course = min(nearest, key=lambda entry: entry[0])
            hours = (course.first - culture.collected).total_seconds() / 3600
            told += f"the nearest culture and {course.agent} are {hours:+.2f} h apart (culture to antibiotic)."
            cited = [*refs(list(culture.rows))[:1], course.doses[0].ref]
        else:
            told += "no diagnostic culture and administered antibiotic exist together."
        out.absence(told, cited, "pair")


def components(reading: Reading, best: Score | None, draft: Draft) -> None:
    """F5: the deciding value of each component in the worst 24 h."""
    policy = reading.chart.session.policy
    out = draft.finding("F5", policy(LOCAL, "3.2 Components"), policy(SOFA, "3.1 Worst"))
    if best is None:
        out.absence("There is no pair, so no window in which SOFA is scored.", [str(reading.chart.stay["ref"])], "SOFA")
        return
    for name in COMPONENTS:
        scored = best.worst.deciding.get(name)
        if scored is None:
            continue
        title = "GCS" if name == CNS else name
        out.claim(
            "measurement",
            f"{title}: {scored.told} at {iso(scored.start)}: {scored.points} points.",
            scored.refs[:6],
            policy(SOFA, _TABLES[name]),
            name=title,
            value=scored.points,
            unit="points",
            time=iso(scored.start),
        )


def missing(reading: Reading, best: Score | None, draft: Draft) -> None:
    """F6."""
    chart = reading.chart
    out = draft.finding("F6", chart.session.policy(LOCAL, "3.3 GCS"), chart.session.policy(LOCAL, "3.4 Missing"))
    if best is None:
        out.absence(
            "There is no pair to score, so nothing counts as not measured.", [str(chart.stay["ref"])], "missing"
        )
        return
    looked = [str(chart.stay["ref"]), *refs(chart.labs.rows[-2:])]
    if best.missing:
        text = f"Not measured in W, hence 0: {', '.join(best.missing)}; {len(best.measured)} of 6 were measured."
        out.status(text, looked, "not measured", ", ".join(best.missing))
    else:
        out.status("All six components were measured in W.", looked, "not measured", "none")
    start, end = best.pair.window
    aside = [r for r in chart.aside if iso(start) <= str(r["charttime"]) <= iso(end)]
    if aside:
        out.status(
            f"{number(len(aside), 'charted Glasgow score')} under sedation or with a tube not scored.",
            refs(aside[:4]),
            "sedation",
            "not scored",
        )


def baseline(reading: Reading, best: Score | None, draft: Draft) -> None:
    """F7."""
    chart = reading.chart
    out = draft.finding("F7", chart.session.policy(LOCAL, "4.1 Rule"), chart.session.policy(SEPSIS, "3.1 Baseline"))
    if best is None:
        out.absence("There is no pair, so no baseline is needed.", [str(chart.admission["ref"])], "baseline")
        return
    prior = [r for r in chart.labs.rows if str(r.get("charttime")) < iso(chart.admitted)]
    healthy = [name for name in COMPONENTS if not reading.base[name].refs]
    if healthy:
        looked = refs(prior[-4:]) or [note.ref for note in chart.mine]
        out.status(f"Baseline 0, no chronic condition: {', '.join(healthy)}.", looked, "baseline", 0)
    for name, base in reading.base.items():
        if base.refs:
            value = "unknown" if base.points is None else base.points
            out.status(f"Baseline of {name}: {value} ({base.told}).", base.refs, f"{name} baseline", value)


def rise(reading: Reading, best: Score | None, draft: Draft) -> None:
    """F8."""
    chart = reading.chart
    policy = chart.session.policy
    out = draft.finding("F8", policy(LOCAL, "4.3 Rise"), policy(LOCAL, "7 Result"), policy(SEPSIS, "3.3 Window"))
    if best is None:
        out.absence("There is no pair, so no rise is computed.", [str(chart.stay["ref"])], "rise")
        return
    points = [f"{name} {best.worst.points.get(name, 0)}" for name in COMPONENTS]
    total = sum(best.worst.points.values())
    cited = [ref for scored in best.worst.deciding.values() for ref in scored.refs[:1]]
    unknown = f" ({best.possible} if unknown baselines were 0)" if best.possible > best.known else ""
    out.claim(
        "computation",
        f"Total {total} in the 24 h from {iso(best.worst.start)} ({', '.join(points)}); rise over baseline "
        f"{best.clear} from uncontested points, {best.known} with contested ones{unknown}.",
        cited,
        name="rise",
        value=best.clear,
        unit="points",
        time=iso(best.worst.start),
    )


def causes(reading: Reading, draft: Draft) -> None:
    """F9."""
    chart = reading.chart
    out = draft.finding(
        "F9", chart.session.policy(LOCAL, "5 Contested"), chart.session.policy(SEPSIS, "5.4 Consequent")
    )
    for component, (told, span) in reading.disputed.items():
        out.status(f'Points of {component} are contested: "{told}".', [span], "contested", component)
    if reading.excluded:
        out.status(f'The summary: "{reading.excluded[0]}".', [reading.excluded[1]], "infection", "excluded")
    if not reading.disputed and not reading.excluded:
        looked = [note.ref for note in chart.mine] or chart.discharge.evidence
        out.absence(
            "The summary names no other cause of the list and does not exclude infection.", looked, "other cause"
        )
