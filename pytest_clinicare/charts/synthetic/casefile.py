"""Writes cases as TOML that reads like a chart abstract."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pytest_clinicare.suite.case import Case


def case_text(case: Case) -> str:
    """The case file's text; parsing it gives the same case. Rows of a recipe stand one a line."""
    import tomli_w

    data = case.model_dump(mode="json", exclude_none=True, exclude={"recipe"})
    data = {name: value for name, value in data.items() if name not in _WHERE_SET or value}
    return tomli_w.dumps({name: data[name] for name in _ORDER if name in data}, multiline_strings=True) + _recipe(
        case.recipe
    )


def write_cases(cases: Iterable[Case], folder: Path) -> list[Path]:
    """One file a case under ``folder/<scenario>/``; gives their paths."""
    written = []
    for case in cases:
        path = folder / case.scenario / f"{case.id}.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(case_text(case), encoding="utf-8")
        written.append(path)
    return written


_WHERE_SET = ("holdout", "edit")

_ORDER = (
    "id",
    "pair_of",
    "edit",
    "scenario",
    "source",
    "subject_id",
    "hadm_id",
    "stay_id",
    "verdict",
    "variant",
    "step",
    "seed",
    "abstract",
    "trap",
    "holdout",
)


def _recipe(recipe: dict[str, Any]) -> str:
    lines = ["", "[recipe]"]
    for key, value in recipe.items():
        if isinstance(value, list | tuple) and value and isinstance(value[0], list | tuple):
            rows = "".join(f"  {_inline(row)},\n" for row in value)
            lines.append(f"{key} = [\n{rows}]")
        else:
            lines.append(f"{key} = {_inline(value)}")
    return "\n".join(lines) + "\n"


def _inline(value: Any) -> str:
    """TOML of a value on one line (tomli_w breaks arrays over lines)."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(_inline(item) for item in value)}]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {_inline(item)}" for name, item in value.items()) + " }"
    import tomli_w

    return tomli_w.dumps({"x": value}).removeprefix("x = ").rstrip("\n")
