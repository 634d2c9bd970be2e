"""From the name a user gives to a system: built-in alias, entry point, or ``package.module:factory``."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points

from pytest_clinicare.systems.protocol import System

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


class SystemError(Exception):
    """The user named a system that cannot be had; the message says what, where and what to do."""


def system_names() -> tuple[str, ...]:
    """Names that ``resolve_system`` knows: built-in aliases first, then installed entry points."""
    return (*_BUILT_IN, *sorted(_entry_points()))


def resolve_system(name: str) -> System:
    """The system called ``name``.

    ``name`` is a built-in alias (``reference``, also ``scripted/reference``), the name of an entry point in the group
    ``clinicare.systems``, or ``package.module:factory``, where the factory (a class or a function) takes no argument.
    Raises ``SystemError`` for anything else.
    """
    alias = name.removeprefix("scripted/")
    if alias in _BUILT_IN:
        return _build(name, _load(name, _BUILT_IN[alias]))
    installed = _entry_points()
    if name in installed:
        return _build(name, _load(name, installed[name].value))
    if ":" in name:
        return _build(name, _load(name, name))
    raise SystemError(_unknown(name))


def is_scripted(system: System) -> bool:
    """Whether it is one of the scripted systems of this package, which show a case to nobody."""
    return type(system).__module__.startswith("pytest_clinicare.systems.scripted.")


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
