"""Susceptibility panels as a laboratory reports them for an organism."""

from __future__ import annotations

ROD = (
    "ampicillin", "ampicillin-sulbactam", "cefazolin", "ceftriaxone", "ceftazidime", "cefepime",
    "piperacillin-tazobactam", "meropenem", "gentamicin", "tobramycin", "ciprofloxacin", "tmp-smx",
)  # fmt: skip
STAPH = ("oxacillin", "vancomycin", "clindamycin", "erythromycin", "gentamicin", "tetracycline", "tmp-smx", "rifampin")
# What a species resists by nature.
_NATURAL = {"klebsiella": ("ampicillin",), "proteus": ()}
Panel = list[list[str]]


def panel(organism: str, resistant: tuple[str, ...] = (), extra: tuple[str, ...] = ()) -> Panel:
    """[antibiotic, S|R] for each drug of the organism's panel; ``extra`` are tested besides, and susceptible."""
    drugs = STAPH if organism in ("staph-aureus", "cons") else ROD
    against = {*resistant, *_NATURAL.get(organism, ())}
    return [[drug, "R" if drug in against else "S"] for drug in (*drugs, *extra)]


def esbl() -> Panel:
    """Klebsiella with an extended-spectrum beta-lactamase: a carbapenem and amikacin alone are left."""
    left = ("meropenem", "amikacin")
    return [[drug, "S" if drug in left else "R"] for drug in (*ROD, "amikacin")]
