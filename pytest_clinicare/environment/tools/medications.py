"""Medications: ordered, administered, and taken at home."""

from __future__ import annotations

from pydantic import Field

from pytest_clinicare.environment.tools.arguments import InWindow, Page
from pytest_clinicare.environment.tools.context import Context, Reading, Tool
from pytest_clinicare.environment.tools.query import Filter, Row, Select, columns, query


class Drug(InWindow):
    drug: str | None = Field(default=None, min_length=1, max_length=200, description="Part of the drug's name.")


class GetHomeMedications(Page):
    stay_id: int | None = Field(default=None, description="Only the list taken at this ED stay.")


def get_medication_orders(context: Context, arguments: Drug) -> Reading:
    context.check_admission(arguments.hadm_id)
    prescribed = Select(
        "prescriptions",
        columns(
            "starttime stoptime drug drug_type prod_strength form_rx dose_val_rx dose_unit_rx doses_per_24_hrs route "
            "hadm_id pharmacy_id poe_id",
            source="'prescriptions'",
            frequency="p.frequency",
            status="p.status",
            pharmacy_ref="'pharmacy:' || p.pharmacy_id",
        ),
        _ordered(arguments, "t.drug"),
        "LEFT JOIN pharmacy p ON p.pharmacy_id = t.pharmacy_id",
    )
    dispensed = Select(
        "pharmacy",
        columns(
            "starttime stoptime route hadm_id pharmacy_id poe_id frequency status doses_per_24_hrs",
            source="'pharmacy'",
            drug="t.medication",
        ),
        # Pharmacy rows with a prescription are shown in its row.
        _ordered(arguments, "t.medication").add("t.pharmacy_id NOT IN (SELECT pharmacy_id FROM prescriptions)"),
    )
    return query(context, [prescribed, dispensed], arguments, ("starttime",))


def get_medication_administrations(context: Context, arguments: Drug) -> Reading:
    context.check_admission(arguments.hadm_id)
    given = Select(
        "emar",
        columns(
            "charttime scheduletime event_txt hadm_id emar_id poe_id pharmacy_id",
            source="'emar'",
            drug="t.medication",
            dose_given=_doses("dose_given"),
            **{name: _detail(name) for name in ("dose_due", "dose_due_unit", "dose_given_unit")},
            **{name: _detail(name) for name in ("product_description", "route", "infusion_rate", "infusion_rate_unit")},
        ),
        Filter().admission(arguments).window(arguments, "t.charttime").contains(arguments.drug, "t.medication"),
    )
    infused = Select(
        "inputevents",
        columns(
            "endtime itemid amount amountuom rate rateuom ordercategoryname statusdescription hadm_id stay_id",
            source="'inputevents'",
            charttime="t.starttime",
            drug="NULL",
        ),
        Filter()
        .admission(arguments)
        .window(arguments, "t.starttime", "t.endtime")
        .items(arguments.drug, "label", "abbreviation"),
    )

    def named(row: Row) -> Row:
        return context.labelled(row, "drug")

    return query(context, [given, infused], arguments, ("charttime",), tables=("emar_detail", "d_items"), finish=named)


def get_home_medications(context: Context, arguments: GetHomeMedications) -> Reading:
    context.check_stay(arguments.stay_id)
    where = Filter()
    if arguments.stay_id is not None:
        where.add("t.stay_id = ?", arguments.stay_id)
    wanted = columns("stay_id charttime name gsn ndc etc_rn etccode etcdescription")
    return query(context, [Select("medrecon", wanted, where)], arguments, ("charttime", "name", "etc_rn"))


def _ordered(arguments: Drug, drug: str) -> Filter:
    # An order without a stop time is taken as open.
    stop = "coalesce(t.stoptime, '9999-12-31')"
    return Filter().admission(arguments).window(arguments, "t.starttime", stop).contains(arguments.drug, drug)


def _detail(name: str) -> str:
    """The distinct values of a detail column: a dose given from several products has a detail row each."""
    return f"(SELECT group_concat(DISTINCT d.{name}) FROM emar_detail d WHERE d.emar_id = t.emar_id)"


def _doses(name: str) -> str:
    """Each part of a dose, equal ones too: two tablets of 50 mg are ``50,50``."""
    parts = f"SELECT d.{name} AS part FROM emar_detail d WHERE d.emar_id = t.emar_id ORDER BY d.parent_field_ordinal"
    return f"(SELECT group_concat(part) FROM ({parts}))"


TOOLS = (
    Tool(
        "get_medication_orders",
        "Medication orders (prescriptions with their pharmacy record). An order says that a drug was "
        "ordered, not that it "
        "was given. start and end select orders that were open at any time in the window.",
        Drug,
        get_medication_orders,
    ),
    Tool(
        "get_medication_administrations",
        "What was given: electronic administration record (event_txt says Administered, Not Given, "
        "...) and ICU infusions "
        "(inputevents). Recorded doses only; records outside units with an eMAR do not exist.",
        Drug,
        get_medication_administrations,
    ),
    Tool(
        "get_home_medications",
        "Medications taken before arrival, as reconciled in the emergency department; a drug has a "
        "row for each of its classes.",
        GetHomeMedications,
        get_home_medications,
    ),
)
