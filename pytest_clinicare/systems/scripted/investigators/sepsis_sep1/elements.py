"""Elements E1 to E6 and the exclusions of SEP-1 (QD-SEP-03 sections 3 to 6)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from pytest_clinicare.systems.scripted.clinical.antibiotics import Dose
from pytest_clinicare.systems.scripted.clinical.notes import asserted, sentences
from pytest_clinicare.systems.scripted.clinical.times import iso, parse_time
from pytest_clinicare.systems.scripted.clinical.values import Value, valid_values
from pytest_clinicare.systems.scripted.investigators.sepsis_sep1.chart import HOUR, LACTATE, Chart
from pytest_clinicare.systems.scripted.investigators.sepsis_sep1.fluids import Fluids
from pytest_clinicare.systems.scripted.investigators.sepsis_sep1.limbs import near
from pytest_clinicare.systems.scripted.session import refs

MET, FAILED, NOT_APPLICABLE = "met", "not met", "not applicable"
ALONE = frozenset(
    {
        "ceftriaxone", "cefotaxime", "ceftazidime", "cefepime", "ceftaroline", "piperacillin-tazobactam",
        "ampicillin-sulbactam", "ceftazidime-avibactam", "ceftolozane-tazobactam", "ertapenem", "imipenem", "meropenem",
        "doripenem", "levofloxacin", "moxifloxacin", "tigecycline",
    }
)  # fmt: skip
_A = frozenset({"gentamicin", "tobramycin", "amikacin", "aztreonam", "ciprofloxacin"})
_B = frozenset(
    {
        "vancomycin", "linezolid", "daptomycin", "clindamycin", "azithromycin", "erythromycin", "clarithromycin",
        "penicillin", "ampicillin", "nafcillin", "oxacillin", "cefazolin", "cefuroxime",
    }
)  # fmt: skip
_COMFORT = re.compile(r"comfort (?:measures|care)|\bCMO\b", re.IGNORECASE)
_REFUSED = re.compile(r"refus\w+[^.]{0,40}(?:blood|fluid|antibiotic|lab)", re.IGNORECASE)
_RESTRICTED = re.compile(
    r"fluids? (?:were|was|are)? ?(?:limited|restricted|withheld)|(?:limit|restrict)\w* (?:the )?fluids?", re.IGNORECASE
)
_VOLUME = re.compile(r"\d{3,4} ?(?:mL|cc)\b|\d(?:\.\d)? ?(?:L|liters?)\b|\d{1,2} ?(?:mL|cc)/kg", re.IGNORECASE)


@dataclass(frozen=True)
class Element:
    name: str
    status: str
    why: str
    evidence: tuple[str, ...]


def lactates(chart: Chart) -> list[Value]:
    return valid_values(chart.labs.rows, LACTATE, "mmol/l", high=40)


def initial_lactate(chart: Chart, zero: datetime) -> Value | None:
    """The earliest in T0 - 6 h to T0 + 3 h."""
    return next((v for v in lactates(chart) if near(zero, 6 * HOUR, 3 * HOUR, v.time)), None)


def e1(chart: Chart, zero: datetime) -> Element:
    found = initial_lactate(chart, zero)
    if found:
        return Element("E1", MET, f"initial lactate {found.value} at {iso(found.time)}", (found.ref,))
    seen = tuple(v.ref for v in lactates(chart))
    return Element("E1", FAILED, "no lactate was collected from T0 - 6 h to T0 + 3 h", seen or chart.labs.evidence[:6])


def first_doses(chart: Chart, zero: datetime) -> list[Dose]:
    """IV antibiotic doses of the E3 window, the first of each agent."""
    out: dict[str, Dose] = {}
    for dose in chart.intravenous:
        if near(zero, 24 * HOUR, 3 * HOUR, dose.time):
            out.setdefault(dose.agent, dose)
    return list(out.values())


def e2(chart: Chart, zero: datetime) -> Element:
    bloods = [c for c in chart.cultures if c.blood and near(zero, 48 * HOUR, 3 * HOUR, c.collected)]
    given = first_doses(chart, zero)
    cited = tuple(d.ref for d in given[:1])
    if not bloods:
        return Element(
            "E2", FAILED, "no blood culture from T0 - 48 h to T0 + 3 h", cited or chart.microbiology.evidence[:6]
        )
    first = bloods[0]
    cited = (*refs(list(first.rows[:1])), *cited)
    if not given or first.collected.replace(second=0) <= given[0].time.replace(second=0):
        return Element("E2", MET, f"blood culture at {iso(first.collected)}, before the antibiotic", cited)
    told = f"first blood culture at {iso(first.collected)}, after {given[0].agent} at {iso(given[0].time)}"
    return Element("E2", FAILED, told, cited)


def e3(chart: Chart, zero: datetime) -> Element:
    given = first_doses(chart, zero)
    agents = {d.agent for d in given}
    alone = [d for d in given if d.agent in ALONE]
    if alone:
        return Element("E3", MET, f"{alone[0].agent} at {iso(alone[0].time)} is on the list", (alone[0].ref,))
    if agents & _A and agents & _B:
        pair = [d for d in given if d.agent in _A | _B]
        return Element("E3", MET, f"combination {', '.join(d.agent for d in pair)}", tuple(d.ref for d in pair))
    if given:
        told = f"{', '.join(sorted(agents))} alone is not on the list"
        return Element("E3", FAILED, told, tuple(d.ref for d in given))
    later = chart.intravenous[:1]
    told = (
        f"no IV antibiotic by T0 + 3 h; the first was {later[0].agent} at {iso(later[0].time)}"
        if later
        else "none given"
    )
    return Element("E3", FAILED, told, tuple(d.ref for d in later) or chart.given.evidence[:6])


def e4(chart: Chart, zero: datetime) -> Element:
    first = initial_lactate(chart, zero)
    if first is None or first.value <= 2:
        told = "no initial lactate" if first is None else f"the initial lactate {first.value} is not above 2.0"
        return Element("E4", NOT_APPLICABLE, told, (first.ref,) if first else chart.labs.evidence[:4])
    later = [v for v in lactates(chart) if v.time > first.time]
    again = next((v for v in later if near(zero, timedelta(), 6 * HOUR, v.time)), None)
    if again:
        return Element("E4", MET, f"repeat lactate {again.value} at {iso(again.time)}", (first.ref, again.ref))
    told = f"the next lactate came at {iso(later[0].time)}" if later else "no second lactate was collected"
    return Element("E4", FAILED, told, (first.ref, *(v.ref for v in later[:1])))


def restriction(chart: Chart) -> tuple[str, str, bool] | None:
    """Sentence that limits fluid for a reason, its span, and whether it states a volume."""
    for note in chart.notes:
        for sentence in sentences(note.text):
            if _RESTRICTED.search(sentence.text):
                stated = _VOLUME.search(sentence.text) is not None
                return sentence.text, note.span(sentence.start, sentence.end), stated
    return None


def e5(chart: Chart, fluids: Fluids) -> Element:
    if fluids.trigger is None:
        return Element(
            "E5", NOT_APPLICABLE, "neither lactate of 4.0 nor two hypotensive readings", chart.vitals.evidence[:4]
        )
    amount = f"{fluids.volume} mL of {fluids.weight} kg, {fluids.per_kg or 0:.1f} mL/kg by trigger + 3 h"
    cited = (*(i.ref for i in fluids.infused), *((fluids.weight_ref,) if fluids.weight_ref else ()))
    if fluids.enough:
        return Element("E5", MET, amount, cited or fluids.evidence)
    limited = restriction(chart)
    if limited and limited[2]:
        return Element("E5", MET, f"lesser volume with reason: {limited[0]}", (limited[1], *cited))
    return Element("E5", FAILED, amount, cited or fluids.evidence)


def e6(fluids: Fluids) -> Element:
    if not fluids.persistent:
        return Element("E6", NOT_APPLICABLE, "no two consecutive hypotensive readings after the fluid", fluids.evidence)
    pair = tuple(p.ref for p in fluids.persistent)
    if fluids.pressor is not None:
        told = f"{fluids.pressor.get('drug')} started {fluids.pressor.get('charttime')}"
        return Element("E6", MET, told, (*pair, *refs([fluids.pressor])))
    return Element("E6", FAILED, "hypotension persisted and no vasopressor was started by trigger + 6 h", pair)


@dataclass(frozen=True)
class Exclusion:
    name: str
    holds: bool
    told: str
    evidence: tuple[str, ...]


def exclusions(chart: Chart, zero: datetime) -> list[Exclusion]:
    """All of section 5, each with its result."""
    here = (str(chart.admission["ref"]),)
    place = str(chart.admission.get("admission_location") or "")
    transferred = place.upper().startswith("TRANSFER FROM HOSPITAL")
    before = [d for d in chart.intravenous if zero - 72 * HOUR <= d.time < zero - 24 * HOUR]
    died = parse_time(chart.admission.get("deathtime"))
    gone = min(t for t in (chart.left, died) if t)
    age = int(chart.patient.get("anchor_age") or 0) + chart.start.year - int(chart.patient.get("anchor_year") or 0)
    return [
        Exclusion("transfer in", transferred, f"admission_location {place}", here),
        Exclusion(
            "antibiotics before T0 - 24 h", bool(before), f"{len(before)} IV dose(s) from T0 - 72 h to T0 - 24 h",
            tuple(d.ref for d in before) or chart.given.evidence[:4],
        ),
        _comfort(chart, zero),
        Exclusion("early death or departure", gone <= zero + 6 * HOUR, f"left or died {iso(gone)}", here),
        Exclusion("stay above 120 days", chart.left - chart.start > timedelta(days=120), "length of stay", here),
        Exclusion("below 18 years", age < 18, f"age {age}", (str(chart.patient["ref"]),)),
    ]  # fmt: skip


def _comfort(chart: Chart, zero: datetime) -> Exclusion:
    """Timed by the charted or ordered status; an untimed statement of the note does not exclude (section 5)."""
    rows = [r for r in chart.status.rows if _COMFORT.search(str(r.get("value") or ""))]
    early = [r for r in rows if (t := parse_time(r.get("time"))) and t <= zero + 6 * HOUR]
    noted = [n.span(s.start, s.end) for n in chart.notes for s in sentences(n.text) if asserted(_COMFORT, s.text)]
    refused = [n.span(s.start, s.end) for n in chart.notes for s in sentences(n.text) if asserted(_REFUSED, s.text)]
    if early:
        return Exclusion("comfort care or refusal", True, f"comfort measures only at {early[0]['time']}", refs(early))
    told = f"comfort measures only charted {rows[0]['time']}, after T0 + 6 h" if rows else "none timed by T0 + 6 h"
    cited = (*refs(rows), *noted, *refused, *refs(chart.status.rows[:6]))
    return Exclusion("comfort care or refusal", False, told, cited or chart.status.evidence)


def dark(chart: Chart, zero: datetime) -> str:
    """Why administrations cannot be seen; empty where they can (section 6)."""
    times = [t for r in chart.given.rows if (t := parse_time(r.get("charttime")))]
    if not any(near(zero, 24 * HOUR, 6 * HOUR, t) for t in times):
        return "no administration row of any kind from T0 - 24 h to T0 + 6 h"
    if chart.ed is None:
        return ""
    into, out = parse_time(chart.ed.get("intime")), parse_time(chart.ed.get("outtime"))
    if into and out and into <= zero + 3 * HOUR and out >= zero - 24 * HOUR:
        emar = [t for r in chart.given.rows if r.get("source") == "emar" and (t := parse_time(r.get("charttime")))]
        if not any(into <= t <= out for t in emar):
            return "no administration row of any kind inside the ED stay"
    return ""
