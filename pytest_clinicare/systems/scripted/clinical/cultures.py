"""Microbiology rows read as cultures: one specimen, what grew in it, and what the panel says."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from pytest_clinicare.systems.scripted.clinical.antibiotics import agent_of
from pytest_clinicare.systems.scripted.clinical.rows import Row
from pytest_clinicare.systems.scripted.clinical.times import parse_time

_SCREEN = re.compile(r"screen|r/o vancomycin|vre|cre\b|surveillance|staph aureus swab", re.IGNORECASE)
_SKIN = re.compile(
    r"coagulase[ -]negative|coag(?:ulase)? neg|staph(?:ylococcus)? epidermidis|corynebacterium|diphtheroid|bacillus sp|"
    r"cutibacterium|propionibacterium|micrococcus",
    re.IGNORECASE,
)
_NO_ORGANISM = re.compile(
    r"^(?:cancelled|positive|negative|mixed bacterial flora|gram (?:negative|positive)\b.*)$", re.IGNORECASE
)
_YEAST = re.compile(r"yeast|candida", re.IGNORECASE)
_NON_FERMENTER = re.compile(
    r"pseudomonas|acinetobacter|stenotrophomonas|burkholderia|non-fermenter|achromobacter", re.IGNORECASE
)
_AMPC = re.compile(r"enterobacter cloacae|(?:klebsiella|enterobacter) aerogenes|citrobacter freundii", re.IGNORECASE)
_GRAM_POSITIVE = re.compile(
    r"staph|strep|enterococc|corynebacterium|bacillus|cutibacterium|propionibacterium|listeria|clostridi|lactobac",
    re.IGNORECASE,
)
_GRAM_STAIN = re.compile(r"gram stain", re.IGNORECASE)
_PENDING = re.compile(r"pending|preliminary", re.IGNORECASE)


@dataclass(frozen=True)
class Isolate:
    """``panel`` maps agents (``antibiotics.agent_of``) to S, I, R or P; ``final`` is the latest store time of the
    susceptibility rows that hold a reading, None where none has one."""

    organism: str
    panel: dict[str, str]
    rows: tuple[Row, ...]
    final: datetime | None

    @property
    def gram_positive(self) -> bool:
        return _GRAM_POSITIVE.search(self.organism) is not None

    @property
    def non_fermenter(self) -> bool:
        return _NON_FERMENTER.search(self.organism) is not None

    @property
    def ampc_risk(self) -> bool:
        """Third-generation cephalosporins reported S are no option for it."""
        return _AMPC.search(self.organism) is not None

    @property
    def yeast(self) -> bool:
        return _YEAST.search(self.organism) is not None

    @property
    def skin_organism(self) -> bool:
        """Coagulase-negative staphylococci, Corynebacterium, Bacillus, Cutibacterium and the like."""
        return _SKIN.search(self.organism) is not None


@dataclass(frozen=True)
class Culture:
    """One specimen. ``collected`` is a date at midnight where ``timed`` is false. ``stored`` is the latest result time.

    ``comments`` are all the texts filed with it.
    """

    specimen_id: int
    hadm_id: int | None
    specimen: str
    tests: tuple[str, ...]
    collected: datetime
    timed: bool
    isolates: tuple[Isolate, ...]
    rows: tuple[Row, ...]
    stored: datetime | None
    comments: tuple[str, ...]

    @property
    def blood(self) -> bool:
        return self.specimen.upper().startswith("BLOOD CULTURE")

    @property
    def urine(self) -> bool:
        return self.specimen.upper().startswith("URINE")

    @property
    def screen(self) -> bool:
        """Surveillance for colonisation (MRSA, VRE and the like), no clinical culture."""
        return any(_SCREEN.search(text) for text in (self.specimen, *self.tests))

    @property
    def pending(self) -> bool:
        """Nothing reported as grown, and no final word either."""
        return not self.isolates and (self.stored is None or any(_PENDING.search(text) for text in self.comments))

    @property
    def early_reports(self) -> tuple[Row, ...]:
        """Rows of Gram stains and other results filed before the panel of any isolate was final."""
        final = max((i.final for i in self.isolates if i.final), default=None)
        return tuple(
            row
            for row in self.rows
            if (at := parse_time(row.get("storetime")))
            and (_GRAM_STAIN.search(str(row.get("test_name"))) or (final and at < final))
        )


def cultures(rows: Iterable[Row]) -> list[Culture]:
    """Specimens in order of collection."""
    specimens: dict[int, list[Row]] = {}
    for row in rows:
        specimens.setdefault(int(row["micro_specimen_id"]), []).append(row)
    found = [c for number, group in specimens.items() if (c := _culture(number, group))]
    return sorted(found, key=lambda c: (c.collected, c.specimen_id))


def _culture(number: int, rows: list[Row]) -> Culture | None:
    first = rows[0]
    collected = parse_time(first.get("charttime")) or parse_time(first.get("chartdate"))
    if collected is None:
        return None
    organisms: dict[tuple[str, object], list[Row]] = {}
    for row in rows:
        name = str(row.get("org_name") or "").strip()
        if name and not _NO_ORGANISM.match(name):
            organisms.setdefault((name, row.get("isolate_num")), []).append(row)
    hadm_ids = [int(r["hadm_id"]) for r in rows if r.get("hadm_id") is not None]
    return Culture(
        number,
        hadm_ids[0] if hadm_ids else None,
        str(first.get("spec_type_desc") or ""),
        tuple(dict.fromkeys(str(r.get("test_name") or "") for r in rows)),
        collected,
        parse_time(first.get("charttime")) is not None,
        tuple(_isolate(name, group) for (name, _), group in organisms.items()),
        tuple(rows),
        max((t for r in rows if (t := parse_time(r.get("storetime")))), default=None),
        tuple(str(r["comments"]) for r in rows if r.get("comments")),
    )


def _isolate(name: str, rows: list[Row]) -> Isolate:
    panel: dict[str, str] = {}
    times = []
    for row in rows:
        reading = str(row.get("interpretation") or "").strip().upper()
        if not row.get("ab_name") or not reading:
            continue
        panel[agent_of(str(row["ab_name"])) or str(row["ab_name"]).lower()] = reading
        stored = parse_time(row.get("storetime"))
        if stored and reading in ("S", "I", "R"):
            times.append(stored)
    return Isolate(name, panel, tuple(rows), max(times, default=None))


def contaminants(of: Iterable[Culture]) -> set[int]:
    """Specimens of blood whose only growth is a skin organism that grew in no other set."""
    bloods = [c for c in of if c.blood and not c.screen]
    out = set()
    for culture in bloods:
        if culture.isolates and all(i.skin_organism for i in culture.isolates):
            names = {i.organism for i in culture.isolates}
            again = [c for c in bloods if c is not culture and names & {i.organism for i in c.isolates}]
            if not again:
                out.add(culture.specimen_id)
    return out
