"""Admissions, ICU stays and emergency visits as rows."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.encounter import Encounter, IcuStay, stamp
from pytest_clinicare.charts.synthetic.streams import apart

if TYPE_CHECKING:
    from pytest_clinicare.charts.synthetic.record import Record

_HOME = ("HOME", "HOME", "HOME HEALTH CARE", "HOME HEALTH CARE", "SKILLED NURSING FACILITY", "REHAB")


@apart("admit")
def admission(
    record: Record,
    admit: datetime,
    disch: datetime,
    *,
    hadm_id: int | None,
    ed: tuple[datetime, datetime] | None,
    ed_linked: bool,
    ed_stay_id: int | None,
    kind: str,
    died: bool,
    discharge_location: str | None,
    service: str,
    admission_location: str | None,
    chief_complaint: str | None,
) -> Encounter:
    where = "DIED" if died else discharge_location or record.rng.choice(_HOME)
    enc = Encounter(
        hadm_id=hadm_id if hadm_id is not None else record.fresh_id(2),
        admit=admit,
        disch=disch,
        service=service,
        died=died,
        discharge_location=where,
    )
    if ed is not None:
        enc.ed_in, enc.ed_out = ed
        enc.ed_stay_id = _ed_rows(
            record, ed, enc.hadm_id if ed_linked else None, ed_stay_id, "ADMITTED", chief_complaint
        )
    linked = ed is not None and ed_linked
    record.add(
        "admissions",
        hadm_id=enc.hadm_id,
        admittime=stamp(admit),
        dischtime=stamp(disch),
        deathtime=stamp(disch) if died else None,
        admission_type=kind,
        admit_provider_id=record.rng.choice(record.providers),
        admission_location=admission_location or ("EMERGENCY ROOM" if ed else "PHYSICIAN REFERRAL"),
        discharge_location=where,
        insurance=record.insurance,
        language="ENGLISH",
        marital_status=record.marital_status,
        race=record.race,
        edregtime=stamp(ed[0]) if linked and ed else None,
        edouttime=stamp(ed[1]) if linked and ed else None,
        hospital_expire_flag=int(died),
    )
    record.add("services", hadm_id=enc.hadm_id, transfertime=stamp(admit), prev_service=None, curr_service=service)
    if died:
        record.dod = disch.date()
    record.encounters.append(enc)
    return enc


@apart("intime")
def icu_stay(
    record: Record, enc: Encounter, intime: datetime, outtime: datetime | None, unit: str, stay_id: int | None
) -> IcuStay:
    stay = IcuStay(stay_id if stay_id is not None else record.fresh_id(3), intime, outtime, unit)
    enc.icu.append(stay)
    record.add(
        "icustays",
        hadm_id=enc.hadm_id,
        stay_id=stay.stay_id,
        first_careunit=unit,
        last_careunit=unit,
        intime=stamp(intime),
        outtime=stamp(outtime) if outtime else None,
        los=round((outtime - intime).total_seconds() / 86400, 6) if outtime else None,
    )
    return stay


@apart("intime")
def ed_visit(
    record: Record, intime: datetime, outtime: datetime, *, disposition: str, chief_complaint: str | None
) -> int:
    stay_id = _ed_rows(record, (intime, outtime), None, None, disposition, chief_complaint)
    _transfer(record, None, stay_id, "ED", "Emergency Department", intime, outtime)
    return stay_id


def _ed_rows(
    record: Record,
    window: tuple[datetime, datetime],
    hadm_id: int | None,
    stay_id: int | None,
    disposition: str,
    chief_complaint: str | None,
) -> int:
    """edstays, triage, repeated vital signs and the ED's own diagnosis."""
    rng = record.rng
    intime, outtime = window
    stay_id = stay_id if stay_id is not None else record.fresh_id(3)
    record.add(
        "edstays",
        hadm_id=hadm_id,
        stay_id=stay_id,
        intime=stamp(intime),
        outtime=stamp(outtime),
        gender=record.gender,
        race=record.race,
        arrival_transport=rng.choice(("WALK IN", "AMBULANCE", "AMBULANCE")),
        disposition=disposition,
    )
    minor = rng.choice(bank("phrases/illnesses")["emergency"])
    complaint = chief_complaint or minor["complaint"]
    base = {"heartrate": rng.gauss(88, 11), "resprate": 18.0, "o2sat": 97.0, "sbp": rng.gauss(132, 14), "dbp": 74.0}
    temperature = rng.choice((97.6, 97.9, 98.2, 98.4, 98.8))
    record.add(
        "triage",
        stay_id=stay_id,
        temperature=temperature,
        **{name: float(round(value)) for name, value in base.items()},
        pain=str(rng.randrange(0, 9)),
        acuity=float(rng.choice((2, 2, 3))),
        chiefcomplaint=complaint,
    )
    time = intime + timedelta(minutes=rng.randrange(5, 40))
    while time < outtime:
        record.add(
            "vitalsign",
            stay_id=stay_id,
            charttime=stamp(time),
            temperature=round(rng.gauss(98.2, 0.4), 1) if rng.random() < 0.5 else None,
            heartrate=float(round(rng.gauss(base["heartrate"], 5))),
            resprate=float(rng.choice((16, 17, 18, 18, 20))),
            o2sat=float(min(100, round(rng.gauss(97, 1.2)))),
            sbp=round(rng.gauss(base["sbp"], 8)),
            dbp=round(rng.gauss(base["dbp"], 6)),
            pain=str(rng.randrange(0, 7)),
        )
        time += timedelta(minutes=rng.randrange(60, 150))
    if chief_complaint is None:
        record.add(
            "diagnosis", stay_id=stay_id, seq_num=1, icd_code=minor["code"], icd_version=10, icd_title=minor["title"]
        )
    return stay_id


def write_transfers(record: Record) -> None:
    """Movements of every admission: emergency department, ward and ICU segments without gaps, discharge."""
    for enc in record.encounters:
        if enc.ed_stay_id is not None and enc.ed_in and enc.ed_out:
            linked = any(r["stay_id"] == enc.ed_stay_id and r["hadm_id"] for r in record.rows["edstays"])
            hadm_id = enc.hadm_id if linked else None
            _transfer(record, hadm_id, enc.ed_stay_id, "ED", "Emergency Department", enc.ed_in, enc.ed_out)
        wards: dict[str, str] = bank("phrases/illnesses")["wards"]
        ward = wards.get(enc.service, "Medicine")
        at, event = max(enc.admit, enc.ed_out or enc.admit), "admit"
        for stay in sorted(enc.icu, key=lambda s: s.intime):
            if stay.intime > at:
                _transfer(record, enc.hadm_id, record.fresh_id(3), event, ward, at, stay.intime)
                event = "transfer"
            _transfer(record, enc.hadm_id, stay.stay_id, event, stay.unit, stay.intime, stay.outtime)
            at, event = stay.outtime or enc.disch, "transfer"
        if at < enc.disch:
            _transfer(record, enc.hadm_id, record.fresh_id(3), event, ward, at, enc.disch)
        _transfer(record, enc.hadm_id, record.fresh_id(3), "discharge", None, enc.disch, None)


def _transfer(
    record: Record,
    hadm_id: int | None,
    transfer_id: int,
    event: str,
    unit: str | None,
    intime: datetime,
    outtime: datetime | None,
) -> None:
    columns: dict[str, Any] = {"hadm_id": hadm_id, "transfer_id": transfer_id, "eventtype": event, "careunit": unit}
    record.add("transfers", **columns, intime=stamp(intime), outtime=stamp(outtime) if outtime else None)
