"""The phrase banks of ssi-surveillance and who may be dealt from them."""

from __future__ import annotations

from functools import cache
from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank

PHRASES = "phrases/ssi-surveillance"
# Medical stays that have nothing to do with an operation.
_UNRELATED = frozenset(
    {
        "lobar pneumonia",
        "chronic bronchitis",
        "decompensated heart failure",
        "ischemic stroke",
        "seizure",
        "myocardial infarction",
        "deep venous thrombosis",
        "influenza",
        "asthma",
        "syncope",
        "gout",
        "transient ischemic attack",
        "atrial fibrillation",
        "pulmonary embolism",
        "hyperglycemia",
        "hepatic encephalopathy",
        "cardiogenic shock",
    }
)


@cache
def unrelated() -> tuple[dict[str, Any], ...]:
    """Illnesses of admissions that are not about the operation."""
    shared = [p for p in bank("phrases/cdi-treatment")["presentations"] if p["name"] in _UNRELATED]
    return (*shared, *bank(PHRASES)["unrelated"])


def operation(name: str) -> dict[str, Any]:
    """An operation of the bank by its name."""
    return next(o for o in bank(PHRASES)["operations"] if o["name"] == name)


def reason(group: str) -> dict[str, Any]:
    """The reasons of a readmission by their group."""
    return next(r for r in bank(PHRASES)["reasons"] if r["group"] == group)
