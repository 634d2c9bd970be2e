"""From the name a user gives to a system: scripted, declared, an entry point, or ``package.module:factory``."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, entry_points

from pytest_clinicare.systems.declaration import Declaration
from pytest_clinicare.systems.protocol import Declared, System
from pytest_clinicare.systems.roster import Entry, RosterError, load_roster

ENTRY_POINT_GROUP = "clinicare.systems"

_BUILT_IN: dict[str, str] = {
    "reference": "pytest_clinicare.systems.scripted.reference:Reference",
    "shortcut": "pytest_clinicare.systems.scripted.shortcut:Shortcut",
    "careless": "pytest_clinicare.systems.scripted.careless:Careless",
    "idle": "pytest_clinicare.systems.scripted.foils:Idle",
    "committer": "pytest_clinicare.systems.scripted.foils:Committer",
    "abstainer": "pytest_clinicare.systems.scripted.foils:Abstainer",
    "fabricator": "pytest_clinicare.systems.scripted.foils:Fabricator",
    "mute": "pytest_clinicare.systems.scripted.foils:Mute",
    "crasher": "pytest_clinicare.systems.scripted.foils:Crasher",
}
_HARNESSES: dict[str, str] = {}
"""What runs the declared systems of each harness; it takes the name and the declaration."""


class SystemError(Exception):
    """The user named a system that cannot be had; the message says what, where and what to do."""


def system_names() -> tuple[str, ...]:
    """Names that ``resolve_system`` knows: scripted, aliases, declared, installed entry points. Raises SystemError."""
    entries = _roster().values()
    aliases = [entry.alias for entry in entries if entry.alias]
    return (*_BUILT_IN, *aliases, *(entry.name for entry in entries), *sorted(_entry_points()))


def declared_systems() -> tuple[Entry, ...]:
    """The systems of the roster and of the user's files. Raises SystemError."""
    return tuple(_roster().values())


def resolve_system(name: str) -> System:
    """The system called ``name``.

    ``name`` is that of a scripted system (``reference``, also ``scripted/reference``), of a declared one
    (``codex/gpt-5.5``, ``gpt55`` for ``native/gpt-5.5``, or the user's own), of an entry point in the group
    ``clinicare.systems``, or ``package.module:factory``, where the factory (a class or a function) takes no argument.
    Raises ``SystemError`` for anything else.
    """
    alias = name.removeprefix("scripted/")
    if alias in _BUILT_IN:
        return _build(name, _load(name, _BUILT_IN[alias]))
    entry = next((e for e in _roster().values() if name in (e.name, e.alias)), None)
    if entry is not None:
        return _declared(entry)
    installed = _entry_points()
    if name in installed:
        return _build(name, _load(name, installed[name].value))
    if ":" in name:
        return _build(name, _load(name, name))
    raise SystemError(_unknown(name))


def is_scripted(system: System) -> bool:
    """Whether it is one of the scripted systems of this package, which show a case to nobody."""
    return type(system).__module__.startswith("pytest_clinicare.systems.scripted.")


def settings_of(system: System) -> dict[str, str]:
    """What a system tells of itself that decides comparability; nothing for one that does not."""
    return system.settings if isinstance(system, Declared) else {}


def sends_cases_away(system: System) -> bool:
    """Whether cases leave this machine, which a system that does not say is taken to do."""
    return system.remote if isinstance(system, Declared) else not is_scripted(system)


def check_system(system: System) -> None:
    """Raises SystemError with all that a system needs and that is not there."""
    missing = [check for check in (system.checks() if isinstance(system, Declared) else ()) if not check.ok]
    if missing:
        told = "; ".join(
            f"{check.name}: {check.told}{f' ({check.remedy})' if check.remedy else ''}" for check in missing
        )
        raise SystemError(f"system {system.name!r} cannot run: {told}")


def _roster() -> Mapping[str, Entry]:
    try:
        return load_roster()
    except RosterError as error:
        raise SystemError(str(error)) from error


def _declared(entry: Entry) -> System:
    path = _HARNESSES.get(entry.declaration.harness)
    if path is None:
        raise SystemError(f"system {entry.name!r}: harness {entry.declaration.harness} is not part of this version")
    make: Callable[[str, Declaration], System] = _load(entry.name, path)  # type: ignore[assignment]
    return make(entry.name, entry.declaration)


def _entry_points() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=ENTRY_POINT_GROUP)}


def _load(name: str, path: str) -> Callable[[], object]:
    module_name, _, attribute = path.partition(":")
    try:
        target: object = importlib.import_module(module_name)
        for part in attribute.split("."):
            target = getattr(target, part)
    except ImportError as error:
        raise SystemError(
            f"system {name!r}: cannot import {module_name!r} ({error}); check the spelling and that it is installed"
        ) from error
    except (AttributeError, ValueError) as error:
        raise SystemError(
            f"system {name!r}: {module_name!r} has no {attribute!r}; give it as package.module:factory"
        ) from error
    except Exception as error:
        raise SystemError(
            f"system {name!r}: importing {module_name!r} failed ({type(error).__name__}: {error})"
        ) from error
    if not callable(target):
        raise SystemError(f"system {name!r}: {path} is a {type(target).__name__}; name a class or function instead")
    return target


def _build(name: str, factory: Callable[[], object]) -> System:
    try:
        system = factory()
    except Exception as error:
        raise SystemError(
            f"system {name!r}: its factory failed ({type(error).__name__}: {error}); it must take no argument"
        ) from error
    if not isinstance(getattr(system, "name", None), str) or not callable(getattr(system, "run", None)):
        raise SystemError(
            f"system {name!r}: {type(system).__name__} is no system; it needs a `name` (str) and `run(brief, tools)`"
        )
    return system  # type: ignore[return-value]


def _unknown(name: str) -> str:
    known = system_names()
    near = difflib.get_close_matches(name.removeprefix("scripted/"), known, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(known)}."
    return (
        f"unknown system {name!r}; {hint} To add one, install a package with an entry point in the group "
        f"{ENTRY_POINT_GROUP!r}, or give package.module:factory"
    )
