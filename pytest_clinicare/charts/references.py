"""Which columns point at rows of which table: the foreign keys that MIMIC-IV declares, and its dictionaries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pytest_clinicare.charts.schema import TABLES


class Reference(NamedTuple):
    """``columns`` of ``table``, where all are given, name one row of ``target``."""

    table: str
    columns: tuple[str, ...]
    target: str
    target_columns: tuple[str, ...]


_ADMISSION = (
    "diagnoses_icd", "drgcodes", "emar", "hcpcsevents", "microbiologyevents", "pharmacy", "poe", "prescriptions",
    "procedures_icd", "services", "chartevents", "datetimeevents", "icustays", "inputevents", "outputevents",
    "procedureevents",
)  # fmt: skip
_ICU = ("chartevents", "datetimeevents", "ingredientevents", "inputevents", "outputevents", "procedureevents")
_ED = ("diagnosis", "medrecon", "pyxis", "triage", "vitalsign")
_DETAILS = (
    ("emar_detail", "emar_id", "emar"),
    ("poe_detail", "poe_id", "poe"),
    ("discharge_detail", "note_id", "discharge"),
    ("radiology_detail", "note_id", "radiology"),
)


def _encounters() -> Iterator[Reference]:
    for table in _ADMISSION:
        yield Reference(table, ("hadm_id",), "admissions", ("hadm_id",))
    for table in _ICU:
        yield Reference(table, ("stay_id",), "icustays", ("stay_id",))
    for table in _ED:
        yield Reference(table, ("stay_id",), "edstays", ("stay_id",))
    for table, column, target in _DETAILS:
        yield Reference(table, (column,), target, (column,))


def _dictionaries() -> Iterator[Reference]:
    code = ("icd_code", "icd_version")
    yield Reference("labevents", ("itemid",), "d_labitems", ("itemid",))
    for table in _ICU:
        yield Reference(table, ("itemid",), "d_items", ("itemid",))
    yield Reference("diagnoses_icd", code, "d_icd_diagnoses", code)
    yield Reference("procedures_icd", code, "d_icd_procedures", code)
    yield Reference("hcpcsevents", ("hcpcs_cd",), "d_hcpcs", ("code",))
    for source in TABLES.values():
        for name in source.column_names if source.of_subject else ():
            if name.endswith("provider_id"):
                yield Reference(source.name, (name,), "provider", ("provider_id",))
            elif name == "caregiver_id":
                yield Reference(source.name, (name,), "caregiver", ("caregiver_id",))


ENCOUNTER_REFERENCES = tuple(_encounters())
DICTIONARY_REFERENCES = tuple(_dictionaries())
