"""Who answers: the ``System`` protocol, the registry, and the scripted systems."""

from pytest_clinicare.systems.protocol import System, Toolbox
from pytest_clinicare.systems.registry import SystemError, is_scripted, resolve_system, system_names

__all__ = ["System", "SystemError", "Toolbox", "is_scripted", "resolve_system", "system_names"]
