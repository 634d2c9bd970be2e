"""Which index agents an isolate leaves needed, and what is active against it (ASC-11 sections 4 and 5)."""

from __future__ import annotations

import re

from pytest_clinicare.systems.scripted.clinical.antibiotics import (
    AGENTS,
    ANTI_MRSA,
    ANTIPSEUDOMONAL,
    Dose,
    kind_of,
    rank_of,
)
from pytest_clinicare.systems.scripted.clinical.cultures import Isolate

INDEX_AGENTS = ANTIPSEUDOMONAL | ANTI_MRSA
_THIRD_GENERATION = frozenset({"ceftriaxone", "cefotaxime", "cefpodoxime", "ceftazidime"})
# Oxacillin S implies these.
_BY_OXACILLIN = frozenset({"cefazolin", "nafcillin", "oxacillin", "dicloxacillin", "cephalexin"})


def index_agent(dose: Dose) -> bool:
    """Oral vancomycin treats C. difficile and is no index agent (4.2)."""
    return dose.agent in INDEX_AGENTS and not (dose.agent == "vancomycin" and dose.route in ("oral", "rectal"))


def options(isolate: Isolate, urine: bool) -> list[str]:
    """Rank 1 and 2 agents reported S that count as a narrower option (4.3), narrowest first."""
    if isolate.non_fermenter:
        return []
    found = []
    for agent, reading in isolate.panel.items():
        if reading != "S" or rank_of(agent) not in (1, 2) or kind_of(agent) == "aminoglycoside":
            continue
        if (agent == "nitrofurantoin" and not urine) or (isolate.ampc_risk and agent in _THIRD_GENERATION):
            continue
        found.append(agent)
    if isolate.panel.get("oxacillin") == "S":
        found += [a for a in ("cefazolin", "nafcillin") if a not in found]
    return sorted(found, key=lambda a: (rank_of(a), a))


def unneeded(agent: str, isolates: tuple[Isolate, ...], urine: bool) -> bool:
    """Whether an index agent is unneeded for each isolate (4.3, 2.1)."""
    return bool(isolates) and all(_unneeded(agent, isolate, urine) for isolate in isolates)


def _unneeded(agent: str, isolate: Isolate, urine: bool) -> bool:
    if agent in ANTIPSEUDOMONAL:
        return isolate.gram_positive or bool(options(isolate, urine))
    if not isolate.gram_positive:
        return True
    name, panel = isolate.organism.lower(), isolate.panel
    if re.search("enterococc", name):
        return panel.get("ampicillin") == "S"
    if "strep" in name:
        return "S" in (panel.get("penicillin"), panel.get("ceftriaxone"))
    return panel.get("oxacillin") == "S"


def activity(agent: str, isolates: tuple[Isolate, ...]) -> str:
    """``S``, ``I`` or ``R`` as reported or inferred; ``accepted`` where the panel says nothing against it."""
    readings = [_activity(agent, isolate) for isolate in isolates]
    return max(readings, key=lambda r: ("accepted", "S", "I", "R").index(r), default="accepted")


def _activity(agent: str, isolate: Isolate) -> str:
    reported = isolate.panel.get(agent)
    if reported in ("S", "I", "R"):
        return reported
    oxacillin = isolate.panel.get("oxacillin")
    if agent in _BY_OXACILLIN and oxacillin in ("S", "R"):
        return oxacillin
    family = [r for a, r in isolate.panel.items() if a in AGENTS and kind_of(a) == kind_of(agent)]
    return "R" if "R" in family else "accepted"
