"""The discharge summaries of a renal-trajectory chart."""

from __future__ import annotations

from itertools import zip_longest

from pytest_clinicare.charts.synthetic import illness
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.renal_trajectory.stays import (
    Recipe,
    Stay,
    kidney_sentences,
    renal_drugs,
)

BANK = "phrases/kidney"


def summary(
    record: Record, enc: Encounter, telling: illness.Telling, recipe: Recipe, stay: Stay, on_ace_inhibitor: bool
) -> dict[str, str]:
    """Text that names the injury and the replacement; a CKD stage stands in the codes alone."""
    phrases, told = bank(BANK), _told(record, telling, recipe, stay)
    history, issues = [], []
    if stay.replacement in phrases["history"]:
        history.append(phrases["history"][stay.replacement])
    if "chronic" in told:
        history.append("Chronic kidney disease")
        issues.append(f"# CKD:\n{told.pop('chronic')}")
    stopped = told.pop("stopped", None)
    if told:
        title = "Renal"
        if stay.replacement == "none":
            title = "Resolved acute kidney injury" if "resolved" in stay.aki else "Acute kidney injury"
        issues.append(f"# {title}:\n{' '.join(told.values())}")
    if stopped:
        issues.append(f"# Medication changes:\n{stopped}")
    home, leaving = (
        [
            f"{drug} {dose} {unit} {route.split('/')[0]} {often}"
            for drug, dose, unit, route, often in renal_drugs(recipe, stay, on_ace_inhibitor, given=given)
        ]
        for given in (False, True)
    )
    return illness.sections(record, enc, telling, history=history, issues=issues, home=home, leaving=leaving)


def _told(record: Record, telling: illness.Telling, recipe: Recipe, stay: Stay) -> dict[str, str]:
    """Sentences on the kidneys by key, in the wordings that the recipe numbers."""
    words = {
        "peak": f"{stay.peak:.1f}",
        "last": f"{stay.last[1]:.1f}",
        "strain": telling.entry.get("strain", "volume depletion"),
        "pronoun_object": "him" if record.gender == "M" else "her",
    }
    keys, numbers = kidney_sentences(recipe, stay), recipe["kidneys"][stay.number - 1]
    return {
        key: bank(BANK)[key][(number or 0) % len(bank(BANK)[key])].format(**words)
        for key, number in zip_longest(keys, numbers[: len(keys)])
    }
