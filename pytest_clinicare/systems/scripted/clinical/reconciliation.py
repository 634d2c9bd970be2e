"""The three-way comparison: which home drugs differ at discharge, in what way, and with what intent (PT-014 3 to 6)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pytest_clinicare.systems.scripted.clinical import intent
from pytest_clinicare.systems.scripted.clinical.administration import doses_of
from pytest_clinicare.systems.scripted.clinical.drugs import COMBINATIONS, HIGH, class_of, main_ingredients
from pytest_clinicare.systems.scripted.clinical.medication_list import Entry, changed, time_limited
from pytest_clinicare.systems.scripted.clinical.notes import Sentence
from pytest_clinicare.systems.scripted.clinical.reasons import Event, Findings, plausible
from pytest_clinicare.systems.scripted.clinical.rows import Row

_SUBSTITUTED = ("statin", "proton-pump-inhibitor")
_ENCEPHALOPATHY = re.compile(r"encephalopathy", re.IGNORECASE)


@dataclass(frozen=True)
class HomeDrug:
    """One ingredient taken at home; ``rows`` are its ED list rows, ``entry`` its entry in Medications on Admission."""

    ingredient: str
    rows: tuple[Row, ...] = ()
    entry: Entry | None = None


@dataclass(frozen=True)
class Difference:
    """``kind`` T1-T5, ``intent`` documented, undeterminable, unintended, or not judged (low significance, T5)."""

    ingredient: str
    kind: str
    text: str
    high: bool
    intent: str
    home: HomeDrug | None = None
    leaving: Entry | None = None
    statement: Sentence | None = None
    held: Sentence | None = None
    events: tuple[Event, ...] = ()

    @property
    def open(self) -> bool:
        """High-significance with no statement of the decision."""
        return self.high and self.intent in ("unintended", "undeterminable")


@dataclass(frozen=True)
class Course:
    """A time-limited course on the discharge list; ``duration`` is where its length stands (entry text or sentence)."""

    entry: Entry
    kind: str
    in_entry: bool
    sentence: Sentence | None


@dataclass
class Comparison:
    """What differs and what does not, and the time-limited courses of the discharge list."""

    differences: list[Difference] = field(default_factory=list)
    unchanged: list[tuple[HomeDrug, Entry]] = field(default_factory=list)
    courses: list[Course] = field(default_factory=list)

    @property
    def missing_durations(self) -> list[Course]:
        return [c for c in self.courses if not c.in_entry and c.sentence is None]


def home_list(rows: Sequence[Row], on_admission: Sequence[Entry]) -> list[HomeDrug]:
    """Home drugs of list A completed by A2, which prevails where it marks a drug as stopped (2.1)."""
    gone = {i for e in on_admission if e.stopped for i in e.ingredients}
    listed: dict[str, list[Row]] = {}
    for row in rows:
        for ingredient in main_ingredients(str(row.get("name") or "")):
            listed.setdefault(ingredient, []).append(row)
    taking = {i: e for e in reversed(on_admission) if not e.stopped for i in e.ingredients}
    names = [*listed, *(i for i in taking if i not in listed)]
    return [HomeDrug(i, tuple(listed.get(i, ())), taking.get(i)) for i in names if i not in gone or i in taking]


def compare(
    home: list[HomeDrug],
    leaving: list[Entry],
    findings: Findings,
    given: Sequence[Row],
    *,
    after_surgery: bool,
) -> Comparison:
    """All differences between the home list and the discharge list, and the courses on the latter."""
    result = Comparison()
    kept = [e for e in leaving if not (e.stopped or _withdrawn(e))]
    for drug in home:
        entry = next((e for e in kept if drug.ingredient in e.ingredients), None)
        if entry is None:
            if not _substituted(drug.ingredient, home, kept, findings.note):
                result.differences.append(_missing(drug, findings))
        elif drug.entry and (what := changed(drug.entry, entry)):
            result.differences.append(_changed(drug, entry, what, findings, given))
        else:
            result.unchanged.append((drug, entry))
    at_home = {d.ingredient for d in home}
    for entry in kept:
        kind = time_limited(entry, bool(at_home & set(entry.ingredients)), after_surgery)
        if kind:
            found = intent.course_duration(findings.note, entry)
            result.courses.append(Course(entry, kind, bool(entry.duration), found))
        if entry.ingredients and not at_home & set(entry.ingredients):
            said = intent.indication(findings.note, entry.ingredients[0])
            result.differences.append(
                Difference(entry.ingredients[0], "T5", "added at discharge", False, "not judged", None, entry, said)
            )
    return result


def high_significance(ingredient: str, entry: Entry | None, note: str) -> bool:
    """PT-014 5.1; opioids only long-acting or scheduled, lactulose and rifaximin only for encephalopathy."""
    kind = class_of(ingredient)
    if kind == "opioid":
        return ingredient in ("methadone", "buprenorphine") or (
            entry is not None and (entry.extended or not entry.as_needed)
        )
    if kind == "encephalopathy":
        return bool(_ENCEPHALOPATHY.search(note))
    return kind in HIGH


def _missing(drug: HomeDrug, findings: Findings) -> Difference:
    """T1, or T2 where the text says that the drug was held."""
    high = high_significance(drug.ingredient, drug.entry, findings.note)
    statement, held = intent.decision(findings.note, drug.ingredient), intent.hold(findings.note, drug.ingredient)
    events = tuple(plausible(drug.ingredient, class_of(drug.ingredient), findings)) if high and not statement else ()
    kind, text = ("T2", "held and not restarted") if held else ("T1", "absent from the discharge list")
    return Difference(
        drug.ingredient, kind, text, high, _intent(high, statement, events), drug, None, statement, held, events
    )


def _changed(drug: HomeDrug, entry: Entry, what: str, findings: Findings, given: Sequence[Row]) -> Difference:
    """T4. The dose of the final 24 h counts as an event: the change was made in hospital, its reason not written."""
    high = high_significance(drug.ingredient, drug.entry, findings.note)
    statement = intent.decision(findings.note, drug.ingredient, of_dose=True)
    events: tuple[Event, ...] = ()
    if high and not statement:
        events = tuple(plausible(drug.ingredient, class_of(drug.ingredient), findings)) + _given_as_left(
            drug.ingredient, entry, given
        )
    return Difference(
        drug.ingredient, "T4", what, high, _intent(high, statement, events), drug, entry, statement, None, events
    )


def _given_as_left(ingredient: str, entry: Entry, given: Sequence[Row]) -> tuple[Event, ...]:
    doses = [(a, r) for a, unit, r in doses_of(given, ingredient) if a is not None and unit == entry.unit]
    if not doses or entry.dose is None:
        return ()
    total = sum(a for a, _ in doses)
    if total == entry.daily_dose or all(a == entry.dose for a, _ in doses):
        return (
            Event(
                f"the changed dose is the one given in the final 24 h ({doses[-1][0].normalize():f} {entry.unit})",
                str(doses[-1][1]["ref"]),
            ),
        )
    return ()


def _intent(high: bool, statement: Sentence | None, events: tuple[Event, ...]) -> str:
    if statement:
        return "documented"
    return "not judged" if not high else "undeterminable" if events else "unintended"


def _withdrawn(entry: Entry) -> bool:
    return bool(re.match(r"\s*(?:STOP|HOLD)\b", entry.text))


def _substituted(ingredient: str, home: list[HomeDrug], kept: list[Entry], note: str) -> bool:
    """A substitute of the class in place of the home drug, with a statement of it (3.3); or half of a combination."""
    kind = class_of(ingredient)
    taken = {d.ingredient for d in home}
    if any(ingredient in pair and pair & {i for e in kept for i in e.ingredients} for pair in COMBINATIONS):
        return True
    swaps = [i for e in kept for i in e.ingredients if class_of(i) == kind and i not in taken]
    return (
        kind in _SUBSTITUTED
        and any(intent.decision(note, i, of_dose=True) for i in (ingredient, *swaps))
        and bool(swaps)
    )
