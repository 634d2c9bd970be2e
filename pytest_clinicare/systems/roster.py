"""Systems that are declared in TOML: those that ship, and the user's own in ``pyproject.toml``, ``clinicare.toml`` or a
file that ``CLINICARE_SYSTEMS`` names."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pytest_clinicare.suite.toml_lines import line_of
from pytest_clinicare.systems.declaration import OF_MODELS, Declaration

FILE_VARIABLE = "CLINICARE_SYSTEMS"
_NOT_OF_SYSTEMS = "harnesses"


class RosterError(Exception):
    """A declaration that cannot be read; the message names file, line, key and what to do."""


@dataclass(frozen=True)
class Entry:
    """One system by its name (``codex/gpt-5.5``, or the user's), its short ``alias``, and where it was read from."""

    name: str
    alias: str
    declaration: Declaration
    source: str


def load_roster(folder: Path | None = None) -> Mapping[str, Entry]:
    """Entries by name, in order; the user's come last and stand in for shipped ones of the same name.

    ``folder`` (by default the current one) is where the user's files are looked for. Raises RosterError.
    """
    entries = dict(_shipped())
    for path in _user_files(folder or Path.cwd()):
        for entry in _declared(path):
            entries[entry.name] = entry
    return entries


def alias_of(model: str) -> str:
    """``gpt55`` for ``gpt-5.5``."""
    return "".join(character for character in model.lower() if character.isalnum())


@cache
def _models() -> Mapping[str, dict[str, Any]]:
    text = files("pytest_clinicare.systems").joinpath("roster.toml").read_text(encoding="utf-8")
    return dict(tomllib.loads(text)["models"])


@cache
def _shipped() -> Mapping[str, Entry]:
    entries = {}
    for model, told in _models().items():
        for harness in told[_NOT_OF_SYSTEMS]:
            name = f"{harness}/{model}"
            alias = alias_of(model) if harness == "native" else ""
            declaration = Declaration.model_validate({"harness": harness, "model": model, **_of_model(model)})
            entries[name] = Entry(name, alias, declaration, "ships with pytest-clinicare")
    return entries


def _of_model(model: str) -> dict[str, Any]:
    """What the roster knows of a model; nothing of one that it does not know."""
    return {key: value for key, value in _models().get(model, {}).items() if key != _NOT_OF_SYSTEMS}


def _user_files(folder: Path) -> list[Path]:
    found = [path for path in (folder / "pyproject.toml", folder / "clinicare.toml") if path.is_file()]
    named = os.environ.get(FILE_VARIABLE)
    if named:
        path = Path(named).expanduser()
        if not path.is_file():
            raise RosterError(f"{FILE_VARIABLE}: there is no file {path}; name a TOML file with systems, or unset it")
        found.append(path)
    return found


def _declared(path: Path) -> list[Entry]:
    try:
        text = path.read_text(encoding="utf-8")
        read: Any = tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        # Another tool's pyproject.toml that is broken is reported too: silently it would hide the user's systems.
        raise RosterError(f"{path}: cannot be read as TOML ({error})") from error
    where = ("tool", "clinicare", "systems") if path.name == "pyproject.toml" else ("systems",)
    for key in where:
        read = read.get(key, {}) if isinstance(read, dict) else {}
    if not isinstance(read, dict):
        raise RosterError(f"{path}:{line_of(text, where)}: {'.'.join(where)} must be a table of systems")
    return [_entry(path, text, where, name, told) for name, told in read.items()]


def _entry(path: Path, text: str, where: tuple[str, ...], name: str, told: Any) -> Entry:
    at = (*where, name)
    if not isinstance(told, dict):
        raise RosterError(f"{path}:{line_of(text, at)}: system {name!r} must be a table with a harness and a model")
    known = _of_model(str(told.get("model", ""))) if told.get("harness") in OF_MODELS else {}
    try:
        declaration = Declaration.model_validate({**known, **told})
    except ValidationError as error:
        first = error.errors()[0]
        key = [part for part in first["loc"] if isinstance(part, str | int)]
        shown = ".".join(map(str, key))
        message = first["msg"].removeprefix("Value error, ")
        told_of = f"key {shown}: {message}" if shown else message
        raise RosterError(f"{path}:{line_of(text, (*at, *key))}: system {name!r}: {told_of}") from error
    return Entry(name, "", declaration, str(path))
