"""Cultures as the laboratory files them: a row for each organism and antibiotic, or one that says nothing grew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pytest_clinicare.charts.synthetic.banks import Row, bank
from pytest_clinicare.charts.synthetic.encounter import Encounter, day, stamp
from pytest_clinicare.charts.synthetic.streams import apart

if TYPE_CHECKING:
    from pytest_clinicare.charts.synthetic.record import Record

_READINGS = {"S": 2, "I": 3, "R": 4}


@dataclass(frozen=True)
class Isolate:
    """An organism that grew (a key of ``fixtures/distributions/microbiology.toml``) and its panel.

    ``panel`` maps antibiotic keys to S, I, R or P (pending); without it the organism is reported alone. ``final`` is
    the store time of its rows where that differs from the culture's.
    """

    organism: str
    panel: Mapping[str, str] = field(default_factory=dict)
    final: datetime | None = None
    comment: str | None = None


@apart("specimen", "collected")
def culture(
    record: Record,
    specimen: str,
    collected: datetime,
    stored: datetime | None,
    enc: Encounter | None = None,
    isolates: Sequence[Isolate] = (),
    *,
    comment: str | None = None,
    dated: bool = False,
) -> int:
    """One specimen and its culture; returns the provisional specimen id, which ``stain`` takes.

    ``specimen`` is a key of the bank. ``stored`` is the result time: with None the result is pending (no store time).
    Without isolates the row says in ``comment`` (by default the specimen's own words) that nothing grew. ``dated``
    leaves only the date of collection.
    """
    spec_id, spec, test_id, test, nothing = bank("distributions/microbiology")["specimens"][specimen]
    fixed = {
        "hadm_id": enc.hadm_id if enc else None,
        "micro_specimen_id": record.serial(),
        "order_provider_id": record.rng.choice(record.providers),
        "chartdate": f"{day(collected)} 00:00:00",
        "charttime": None if dated else stamp(collected),
        "spec_itemid": spec_id,
        "spec_type_desc": spec,
        "test_seq": 1,
        "test_itemid": test_id,
        "test_name": test,
    }
    if not isolates:
        told = comment or ("PENDING" if stored is None else nothing)
        _row(record, fixed, stored, comments=told)
    for number, isolate in enumerate(isolates, 1):
        _isolate(record, fixed, isolate, number, isolate.final or stored, isolate.comment or comment)
    return int(fixed["micro_specimen_id"])


def stain(record: Record, specimen_id: int, test: str | None, stored: datetime, text: str) -> None:
    """A further test of a specimen, such as the Gram stain of a blood bottle (``aerobic-gram``): text alone.

    With ``test`` None a preliminary report of the culture itself.
    """
    first = next(r for r in record.rows["microbiologyevents"] if r["micro_specimen_id"] == specimen_id)
    own = (first["test_itemid"], first["test_name"])
    test_id, name = own if test is None else bank("distributions/microbiology")["tests"][test]
    kept = ("hadm_id", "micro_specimen_id", "order_provider_id", "chartdate", "charttime", "spec_itemid")
    seen = {r["test_seq"] for r in record.rows["microbiologyevents"] if r["micro_specimen_id"] == specimen_id}
    fixed = {name: first[name] for name in (*kept, "spec_type_desc")}
    fixed |= {"test_seq": max(seen) + 1, "test_itemid": test_id, "test_name": name}
    _row(record, fixed, stored, comments=text)


@apart("collected")
def blood_cultures(
    record: Record,
    enc: Encounter,
    collected: datetime,
    sets: int = 2,
    growth: Sequence[Sequence[Isolate]] = (),
    stored: Sequence[datetime] = (),
) -> list[int]:
    """``sets`` sets drawn some minutes apart: the first ones with ``growth``, stored at ``stored``, the rest final and
    negative on the fifth day."""
    out = []
    for number in range(sets):
        time = collected + timedelta(minutes=12 * number)
        grown = growth[number] if number < len(growth) else ()
        final = stored[number] if number < len(stored) else time + timedelta(days=5, hours=record.rng.uniform(0, 8))
        out.append(culture(record, "blood", time, final.replace(microsecond=0), enc, grown))
    return out


def _isolate(
    record: Record, fixed: Row, isolate: Isolate, number: int, stored: datetime | None, comment: str | None
) -> None:
    known = bank("distributions/microbiology")
    org_id, name = known["organisms"][isolate.organism]
    organism = {"org_itemid": org_id, "org_name": name, "isolate_num": number, "comments": comment}
    if not isolate.panel:
        _row(record, fixed, stored, **organism)
    for agent, reading in isolate.panel.items():
        ab_id, ab_name, *dilutions = known["antibiotics"][agent]
        text = dilutions[_READINGS[reading] - 2] if reading in _READINGS else ""
        sign = "<=" if text.startswith("<=") else "=>" if text.startswith("=>") else "=" if text else ""
        _row(
            record,
            fixed,
            stored,
            **organism,
            ab_itemid=ab_id,
            ab_name=ab_name,
            dilution_text=text or None,
            dilution_comparison=f"{sign:<10}" if sign else None,
            dilution_value=float(text.lstrip("<=>")) if text else None,
            interpretation=reading,
        )


def _row(record: Record, fixed: Row, stored: datetime | None, **columns: object) -> None:
    dates = {"storedate": f"{day(stored)} 00:00:00", "storetime": stamp(stored)} if stored else {}
    record.add("microbiologyevents", microevent_id=record.serial(), **fixed, **dates, **columns)
