"""What a user may set, and where it may be set: command line before environment before ini file.

Only the standard library and pytest are imported here: every project that has the plugin installed loads this module.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest

# Style of help texts, as pytest-xdist's: start with a capital letter; no period after a single phrase.

DEFAULT_RUNS = Path(".clinicare/runs")
DEFAULT_CHART_CACHE = Path(".clinicare/charts")
JUDGES = ("rules",)
ALL = "all"
DEV = "dev"
PAIRS = "pairs"
SPLITS = (ALL, DEV, PAIRS)
AUTO, REQUIRE, OFF = "auto", "require", "off"
SHELLS = (AUTO, REQUIRE, OFF)

_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off", ""})


@dataclass(frozen=True)
class Option:
    """One setting: ``--clinicare-<name>``, ``CLINICARE_<NAME>`` and the ini key ``clinicare_<name>``."""

    name: str
    help: str
    metavar: str | None = None
    repeated: bool = False

    @property
    def flag(self) -> str:
        return f"--clinicare-{self.name}"

    @property
    def key(self) -> str:
        """Name of the ini key and of the attribute of ``config.option``."""
        return "clinicare_" + self.name.replace("-", "_")

    @property
    def variable(self) -> str:
        return self.key.upper()


SYSTEM = Option(
    "system", "System under test: a known name (reference), an entry point, or package.module:factory", "NAME"
)
CASES = Option("cases", "Folder with cases to run instead of those that ship with the plugin", "DIR")
GATE = Option(
    "gate",
    'Condition on the metrics that decides the exit status, such as "defect_free_accuracy >= 0.70"; may be repeated, '
    "in the environment and ini file one a line",
    "EXPR",
    repeated=True,
)
FRESH = Option("fresh", "Start over instead of continuing the run of the same configuration and day")
JUDGE = Option("judge", f"Who grades the process: {', '.join(JUDGES)}", "NAME")
ATTEMPTS = Option("attempts", "Number of runs of each case (default: 1)", "N")
CHARTS = Option(
    "charts",
    "Folder of charts built from MIMIC-IV, for cases of real patients (default: the folder charts/ beside the cases)",
    "DIR",
)
RUNS = Option("runs", f"Folder for run directories (default: {DEFAULT_RUNS})", "DIR")
MAX_ERRORS = Option(
    "max-errors", "Number of infrastructure errors that a gate tolerates, each counted as wrong (default: 0)", "N"
)

SPLIT = Option("split", f"Part of the cases to run: {', '.join(SPLITS)} (default: {ALL})", "NAME")
INCLUDE_HOLDOUT = Option("include-holdout", "Run holdout cases with a system that is not scripted, too")

SHELL = Option(
    "shell",
    f"Whether systems get a shell in a sandbox: {AUTO} (if this machine has one that holds), {REQUIRE}, {OFF} "
    f"(default: {AUTO})",
    "WHEN",
)

OPTIONS = (SYSTEM, CASES, SPLIT, INCLUDE_HOLDOUT, SHELL, GATE, FRESH, JUDGE, ATTEMPTS, CHARTS, RUNS, MAX_ERRORS)
_FLAGS = (FRESH, INCLUDE_HOLDOUT)


@dataclass(frozen=True)
class Settings:
    """What the user asked for, checked as far as needs no other room. Paths are absolute."""

    system: str
    runs: Path
    chart_cache: Path
    cases: Path | None = None
    charts: Path | None = None
    gates: tuple[str, ...] = ()
    fresh: bool = False
    judge: str = "rules"
    attempts: int = 1
    max_errors: int = 0
    split: str = ALL
    include_holdout: bool = False
    shell: str = AUTO


def add_options(parser: pytest.Parser) -> None:
    group = parser.getgroup("clinicare", "clinical agent benchmark (pytest-clinicare)")
    for option in OPTIONS:
        if option in _FLAGS:
            group.addoption(option.flag, dest=option.key, action="store_true", default=None, help=option.help)
        else:
            action = "append" if option.repeated else "store"
            group.addoption(
                option.flag, dest=option.key, action=action, default=None, metavar=option.metavar, help=option.help
            )
        kind: Literal["linelist", "string"] = "linelist" if option.repeated else "string"
        parser.addini(option.key, option.help, type=kind, default=None)


def system_named(config: pytest.Config) -> bool:
    """Whether a system was asked for; without one the plugin does nothing at all."""
    return bool(_value(config, SYSTEM)[0])


def check_command_line(config: pytest.Config) -> None:
    """Raises pytest.UsageError for options on the command line that would be silently without effect.

    In the environment and the ini file they may stand without a system: they wait for one.
    """
    given = {option: config.getoption(option.key, default=None) for option in OPTIONS}
    for option, value in given.items():
        if value == "":
            raise pytest.UsageError(f"{option.flag}: the value is empty; leave the option out for its default")
    idle = [option.flag for option, value in given.items() if value is not None]
    if idle and not system_named(config):
        raise pytest.UsageError(f"{', '.join(idle)}: nothing is run without {SYSTEM.flag}={SYSTEM.metavar}")


def read_settings(config: pytest.Config) -> Settings:
    """The settings of a session that names a system. Raises pytest.UsageError for a value that cannot be."""
    here = config.invocation_params.dir
    runs = _folder(config, RUNS) or here / DEFAULT_RUNS
    if runs.exists() and not runs.is_dir():
        raise pytest.UsageError(f"{RUNS.flag}: {runs} is not a folder; name another one")
    judge = _value(config, JUDGE)[0] or "rules"
    if judge not in JUDGES:
        raise pytest.UsageError(f"{JUDGE.flag}: unknown judge {judge!r}; there is: {', '.join(JUDGES)}")
    split = _value(config, SPLIT)[0] or ALL
    if split not in SPLITS:
        raise pytest.UsageError(f"{SPLIT.flag}: unknown split {split!r}; there are: {', '.join(SPLITS)}")
    shell = _value(config, SHELL)[0] or AUTO
    if shell not in SHELLS:
        raise pytest.UsageError(f"{SHELL.flag}: {shell!r} is none of {', '.join(SHELLS)}")
    return Settings(
        system=_value(config, SYSTEM)[0],
        runs=runs,
        chart_cache=here / DEFAULT_CHART_CACHE,
        cases=_existing_folder(config, CASES),
        charts=_existing_folder(config, CHARTS),
        gates=tuple(_value(config, GATE)[0] or ()),
        fresh=_flag(config, FRESH),
        judge=judge,
        attempts=_number(config, ATTEMPTS, default=1, least=1),
        max_errors=_number(config, MAX_ERRORS, default=0, least=0),
        split=split,
        include_holdout=_flag(config, INCLUDE_HOLDOUT),
        shell=shell,
    )


def _value(config: pytest.Config, option: Option) -> tuple[Any, Path]:
    """The value (None where it is set nowhere) and the folder that a relative path in it starts from."""
    here = config.invocation_params.dir
    given = config.getoption(option.key, default=None)
    if given is not None:
        return given, here
    from_environment = os.environ.get(option.variable)
    if from_environment:
        lines = [line.strip() for line in from_environment.splitlines() if line.strip()]
        return (lines if option.repeated else from_environment), here
    return config.getini(option.key) or None, (config.inipath.parent if config.inipath else here)


def _folder(config: pytest.Config, option: Option) -> Path | None:
    value, base = _value(config, option)
    return (base / Path(value).expanduser()).resolve() if value else None


def _existing_folder(config: pytest.Config, option: Option) -> Path | None:
    folder = _folder(config, option)
    if folder is not None and not folder.is_dir():
        raise pytest.UsageError(f"{option.flag}: there is no folder {folder}")
    return folder


def _number(config: pytest.Config, option: Option, *, default: int, least: int) -> int:
    value = _value(config, option)[0]
    if value is None:
        return default
    try:
        number = int(value)
    except ValueError:
        number = least - 1
    if number < least:
        raise pytest.UsageError(f"{option.flag}: {value!r} is not a whole number of at least {least}")
    return number


def _flag(config: pytest.Config, option: Option) -> bool:
    value = _value(config, option)[0]
    text = str(value if value is not None else "").lower()
    if text not in _TRUE | _FALSE:
        raise pytest.UsageError(f"{option.variable}: {value!r} is neither true nor false")
    return text in _TRUE
