"""Systemic antibacterials: their names in orders, administrations and panels, their class, spectrum rank and route."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from pytest_clinicare.systems.scripted.clinical.administration import given
from pytest_clinicare.systems.scripted.clinical.rows import Row
from pytest_clinicare.systems.scripted.clinical.times import parse_time

# agent: class, rank of spectrum (ASC-11 4.1: 1 narrow to 4 broadest, 0 where it has no rank), and further spellings.
_AGENTS = """
ampicillin-sulbactam | aminopenicillin-inhibitor | 2 | unasyn, ampicillin/sulbactam
amoxicillin-clavulanate | aminopenicillin-inhibitor | 2 | augmentin, amoxicillin-clavulanic, amoxicillin/clavulan
piperacillin-tazobactam | antipseudomonal-penicillin | 3 | zosyn, piperacillin/tazo
ceftazidime-avibactam | cephalosporin-inhibitor | 4 | avycaz
ceftolozane-tazobactam | cephalosporin-inhibitor | 4 | zerbaxa
trimethoprim-sulfamethoxazole | sulfonamide | 1 | bactrim, sulfameth/trimethoprim, sulfamethoxazole-trimethoprim,
    trimethoprim/sulfa, smx/tmp, tmp-smx, septra
penicillin | natural-penicillin | 1 | penicillin g, penicillin v
ampicillin | aminopenicillin | 1 |
amoxicillin | aminopenicillin | 1 |
nafcillin | antistaphylococcal-penicillin | 1 |
oxacillin | antistaphylococcal-penicillin | 1 |
dicloxacillin | antistaphylococcal-penicillin | 1 |
cefazolin | cephalosporin-1 | 1 | ancef
cephalexin | cephalosporin-1 | 1 | keflex
cefuroxime | cephalosporin-2 | 2 |
ceftriaxone | cephalosporin-3 | 2 | rocephin
cefotaxime | cephalosporin-3 | 2 |
cefpodoxime | cephalosporin-3 | 2 | vantin
cefdinir | cephalosporin-3 | 0 |
ceftazidime | cephalosporin-3-antipseudomonal | 3 |
cefepime | cephalosporin-4 | 3 | maxipime
ceftaroline | cephalosporin-5 | 0 | teflaro
cefoxitin | cephamycin | 0 |
cefotetan | cephamycin | 0 |
aztreonam | monobactam | 3 |
ertapenem | carbapenem | 3 | invanz
meropenem | carbapenem | 4 | merrem
imipenem | carbapenem | 4 | imipenem-cilastatin
doripenem | carbapenem | 4 |
metronidazole | nitroimidazole | 1 | flagyl
nitrofurantoin | nitrofuran | 1 | macrobid, macrodantin
doxycycline | tetracycline | 1 |
minocycline | tetracycline | 0 |
tetracycline | tetracycline | 0 |
tigecycline | tetracycline | 0 |
ciprofloxacin | fluoroquinolone | 2 | cipro
levofloxacin | fluoroquinolone | 2 | levaquin
moxifloxacin | fluoroquinolone | 2 | avelox
azithromycin | macrolide | 2 |
erythromycin | macrolide | 0 |
clarithromycin | macrolide | 0 |
gentamicin | aminoglycoside | 2 |
tobramycin | aminoglycoside | 2 |
amikacin | aminoglycoside | 2 |
clindamycin | lincosamide | 2 | cleocin
vancomycin | glycopeptide | 0 | vancocin
linezolid | oxazolidinone | 0 | zyvox
daptomycin | lipopeptide | 0 | cubicin
fidaxomicin | macrocycle | 0 | dificid
rifampin | rifamycin | 0 |
colistin | polymyxin | 0 | colistimethate
fosfomycin | phosphonic | 0 |
"""
_LOCAL = re.compile(
    r"ophth|otic|cream|ointment|\boint\b|topical|\block\b|irrigation|inhal|nebul|desensit|enema|powder|gel\b|"
    r"intravitreal|eye|ear drop",
    re.IGNORECASE,
)
_LOCAL_ROUTES = frozenset({"TP", "OU", "OD", "OS", "AD", "AS", "AU", "IH", "NEB", "IN", "NU", "VG", "IR"})
_ORAL = re.compile(r"^(?:PO|NG|PO/NG|ORAL|G TUBE|J TUBE|DOBHOFF|GT|NGT|OG|FEEDING TUBE)", re.IGNORECASE)
ANTIPSEUDOMONAL = frozenset(
    {"piperacillin-tazobactam", "cefepime", "ceftazidime", "aztreonam", "meropenem", "imipenem", "doripenem"}
)
ANTI_MRSA = frozenset({"vancomycin", "linezolid", "daptomycin", "ceftaroline"})


@dataclass(frozen=True)
class Agent:
    """``kind`` is the class; ``rank`` the spectrum rank of ASC-11 4.1 (0: none)."""

    name: str
    kind: str
    rank: int


@dataclass(frozen=True)
class Dose:
    """One given dose. ``route`` is ``IV``, ``oral``, ``rectal`` or as charted; ``time`` that of administration."""

    agent: str
    route: str
    time: datetime
    row: Row

    @property
    def ref(self) -> str:
        return str(self.row["ref"])


def _table() -> tuple[dict[str, Agent], dict[str, str]]:
    agents, spellings = {}, {}
    for line in _AGENTS.strip().replace("\n    ", " ").splitlines():
        name, kind, rank, others = (part.strip() for part in line.split("|"))
        agents[name] = Agent(name, kind, int(rank))
        for spelling in (name, name.replace("-", "/"), *(o.strip() for o in others.split(",") if o.strip())):
            spellings[spelling] = name
    return agents, spellings


AGENTS, _SPELLINGS = _table()
_NAMES = re.compile(
    r"(?<![a-z])(" + "|".join(map(re.escape, sorted(_SPELLINGS, key=len, reverse=True))) + ")", re.IGNORECASE
)


@lru_cache(maxsize=4096)
def agent_of(text: str) -> str | None:
    """The antibacterial that an order, administration, panel or list line names first; None for other drugs and for
    what is not systemic by its name (ophthalmic, topical, lock)."""
    if _LOCAL.search(text):
        return None
    found = _NAMES.search(text)
    return _SPELLINGS[found.group(1).lower()] if found else None


def agents_in(text: str) -> tuple[str, ...]:
    """All antibacterials named in running text, in order, each once."""
    return tuple(dict.fromkeys(_SPELLINGS[m.group(1).lower()] for m in _NAMES.finditer(text)))


def kind_of(agent: str) -> str:
    return AGENTS[agent].kind if agent in AGENTS else ""


def rank_of(agent: str) -> int:
    """Spectrum rank; 0 where the protocol gives none."""
    return AGENTS[agent].rank if agent in AGENTS else 0


def route_name(route: object) -> str:
    """``IV``, ``oral`` (by mouth or tube), ``rectal``, ``local``, or the text itself."""
    text = str(route or "").strip()
    if text.upper().startswith("IV"):
        return "IV"
    if _ORAL.match(text):
        return "oral"
    if text.upper() in ("PR", "RECTAL"):
        return "rectal"
    return "local" if text.upper() in _LOCAL_ROUTES else text


def routes(orders: Iterable[Row]) -> dict[int, str]:
    """Route by pharmacy number, from medication orders."""
    return {int(r["pharmacy_id"]): str(r["route"]) for r in orders if r.get("pharmacy_id") and r.get("route")}


def doses(administrations: Iterable[Row], route_of: Mapping[int, str]) -> list[Dose]:
    """Given doses of systemic antibacterials in time order, each scheduled dose once.

    ``administrations`` are rows of get_medication_administrations; the route is that of the order with the same
    pharmacy number, else what the administration or the product says.
    """
    out: list[Dose] = []
    seen: set[tuple[str, str, datetime]] = set()
    for row in given(list(administrations)):
        agent, time = agent_of(str(row.get("drug") or "")), parse_time(row.get("charttime"))
        if agent is None or time is None:
            continue
        route = _route(row, route_of)
        if route == "local" or (agent, route, time) in seen:
            continue
        seen.add((agent, route, time))
        out.append(Dose(agent, route, time, row))
    return sorted(out, key=lambda d: d.time)


def _route(row: Row, route_of: Mapping[int, str]) -> str:
    if row.get("source") == "inputevents":
        return "IV"
    if re.search(r"oral (?:liquid|solution|susp)", str(row.get("drug") or ""), re.IGNORECASE):
        return "oral"
    ordered = route_of.get(int(row.get("pharmacy_id") or 0)) or row.get("route")
    return route_name(ordered) or "IV"
