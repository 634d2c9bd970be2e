"""Laboratory results: single values and drawn panels whose analytes hang together."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from pytest_clinicare.charts.synthetic.banks import Row, bank
from pytest_clinicare.charts.synthetic.encounter import Encounter, stamp
from pytest_clinicare.charts.synthetic.streams import apart

if TYPE_CHECKING:
    from pytest_clinicare.charts.synthetic.record import Record

_ELECTROLYTES = ("sodium", "potassium", "chloride", "bicarbonate", "anion_gap", "glucose")
# Shifts per mg/dL of creatinine above what is tolerated, up to a creatinine that makes nothing worse any more.
_PER_CREATININE = {"potassium": 0.12, "bicarbonate": -0.8, "phosphate": 0.5, "hemoglobin": -0.4}
_TOLERATED, _NO_WORSE = 1.5, 6.0
# A patient's own level stays within this many standard deviations: what is far out needs an illness.
_USUAL = 1.5
_HALF_LIFE = timedelta(days=3)
PANELS: dict[str, tuple[str, ...]] = {
    "basic": (*_ELECTROLYTES, "urea", "creatinine", "calcium", "magnesium", "phosphate"),
    "electrolytes": (*_ELECTROLYTES, "calcium", "magnesium", "phosphate"),
    "cbc": ("wbc", "hemoglobin", "hematocrit", "platelets", "rbc", "mcv", "mch", "mchc", "rdw"),
    "coag": ("inr", "pt", "ptt"),
    "liver": ("alt", "ast", "alkaline_phosphatase", "bilirubin", "albumin"),
    "gas": ("ph", "pco2", "po2", "total_co2", "lactate"),
    "differential": ("neutrophils", "lymphocytes", "monocytes", "eosinophils", "basophils"),
    "urine": ("urine_creatinine", "urine_sodium"),
    "urinalysis": ("urine_gravity", "urine_ph"),
}


@apart("item", "time")
def lab(
    record: Record,
    item: str,
    time: datetime,
    value: float | str | None,
    enc: Encounter | None = None,
    comment: str | None = None,
    specimen_id: int | None = None,
) -> Row:
    """One labevents row; a text value (or None with a comment) has no number, a number is rounded as reported."""
    return _row(record, item, time, value, enc, comment, specimen_id)


def _row(
    record: Record,
    item: str,
    time: datetime,
    value: float | str | None,
    enc: Encounter | None,
    comment: str | None,
    specimen_id: int | None,
) -> Row:
    spec = bank("distributions/labs")[item]
    if item == "creatinine" and isinstance(value, int | float):
        record.creatinine.append((time, float(value)))
    low, high = _range(spec, record.gender)
    text, number, flag = value, None, None
    if isinstance(value, int | float):
        text = f"{value:.{spec['decimals']}f}"
        number = float(text)
        flag = "abnormal" if low is not None and not low <= number <= high else None
    return record.add(
        "labevents",
        labevent_id=record.serial(),
        hadm_id=enc.hadm_id if enc else None,
        specimen_id=specimen_id if specimen_id is not None else record.serial(),
        itemid=spec["itemid"],
        order_provider_id=record.rng.choice(record.providers),
        charttime=stamp(time),
        storetime=stamp(time + timedelta(minutes=record.rng.randrange(35, 130))),
        value=text,
        valuenum=number,
        valueuom=spec.get("unit"),
        ref_range_lower=low,
        ref_range_upper=high,
        flag=flag,
        priority="STAT" if enc and time < enc.admit else "ROUTINE",
        comments=comment,
    )


@apart("name", "time")
def panel(
    record: Record, name: str, time: datetime, enc: Encounter | None, overrides: Mapping[str, float | None]
) -> int:
    """All analytes of one specimen; gives the provisional specimen_id. KeyError: no such panel or analyte."""
    analytes = PANELS[name]
    if unknown := overrides.keys() - set(analytes):
        raise KeyError(f"panel {name} has no {', '.join(sorted(unknown))}")
    wanted = [a for a in analytes if (overrides[a] is not None if a in overrides else a not in record.controlled)]
    values = {a: overrides[a] if overrides.get(a) is not None else _draw(record, a) for a in analytes}
    fixed = {a for a, v in overrides.items() if v is not None}
    _shift(record, values, fixed, time, enc)
    _correlate(record, values, fixed)
    specimen = record.serial()
    for analyte in wanted:
        _row(record, analyte, time, values[analyte], enc, None, specimen)
    return specimen


def _draw(record: Record, analyte: str) -> float:
    """Around the patient's own level, so that a series looks like one person's."""
    spec = bank("distributions/labs")[analyte]
    if analyte not in record.levels:
        record.levels[analyte] = _level(record, analyte)
    value = record.rng.gauss(record.levels[analyte], spec["sd"] * 0.35)
    return float(max(value, spec["mean"] * 0.3))


@apart("analyte")
def _level(record: Record, analyte: str) -> float:
    spec = bank("distributions/labs")[analyte]
    lowest, highest = (spec["mean"] + sign * _USUAL * spec["sd"] for sign in (-1, 1))
    return float(min(max(record.rng.gauss(spec["mean"], spec["sd"]), lowest), highest))


def _shift(record: Record, values: dict[str, Any], fixed: set[str], time: datetime, enc: Encounter | None) -> None:
    """What the illness and failing kidneys do: the one wears off over days, the other goes with the creatinine."""
    shifts: dict[str, float] = {}
    if enc is not None:
        fade = 0.5 ** ((time - enc.start) / _HALF_LIFE)
        shifts = {analyte: by * fade for analyte, by in enc.illness.get("labs", {}).items()}
    excess = max(0.0, min(_creatinine_near(record, values, time), _NO_WORSE) - _TOLERATED)
    for analyte, by in _PER_CREATININE.items():
        shifts[analyte] = shifts.get(analyte, 0.0) + by * excess
    for analyte, by in shifts.items():
        if analyte in values and analyte not in fixed:
            values[analyte] += by


def _creatinine_near(record: Record, values: Mapping[str, Any], time: datetime) -> float:
    """The panel's own creatinine, else the nearest one of the same days; 0 where there is none."""
    if "creatinine" in values:
        return float(values["creatinine"])
    near = [(abs(time - at), value) for at, value in record.creatinine if abs(time - at) <= timedelta(days=3)]
    return min(near)[1] if near else 0.0


