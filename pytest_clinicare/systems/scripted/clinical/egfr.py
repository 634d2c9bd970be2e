"""Estimated GFR in mL/min/1.73 m2: CKD-EPI 2021, MDRD solved for creatinine, and the KDIGO G categories."""

from __future__ import annotations

import math
from decimal import Decimal

_CATEGORIES = ((90, "G1"), (60, "G2"), (45, "G3a"), (30, "G3b"), (15, "G4"))
CATEGORY_ORDER = ("G1", "G2", "G3a", "G3b", "G4", "G5")
_STAGE_UPPER = {1: math.inf, 2: 89, 3: 59, 4: 29, 5: 14}


def ckd_epi_2021(creatinine: float, age: int, female: bool) -> float:
    """eGFRcr of Inker 2021; creatinine in mg/dL, age in years."""
    k, a = (0.7, -0.241) if female else (0.9, -0.302)
    ratio = creatinine / k
    value: float = 142 * min(ratio, 1) ** a * max(ratio, 1) ** -1.200 * 0.9938**age
    return value * 1.012 if female else value


def ckd_epi_2021_cystatin(creatinine: float, cystatin: float, age: int, female: bool) -> float:
    """eGFRcr-cys of Inker 2021; cystatin C in mg/L."""
    k, a = (0.7, -0.219) if female else (0.9, -0.144)
    ratio, cys = creatinine / k, cystatin / 0.8
    value: float = 135 * min(ratio, 1) ** a * max(ratio, 1) ** -0.544 * min(cys, 1) ** -0.323 * max(cys, 1) ** -0.778
    return value * 0.9961**age * (0.963 if female else 1.0)


def mdrd_creatinine(age: int, female: bool, egfr: float = 75.0) -> Decimal:
    """Creatinine (mg/dL) at which four-variable MDRD without race term gives ``egfr``."""
    factor = 175 * age**-0.203 * (0.742 if female else 1.0)
    return Decimal(repr((egfr / factor) ** (1 / -1.154)))


def rounded(egfr: float) -> int:
    return math.floor(egfr + 0.5)


def g_category(egfr: float) -> str:
    """KDIGO G category, read from the rounded value."""
    return next((name for limit, name in _CATEGORIES if rounded(egfr) >= limit), "G5")


def lower_category(latest: str, reference: str) -> bool:
    return CATEGORY_ORDER.index(latest) > CATEGORY_ORDER.index(reference)


def in_stage_or_worse(egfr: float, stage: int) -> bool:
    """Whether a rounded eGFR lies in the range of a CKD stage or below it."""
    return rounded(egfr) <= _STAGE_UPPER[stage]
