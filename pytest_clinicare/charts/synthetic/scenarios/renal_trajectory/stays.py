"""The admissions of a renal-trajectory recipe, and what its summary has to say about the kidneys in each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Recipe = dict[str, Any]
# drug, dose, unit, route, frequency
Drug = tuple[str, str, str, str, str]


@dataclass(frozen=True)
class Stay:
    """One admission of the recipe; ``number`` counts from 1."""

    number: int
    age: int
    days: int
    length: int
    lowest: float
    peak: float
    last: tuple[float, float]
    dates: int
    code: str
    aki: str
    replacement: str

    @property
    def injured(self) -> bool:
        return self.aki != "none"


def stays_of(recipe: Recipe) -> list[Stay]:
    kind, _, number = recipe["replacement"].rpartition(" ")
    stays: list[Stay] = []
    for n, (age, days, length, lowest, peak, last, dates) in enumerate(recipe["admissions"], 1):
        replacement = _replacement(kind, int(number) if kind else 0, n)
        code, aki = recipe["ckd_codes"][n - 1], recipe["aki"][n - 1]
        stays.append(Stay(n, age, days, length, lowest, peak, (last[0], last[1]), dates, code, aki, replacement))
    return stays


def _replacement(kind: str, start: int, number: int) -> str:
    """Replacement within one admission, from 'temporary in n', 'maintenance from n' or 'transplant in n'."""
    if kind.startswith("maintenance"):
        return "none" if number < start else "maintenance start" if number == start else "maintenance"
    if kind.startswith("transplant"):
        return "before transplant" if number < start else "transplant" if number == start else "transplanted"
    return "temporary" if kind.startswith("temporary") and number == start else "none"


def improves(recipe: Recipe) -> bool:
    """Whether creatinine is lower at the end, without replacement."""
    rows = recipe["admissions"]
    return bool(recipe["replacement"] == "none" and rows[-1][3] < rows[0][3])


def kidney_sentences(recipe: Recipe, stay: Stay) -> list[str]:
    """Keys of ``fixtures/phrases/kidney.toml`` that the summary of an admission speaks, in order."""
    keys = []
    if stay.code != "none" and stay.replacement in ("none", "before transplant"):
        keys.append("chronic")
    if stay.replacement != "none":
        keys.append(stay.replacement.replace(" ", "_"))
    elif stay.injured:
        keys += ["cause", "consult", "left"]
    if stay.number > 1 and improves(recipe):
        keys.append("stopped")
    return keys


def renal_drugs(recipe: Recipe, stay: Stay, on_ace_inhibitor: bool, *, given: bool) -> list[Drug]:
    """Drugs that bear on the kidneys: ``given`` in the admission and on leaving, or taken at home before it.

    ACE inhibitor throughout where the patient takes one, held for an injury; loop diuretic and NSAID only ahead of an
    improvement; immunosuppression from a transplantation on.
    """
    held = given and (stay.injured or stay.replacement == "transplant")
    drugs: list[Drug] = [("Lisinopril", "10", "mg", "PO/NG", "DAILY")] if on_ace_inhibitor and not held else []
    if stay.number == 1 and improves(recipe):
        drugs += [("Furosemide", "40", "mg", "PO/NG", "DAILY"), ("Naproxen", "250", "mg", "PO/NG", "Q12H:PRN")]
    if stay.replacement.startswith("maintenance"):
        drugs.append(("Sevelamer Carbonate", "800", "mg", "PO", "TID W/MEALS"))
    if stay.replacement == "transplanted" or (given and stay.replacement == "transplant"):
        drugs += [("Tacrolimus", "3", "mg", "PO", "Q12H"), ("Mycophenolate Mofetil", "1000", "mg", "PO", "BID")]
    return drugs
