"""Pressures, norepinephrine and the abdominal radiograph of a cdi-treatment chart."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from pytest_clinicare.charts.synthetic.encounter import Encounter, stamp
from pytest_clinicare.charts.synthetic.record import Record

NBP_SYSTOLIC, NOREPINEPHRINE = 220179, 221906
_NEAR = timedelta(hours=36)
_WHY = (
    "with abdominal distension // ileus or obstruction",
    "with discomfort // bowel gas pattern",
    "with nausea // ileus",
)
_NORMAL = (
    ("The bowel gas pattern is unremarkable. No free air.", "No evidence of ileus or obstruction."),
    ("Gas and stool throughout the colon without dilation.", "Nonobstructive bowel gas pattern. No ileus."),
    ("No dilated loops of bowel. Degenerative changes of the spine.", "Normal bowel gas pattern."),
)
_ILEUS = (
    ("Diffusely dilated loops of small and large bowel with gas to the rectum.", "Findings consistent with ileus."),
    ("Gaseous distension of small bowel and colon, up to 5.5 cm, without transition.", "Diffuse ileus."),
    ("Multiple air-fluid levels in dilated small and large bowel.", "Adynamic ileus. No free air."),
)


def keep_pressures(record: Record, enc: Encounter, collected: datetime, low: Sequence[tuple[datetime, int]]) -> None:
    """Systolic pressures near the collection stay at 92 mmHg or above but for those of the recipe."""
    charted = [r for r in record.rows.get("chartevents", ()) if r["hadm_id"] == enc.hadm_id]
    for row in (r for r in charted if r["itemid"] == NBP_SYSTOLIC and r["valuenum"] < 92):
        if abs(datetime.fromisoformat(row["charttime"]) - collected) <= _NEAR:
            value = float(record.rng.randrange(92, 100))
            row |= {"valuenum": value, "value": f"{value:g}"}
    for row in record.rows.get("vitalsign", ()):
        if row["stay_id"] == enc.ed_stay_id and row["sbp"] is not None and row["sbp"] < 92:
            row["sbp"] = record.rng.randrange(92, 104)
    for time, value in low:
        record.flowsheet(enc.icu[0], enc, NBP_SYSTOLIC, time, float(value), "mmHg")


def pressor(record: Record, enc: Encounter, start: datetime, stop: datetime) -> None:
    """Norepinephrine as one infusion whose rate falls in steps."""
    stay, link = enc.icu[0], record.fresh_id(4)
    stop = min(stop, stay.outtime or enc.disch)
    steps = 4
    for number in range(steps):
        begin = start + (stop - start) * number / steps
        end = start + (stop - start) * (number + 1) / steps
        begin, end = begin.replace(second=0, microsecond=0), end.replace(second=0, microsecond=0)
        rate = round(0.18 - 0.035 * number + record.rng.uniform(-0.01, 0.01), 3)
        record.add(
            "inputevents",
            hadm_id=enc.hadm_id,
            stay_id=stay.stay_id,
            caregiver_id=record.rng.choice(record.caregivers),
            starttime=stamp(begin),
            endtime=stamp(end),
            storetime=stamp(end),
            itemid=NOREPINEPHRINE,
            amount=round(rate * record.weight_kg * ((end - begin) / timedelta(minutes=1)) / 1000, 3),
            amountuom="mg",
            rate=rate,
            rateuom="mcg/kg/min",
            orderid=record.fresh_id(4),
            linkorderid=link,
            ordercategoryname="01-Drips",
            ordercomponenttypedescription="Main order parameter",
            ordercategorydescription="Continuous Med",
            patientweight=record.weight_kg,
            totalamount=250.0,
            totalamountuom="ml",
            isopenbag=0,
            continueinnextdept=0,
            statusdescription="ChangeDose/Rate" if number < steps - 1 else "FinishedRunning",
            originalamount=8.0,
            originalrate=rate,
        )


def radiograph(record: Record, enc: Encounter, time: datetime, finding: str) -> None:
    """An abdominal radiograph, ``ileus`` or ``normal``."""
    findings, impression = record.rng.choice(_ILEUS if finding == "ileus" else _NORMAL)
    person = "man" if record.gender == "M" else "woman"
    record.order(enc, "Radiology", "General Xray", time - timedelta(minutes=record.rng.randrange(20, 70)))
    record.radiology(
        time,
        "ABDOMEN (SUPINE ONLY) PORT",
        f"INDICATION:  ___ year old {person} {record.rng.choice(_WHY)}\n\nTECHNIQUE:  Portable supine abdominal "
        f"radiograph.\n\nCOMPARISON:  None.\n\nFINDINGS: \n\n{findings}\n\nIMPRESSION: \n\n{impression}",
        enc,
    )
