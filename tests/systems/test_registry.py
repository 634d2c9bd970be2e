"""Names become systems; a wrong name is told what to do."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from pytest_clinicare.environment import Brief
from pytest_clinicare.systems import SystemError, Toolbox, resolve_system, system_names


class Given:
    name = "given/one"

    def run(self, brief: Brief, tools: Toolbox) -> str | None:
        return "Verdict: no"


def no_system() -> object:
    return object()


def needs_more(argument: int) -> object:
    return Given()


def without_key() -> object:
    raise KeyError("API_KEY")


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> str:
    made = ModuleType("given_systems")
    vars(made).update(Given=Given, no_system=no_system, needs_more=needs_more, without_key=without_key, number=7)
    monkeypatch.setitem(__import__("sys").modules, "given_systems", made)
    return "given_systems"


def test_every_built_in_name_resolves_to_the_system_of_that_name() -> None:
    for alias in system_names()[:8]:
        assert resolve_system(alias).name == f"scripted/{alias}"
        assert resolve_system(f"scripted/{alias}").name == f"scripted/{alias}"


def test_a_factory_by_path_needs_no_registration(module: str) -> None:
    assert resolve_system(f"{module}:Given").name == "given/one"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("refrence", "did you mean reference"),
        ("zzz", "package.module:factory"),
        ("no_such_module:factory", "cannot import 'no_such_module'"),
        ("given_systems:nothing", "has no 'nothing'"),
        ("given_systems:number", "name a class or function"),
        ("given_systems:no_system", "is no system"),
        ("given_systems:needs_more", "must take no argument"),
        ("given_systems:without_key", r"its factory failed \(KeyError: 'API_KEY'"),
    ],
)
def test_a_wrong_name_says_what_to_do(module: str, name: str, told: str) -> None:
    with pytest.raises(SystemError, match=told):
        resolve_system(name)


def test_a_module_that_fails_when_imported_is_told_and_not_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_system.py").write_text("1 / 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SystemError, match=r"importing 'broken_system' failed \(ZeroDivisionError"):
        resolve_system("broken_system:factory")
