"""Edition in force and whether the regimen is listed in it (ASC-14 sections 2 and 5)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal, InvalidOperation

from pytest_clinicare.systems.scripted.clinical.antibiotics import Dose
from pytest_clinicare.systems.scripted.clinical.notes import find_asserted, section, sentences
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.investigators.cdi_treatment.chart import HOUR, Chart
from pytest_clinicare.systems.scripted.investigators.cdi_treatment.severity import Severity

IN_2017, IN_2021 = "idsa-shea-cdi-2017", "idsa-shea-cdi-2021-update"
_PER_DAY = {"Q6H": 4, "QID": 4, "Q8H": 3, "TID": 3, "Q12H": 2, "BID": 2, "DAILY": 1, "Q24H": 1, "Q4H": 6}
_PULSED = re.compile(r"every other day|extended[- ]pulsed", re.IGNORECASE)
_TAPER = re.compile(r"\btaper|pulsed", re.IGNORECASE)
_PLANNED = re.compile(
    r"(\d+) days of therapy|total of (\d+) days|(?:complete|runs? for|be|plan is) (\d+) days|"
    r"(\d+) days in (?:all|total)",
    re.IGNORECASE,
)
_EXCEPTION = re.compile(
    r"(?:vancomycin|fidaxomicin)[^.]{0,60}(?:unavailable|not available|contraindicated|allerg)", re.IGNORECASE
)


@dataclass(frozen=True)
class Years:
    earliest: int
    latest: int

    @property
    def editions(self) -> tuple[str, ...]:
        """Those that may have been in force (2.2); none where the 2010 edition may have applied."""
        if self.earliest < 2018:
            return ()
        if self.latest <= 2020:
            return (IN_2017,)
        return (IN_2021,) if self.earliest >= 2022 else (IN_2017, IN_2021)


@dataclass
class Regimen:
    """``parts`` are (agent, route, mg, times a day) given from the result to result + 48 h."""

    effective: list[Dose] = field(default_factory=list)
    first: Dose | None = None
    parts: list[tuple[str, str, Decimal | None, int | None]] = field(default_factory=list)
    given: list[Dose] = field(default_factory=list)
    pulsed: tuple[str, ...] = ()
    taper: bool = False
    planned: int | None = None
    planned_evidence: tuple[str, ...] = ()
    exception: bool = False

    def has(self, agent: str, *routes: str) -> list[tuple[Decimal | None, int | None]]:
        return [(mg, times) for name, route, mg, times in self.parts if name == agent and route in routes]


def years(chart: Chart) -> Years | None:
    """Possible calendar years of the admission, from the anchor-year group."""
    group = re.findall(r"\d{4}", str(chart.patient.get("anchor_year_group") or ""))
    admitted = parse_time(chart.admission.get("admittime"))
    if len(group) != 2 or admitted is None:
        return None
    offset = admitted.year - int(chart.patient["anchor_year"])
    return Years(int(group[0]) + offset, int(group[1]) + offset)


def anti_cdi(dose: Dose) -> bool:
    """Effective therapy (5.1): enteral or rectal vancomycin, fidaxomicin, oral metronidazole."""
    if dose.agent == "vancomycin":
        return dose.route in ("oral", "rectal")
    return dose.agent == "fidaxomicin" or (dose.agent == "metronidazole" and dose.route == "oral")


def read(chart: Chart) -> Regimen:
    assert chart.index is not None
    assert chart.index.stored is not None
    out, result = Regimen(), chart.index.stored
    out.effective = [d for d in chart.doses if anti_cdi(d) and d.time >= chart.index.collected - 24 * HOUR]
    out.first = out.effective[0] if out.effective else None
    relevant = [d for d in chart.doses if d.agent in ("vancomycin", "fidaxomicin", "metronidazole")]
    out.given = [d for d in relevant if result <= d.time <= result + 48 * HOUR]
    for dose in out.given:
        order = chart.prescription(dose) or {}
        part = (dose.agent, dose.route, _milligrams(order), _PER_DAY.get(str(order.get("frequency") or "").upper()))
        if part not in out.parts:
            out.parts.append(part)
    for note in chart.mine:
        for sentence in sentences(note.text):
            if _PULSED.search(sentence.text) and "fidaxomicin" in sentence.text.lower():
                out.pulsed = out.pulsed or (note.span(sentence.start, sentence.end),)
            if _TAPER.search(sentence.text) and "vancomycin" in sentence.text.lower():
                out.taper = True
            found = _PLANNED.search(sentence.text)
            if found and out.planned is None:
                out.planned = int(next(g for g in found.groups() if g))
                out.planned_evidence = (note.span(sentence.start, sentence.end),)
        out.exception = out.exception or find_asserted(_EXCEPTION, note.text) is not None
        listed = section(note.text, "discharge medications")
        if not out.pulsed and listed and _PULSED.search(listed.text):
            out.pulsed = (note.span(listed.start, listed.end),)
    return out


def started(chart: Chart, regimen: Regimen) -> bool:
    """First effective dose from 24 h before collection to 24 h after the result."""
    assert chart.index is not None
    assert chart.index.stored is not None
    return regimen.first is not None and regimen.first.time <= chart.index.stored + 24 * HOUR


def fault(regimen: Regimen, kind: str, severity: Severity, edition: str) -> str:
    """Why the regimen is not listed for the class in the edition; empty where it is.

    ``kind`` is fulminant, recurrence, severe or non-severe.
    """
    oral = regimen.has("vancomycin", "oral", "rectal")
    fidaxomicin = [p for p in regimen.has("fidaxomicin", "oral") if _reaches(p, 200, 2)]
    if regimen.planned is not None and regimen.planned < 10 and not regimen.pulsed:
        return f"the planned total of {regimen.planned} days is below 10"
    if kind == "fulminant":
        if not [p for p in oral if _reaches(p, 500, 4)]:
            return "fulminant disease needs vancomycin 500 mg enterally four times daily"
        if severity.ileus and not regimen.has("metronidazole", "IV"):
            return "with ileus, IV metronidazole is required"
        return ""
    vancomycin = [p for p in oral if _reaches(p, 125, 4)]
    if kind == "recurrence":
        return _recurrence_fault(regimen, severity, edition, bool(fidaxomicin), bool(vancomycin))
    if vancomycin or fidaxomicin:
        return ""
    if regimen.has("metronidazole", "oral"):
        if kind == "non-severe" and regimen.exception:
            return ""
        return "metronidazole alone is not listed without a documented exception"
    return "no listed agent, dose and frequency was given"


def _recurrence_fault(regimen: Regimen, severity: Severity, edition: str, fidaxomicin: bool, vancomycin: bool) -> str:
    if fidaxomicin:
        if regimen.pulsed and edition == IN_2017:
            return "extended-pulsed fidaxomicin is not listed by the 2017 edition"
        return ""
    if vancomycin:
        if regimen.taper or severity.prior == "metronidazole":
            return ""
        return "a standard vancomycin course repeats what treated the first episode"
    return "no agent listed for a first recurrence was given"


def _reaches(part: tuple[Decimal | None, int | None], milligrams: int, times: int) -> bool:
    amount, often = part
    return amount is not None and amount >= milligrams and (often is None or often >= times)


def _milligrams(order: dict[str, object]) -> Decimal | None:
    try:
        amount = Decimal(str(order.get("dose_val_rx")))
    except InvalidOperation:
        return None
    return amount * 1000 if str(order.get("dose_unit_rx") or "").lower() in ("g", "gm") else amount


def late(doses: list[Dose], result: datetime) -> list[Dose]:
    """Anti-CDI doses more than 24 h after the result."""
    return [d for d in doses if d.time > result + 24 * HOUR]
