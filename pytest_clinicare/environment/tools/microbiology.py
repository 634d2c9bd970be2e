"""Microbiology: cultures, organisms and susceptibilities."""

from __future__ import annotations

from pytest_clinicare.environment.tools.arguments import InWindow
from pytest_clinicare.environment.tools.context import Context, Reading, Tool
from pytest_clinicare.environment.tools.query import Filter, Select, columns, query


def get_microbiology(context: Context, arguments: InWindow) -> Reading:
    context.check_admission(arguments.hadm_id)
    # Rows without a time have a date only; a window must not lose them.
    timed = Filter().window(arguments, "t.charttime")
    dated = Filter().dates(arguments, "t.chartdate")
    where = Filter().admission(arguments)
    if timed.clauses:
        clause = (
            f"CASE WHEN t.charttime IS NULL THEN {' AND '.join(dated.clauses)} ELSE {' AND '.join(timed.clauses)} END"
        )
        where.add(clause, *dated.params, *timed.params)
    wanted = columns(
        "chartdate charttime storetime hadm_id micro_specimen_id spec_type_desc test_name org_name "
        "isolate_num quantity "
        "ab_name dilution_text interpretation comments",
        time="coalesce(t.charttime, t.chartdate)",
    )
    return query(
        context,
        [Select("microbiologyevents", wanted, where)],
        arguments,
        ("time", "micro_specimen_id", "isolate_num"),
    )


TOOLS = (
    Tool(
        "get_microbiology",
        "Cultures and other microbiology in time order; a row for each organism and antibiotic "
        "tested. org_name null means "
        "that nothing was reported to grow; charttime null means that only the date is known.",
        InWindow,
        get_microbiology,
    ),
)
