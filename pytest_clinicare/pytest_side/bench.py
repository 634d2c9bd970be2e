"""The bench: all that the runs of one session share, built once per process from the settings."""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel

from pytest_clinicare import __version__
from pytest_clinicare.charts import ChartSource, MimicSource, SyntheticSource
from pytest_clinicare.environment import Corpus, Limits
from pytest_clinicare.judging import Judge, RulesJudge, rubric_problems
from pytest_clinicare.pytest_side.options import CHARTS, PAIRS, Settings
from pytest_clinicare.pytest_side.selection import Selection, select
from pytest_clinicare.pytest_side.shell import Shell, find_shell
from pytest_clinicare.results import Manifest
from pytest_clinicare.suite import Case, Suite, SuiteError, load_cases, load_suite, with_twins
from pytest_clinicare.systems import System, check_system, resolve_system, sends_cases_away, settings_of


class BenchError(Exception):
    """The settings do not fit together; the message says what to do."""


@dataclass(frozen=True)
class Fingerprint:
    """Digests of what is asked and of the code that answers and grades.

    The controller takes it and hands it to its workers: a file saved in the middle of a session splits no run in two.
    """

    suite: str
    code: str
    system: str
    policies: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Shared:
    """What the controller finds out once for all processes of a session."""

    fingerprint: Fingerprint
    shell: Shell


@dataclass(frozen=True)
class Bench:
    """The suite, where its charts come from, who answers, who grades and within which limits."""

    suite: Suite
    charts: ChartSource
    corpus: Corpus
    system: System
    judge: Judge
    limits: Limits
    fingerprint: Fingerprint
    shell: Shell = field(default_factory=Shell)
    attempts: int = 1
    selection: Selection = field(default_factory=Selection)

    def manifest(self, case_ids: Iterable[str]) -> Manifest:
        """What decides whether a run of these cases may be compared with another."""
        cases = tuple(case_ids)
        return Manifest(
            package_version=__version__,
            suite_digest=self.fingerprint.suite,
            cases=cases,
            chart_source=self.charts.name,
            system=self.system.name,
            system_settings=settings_of(self.system),
            judge=self.judge.name,
            attempts=self.attempts,
            limits=self.limits.model_dump(),
            split=self.selection.split,
            holdout=self.selection.holdout_of(self.suite, cases),
            policies=self.fingerprint.policies,
            shell=self.shell.state,
            sandbox=self.shell.told,
            extra={"code": self.fingerprint.code, "system_code": self.fingerprint.system},
        )

    def digest(self, case: Case) -> str:
        """What decides whether a record of the case may be reused: question, chart, who answers, who grades."""
        parts = (
            _json(case),
            self.charts.digest(case),
            self.fingerprint.suite,
            self.fingerprint.code,
            self.fingerprint.system,
            self.system.name,
            json.dumps(settings_of(self.system), sort_keys=True),
            self.judge.name,
            _json(self.limits),
            self.shell.told,
        )
        return _sha("\0".join(parts).encode())


def build_bench(settings: Settings, shared: Shared | None = None, slot: int = 0) -> Bench:
    """``shared`` is what the controller hands to its workers, of which this one is number ``slot``.

    Raises SuiteError, SystemError, CorpusError, SelectionError, BenchError or SandboxError for what the user has to put
    right.
    """
    system = resolve_system(settings.system)
    check_system(system)
    suite = load_suite()
    if settings.cases is not None:
        suite = load_cases(settings.cases, suite)
    elif settings.split == PAIRS:
        suite = with_twins(suite)
    problems = rubric_problems(suite)
    if problems:
        raise SuiteError(problems)
    return Bench(
        suite=suite,
        charts=_chart_source(suite, settings),
        corpus=Corpus(suite.root.policy_docs),
        system=system,
        judge=RulesJudge(),
        limits=Limits(),
        fingerprint=shared.fingerprint if shared else take_fingerprint(suite, system),
        shell=shared.shell.in_slot(slot) if shared else find_shell(settings.shell),
        attempts=settings.attempts,
        selection=select(suite, settings.split, holdout=settings.include_holdout or not sends_cases_away(system)),
    )


def take_fingerprint(suite: Suite, system: System) -> Fingerprint:
    scenarios, rubrics = suite.scenarios, suite.rubrics
    models: list[BaseModel] = [
        *(scenarios[name] for name in sorted(scenarios)),
        *(rubrics[name] for name in sorted(rubrics)),
    ]
    policies = sorted(suite.root.policy_docs.glob("*.md"))
    asked = [_json(model).encode() for model in (*models, *suite.cases)]
    # Of the sources and not of the version: in a checkout under work, grading by other code is another run.
    package = Path(__file__).resolve().parent.parent
    sources = sorted(path for path in package.rglob("*.py") if "_data" not in path.parts)
    return Fingerprint(
        suite=_sha(*asked, *(path.name.encode() + path.read_bytes() for path in policies)),
        code=_sha(*(path.read_bytes() for path in sources)),
        system=_module_digest(system),
        policies={path.stem: _sha(path.read_bytes()) for path in policies},
    )


def _chart_source(suite: Suite, settings: Settings) -> ChartSource:
    kinds = {case.source for case in suite.cases}
    if len(kinds) > 1:
        raise BenchError("the cases mix synthetic and real patients, whose results are not comparable; run them apart")
    if kinds != {"mimic"}:
        return SyntheticSource(settings.chart_cache, suite.root.fixtures)
    folder = settings.charts or (settings.cases / "charts" if settings.cases else None)
    if folder is None or not folder.is_dir():
        raise BenchError(
            f"these cases are of real patients; say where their charts are with {CHARTS.flag}=DIR "
            "(made by `clinicare charts build --mimic MIMIC_FOLDER --out DIR`)"
        )
    return MimicSource(folder)


def _module_digest(system: System) -> str:
    """Of the file that a system is defined in, so that changing it does not reuse its old answers."""
    module = importlib.import_module(type(system).__module__)
    file = getattr(module, "__file__", None)
    return _sha(Path(file).read_bytes()) if file else ""


def _json(model: BaseModel) -> str:
    return json.dumps(model.model_dump(mode="json"), sort_keys=True)


def _sha(*parts: bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
        digest.update(b"\0")
    return digest.hexdigest()[:16]
