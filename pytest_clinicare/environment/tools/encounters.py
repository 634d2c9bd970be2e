"""The patient and the encounters: admissions, transfers, ICU and ED stays."""

from __future__ import annotations

from pytest_clinicare.environment.tools.arguments import InAdmission, Page
from pytest_clinicare.environment.tools.context import Context, Reading, Tool
from pytest_clinicare.environment.tools.query import Filter, Select, columns, query

_ADMISSION = (
    "hadm_id admittime dischtime deathtime admission_type admission_location discharge_location insurance language "
    "marital_status race edregtime edouttime hospital_expire_flag"
)


def get_patient(context: Context, arguments: Page) -> Reading:
    wanted = columns("subject_id gender anchor_age anchor_year anchor_year_group dod")
    return query(context, [Select("patients", wanted)], arguments, ("subject_id",))


def list_admissions(context: Context, arguments: Page) -> Reading:
    return query(context, [Select("admissions", columns(_ADMISSION))], arguments, ("admittime",))


def list_transfers(context: Context, arguments: InAdmission) -> Reading:
    context.check_admission(arguments.hadm_id)
    moves = Select(
        "transfers",
        columns("hadm_id transfer_id eventtype careunit intime outtime"),
        Filter().admission(arguments),
    )
    services = Select(
        "services",
        columns("hadm_id prev_service curr_service", intime="t.transfertime", eventtype="'service'"),
        Filter().admission(arguments),
    )
    return query(context, [moves, services], arguments, ("intime",))


def list_icu_stays(context: Context, arguments: InAdmission) -> Reading:
    context.check_admission(arguments.hadm_id)
    wanted = columns("hadm_id stay_id first_careunit last_careunit intime outtime los")
    return query(context, [Select("icustays", wanted, Filter().admission(arguments))], arguments, ("intime",))


def list_ed_stays(context: Context, arguments: Page) -> Reading:
    triage = "temperature heartrate resprate o2sat sbp dbp pain acuity chiefcomplaint"
    wanted = columns(
        "stay_id hadm_id intime outtime arrival_transport disposition",
        triage_ref="'triage:' || g.stay_id",
        **{name: f"g.{name}" for name in triage.split()},
    )
    stays = Select("edstays", wanted, join="LEFT JOIN triage g ON g.stay_id = t.stay_id")
    return query(context, [stays], arguments, ("intime",), tables=("triage",))


TOOLS = (
    Tool(
        "get_patient",
        "The patient: sex, age in the anchor year and date of death if known. Age at a date is anchor_age plus the "
        "difference of that year and anchor_year.",
        Page,
        get_patient,
    ),
    Tool("list_admissions", "All hospital admissions with times, type, origin and discharge.", Page, list_admissions),
    Tool(
        "list_transfers",
        "Moves between care units and changes of the responsible service.",
        InAdmission,
        list_transfers,
    ),
    Tool("list_icu_stays", "ICU stays with units and times; los is in days.", InAdmission, list_icu_stays),
    Tool(
        "list_ed_stays",
        "Emergency department stays with triage; hadm_id is null for a visit that did not end in an admission.",
        Page,
        list_ed_stays,
    ),
)
