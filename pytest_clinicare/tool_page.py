"""The documentation page of the tools: each with its arguments and an example, answered by a real chart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pytest_clinicare.environment import Brief, Environment, ToolSpec

_HEAD = """\
# The tools

Every tool that a system under test gets, as the model sees it, with an example call and what it gave on the chart of
`{case}`. Made from the code with `clinicare tools {case} --page > docs/tools.md`. Row tools page with `limit` and
`next_cursor`; a mistake comes back as an error with a hint and the run goes on. The same tools are to be had by hand
with `clinicare tools CASE`, over MCP with `clinicare mcp CASE`: [environment.md](environment.md), which also tells of
`run_shell`, the tool that a run has where the machine has a sandbox.
"""
_MOST_TEXT, _MOST_ITEMS = 220, 1
# What a first-time reader would ask; ``{...}`` are identifiers of the case and what earlier examples returned.
_EXAMPLES: dict[str, dict[str, Any]] = {
    "list_transfers": {"hadm_id": "{hadm_id}"},
    "list_icu_stays": {"hadm_id": "{hadm_id}"},
    "list_notes": {"kind": "discharge", "hadm_id": "{hadm_id}"},
    "search_notes": {"query": "contrast"},
    "read_note": {"note_id": "{note_id}", "limit": 200},
    "search_lab_items": {"text": "creatinine"},
    "get_labs": {"items": ["Creatinine"], "hadm_id": "{hadm_id}", "limit": 1},
    "get_vitals": {"items": ["Heart Rate"], "limit": 1},
    "get_outpatient_measurements": {"name": "Weight", "limit": 1},
    "get_medication_orders": {"hadm_id": "{hadm_id}", "limit": 1},
    "get_medication_administrations": {"hadm_id": "{hadm_id}", "limit": 1},
    "get_microbiology": {"hadm_id": "{hadm_id}", "limit": 1},
    "get_procedures": {"hadm_id": "{hadm_id}", "limit": 1},
    "get_imaging": {"hadm_id": "{hadm_id}", "limit": 1},
    "get_orders": {"order_type": "Radiology", "hadm_id": "{hadm_id}", "limit": 1},
    "get_diagnoses": {"hadm_id": "{hadm_id}", "limit": 1},
    "get_fluid_balance": {"hadm_id": "{hadm_id}", "limit": 1},
    "get_code_status": {"hadm_id": "{hadm_id}", "limit": 1},
    "run_sql": {"query": "SELECT count(*) AS results, min(charttime) AS first FROM labevents WHERE itemid = 50912"},
    "search_policies": {"query": "baseline creatinine", "limit": 1},
    "read_policy": {"document": "kdigo-aki-2012", "start_line": 11, "end_line": 16},
    "submit_report": {
        "verdict": "no",
        "confidence": 0.9,
        "rationale": "No creatinine in the 48 h after the scan meets a limb [policy: kdigo-aki-2012 L20-L24].",
        "claims": [],
    },
}


def tool_page(environment: Environment, brief: Brief) -> str:
    """The page as Markdown; the calls are made on the environment, the report last."""
    known = {"hadm_id": brief.hadm_id, "stay_id": brief.stay_id}
    parts = [_HEAD.format(case=environment.header.case)]
    for spec in brief.tools:
        arguments = {
            name: known.get(value[1:-1], value) if isinstance(value, str) and value[:1] == "{" else value
            for name, value in _EXAMPLES.get(spec.name, {}).items()
        }
        result = environment.call(spec.name, arguments)
        if spec.name == "list_notes":
            known["note_id"] = result.content["rows"][0]["note_id"]
        shown = json.dumps(_short(result.content), indent=2, ensure_ascii=False)
        parts.append("\n".join(_about(spec)))
        parts.append(f"```\n{spec.name}({json.dumps(arguments, ensure_ascii=False)})\n```\n\n```json\n{shown}\n```\n")
    return "\n".join(parts)


def _about(spec: ToolSpec) -> Iterator[str]:
    yield f"## {spec.name}\n"
    yield f"{spec.description}\n"
    properties: Any = spec.parameters.get("properties") or {}
    required: Any = spec.parameters.get("required") or ()
    for name, about in properties.items():
        star = ", required" if name in required else ""
        told = f": {about['description']}" if "description" in about else ""
        yield f"- `{name}` ({kinds_of(about)}{star}){told}"
    yield ""


def kinds_of(about: dict[str, Any]) -> str:
    """Types of an argument in words, without null."""
    found = [str(part.get("type") or part.get("$ref", "value")).split("/")[-1] for part in about.get("anyOf", [about])]
    return " or ".join(kind for kind in found if kind != "null") or "value"


def _short(value: Any) -> Any:
    """The first item of a list and the beginning of a text, each with what was left out."""
    if isinstance(value, dict):
        return {key: _short(item) for key, item in value.items()}
    if isinstance(value, list) and len(value) > _MOST_ITEMS and isinstance(value[0], dict):
        return [_short(value[0]), f"... {len(value) - 1} more"]
    if isinstance(value, str) and len(value) > _MOST_TEXT:
        return f"{value[:_MOST_TEXT]}... ({len(value)} characters)"
    return [_short(item) for item in value] if isinstance(value, list) else value
