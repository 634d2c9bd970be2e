"""The phrase banks of discharge-audit and who may be dealt from them."""

from __future__ import annotations

from functools import cache
from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank

PHRASES = "phrases/discharge-audit"
GROUPS = (
    "general", "pneumonia", "influenza", "hemorrhage", "leg", "abscess", "edema", "stomach", "home_infusion",
)  # fmt: skip
# Medical stays that have nothing to do with the audited one.
_UNRELATED = frozenset(
    {"decompensated heart failure", "asthma", "syncope", "gout", "chronic bronchitis", "influenza", "migraine",
     "vertigo", "nosebleed", "allergic reaction", "transient ischemic attack", "hip fracture", "ischemic stroke",
     "hyperglycemia", "myocardial infarction"}
)  # fmt: skip


@cache
def unrelated() -> tuple[dict[str, Any], ...]:
    """Illnesses of the other admission."""
    known = [*bank("phrases/cdi-treatment")["presentations"], *bank("phrases/ssi-surveillance")["unrelated"]]
    return tuple(p for p in known if p["name"] in _UNRELATED)


def illness_of(name: str) -> dict[str, Any]:
    """An illness of the bank by its name."""
    return next(e for group in GROUPS for e in bank(PHRASES)[group] if e["name"] == name)
