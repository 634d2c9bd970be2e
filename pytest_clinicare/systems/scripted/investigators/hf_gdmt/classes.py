"""Editions, required classes, and what excuses an omission (CAR-04 sections 2, 5 and 6)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.administration import is_given
from pytest_clinicare.systems.scripted.clinical.drugs import CLASSES, names_of
from pytest_clinicare.systems.scripted.clinical.egfr import ckd_epi_2021
from pytest_clinicare.systems.scripted.clinical.medication_list import Entry
from pytest_clinicare.systems.scripted.clinical.notes import asserted, sentences
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.clinical.values import Value
from pytest_clinicare.systems.scripted.investigators.hf_gdmt.chart import (
    CREATININE,
    POTASSIUM,
    Chart,
    discharge_list,
    examination,
)

E2013, E2017, E2022 = "accaha-hf-2013", "accaha-hf-2017-update", "aha-acc-hfsa-hf-2022"
EDITIONS = (E2013, E2017, E2022)
RAS, BETA, MRA, SGLT2 = "renin-angiotensin class", "beta-blocker", "MRA", "SGLT2 inhibitor"
ALL = (RAS, BETA, MRA, SGLT2)
_ARNI = ("sacubitril",)
_ACE, _ARB = CLASSES["ace-inhibitor"], tuple(a for a in CLASSES["arb"] if a not in _ARNI)
_EVIDENCE = ("bisoprolol", "carvedilol")
_SGLT2 = ("dapagliflozin", "empagliflozin")
_SUCCINATE = re.compile(r"succinate|\bXL\b|\bER\b|\btoprol|extended", re.IGNORECASE)
_TARTRATE = re.compile(r"tartrate|lopressor", re.IGNORECASE)
_CLASS_WORDS = {
    RAS: r"ACE[- ]?(?:i\b|inhibitor)|\bARBs?\b|\bARNI\b|angiotensin",
    BETA: r"beta[- ]?blocker",
    MRA: r"mineralocorticoid|\bMRA\b|aldosterone",
    SGLT2: r"SGLT-?2",
}
_DRUGS = {
    RAS: (*_ACE, *_ARB, *_ARNI),
    BETA: CLASSES["beta-blocker"],
    MRA: CLASSES["mra"],
    SGLT2: (*_SGLT2, "canagliflozin"),
}
_OMITTED = re.compile(
    r"\bheld\b|\bhold|\bstop|\bdiscontinu|\bnot (?:given|prescribed|started|resumed|tolerated)"
    r"|\bno (?:ACE|ARB|beta|MRA)"
    r"|\bneither\b|\bavoid|\bdefer|intoleran|contraindicat|\bwithheld",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"because|due to|given (?:his|her|the)|since\b|in view of|on that account|caused|\bso\b|owing to|\bfor\b|led to"
    r"|after",
    re.IGNORECASE,
)
_ENDED = re.compile(r"\bresolved\b|\bresum|\brestart", re.IGNORECASE)
_LISTS = frozenset(
    {"medications on admission", "discharge medications", "allergies", "family history", "past medical history"}
)
_ANGIOEDEMA = re.compile(r"angio-?(?:neurotic )?(?:o?edema)", re.IGNORECASE)
_PREGNANT = re.compile(r"\bpregnan", re.IGNORECASE)
_BLOCK = re.compile(r"(?:second|third|2nd|3rd)[- ]degree (?:AV |heart )?block|complete heart block", re.IGNORECASE)
_PACED = re.compile(r"pacemaker|\bICD\b|defibrillator", re.IGNORECASE)
_BREAST = re.compile(r"gynaecomastia|gynecomastia", re.IGNORECASE)
_TYPE_1 = re.compile(r"type (?:1|I) diabetes", re.IGNORECASE)
_KETO = re.compile(r"ketoacidosis|\bDKA\b", re.IGNORECASE)
_DIALYSIS = re.compile(r"\b(?:hemo)?dialysis\b", re.IGNORECASE)
_INOTROPE = re.compile(r"dobutamine|milrinone|dopamine", re.IGNORECASE)


@dataclass(frozen=True)
class Years:
    first: int
    last: int
    shift: int

    @property
    def candidates(self) -> tuple[str, ...]:
        """Every edition that the range touches (2.3)."""
        touched = (self.first <= 2016, self.first <= 2021 and self.last >= 2017, self.last >= 2022)
        return tuple(edition for edition, is_ in zip(EDITIONS, touched, strict=True) if is_)


@dataclass(frozen=True)
class Reason:
    told: str
    evidence: tuple[str, ...]


@dataclass
class Regimen:
    """``present`` are entries by class; ``other`` beta-blockers that do not satisfy theirs."""

    entries: list[Entry]
    ref: str
    present: dict[str, list[Entry]] = field(default_factory=dict)
    other: list[Entry] = field(default_factory=list)
    ace: bool = False
    arb: bool = False
    arni: bool = False

    @property
    def harmful(self) -> bool:
        """Section 7."""
        return (self.ace and self.arni) or (self.ace and self.arb and bool(self.present.get(MRA)))


def years(chart: Chart) -> Years | None:
    """Section 2.2."""
    group = re.findall(r"\d{4}", str(chart.patient.get("anchor_year_group") or ""))
    admitted = parse_time(chart.admission.get("admittime"))
    if len(group) != 2 or admitted is None:
        return None
    shift = admitted.year - int(chart.patient["anchor_year"])
    return Years(min(int(group[0]) + shift, 2022), min(int(group[1]) + shift, 2022), shift)


def read_list(chart: Chart) -> Regimen | None:
    note = chart.mine
    found = discharge_list(note)
    if note is None or found is None:
        return None
    listed, part = found
    out = Regimen(listed, note.span(part.start, part.end))
    for entry in listed:
        names = set(entry.ingredients)
        out.ace |= bool(names & set(_ACE))
        out.arni |= bool(names & set(_ARNI))
        out.arb |= bool(names & set(_ARB)) and not names & set(_ARNI)
        if names & set(_DRUGS[RAS]):
            out.present.setdefault(RAS, []).append(entry)
        if names & set(CLASSES["beta-blocker"]):
            (out.present.setdefault(BETA, []) if evidence_based(entry) else out.other).append(entry)
        if names & set(CLASSES["mra"]):
            out.present.setdefault(MRA, []).append(entry)
        if names & set(_SGLT2):
            out.present.setdefault(SGLT2, []).append(entry)
    return out


def evidence_based(entry: Entry) -> bool:
    """Bisoprolol, carvedilol, or metoprolol as succinate (5.1)."""
    if any(name in entry.ingredients for name in _EVIDENCE):
        return True
    if "metoprolol" not in entry.ingredients or _TARTRATE.search(entry.text):
        return False
    return bool(_SUCCINATE.search(entry.text)) or (entry.per_day is not None and entry.per_day <= 1)


@dataclass(frozen=True)
class Last:
    """Last potassium, creatinine and the eGFR of the latter."""

    potassium: Value | None
    creatinine: Value | None
    egfr: float | None


def last_values(chart: Chart) -> Last:
    creatinine = chart.last(CREATININE, "mg/dl")
    egfr = ckd_epi_2021(float(creatinine.value), chart.age, chart.female) if creatinine else None
    return Last(chart.last(POTASSIUM, "meq/l"), creatinine, egfr)


def mra_required(edition: str, percent: int, last: Last, female: bool) -> bool:
    """Table of section 5 and 5.2; without potassium or creatinine it is not required."""
    if last.potassium is None or last.creatinine is None or last.egfr is None or last.potassium.value >= 5:
        return False
    if edition == E2022:
        return percent <= 40 and last.egfr > 30
    return percent <= 35 and last.creatinine.value <= (Decimal("2.0") if female else Decimal("2.5"))


def required(edition: str, percent: int, last: Last, female: bool) -> tuple[str, ...]:
    """Classes that an edition requires."""
    classes = [RAS, BETA]
    if mra_required(edition, percent, last, female):
        classes.append(MRA)
    return (*classes, SGLT2) if edition == E2022 else tuple(classes)


def excuse(chart: Chart, kind: str, last: Last) -> Reason | None:
    """What excuses the omission of a class (section 6)."""
    return {RAS: _ras, BETA: _beta, MRA: _mra, SGLT2: _sglt2}[kind](chart, last) or stated(chart, kind)


def _noted(chart: Chart, pattern: re.Pattern[str], told: str, *, ever: bool = False) -> Reason | None:
    notes = chart.discharge.items if ever else [n for n in [chart.mine] if n]
    for note in notes:
        for sentence in sentences(note.text, frozenset({"family history"})):
            if asserted(pattern, sentence.text):
                return Reason(f'{told}: "{sentence.text}"', (note.span(sentence.start, sentence.end),))
    return None


def _ras(chart: Chart, last: Last) -> Reason | None:
    if found := _noted(chart, _ANGIOEDEMA, "angioedema", ever=True) or _noted(chart, _PREGNANT, "pregnancy"):
        return found
    if last.potassium and last.potassium.value > Decimal("5.5"):
        return Reason(f"last potassium {last.potassium.value} mmol/L", (last.potassium.ref,))
    if last.creatinine and last.creatinine.value > 3:
        return Reason(f"last creatinine {last.creatinine.value} mg/dL", (last.creatinine.ref,))
    pressure = _sign(chart, 0)
    return Reason(f"last systolic pressure {pressure[0]}", (pressure[1],)) if pressure and pressure[0] < 90 else None


def _sign(chart: Chart, which: int) -> tuple[int, str] | None:
    """Of the discharge examination, else the last charted value (6.0)."""
    found = examination(chart.mine)[which]
    labels = (("sbp", 220179), ("heartrate", 220045))[which]
    rows = [
        r for r in chart.vitals.rows if (r.get("label") in labels or r.get("itemid") in labels) and r.get("valuenum")
    ]
    return found or ((round(float(rows[-1]["valuenum"])), str(rows[-1]["ref"])) if rows else None)


def _beta(chart: Chart, _: Last) -> Reason | None:
    rate = _sign(chart, 1)
    if rate and rate[0] < 50:
        return Reason(f"last heart rate {rate[0]}", (rate[1],))
    note = chart.mine
    if (found := _noted(chart, _BLOCK, "high-degree block")) and not (note and _PACED.search(note.text)):
        return found
    for row in chart.administrations.rows:
        time = parse_time(row.get("charttime"))
        given = row.get("source") == "inputevents" or is_given(row.get("event_txt"))
        recent = time is not None and chart.left - time <= timedelta(hours=48)
        if given and recent and _INOTROPE.search(str(row.get("drug") or "")):
            return Reason(f"{row['drug']} within 48 h of discharge", (str(row["ref"]),))
    return None


def _mra(chart: Chart, _: Last) -> Reason | None:
    return _noted(chart, _BREAST, "gynaecomastia")


def _sglt2(chart: Chart, last: Last) -> Reason | None:
    if found := _noted(chart, _KETO, "ketoacidosis", ever=True):
        return found
    if last.egfr is not None and last.egfr < 20 and last.creatinine:
        return Reason(f"eGFR {last.egfr:.0f}", (last.creatinine.ref,))
    return _noted(chart, _TYPE_1, "type 1 diabetes") or _noted(chart, _DIALYSIS, "dialysis")


def stated(chart: Chart, kind: str) -> Reason | None:
    """A reason in this summary that names the class or a drug of it and has not ended by discharge."""
    note = chart.mine
    if note is None:
        return None
    named = re.compile("|".join([_CLASS_WORDS[kind], *(names_of(d).pattern for d in _DRUGS[kind])]), re.IGNORECASE)
    spoken = [s for s in sentences(note.text, _LISTS) if named.search(s.text)]
    if any(_ENDED.search(s.text) for s in spoken):
        return None
    for sentence in spoken:
        if _OMITTED.search(sentence.text) and _CAUSE.search(sentence.text):
            return Reason(f'stated reason: "{sentence.text}"', (note.span(sentence.start, sentence.end),))
    return None


def ended(chart: Chart, kind: str) -> Reason | None:
    """A reason that the same summary says has ended (6.1)."""
    note = chart.mine
    named = re.compile("|".join([_CLASS_WORDS[kind], *(names_of(d).pattern for d in _DRUGS[kind])]), re.IGNORECASE)
    for sentence in sentences(note.text, _LISTS) if note else ():
        if note and named.search(sentence.text) and _ENDED.search(sentence.text):
            return Reason(f'"{sentence.text}"', (note.span(sentence.start, sentence.end),))
    return None
