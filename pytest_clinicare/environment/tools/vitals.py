"""Charted vital signs and other bedside values (ICU and ED), and outpatient measurements."""

from __future__ import annotations

import re

from pydantic import Field

from pytest_clinicare.environment.tools.arguments import InWindow, Item, Page, Time
from pytest_clinicare.environment.tools.context import Context, Reading, Tool
from pytest_clinicare.environment.tools.items import find_items, unknown_item
from pytest_clinicare.environment.tools.query import Filter, Select, columns, query, scope_of

# The ED table has one column a vital sign: column -> (unit, names it goes by).
_ED_VITALS = {
    "temperature": ("°F", ("temperature", "temp", "temperaturefahrenheit")),
    "heartrate": ("bpm", ("heartrate", "hr", "pulse")),
    "resprate": ("insp/min", ("resprate", "respiratoryrate", "rr")),
    "o2sat": ("%", ("o2sat", "spo2", "oxygensaturation", "o2saturationpulseoxymetry")),
    "sbp": ("mmHg", ("sbp", "systolic", "bloodpressure", "systolicbloodpressure")),
    "dbp": ("mmHg", ("dbp", "diastolic", "diastolicbloodpressure", "bloodpressure")),
    "rhythm": (None, ("rhythm", "heartrhythm")),
    "pain": (None, ("pain", "painlevel")),
}


class GetVitals(InWindow):
    items: list[Item] | None = Field(
        default=None,
        max_length=50,
        description="Item ids (220045) or labels ('Heart Rate'); ED columns go by the same names. Omit for everything "
        "charted, which is much in an ICU stay.",
    )
    stay_id: int | None = Field(default=None, description="Only rows of this ICU or ED stay.")


class GetOutpatientMeasurements(Page):
    name: str | None = Field(
        default=None, min_length=1, description="Part of the measurement's name ('eGFR', 'Weight')."
    )
    start: Time | None = Field(default=None, description="Earliest date, included.")
    end: Time | None = Field(default=None, description="Latest date, included.")


def get_vitals(context: Context, arguments: GetVitals) -> Reading:
    context.check_admission(arguments.hadm_id)
    context.check_stay(arguments.stay_id)
    itemids, ed_columns = _resolve(context, arguments.items)
    selects = [_charted(arguments, itemids)] if itemids is None or itemids else []
    selects += [_ed_vital(arguments, column) for column in ed_columns]
    scope = scope_of(context, arguments)
    if arguments.items is not None:
        scope["items"] = [*(itemids or ()), *ed_columns]
    tables = ["d_items"] if itemids is None or itemids else []
    if ed_columns and arguments.hadm_id is not None:
        tables.append("edstays")
    return query(
        context, selects, arguments, ("charttime", "itemid"), tables=tables, scope=scope, finish=context.labelled
    )


def get_outpatient_measurements(context: Context, arguments: GetOutpatientMeasurements) -> Reading:
    where = Filter().contains(arguments.name, "t.result_name")
    if arguments.start:
        where.add("t.chartdate >= ?", arguments.start[:10])
    if arguments.end:
        where.add("substr(t.chartdate, 1, 10) <= ?", arguments.end[:10])
    omr = Select("omr", columns("chartdate seq_num result_name result_value"), where)
    return query(context, [omr], arguments, ("chartdate", "result_name", "seq_num"))


def _resolve(context: Context, items: list[Item] | None) -> tuple[list[int] | None, list[str]]:
    """Item ids (None for all) and ED columns that the wanted items mean."""
    if items is None:
        return None, list(_ED_VITALS)
    itemids: list[int] = []
    ed_columns: list[str] = []
    for item in items:
        name = re.sub(r"[^a-z0-9]", "", str(item).lower())
        in_ed = [column for column, (_, names) in _ED_VITALS.items() if name in names]
        found = find_items(context, "d_items", item, ("abbreviation",))
        if not found and not in_ed:
            advice = f"ED vital signs are {', '.join(_ED_VITALS)}; an itemid can be asked for even if it has no value"
            raise unknown_item(context, "d_items", item, advice)
        itemids.extend(found)
        ed_columns.extend(in_ed)
    return sorted(set(itemids)), list(dict.fromkeys(ed_columns))


def _charted(arguments: GetVitals, itemids: list[int] | None) -> Select:
    where = Filter().admission(arguments).window(arguments, "t.charttime")
    if arguments.stay_id is not None:
        where.add("t.stay_id = ?", arguments.stay_id)
    if itemids is not None:
        where.add(f"t.itemid IN ({', '.join('?' * len(itemids))})", *itemids)
    wanted = columns("charttime itemid value valuenum valueuom hadm_id stay_id storetime warning", label="NULL")
    return Select("chartevents", wanted, where)


def _ed_vital(arguments: GetVitals, column: str) -> Select:
    where = Filter().add(f"t.{column} IS NOT NULL").ed_admission(arguments).window(arguments, "t.charttime")
    if arguments.stay_id is not None:
        where.add("t.stay_id = ?", arguments.stay_id)
    unit = _ED_VITALS[column][0]
    numeric = column not in ("rhythm", "pain")
    wanted = columns(
        "charttime stay_id",
        itemid="NULL",
        label=f"'{column}'",
        value=f"CAST(t.{column} AS TEXT)",
        valuenum=f"t.{column}" if numeric else "NULL",
        valueuom=f"'{unit}'" if unit else "NULL",
    )
    return Select("vitalsign", wanted, where)


TOOLS = (
    Tool(
        "get_vitals",
        "Values charted at the bedside in time order: ICU flowsheets (vital signs and everything "
        "else charted there) and "
        "ED vital signs.",
        GetVitals,
        get_vitals,
    ),
    Tool(
        "get_outpatient_measurements",
        "Measurements from outpatient visits by date: blood pressure, weight, height, BMI, eGFR.",
        GetOutpatientMeasurements,
        get_outpatient_measurements,
    ),
)
