"""Edits of one decisive fact of a dka-resolution recipe that move a case to a neighbouring step."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.suite import Verdict


def _established(recipe: Mapping[str, Any]) -> bool:
    """An infusion, and ketoacidosis with a glucose above 250 on arrival."""
    glucose, bicarbonate, *_, ketone = recipe["presentation"]
    return bool(recipe["infusion"]) and bicarbonate <= 18 and glucose > 250 and ketone != "trace"


def _in_window(rows: list[list[Any]]) -> list[list[Any]]:
    return [row for row in rows if -6 <= row[0] <= 0]


def _sugar(recipe: Mapping[str, Any]) -> list[Any]:
    return max(_in_window(recipe["fingerstick"]), key=lambda row: float(row[0]))


def _states(recipe: Mapping[str, Any]) -> dict[str, bool | None]:
    """B, P and A at the stop: met, failed or unknown."""
    panels, gases = _in_window(recipe["chemistry"]), _in_window(recipe["gas"])
    out: dict[str, bool | None] = {"b": None, "p": None, "a": None}
    if panels:
        _, sodium, _, chloride, bicarbonate, _ = panels[-1]
        out |= {"b": bicarbonate >= 15, "a": sodium - chloride - bicarbonate <= 12}
    if gases:
        out["p"] = round(gases[-1][1] * 100) - (3 if gases[-1][2] == "arterial" else 0) > 730
    return out


def _met(recipe: Mapping[str, Any]) -> int:
    return list(_states(recipe).values()).count(True)


def glucose_up(recipe: Mapping[str, Any]) -> Edited:
    """The fingerstick that decides at 204 mg/dL: no."""
    if not _established(recipe) or _sugar(recipe)[1] >= 200 or _met(recipe) < 2:
        raise ValueError("needs a resolved case")
    changed = deepcopy(dict(recipe))
    row = _sugar(changed)
    before, row[1] = row[1], 204
    return Edited(changed, Verdict.NO, 4, f"glucose at {row[0]:+g} h: {before} -> 204 mg/dL")


def glucose_down(recipe: Mapping[str, Any]) -> Edited:
    """The fingerstick that decides at 186 mg/dL: yes."""
    if not _established(recipe) or _sugar(recipe)[1] < 200 or _met(recipe) < 2:
        raise ValueError("needs a glucose of 200 or more as the only fault")
    changed = deepcopy(dict(recipe))
    row = _sugar(changed)
    before, row[1] = row[1], 186
    return Edited(changed, Verdict.YES, 8, f"glucose at {row[0]:+g} h: {before} -> 186 mg/dL")


def chemistry_open(recipe: Mapping[str, Any]) -> Edited:
    """The last panel with bicarbonate 13 and a gap above 12, no pH: no."""
    states = _states(recipe)
    if not _established(recipe) or _sugar(recipe)[1] >= 200 or _met(recipe) < 2 or states["p"] is not None:
        raise ValueError("needs a case resolved by its last panel, without a pH")
    changed = deepcopy(dict(recipe))
    row = _in_window(changed["chemistry"])[-1]
    before, row[4] = row[4], 13
    row[3] = row[1] - 13 - 17
    told = f"last panel at {row[0]:+g} h: HCO3 {before} -> 13, gap -> 17"
    return Edited(changed, Verdict.NO, 6, told)


def chemistry_closed(recipe: Mapping[str, Any]) -> Edited:
    """The last panel with bicarbonate 18 and a gap of 11: yes."""
    states = _states(recipe)
    if not _established(recipe) or _sugar(recipe)[1] >= 200 or states["b"] is not False or states["a"] is not False:
        raise ValueError("needs a last panel with a low bicarbonate and an open gap")
    changed = deepcopy(dict(recipe))
    row = _in_window(changed["chemistry"])[-1]
    before, row[4] = row[4], 18
    row[3] = row[1] - 18 - 11
    return Edited(changed, Verdict.YES, 8, f"last panel at {row[0]:+g} h: HCO3 {before} -> 18, gap -> 11")


def ph_above(recipe: Mapping[str, Any]) -> Edited:
    """The pH of the window 0.02 above its limit beside a sufficient bicarbonate or gap: yes."""
    states = _states(recipe)
    if not _established(recipe) or _sugar(recipe)[1] >= 200 or states["p"] is not False or _met(recipe) != 1:
        raise ValueError("needs a pH that fails beside one criterion that is met")
    changed = deepcopy(dict(recipe))
    row = _in_window(changed["gas"])[-1]
    before, row[1] = row[1], 7.35 if row[2] == "arterial" else 7.32
    return Edited(changed, Verdict.YES, 8, f"{row[2]} pH at {row[0]:+g} h: {before:.2f} -> {row[1]:.2f}")


def traces_only(recipe: Mapping[str, Any]) -> Edited:
    """No more than a trace of ketones on arrival: lack of data."""
    if not _established(recipe) or recipe["bhb"]:
        raise ValueError("needs ketoacidosis whose only ketone test is that of the urine")
    changed = deepcopy(dict(recipe))
    before, changed["presentation"][5] = recipe["presentation"][5], "trace"
    return Edited(changed, Verdict.LACK, 2, f"urine ketone on arrival: {before} mg/dL -> trace")


EDITS: tuple[Edit, ...] = (glucose_up, glucose_down, chemistry_open, chemistry_closed, ph_above, traces_only)