def _correlate(record: Record, values: dict[str, Any], fixed: set[str]) -> None:
    """Derived analytes follow the measured ones: gap, urea with creatinine, red-cell indices, PT with INR."""

    def derive(name: str, value: float) -> None:
        if name in values and name not in fixed:
            values[name] = value

    if "sodium" in values:
        derive("chloride", values["sodium"] - values["bicarbonate"] - record.rng.gauss(12.0, 1.2))
        derive("anion_gap", round(values["sodium"]) - round(values["chloride"]) - round(values["bicarbonate"]))
    if "creatinine" in values:
        derive("urea", 15.5 * float(values["creatinine"]) ** 0.85 * record.rng.uniform(0.85, 1.25))
    if "hemoglobin" in values:
        hematocrit = values["hemoglobin"] * record.rng.uniform(2.95, 3.1)
        derive("hematocrit", hematocrit)
        derive("rbc", 10 * values["hematocrit"] / values["mcv"])
        derive("mch", 10 * values["hemoglobin"] / values["rbc"])
        derive("mchc", 100 * values["hemoglobin"] / values["hematocrit"])
    if "inr" in values:
        values["inr"] = max(values["inr"], 0.9)
        derive("pt", values["inr"] * record.rng.uniform(10.9, 11.5))
    if "pco2" in values:
        # Henderson-Hasselbalch: bicarbonate and dissolved gas make the total.
        dissolved = 0.0307 * values["pco2"]
        derive("total_co2", dissolved * (1 + 10 ** (values["ph"] - 6.1)))
    if "neutrophils" in values:
        others = sum(values[name] for name in ("monocytes", "eosinophils", "basophils") if name in values)
        derive("neutrophils", min(values["neutrophils"], 97.0 - others))
        derive("lymphocytes", 100 - values["neutrophils"] - others)


def _range(spec: Row, gender: str) -> tuple[float | None, Any]:
    if gender == "F" and "low_f" in spec:
        return float(spec["low_f"]), float(spec["high_f"])
    return (float(spec["low"]), float(spec["high"])) if "low" in spec else (None, None)
