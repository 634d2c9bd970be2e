"""Edits of one decisive fact of a renal-trajectory recipe that move a case to a neighbouring step."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.charts.synthetic.plan_numbers import plus
from pytest_clinicare.suite import Verdict

_LOWEST, _PEAK, _LAST, _DATES = 3, 4, 5, 6


def _quiet(recipe: Mapping[str, Any]) -> bool:
    """Several admissions without replacement, each sampled on two dates or more, the last without injury."""
    rows = recipe["admissions"]
    plain = recipe["replacement"] == "none" and recipe["aki"][-1] == "none"
    return bool(plain and len(rows) >= 2 and min(row[_DATES] for row in rows) >= 2)


def _estimate(recipe: Mapping[str, Any], number: int) -> float:
    """CKD-EPI 2021 on the lowest creatinine of an admission."""
    age, lowest = recipe["admissions"][number][0], recipe["admissions"][number][_LOWEST]
    k, a, factor = (0.7, -0.241, 1.012) if recipe["sex"] == "F" else (0.9, -0.302, 1.0)
    ratio = lowest / k
    return float(142 * min(ratio, 1) ** a * max(ratio, 1) ** -1.2 * 0.9938**age * factor)


def _fall(recipe: Mapping[str, Any]) -> float:
    first = _estimate(recipe, 0)
    return (first - _estimate(recipe, -1)) / first


def _stages(recipe: Mapping[str, Any]) -> list[int]:
    return [int(code[4]) for code in recipe["ckd_codes"] if code[:4] == "N18." and code[4] in "12345"]


def _shifted(recipe: Mapping[str, Any], by: float) -> dict[str, Any]:
    """Every creatinine of the last admission moved by the same amount."""
    changed = deepcopy(dict(recipe))
    row = changed["admissions"][-1]
    row[_LOWEST], row[_PEAK] = plus(row[_LOWEST], by), plus(row[_PEAK], by)
    row[_LAST] = [plus(value, by) for value in row[_LAST]]
    return changed


def _said(recipe: Mapping[str, Any], changed: Mapping[str, Any]) -> str:
    before, after = (r["admissions"][-1][_LOWEST] for r in (recipe, changed))
    return f"lowest creatinine of the last admission: {before} -> {after} mg/dL"


def last_higher(recipe: Mapping[str, Any]) -> Edited:
    """The last admission's creatinine so much higher that eGFR has fallen by 30 % or more: yes."""
    if not _quiet(recipe) or _fall(recipe) >= 0.25:
        raise ValueError("needs a course without a sustained decline")
    for tenths in range(1, 20):
        changed = _shifted(recipe, tenths / 10)
        row = changed["admissions"][-1]
        if _fall(changed) >= 0.32:
            if row[_PEAK] >= 1.5 * row[_LOWEST]:
                break
            return Edited(changed, Verdict.YES, 4, _said(recipe, changed))
    raise ValueError("needs a last admission that can be moved up")


def last_as_first(recipe: Mapping[str, Any]) -> Edited:
    """The last admission's creatinine back at the first one's, without a stage that rises or appears: no."""
    stages = _stages(recipe)
    if not _quiet(recipe) or _fall(recipe) < 0.15 or len(set(stages)) > 1 or 0 < len(stages) < len(recipe["ckd_codes"]):
        raise ValueError("needs a decline without a change of the coded stage")
    first, last = recipe["admissions"][0], recipe["admissions"][-1]
    changed = _shifted(recipe, plus(first[_LOWEST], -last[_LOWEST]))
    row = changed["admissions"][-1]
    if row[_PEAK] >= 1.5 * row[_LOWEST]:
        raise ValueError("needs a last admission whose creatinine stays near its lowest")
    return Edited(changed, Verdict.NO, 7, _said(recipe, changed))


def stage_as_before(recipe: Mapping[str, Any]) -> Edited:
    """The last admission's stage code as at the first: a flat course is no, a mild decline in age ambiguous."""
    codes = recipe["ckd_codes"]
    if not _quiet(recipe) or len(set(_stages(recipe))) < 2 or codes[0] == "none" or _fall(recipe) >= 0.25:
        raise ValueError("needs a coded stage that rises")
    changed = deepcopy(dict(recipe))
    changed["ckd_codes"] = [codes[0]] * len(codes)
    said = f"stage coded at the last admission: {codes[-1]} -> {codes[0]}"
    if _fall(recipe) < 0.15:
        return Edited(changed, Verdict.NO, 7, said)
    if recipe["admissions"][-1][0] < 65:
        return Edited(changed, Verdict.NO, 9, said)
    return Edited(changed, Verdict.AMBIGUOUS, 8, said)


def stage_up(recipe: Mapping[str, Any]) -> Edited:
    """Stage 4 coded at the last admission of a flat course in stage 3: ambiguous."""
    if not _quiet(recipe) or set(recipe["ckd_codes"]) != {"N18.3"} or _fall(recipe) >= 0.15:
        raise ValueError("needs a flat course with stage 3 coded throughout")
    changed = deepcopy(dict(recipe))
    changed["ckd_codes"][-1] = "N18.4"
    return Edited(changed, Verdict.AMBIGUOUS, 6, "stage coded at the last admission: N18.3 -> N18.4")


def sampled_once(recipe: Mapping[str, Any]) -> Edited:
    """Creatinine on a single date of the last of two admissions: lack of data."""
    rows = recipe["admissions"]
    if not _quiet(recipe) or len(rows) != 2:
        raise ValueError("needs two admissions without injury")
    changed = deepcopy(dict(recipe))
    row = changed["admissions"][-1]
    row[_PEAK], row[_LAST], row[_DATES] = row[_LOWEST], [row[_LOWEST]] * 2, 1
    return Edited(changed, Verdict.LACK, 3, f"dates with creatinine in the last admission: {rows[-1][_DATES]} -> 1")


def recovered(recipe: Mapping[str, Any]) -> Edited:
    """An injury in the last of two admissions that has come back to the first one's level: no."""
    first, last = recipe["admissions"][0], recipe["admissions"][-1]
    if len(recipe["admissions"]) != 2 or recipe["aki"][-1] == "none" or last[_LOWEST] <= plus(first[_LOWEST], 0.2):
        raise ValueError("needs an injury that had not settled in the last of two admissions")
    changed = deepcopy(dict(recipe))
    low = first[_LOWEST]
    changed["admissions"][-1][_LOWEST] = low
    changed["admissions"][-1][_LAST] = [plus(low, 0.1), low]
    said = f"last two creatinine values: {last[_LAST][0]} and {last[_LAST][1]} -> {plus(low, 0.1)} and {low} mg/dL"
    return Edited(changed, Verdict.NO, 7, said)


EDITS: tuple[Edit, ...] = (
    last_higher,
    last_as_first,
    stage_as_before,
    stage_up,
    sampled_once,
    recovered,
)
