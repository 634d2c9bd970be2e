"""Anticoagulant doses, reperfusion, filter and contraindications (TH-09 sections 4 to 7)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal, InvalidOperation

from pytest_clinicare.systems.scripted.clinical.administration import is_given
from pytest_clinicare.systems.scripted.clinical.notes import BACKGROUND, sentences
from pytest_clinicare.systems.scripted.clinical.radiology import title_of
from pytest_clinicare.systems.scripted.clinical.times import iso, parse_time
from pytest_clinicare.systems.scripted.investigators.pe_risk_stratification.chart import Chart
from pytest_clinicare.systems.scripted.session import Row

_AGENT = re.compile(
    r"^(heparin|enoxaparin|lovenox|fondaparinux|apixaban|rivaroxaban|argatroban|bivalirudin|warfarin|dabigatran"
    r"|edoxaban|dalteparin)",
    re.IGNORECASE,
)
_LINE = re.compile(r"flush|lock|catheter|crrt|dialysis", re.IGNORECASE)
_LYSIS = re.compile(r"^(alteplase|tenecteplase|tpa\b|activase)", re.IGNORECASE)
_DEVICE = re.compile(r"thrombectomy|embolectomy|catheter[- ]directed|thrombolysis|lysis catheter|EKOS", re.IGNORECASE)
_FILTER = re.compile(r"\b(?:IVC|vena cava|caval) filter", re.IGNORECASE)
_AVOIDED = re.compile(r"contraindicat|prohibitive|precluded|too dangerous", re.IGNORECASE)
_BLEEDING = re.compile(r"h[a]?emorrhag|bleed|neurosurg|platelet", re.IGNORECASE)
_REPERFUSION = re.compile(r"thrombolysis|reperfusion|alteplase|\btpa\b|embolectomy|\blysis\b", re.IGNORECASE)
_DECLINED = re.compile(r"contraindicat|declin|refus", re.IGNORECASE)
_DOUBT = re.compile(
    r"surveillance|significance (?:was |is |remained )?(?:uncertain|doubt)|doubtful significance", re.IGNORECASE
)
HEPARIN, ALTEPLASE, ENOXAPARIN, FONDAPARINUX = 225152, 221319, 225906, 225908
_THROMBIN = (225147, 225148)


@dataclass
class Dose:
    """An administered anticoagulant; ``treatment`` says whether it counts, ``told`` its dose in words."""

    time: datetime
    agent: str
    told: str
    treatment: bool
    evidence: tuple[str, ...]


@dataclass
class Treatment:
    doses: list[Dose]
    untreated: list[Row]
    lysis: list[tuple[datetime, Decimal | None, tuple[str, ...]]]
    device: list[tuple[datetime, str]]
    filter: list[tuple[datetime, str]]
    contraindication: list[str] = field(default_factory=list)
    spared: list[str] = field(default_factory=list)
    doubt: list[str] = field(default_factory=list)

    def first(self, start: datetime, end: datetime) -> Dose | None:
        """The first treatment dose between the two times, both included."""
        return next((d for d in self.doses if d.treatment and start <= d.time <= end), None)


def treat(chart: Chart) -> Treatment:
    """Everything that was given, and what the record says of what was not."""
    out = Treatment([], [], [], [], [])
    for row in chart.given.rows:
        time = parse_time(row.get("charttime"))
        name = str(row.get("drug") or "")
        if time is None:
            continue
        if row.get("source") == "inputevents":
            _input(out, row, time)
        elif _LYSIS.match(name) and is_given(row.get("event_txt")):
            order = chart.dispensed.get(row.get("pharmacy_id"))
            amount = _figure(order.get("dose_val_rx") if order else row.get("dose_given"))
            out.lysis.append((time, amount, _refs(row, order)))
        elif _AGENT.match(name) and not _LINE.search(name):
            if is_given(row.get("event_txt")):
                out.doses.append(_dose(chart, row, time))
            elif not str(row.get("event_txt") or "").lower().startswith(("stop", "rate", "flush")):
                out.untreated.append(row)
    out.doses.sort(key=lambda d: d.time)
    out.lysis.sort(key=lambda found: found[0])
    _reports(chart, out)
    _notes(chart, out)
    return out


def _input(out: Treatment, row: Row, time: datetime) -> None:
    item, ref = row.get("itemid"), (str(row["ref"]),)
    if item == HEPARIN and (row.get("rate") or 0) > 0:
        out.doses.append(Dose(time, "heparin", f"{row['rate']:g} units/h infusion", True, ref))
    elif item in _THROMBIN and (row.get("rate") or 0) > 0:
        out.doses.append(Dose(time, "direct thrombin inhibitor", "infusion", True, ref))
    elif item == ALTEPLASE:
        out.lysis.append((time, _figure(row.get("amount")), ref))


def _dose(chart: Chart, row: Row, time: datetime) -> Dose:
    order = chart.dispensed.get(row.get("pharmacy_id"))
    source = order or {}
    match = _AGENT.match(str(row["drug"]))
    agent = match.group(1).lower() if match else ""
    agent = "enoxaparin" if agent == "lovenox" else agent
    amount = _figure(source.get("dose_val_rx") if order else row.get("dose_given") or row.get("dose_due"))
    unit = str(source.get("dose_unit_rx") or row.get("dose_given_unit") or "")
    route = str(source.get("route") or row.get("route") or "").upper()
    often = str(source.get("frequency") or "").upper()
    evidence = _refs(row, order)
    told = " ".join(part for part in (f"{amount}" if amount is not None else "", unit, route, often) if part)
    counts = False
    if agent in ("heparin", "argatroban", "bivalirudin"):
        counts = route.startswith("IV") and ("DRIP" in route or "INFUSION" in often or "/HR" in unit.upper())
        counts = counts or "bolus from iv drip" in str(row.get("event_txt") or "").lower()
    elif agent == "enoxaparin" and amount is not None:
        counts, weighed = _enoxaparin(chart, amount, often, time)
        evidence = (*evidence, *weighed)
    elif agent == "fondaparinux":
        counts = amount is not None and amount in (Decimal(5), Decimal("7.5"), Decimal(10))
    elif agent == "apixaban":
        counts = amount == 10
    elif agent == "rivaroxaban":
        counts = amount == 15
    return Dose(time, agent, told, counts, evidence)


def _enoxaparin(chart: Chart, amount: Decimal, often: str, time: datetime) -> tuple[bool, tuple[str, ...]]:
    """0.8 mg/kg every 12 h, 1.2 mg/kg every 24 h; 0.8 mg/kg a day where the clearance is below 30."""
    twice = any(part in often for part in ("Q12", "BID"))
    weighed = chart.weight(time)
    if weighed is None:
        return twice and amount >= 60, ()
    share = amount / weighed[0]
    clearance = chart.clearance()
    low = clearance is not None and clearance < 30
    return share >= (Decimal("0.8") if twice or low else Decimal("1.2")), (weighed[1],)


def _reports(chart: Chart, out: Treatment) -> None:
    for note in chart.radiology.items:
        title, time = title_of(note.text), parse_time(note.charttime)
        if time and _FILTER.search(title):
            out.filter.append((time, note.ref))
        elif time and _DEVICE.search(title):
            out.device.append((time, note.ref))


def _notes(chart: Chart, out: Treatment) -> None:
    for note in chart.mine:
        for s in sentences(note.text, BACKGROUND):
            span, text = note.span(s.start, s.end), s.text
            if "anticoagula" in text.lower() and _AVOIDED.search(text) and _BLEEDING.search(text):
                out.contraindication.append(span)
            if _REPERFUSION.search(text) and _DECLINED.search(text):
                out.spared.append(span)
            if _DOUBT.search(text):
                out.doubt.append(span)


def _figure(value: object) -> Decimal | None:
    try:
        return Decimal(str(value).replace(",", "")) if value not in (None, "") else None
    except InvalidOperation:
        return None


def _refs(row: Row, order: Row | None) -> tuple[str, ...]:
    return (str(row["ref"]), *((str(order["ref"]),) if order else ()))


def hours_from(time: datetime, mark: datetime) -> str:
    """``+1.50 h``."""
    return f"{(time - mark).total_seconds() / 3600:+.2f} h"


def told_times(doses: Sequence[Dose]) -> str:
    return ", ".join(f"{d.agent} {d.told} at {iso(d.time)}" for d in doses)
