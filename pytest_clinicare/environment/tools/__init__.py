"""The tools by name; adding a tool is adding one to a module's ``TOOLS``."""

from __future__ import annotations

from pytest_clinicare.environment.tools import (
    code_status,
    diagnoses,
    encounters,
    fluids,
    imaging,
    labs,
    medications,
    microbiology,
    notes,
    orders,
    policy,
    procedures,
    report_tool,
    shell,
    sql,
    vitals,
)
from pytest_clinicare.environment.tools.context import Tool

_FAMILIES = (
    encounters, notes, labs, vitals, medications, microbiology, procedures, imaging, orders, diagnoses, fluids,
    code_status, sql, shell, policy, report_tool,
)  # fmt: skip

TOOLS: dict[str, Tool] = {tool.name: tool for family in _FAMILIES for tool in family.TOOLS}
