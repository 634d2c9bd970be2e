"""Why a patient is in hospital: complaint, codes and the neutral part of the summary."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from pytest_clinicare.charts.synthetic import notes
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.deck import Deck
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.charts.synthetic.wording import dealt, plain_sections

BANK = "phrases/illnesses"
_EXAMINED = ("general", "heent", "cardiac", "lungs", "abdomen", "extremities", "neuro")


@dataclass(frozen=True)
class Telling:
    """Which illness, and in which of its wordings; as a recipe row it is the list of these fields."""

    kind: str
    problem: str
    history: int
    course: int
    critical: int
    issues: tuple[int, int]
    advice: tuple[int, int]
    source: str = BANK

    @property
    def entry(self) -> dict[str, Any]:
        """The illness, of ``fixtures/phrases/illnesses.toml`` or another ``source``."""
        found: dict[str, Any] = next(e for e in bank(self.source)[self.kind] if e["problem"] == self.problem)
        return found

    @property
    def row(self) -> list[Any]:
        return [self.kind, self.problem, self.history, self.course, self.critical, *self.issues, *self.advice]

    @classmethod
    def of(cls, row: list[Any], source: str = BANK) -> Telling:
        kind, problem, history, course, critical, *more = row
        return cls(kind, problem, history, course, critical, (more[0], more[1]), (more[2], more[3]), source)


class Tellings:
    """Deals illnesses and their wordings to all cases of a plan, so that they repeat as late as they can."""

    def __init__(self, rng: random.Random, source: str = BANK) -> None:
        self._rng = rng
        self._source = source
        self._decks: dict[str, Deck[Any]] = {}
        self._told: Counter[str] = Counter()

    def _deal(self, name: str, items: list[Any]) -> Any:
        return self._decks.setdefault(name, Deck(self._rng, items)).deal()

    def deal(self, kind: str = "admission", having: str = "", lacking: str = "") -> Telling:
        """An illness of the kind whose entry has the key ``having`` (``unit``, ``strain``) and not ``lacking``."""
        entries = [e for e in bank(self._source)[kind] if (not having or having in e) and lacking not in e]
        return self._worded(kind, self._deal(f"{kind} {having} {lacking}", [e["problem"] for e in entries]))

    def _worded(self, kind: str, problem: str) -> Telling:
        entry = next(e for e in bank(self._source)[kind] if e["problem"] == problem)
        # History and course run past each other, so that a pair of them comes again as late as it can.
        turn = self._told[problem]
        self._told[problem] += 1
        histories, courses = len(entry["histories"]), len(entry["courses"])
        return Telling(
            kind,
            problem,
            turn % histories,
            (turn % histories + turn // histories) % courses,
            self._deal("critical", list(range(len(bank(BANK)["critical"]["histories"])))),
            self._two("other_issues"),
            self._two("advice"),
            self._source,
        )

    def again(self, telling: Telling) -> Telling:
        """The same illness in its next wordings, as of another stay of the patient."""
        return self._worded(telling.kind, telling.problem)

    def _two(self, name: str) -> tuple[int, int]:
        """Two different texts of a list, by number."""
        source = self._source if name in bank(self._source) else BANK
        numbers = list(range(len(bank(source)[name]["texts"])))
        first, second = self._deal(name, numbers), self._deal(name, numbers)
        return (first, second if second != first else (first + 1) % len(numbers))

    def sentence(self, name: str, count: int) -> int:
        """Number of one of ``count`` wordings of a sentence."""
        number: int = self._deal(f"sentence {name}", list(range(count)))
        return number


def code(record: Record, enc: Encounter, entry: dict[str, Any], extra: list[str]) -> None:
    """Diagnosis codes, the illness first, then ``extra`` and comorbidities; call before any results."""
    enc.illness = {key: entry[key] for key in ("labs", "film", "avoid") if key in entry}
    for value in (*entry["codes"], *extra, *record.person.codes(extra)):
        record.diagnosis(enc, value.replace(".", ""))


def settle_person(record: Record) -> None:
    """Social and family history in the wordings of ``plain_sections``, the same in every summary of the patient."""
    phrases = bank("phrases/wording")
    record.person = replace(
        record.person,
        social=dealt(record, "social", phrases["social"]["texts"]),
        family=dealt(record, "family", phrases["family"]["texts"]),
    )


@apart("enc")
def sections(
    record: Record,
    enc: Encounter,
    telling: Telling,
    *,
    history: list[str] | None = None,
    issues: list[str] | None = None,
    home: list[str] | None = None,
    leaving: list[str] | None = None,
    wordings: str = "",
) -> dict[str, str]:
    """Summary sections; ``history`` joins the past medical history, ``issues`` the hospital course.

    ``wordings`` stands before the names of the illness's wordings: ``ward_`` tells its ``ward_histories``.

    ``home`` and ``leaving`` are drugs on the lists of admission and discharge besides those of long standing.
    """
    person, pronoun, them = ("man", "he", "him") if record.gender == "M" else ("woman", "she", "her")
    words = {"pronoun": pronoun, "Pronoun": pronoun.capitalize(), "object": them}
    entry, phrases = telling.entry, bank(BANK)
    told = f"___ year old {person} {entry[wordings + 'histories'][telling.history].format(**words)}"
    course = f"# {entry['problem']}:\n{entry[wordings + 'courses'][telling.course].format(**words)}"
    if enc.icu:
        told += f" {phrases['critical']['histories'][telling.critical].format(**words)}"
        course += f" {phrases['critical']['courses'][telling.critical]}"
    past = [*record.person.history, *entry.get("past", ()), *(history or [])]
    record.rng.shuffle(past)
    others = [phrases["other_issues"]["texts"][number] for number in telling.issues]
    plain = plain_sections(record, entry["problem"], {part: str(entry[part]) for part in _EXAMINED if part in entry})
    before, after = (notes.drug_list([*record.person.home_drugs, *(more or [])]) for more in (home, leaving))
    texts = phrases["advice"]["texts"]
    lead, _, _ = plain["Medications on Admission"].partition("\n")
    return plain | {
        "Chief Complaint": entry["complaint"],
        "History of Present Illness": told,
        "Past Medical History": "\n".join(f"- {line}" for line in past),
        "Social History": record.person.social,
        "Family History": record.person.family,
        "Brief Hospital Course": "\n\n".join(["ACUTE ISSUES:", course, *(issues or []), *others]),
        "Major Surgical or Invasive Procedure": entry.get("operation", "None"),
        "Discharge Instructions": letter(record, entry["problem"], [texts[n] for n in telling.advice]),
        "Medications on Admission": f"{lead}\n{before}",
        "Discharge Medications": after,
        "Discharge Diagnosis": f"PRIMARY DIAGNOSIS\n{entry['problem']}",
    }


def letter(record: Record, problem: str, advice: list[str]) -> str:
    """The letter of ``plain_sections`` with this advice in place of its own."""
    letter = bank("phrases/wording")["instructions"]
    told = [
        dealt(record, part, letter[part]).format(problem=problem.lower()) for part in ("pleasure", "reason", "done")
    ]
    told += [*advice, dealt(record, "back", letter["back"])]
    greeting, closing = (dealt(record, part, letter[part]) for part in ("greeting", "closing"))
    return f"{greeting}\n\n{' '.join(told)}\n\n{closing}"
