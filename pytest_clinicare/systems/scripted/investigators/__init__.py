"""One package a scenario: ``investigation`` audits by its protocol, ``shortcut`` guesses from the nearest sign."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


def load(scenario: str, module: str) -> ModuleType:
    """A module of the scenario's package, imported when first needed.

    Raises ``LookupError`` for a scenario without a package: an infrastructure failure, not an answer.
    """
    package = scenario.replace("-", "_")
    known = [found.name for found in iter_modules(__path__)]
    if package not in known:
        names = ", ".join(sorted(name.replace("_", "-") for name in known))
        raise LookupError(f"scenario {scenario!r} has no scripted investigator; known: {names}")
    return import_module(f"{__name__}.{package}.{module}")
