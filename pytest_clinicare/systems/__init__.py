"""Who answers: the ``System`` protocol, the registry, and the scripted systems."""

from pytest_clinicare.systems.protocol import Check, Declared, System, Toolbox
from pytest_clinicare.systems.registry import (
    SystemError,
    check_system,
    declared_systems,
    is_scripted,
    resolve_system,
    sends_cases_away,
    settings_of,
    system_names,
)

__all__ = [
    "Check",
    "Declared",
    "System",
    "SystemError",
    "Toolbox",
    "check_system",
    "declared_systems",
    "is_scripted",
    "resolve_system",
    "sends_cases_away",
    "settings_of",
    "system_names",
]
