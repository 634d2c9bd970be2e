"""Whether a discharge summary records a decision about a drug (PT-014 6.1)."""

from __future__ import annotations

import re
from functools import lru_cache

from pytest_clinicare.systems.scripted.clinical.drugs import class_of, ingredients, names_of, names_or_class
from pytest_clinicare.systems.scripted.clinical.medication_list import Entry, duration_in
from pytest_clinicare.systems.scripted.clinical.notes import Sentence, sentences

# Where decisions are written; history, examination and list A2 tell what was, not what was decided.
_ELSEWHERE = frozenset(
    {
        "allergies",
        "social history",
        "family history",
        "past medical history",
        "pmh",
        "history of present illness",
        "physical exam",
        "pertinent results",
        "medications on admission",
        "chief complaint",
        "past surgical history",
    }
)
_STOP = (
    r"\bstop(?:ped|ping)?\b|\bdiscontinu\w+|\bd/c'?d\b|\bno longer\b|\bdo not (?:take|resume|restart)"
    r"|\bshould not (?:take|resume)|\bavoid\b"
)
_HOLD = (
    r"\bhold(?:ing)?\b(?![- ]over)|\bheld (?:at|on|upon|after|until|pending|through)\s*(?:discharge|follow"
    r"|seen|review|further|outpatient|PCP|\w+ appointment)"
    r"|\bon hold\b|\bheld\b[^.]{0,60}\b(?:until|pending)\b"
)
_RESUME = r"\b(?:restart|resum|re-?initiat|review|revisit|reassess)\w*"
_CHANGE = (
    r"\b(?:chang|switch|replac|substitut|increas|decreas|reduc|(?:up|down)?-?titrat|lower|adjust"
    r"|transition|convert|halv|doubl)\w*|\bnew dose\b"
)
_CONTINUE = r"\bcontinu\w+"
_ABSENCE = re.compile("|".join((_STOP, _HOLD, _RESUME, _CHANGE, _CONTINUE)), re.IGNORECASE)
_DOSE_CHANGE = re.compile("|".join((_CHANGE, _STOP, _RESUME)), re.IGNORECASE)
_HELD = re.compile(r"\bheld\b|\bholding\b|\bon hold\b", re.IGNORECASE)
_UNTOUCHED = re.compile(r"\b(?:no|not|without)\b[^.]{0,25}\b(?:chang|adjust)\w*", re.IGNORECASE)


def decision(text: str, ingredient: str, *, of_dose: bool = False) -> Sentence | None:
    """Sentence that names the drug or its class and decides on it; ``of_dose`` for a changed dose.

    That a drug was held in hospital is no decision about discharge.
    """
    drug, verbs = names_or_class(ingredient), _DOSE_CHANGE if of_dose else _ABSENCE
    for sentence in _statements(text):
        if drug.search(sentence.text) and verbs.search(_UNTOUCHED.sub("", sentence.text)):
            return sentence
    return None


def hold(text: str, ingredient: str) -> Sentence | None:
    """Sentence that says the drug was held in hospital."""
    drug = names_or_class(ingredient)
    return next((s for s in _statements(text) if drug.search(s.text) and _HELD.search(s.text)), None)


def course_duration(text: str, entry: Entry) -> Sentence | None:
    """Sentence outside the list that gives the length or end of a course.

    It names the drug; or it speaks of the class, or follows a sentence that names the drug, and names no other one.
    """
    drug, kind = names_of(entry.ingredients[0]), class_of(entry.ingredients[0])
    by_class = names_or_class(entry.ingredients[0])
    named_before = False
    for sentence in _statements(text):
        if sentence.section == "discharge medications":
            continue
        named = bool(drug.search(sentence.text))
        others = [i for i in ingredients(sentence.text) if class_of(i) == kind and i not in entry.ingredients]
        applies = named or (
            not others
            and (bool(by_class.search(sentence.text)) or (named_before and "course" in sentence.text.lower()))
        )
        if applies and duration_in(sentence.text):
            return sentence
        named_before = named
    return None


def indication(text: str, ingredient: str) -> Sentence | None:
    """Sentence outside the lists that names the drug."""
    return next(
        (s for s in _statements(text) if s.section != "discharge medications" and names_of(ingredient).search(s.text)),
        None,
    )


@lru_cache(maxsize=8)
def _statements(text: str) -> tuple[Sentence, ...]:
    return tuple(sentences(text, _ELSEWHERE))
