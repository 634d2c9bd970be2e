"""Wrong arguments, told so that an agent can correct itself."""

from __future__ import annotations

from difflib import get_close_matches

from pydantic import ValidationError

from pytest_clinicare.environment.tools.context import Tool, ToolError


def explain(tool: Tool, error: ValidationError) -> ToolError:
    """Which arguments are wrong and why; as a hint the nearest name, or the arguments that the tool has."""
    names = list(tool.arguments.model_fields)
    wrong: dict[str, str] = {}
    hints: list[str] = []
    for detail in error.errors(include_url=False, include_context=False, include_input=True):
        where = ".".join(str(part) for part in detail["loc"] if not _is_branch(part))
        if detail["type"] == "extra_forbidden":
            last = str(detail["loc"][-1])
            wrong[where] = "there is no such argument"
            near = get_close_matches(last, names, n=1)
            if len(detail["loc"]) == 1 and near:
                hints.append(f"{last}: did you mean {near[0]}?")
        elif detail["type"] == "missing":
            wrong[where] = "is required"
        else:
            given = repr(detail["input"])
            shown = given if len(given) <= 80 else f"{given[:77]}..."
            reason = detail["msg"].removeprefix("Value error, ")
            wrong.setdefault(where, f"{reason[0].lower()}{reason[1:]} (given {shown})")
    message = "; ".join(f"{where or 'arguments'}: {why}" for where, why in wrong.items())
    hints.append(f"arguments of {tool.name}: {', '.join(_described(tool, name) for name in names)}")
    return ToolError(f"bad arguments: {message}", " ".join(hints))


def _is_branch(part: int | str) -> bool:
    """Names of union members that pydantic puts into a location: ``int``, ``constrained-str``."""
    return isinstance(part, str) and (part in ("int", "str", "float", "constrained-str") or "[" in part)


def _described(tool: Tool, name: str) -> str:
    return f"{name} (required)" if tool.arguments.model_fields[name].is_required() else name
