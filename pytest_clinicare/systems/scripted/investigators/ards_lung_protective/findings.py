"""The findings F1 to F8 of a ventilation report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_clinicare.systems.scripted.clinical.gases import Gas
from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.clinical.notes import sentences
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.clinical.ventilator import PLATEAU, VOLUME_OBSERVED, VOLUME_SET, middle
from pytest_clinicare.systems.scripted.draft import Draft, number
from pytest_clinicare.systems.scripted.investigators.ards_lung_protective.chart import WEIGHTS, Chart
from pytest_clinicare.systems.scripted.investigators.ards_lung_protective.height import predicted
from pytest_clinicare.systems.scripted.investigators.ards_lung_protective.imaging import risk_factor
from pytest_clinicare.systems.scripted.session import refs

if TYPE_CHECKING:
    from pytest_clinicare.systems.scripted.investigators.ards_lung_protective.investigation import Reading

LOCAL, BERLIN, ATS = "refhosp-lung-protective-audit", "berlin-ards-2012", "ats-esicm-sccm-ards-2017"
TITLES = {
    "F1": "Invasive ventilation",
    "F2": "Qualifying gas",
    "F3": "Bilateral opacities",
    "F4": "Cardiac cause or overload",
    "F5": "Height and sex",
    "F6": "Predicted body weight",
    "F7": "Tidal volumes",
    "F8": "Plateau pressures",
}
_ARDS_CODES = ("J80", "51882")


def episode(chart: Chart, draft: Draft) -> None:
    """F1."""
    out = draft.finding("F1", chart.session.policy(LOCAL, "1 Scope"))
    if chart.episode is None:
        out.absence("No invasive ventilation is charted in this stay.", chart.procedures.evidence[:10], "ventilation")
        return
    out.status(
        f"Invasive ventilation from {iso(chart.episode.start)} to {iso(chart.episode.end)}.",
        [str(chart.episode.row["ref"]), chart.stay_ref],
        "ventilation",
        "invasive",
    )


def onset(reading: Reading, draft: Draft) -> None:
    """F2, with the code as a lead apart from it."""
    chart = reading.chart
    policy = chart.session.policy
    out = draft.finding("F2", policy(LOCAL, "2.1 Qualifying gas"), policy(BERLIN, "7.1 Computation"))
    gas = reading.qualifying or (reading.usable[0][0] if reading.usable else None)
    if gas is None:
        kinds = ", ".join(sorted({g.specimen or "no type" for g in chart.gases})) or "none"
        cited = refs([row for g in chart.gases for row in g.rows][:12]) or chart.labs.evidence[:6]
        out.absence(
            f"No arterial gas with a matched FiO2 and PEEP during ventilation; specimen types found: {kinds}.",
            cited,
            "arterial gas",
        )
    else:
        _ratio(reading, draft, gas)
    codes = [r for r in chart.diagnoses.rows if code_of(r).startswith(_ARDS_CODES)]
    if codes:
        out.status("The syndrome is coded, which settles nothing.", refs(codes), "code", "lead")


def _ratio(reading: Reading, draft: Draft, gas: Gas) -> None:
    policy = reading.chart.session.policy
    out = draft.finding("F2", policy(LOCAL, "2.1 Qualifying gas"), policy(BERLIN, "3 Severity"))
    peep = next(row for other, row in reading.usable if other is gas)
    ratio, oxygen = gas.ratio, gas.oxygen
    assert ratio is not None
    assert oxygen is not None
    severity = "none" if ratio > 300 else "mild" if ratio > 200 else "moderate" if ratio > 100 else "severe"
    named = "T0" if reading.onset else "gas"
    out.claim(
        "computation",
        f"P/F at {named} {iso(gas.time)}: arterial ({gas.specimen}) PaO2 {gas.po2} / FiO2 {oxygen} = {ratio:.0f} mmHg "
        f"with PEEP {peep.get('value')} cmH2O; Berlin class {severity}.",
        [*refs(list(gas.rows)), str(peep["ref"])],
        name="P/F",
        value=float(round(ratio, 1)),
        unit="mmHg",
        time=iso(gas.time),
    )
    if reading.onset:
        out.claim(
            "index_event",
            f"T0 is {iso(reading.onset)}, the earliest gas that meets all four limbs.",
            refs(list(gas.rows)),
            policy(LOCAL, "2.4 T0"),
            name="T0",
            time=iso(reading.onset),
        )
    else:
        out.status("T0: onset is not established.", [str(peep["ref"])], "T0", "not established")


def opacities(reading: Reading, draft: Draft) -> None:
    """F3."""
    policy = reading.chart.session.policy
    out = draft.finding("F3", policy(LOCAL, "2.2 Imaging"), policy(BERLIN, "4.1 Counts"), policy(BERLIN, "2 The four"))
    imaging = reading.imaging
    if imaging is None or imaging.report is None:
        film = next((r for r in reading.films if r.reads == "bilateral"), next(iter(reading.films), None))
        if film is None:
            out.absence("No chest imaging near the gas.", reading.chart.radiology.evidence[:6], "opacities")
            return
        text = f'Chest report of {iso(film.time)}: "{film.told}".'
        out.status(text, [film.span], "opacities", film.reads)
        return
    report = imaging.report
    out.status(
        f'Chest report of {iso(report.time)}: "{report.told}"; opacities {report.reads}, cause {report.cause}: '
        f"{imaging.why}.",
        [report.span],
        "opacities",
        report.reads,
    )


def heart(reading: Reading, draft: Draft) -> None:
    """F4."""
    chart, summary = reading.chart, reading.summary
    out = draft.finding("F4", chart.session.policy(LOCAL, "2.3 Timing"), chart.session.policy(BERLIN, "5 Reading"))
    if summary.side != "unstated":
        out.status(f'The summary says: "{summary.told}".', [summary.span], "cardiac cause", summary.side)
    else:
        looked = [note.ref for note in chart.mine] or chart.discharge.evidence
        out.absence("No sole cardiac cause or overload is named.", looked, "cardiac cause")
    for note in chart.mine:
        for sentence in sentences(note.text):
            if "echo" in sentence.text.lower() or "EF " in sentence.text:
                out.status(
                    f'Objective evidence: "{sentence.text}".',
                    [note.span(sentence.start, sentence.end)],
                    "echocardiogram",
                    "on record",
                )
    if insult := risk_factor(chart.mine):
        out.status(f"Insult named by the summary: {insult[0]}.", [insult[1]], "insult", insult[0])


def height(reading: Reading, draft: Draft) -> None:
    """F5."""
    chart = reading.chart
    out = draft.finding("F5", chart.session.policy(LOCAL, "3.1 Height"))
    sex = "female" if chart.female else "male"
    patient = str(chart.patient["ref"])
    for found in reading.heights:
        out.claim(
            "measurement",
            f"Height {found.centimetres:.1f} cm: {found.told}; sex {sex}.",
            [found.ref, patient],
            name="height",
            value=float(round(found.centimetres, 1)),
            unit="cm",
            time=iso(found.time) if found.time else None,
        )
    if not reading.heights:
        looked = [*refs(chart.body.rows[:3]), *(note.ref for note in chart.mine), patient]
        out.absence("No height in the ICU flowsheet, the outpatient record or the discharge summary.", looked, "height")


def weight(reading: Reading, draft: Draft) -> None:
    """F6."""
    chart = reading.chart
    policy = chart.session.policy
    out = draft.finding("F6", policy(ATS, "2 Predicted body weight"))
    base = "45.5" if chart.female else "50"
    for found in reading.heights:
        kilograms = predicted(found.centimetres, chart.female)
        out.claim(
            "computation",
            f"Predicted body weight: {base} + 0.91 x ({found.centimetres:.2f} - 152.4) = {kilograms:.2f} kg.",
            [found.ref, str(chart.patient["ref"])],
            name="predicted body weight",
            value=float(round(kilograms, 2)),
            unit="kg",
        )
    actual = [r for r in chart.body.rows if r.get("itemid") in WEIGHTS]
    if actual:
        out.status(
            f"Measured weight {actual[0].get('value')} kg is not used for the limit.",
            refs(actual[:1]),
            "actual weight",
            "not used",
        )
    elif not reading.heights:
        out.absence("Without a height there is no predicted body weight.", [chart.stay_ref], "predicted body weight")


def volumes(reading: Reading, draft: Draft) -> None:
    """F7."""
    chart = reading.chart
    policy = chart.session.policy
    out = draft.finding("F7", policy(LOCAL, "4.2 Tidal volume"), policy(ATS, "3 Strong"))
    if reading.window is None:
        charted = [r for r in chart.charted.rows if r.get("itemid") in (VOLUME_SET, VOLUME_OBSERVED)]
        out.absence(
            f"Tidal volumes ({number(len(charted), 'row')}) are not scored, since onset (T0) is not established.",
            refs(charted[:4]) or chart.charted.evidence[:4],
            "median tidal volume",
        )
        return
    median = middle(reading.volumes)
    cited = [v.ref for v in reading.volumes]
    if median is None:
        out.absence("No controlled-mode tidal volume in the window.", chart.charted.evidence[:4], "median tidal volume")
        return
    figures = ", ".join(f"{v.value:g}" for v in reading.volumes)
    out.claim(
        "computation",
        f"{len(reading.volumes)} controlled-mode tidal volumes in (T0, T0+24 h]: {figures}; median {median:g} mL.",
        cited,
        name="median tidal volume",
        value=float(median),
        unit="mL",
    )
    for found in reading.heights:
        per = reading.per_kilogram(found)
        assert per is not None
        out.claim(
            "computation",
            f"Median tidal volume {median:g} mL / {predicted(found.centimetres, chart.female):.2f} kg = {per:.2f} "
            "mL/kg predicted body weight (limit 8.0).",
            cited,
            name="mL/kg",
            value=float(round(per, 3)),
            unit="mL/kg",
        )


def plateaus(reading: Reading, draft: Draft) -> None:
    """F8."""
    chart = reading.chart
    policy = chart.session.policy
    out = draft.finding("F8", policy(LOCAL, "4.3 Plateau"), policy(LOCAL, "4.4 Decision"), policy(ATS, "6.1 Goal"))
    median = middle(reading.plateaus)
    if median is not None:
        figures = ", ".join(f"{p.value:g}" for p in reading.plateaus)
        out.claim(
            "computation",
            f"Plateau pressures in the window: {figures}; median {median:g} cmH2O (limit 30).",
            [p.ref for p in reading.plateaus],
            name="median plateau",
            value=float(median),
            unit="cmH2O",
        )
        return
    charted = [r for r in chart.charted.rows if r.get("itemid") == PLATEAU]
    told = "is charted in the window" if reading.window else "is scored, since onset is not established"
    out.absence(f"No plateau pressure {told}.", refs(charted[:3]) or [f"call:{chart.charted.call}"], "plateau")
