"""The last step of a chart: movements, numbering in the order of time, patient and dictionary rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic.banks import Row, dictionary
from pytest_clinicare.charts.synthetic.encounters import write_transfers
from pytest_clinicare.charts.synthetic.streams import apart

if TYPE_CHECKING:
    from pytest_clinicare.charts.synthetic.record import Record


@apart()
def hand_over(record: Record) -> Draft:
    """KeyError: a code or item that is not in ``fixtures/dictionaries``."""
    write_transfers(record)
    rows = record.rows
    subject = record.subject_id
    _number_texts(rows, ("poe",), "poe_id", "poe_seq", "ordertime", f"{subject}-")
    _number_texts(rows, ("emar",), "emar_id", "emar_seq", "charttime", f"{subject}-")
    _number_texts(rows, ("radiology",), "note_id", "note_seq", "charttime", f"{subject}-RR-", "radiology_detail")
    _number_texts(rows, ("discharge",), "note_id", "note_seq", "charttime", f"{subject}-DS-", "discharge_detail")
    _number_results(record)
    _number_outpatient(rows.get("omr", []))
    _mix_codes(record)
    _patient(record)
    _dictionaries(rows)
    for table, collected in rows.items():
        for row in collected:
            record.draft.add(table, **row)
    return record.draft


def _number_texts(
    rows: dict[str, list[Row]],
    tables: tuple[str, ...],
    key: str,
    sequence: str,
    time: str,
    prefix: str,
    details: str | None = None,
) -> None:
    """Ids of the form subject-number in the order of time, carried over to every row that names them."""
    owners = [row for table in tables for row in rows.get(table, ())]
    numbered: dict[str, tuple[str, int]] = {}
    for number, row in enumerate(sorted(owners, key=lambda r: str(r[time])), 1):
        numbered[row[key]] = (f"{prefix}{number}", number)
    links = (key, "discontinue_of_poe_id", "discontinued_by_poe_id") if key == "poe_id" else (key,)
    followers = {"poe_id": ("poe_detail", "prescriptions", "pharmacy", "emar"), "emar_id": ("emar_detail",)}
    for table in (*tables, *followers.get(key, (details,) if details else ())):
        for row in rows.get(table, ()):
            if sequence in row and row.get(key) in numbered:
                row[sequence] = numbered[row[key]][1]
            for link in links:
                if row.get(link) in numbered:
                    row[link] = numbered[row[link]][0]


def _number_results(record: Record) -> None:
    """Result, specimen and pharmacy ids: unique numbers, results in the order of time as a laboratory counts them."""
    rng = record.rng
    for table, key, specimen, start in (
        ("labevents", "labevent_id", "specimen_id", rng.randrange(10**6, 10**8)),
        ("microbiologyevents", "microevent_id", "micro_specimen_id", rng.randrange(10**5, 10**6)),
    ):
        specimens: dict[int, int] = {}
        ordered = sorted(record.rows.get(table, ()), key=lambda r: str(r["charttime"]))
        for number, row in enumerate(ordered):
            row[key] = start + number
            old = row[specimen]
            row[specimen] = specimens[old] if old in specimens else specimens.setdefault(old, record.fresh_id(5))
    pharmacy: dict[int, int] = {}
    for table in ("pharmacy", "prescriptions", "emar", "emar_detail"):
        for row in record.rows.get(table, ()):
            old = row.get("pharmacy_id")
            if old is not None:
                row["pharmacy_id"] = pharmacy[old] if old in pharmacy else pharmacy.setdefault(old, record.fresh_id(6))


def _number_outpatient(rows: list[Row]) -> None:
    seen: dict[tuple[str, str], int] = {}
    for row in rows:
        key = (row["chartdate"], row["result_name"])
        row["seq_num"] = seen[key] = seen.get(key, 0) + 1


def _mix_codes(record: Record) -> None:
    """The principal diagnosis stays first; the rest in no order, so that a rank does not tell what a scenario added."""
    for enc in record.encounters:
        mine = [r for r in record.rows.get("diagnoses_icd", ()) if r["hadm_id"] == enc.hadm_id]
        ranks = list(range(2, len(mine) + 1))
        record.rng.shuffle(ranks)
        for row, rank in zip(mine[1:], ranks, strict=True):
            row["seq_num"] = rank
    coded = record.rows.get("diagnoses_icd", [])
    coded.sort(key=lambda r: (r["hadm_id"], r["seq_num"]))


def _patient(record: Record) -> None:
    record.add(
        "patients",
        gender=record.gender,
        anchor_age=record.anchor_age,
        anchor_year=record.anchor_year,
        anchor_year_group=record.anchor_year_group,
        dod=record.dod.isoformat() if record.dod else None,
    )


def _dictionaries(rows: dict[str, list[Row]]) -> None:
    """Only the dictionary rows that the chart uses, and the people who wrote in it."""

    def used(tables: Iterable[str], column: str) -> set[int]:
        return {row[column] for table in tables for row in rows.get(table, ()) if row.get(column) is not None}

    events = ("chartevents", "inputevents", "outputevents", "procedureevents", "datetimeevents", "ingredientevents")
    for target, tables in (("d_labitems", ("labevents",)), ("d_items", events)):
        known = dictionary(target)
        rows[target] = [dict(_lookup(known, target, (str(item),))) for item in sorted(used(tables, "itemid"))]
    for target, table in (("d_icd_diagnoses", "diagnoses_icd"), ("d_icd_procedures", "procedures_icd")):
        known = dictionary(target)
        codes = sorted({(row["icd_code"], str(row["icd_version"])) for row in rows.get(table, ())})
        rows[target] = [dict(_lookup(known, target, code)) for code in codes]
    people = {
        value
        for collected in rows.values()
        for row in collected
        for column, value in row.items()
        if column.endswith("provider_id") and value is not None
    }
    rows["provider"] = [{"provider_id": person} for person in sorted(people)]
    caregivers = sorted(used(events, "caregiver_id"))
    rows["caregiver"] = [{"caregiver_id": person} for person in caregivers]


def _lookup(known: dict[tuple[str, ...], Row], table: str, key: tuple[str, ...]) -> Row:
    if key not in known:
        raise KeyError(f"{'/'.join(key)} is not in fixtures/dictionaries/{table}.csv: add its row there")
    return known[key]
