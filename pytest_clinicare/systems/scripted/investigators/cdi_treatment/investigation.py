"""C. difficile management, decided in the order of ASC-14 section 7."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigation import Investigation
from pytest_clinicare.systems.scripted.investigators.cdi_treatment import findings
from pytest_clinicare.systems.scripted.investigators.cdi_treatment.chart import HOUR, Chart, gather
from pytest_clinicare.systems.scripted.investigators.cdi_treatment.regimen import (
    Regimen,
    Years,
    fault,
    late,
    read,
    started,
    years,
)
from pytest_clinicare.systems.scripted.investigators.cdi_treatment.severity import Severity, classify
from pytest_clinicare.systems.scripted.investigators.cdi_treatment.stool import Stool, other_cause, pattern


@dataclass
class Reading:
    """What the findings say of one chart."""

    chart: Chart
    years: Years | None
    stool: Stool | None = None
    cause: tuple[str, tuple[str, ...]] | None = None
    severity: Severity | None = None
    regimen: Regimen | None = None

    @property
    def negative_toxin(self) -> bool:
        """Toxin negative with a positive nucleic-acid assay."""
        kinds = {(a.kind, a.result) for a in self.chart.inside}
        return (
            ("toxin", "negative") in kinds
            and ("nucleic acid", "positive") in kinds
            and (("toxin", "positive") not in kinds)
        )


def look(chart: Chart) -> Reading:
    reading = Reading(chart, years(chart))
    if chart.index:
        reading.stool, reading.cause, reading.severity = pattern(chart), other_cause(chart), classify(chart)
        if chart.index.stored:
            reading.regimen = read(chart)
    return reading


def write(reading: Reading, draft: Draft) -> None:
    """All findings."""
    chart = reading.chart
    if not chart.mine:
        draft.missing.append("There is no discharge summary of the admission.")
    over = ""
    if chart.index is None:
        over = "there is no positive assay of this admission"
    elif reading.years is None or not reading.years.editions:
        over = "the edition cannot be placed"
    elif reading.stool and reading.stool.status == "colonised":
        over = "the patient is colonised, so no class is judged"
    findings.assay(chart, draft)
    findings.infection(chart, draft, reading.stool, reading.cause)
    findings.edition(chart, draft, reading.years)
    findings.values(chart, draft, reading.severity, over)
    findings.earlier(chart, draft, reading.severity)
    findings.therapy(chart, draft, reading.regimen)
    findings.listed(chart, draft, reading.regimen, reading.years, draft.why)


def decide(reading: Reading, draft: Draft) -> None:
    """The first step that fits."""
    chart, severity, regimen = reading.chart, reading.severity, reading.regimen
    if chart.index is None or severity is None:
        draft.reopens = "A positive assay of stool collected in this admission."
        return draft.conclude(Verdict.LACK, "No positive C. difficile assay belongs to this admission.", Verdict.NO)
    if (
        severity.days is not None
        and severity.days <= 14
        and severity.earlier
        and severity.earlier.collected < chart.start
    ):
        return draft.conclude(Verdict.LACK, "The positive belongs to an episode from before the admission.", Verdict.NO)
    if reading.years is None or not reading.years.editions:
        draft.reopens = "The real year of the admission."
        return draft.conclude(
            Verdict.LACK,
            "A possible year lies before 2018, so the 2010 edition may have been in force.",
            Verdict.NO,
        )
    assert reading.stool is not None
    if reading.stool.status == "unknown":
        draft.reopens = "A note or flowsheet on stool."
        return draft.conclude(
            Verdict.LACK, "Nothing describes stool or abdomen within 48 h of collection.", Verdict.YES
        )
    if regimen is None or not _observed(chart):
        draft.reopens = "The administration record of the stay."
        return draft.conclude(
            Verdict.LACK, "No result time, or no administration row from collection to result + 48 h.", Verdict.YES
        )
    assert chart.index.stored is not None
    if reading.stool.status == "colonised":
        after = late(regimen.effective, chart.index.stored)
        if after:
            return draft.conclude(
                Verdict.NO,
                f"Colonisation, and {len(after)} anti-CDI dose(s) were given more than 24 h after the result.",
            )
        return draft.conclude(
            Verdict.YES, "Colonisation, and no anti-CDI dose was given more than 24 h after the result."
        )
    if reading.negative_toxin and reading.cause:
        return draft.conclude(
            Verdict.AMBIGUOUS, f"Toxin negative, PCR positive, and {reading.cause[0]}: not separable.", Verdict.YES
        )
    return judge(reading, draft)


def _observed(chart: Chart) -> bool:
    assert chart.index is not None
    assert chart.index.stored is not None
    first, last = iso(chart.index.collected), iso(chart.index.stored + 48 * HOUR)
    return any(r.get("source") == "emar" and first <= str(r["charttime"]) <= last for r in chart.administrations.rows)


def _kinds(severity: Severity) -> list[str]:
    """Classes that the values leave open."""
    if severity.fulminant:
        return ["fulminant"]
    if severity.recurrent:
        return ["recurrence"]
    return {True: ["severe"], False: ["non-severe"], None: ["severe", "non-severe"]}[severity.severe]


def judge(reading: Reading, draft: Draft) -> None:
    """Steps 8 to 12: an infection against the regimen of its class."""
    severity, regimen = reading.severity, reading.regimen
    assert severity is not None
    assert regimen is not None
    assert reading.years is not None
    editions = reading.years.editions
    if severity.disputed:
        as_severe = [fault(regimen, "severe", severity, e) for e in editions]
        as_fulminant = [fault(regimen, "fulminant", severity, e) for e in editions]
        if started(reading.chart, regimen) and not any(as_severe) and all(as_fulminant):
            return draft.conclude(
                Verdict.AMBIGUOUS,
                "Shock is left open between C. difficile and another cause; the regimen is right for severe disease "
                "and wrong for fulminant disease.",
                Verdict.YES,
            )
    if not started(reading.chart, regimen):
        first = f"the first came at {iso(regimen.first.time)}" if regimen.first else "none was administered at all"
        return draft.conclude(Verdict.NO, f"No effective anti-CDI dose by 24 h after the result: {first}.")
    faults = {(kind, e): fault(regimen, kind, severity, e) for kind in _kinds(severity) for e in editions}
    told = "; ".join(sorted({f for f in faults.values() if f}))
    if any(faults.values()) and not all(faults.values()):
        draft.reopens = "The real year of the admission, or a white count and creatinine."
        return draft.conclude(
            Verdict.LACK, f"Concordant under one possible reading and not under another: {told}.", Verdict.YES
        )
    if told:
        return draft.conclude(Verdict.NO, f"Class {severity.name}: {told}.")
    return draft.conclude(Verdict.YES, f"Class {severity.name}: a listed regimen, started in time.")


investigate = Investigation(findings.TITLES, gather, look, decide, write)
