"""Anticoagulants of a hit-4ts chart: name, dose, unit, route, frequency, hours between doses, and how they run."""

from __future__ import annotations

from typing import NamedTuple


class Drug(NamedTuple):
    """``drip`` names the infusion of ``distributions/infusions`` that it runs as in intensive care, with its rate."""

    name: str
    dose: str
    unit: str
    route: str
    frequency: str
    every: float
    drip: tuple[str, float] | None = None


DRUGS = {
    "sc": Drug("Heparin", "5000", "UNIT", "SC", "TID", 8),
    "iv": Drug("Heparin", "25000", "UNIT", "IV DRIP", "ASDIR", 24),
    "flush": Drug("Heparin Flush (10 units/ml)", "5", "mL", "IV", "Q8H", 8),
    "dialysis": Drug("Heparin (Hemodialysis)", "2000", "UNIT", "IV", "ASDIR", 48),
    "enoxaparin": Drug("Enoxaparin Sodium", "40", "mg", "SC", "DAILY", 24),
    "argatroban": Drug("Argatroban", "1", "mcg/kg/min", "IV DRIP", "ASDIR", 24, ("argatroban", 1.0)),
    "bivalirudin": Drug("Bivalirudin", "0.1", "mg/kg/hr", "IV DRIP", "ASDIR", 24, ("bivalirudin", 0.1)),
    "fondaparinux": Drug("Fondaparinux", "7.5", "mg", "SC", "DAILY", 24),
    "fondaparinux-low": Drug("Fondaparinux", "2.5", "mg", "SC", "DAILY", 24),
    "apixaban": Drug("Apixaban", "10", "mg", "PO", "BID", 12),
    "rivaroxaban": Drug("Rivaroxaban", "15", "mg", "PO", "BID", 12),
    "warfarin": Drug("Warfarin", "5", "mg", "PO", "DAILY16", 24),
}
HEPARIN = ("sc", "iv", "flush", "dialysis", "enoxaparin")
