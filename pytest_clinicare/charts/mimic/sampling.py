"""Real patients as unlabelled cases: who is eligible, who is drawn, and why the others are not."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pytest_clinicare.charts.chart import Chart, ChartError, open_chart
from pytest_clinicare.charts.mimic.cohort import Cohort, Condition, NoteTable
from pytest_clinicare.charts.mimic.cohorts import cohort_of, known_cohorts
from pytest_clinicare.charts.synthetic.casefile import write_cases
from pytest_clinicare.suite import Case

ATTRITION_FILE = "attrition.json"
CHARTS_LINK = "charts"
_FORMAT = 1
_FAVOUR = 3.0


@dataclass(frozen=True)
class Remaining:
    """How many candidates, of how many subjects, are left after a condition; ``note`` says where notes are missing."""

    condition: str
    candidates: int
    subjects: int
    note: str = ""


@dataclass(frozen=True)
class Sample:
    """The drawn cases, and for every scenario how the candidates became fewer, in order."""

    cases: tuple[Case, ...]
    attrition: dict[str, tuple[Remaining, ...]]


@dataclass(frozen=True)
class _Candidate:
    subject_id: int
    hadm_id: int | None
    stay_id: int | None
    passed: int
    main: bool
    favoured: bool


def sample_cases(
    charts_dir: Path, out_dir: Path, *, per_scenario: int, seed: int, scenarios: Iterable[str] | None = None
) -> tuple[Case, ...]:
    """Draw a sample and write it: ``<out_dir>/<scenario>/<case>.toml``, ``attrition.json`` and a link to the charts.

    Raises:
        ChartError: see ``draw_sample`` and ``write_sample``.
    """
    sample = draw_sample(charts_dir, per_scenario=per_scenario, seed=seed, scenarios=scenarios)
    write_sample(sample, charts_dir, out_dir)
    return sample.cases


def draw_sample(charts_dir: Path, *, per_scenario: int, seed: int, scenarios: Iterable[str] | None = None) -> Sample:
    """At most ``per_scenario`` eligible candidates of every scenario, one a subject; the same seed draws the same.

    Raises:
        ChartError: no charts in the folder, one that cannot be read, or a scenario without a cohort.
    """
    known = known_cohorts()
    names = tuple(scenarios) if scenarios is not None else tuple(known)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ChartError(f"no cohort for scenario {', '.join(unknown)}; there are: {', '.join(known)}")
    paths = sorted(charts_dir.glob("*.sqlite"))
    if not paths:
        raise ChartError(f"{charts_dir}: holds no charts; make them with `clinicare charts build --mimic`")
    noted = _note_tables(paths)
    found: dict[str, list[_Candidate]] = {name: [] for name in names}
    for path in paths:
        with open_chart(path) as chart:
            for name in names:
                found[name] += _candidates(chart, cohort_of(name), noted)
    cases: list[Case] = []
    attrition: dict[str, tuple[Remaining, ...]] = {}
    for name in names:
        cohort = cohort_of(name)
        drawn = _draw(found[name], cohort, per_scenario, random.Random(f"{name}/{seed}"))
        cases += [_case(name, number, candidate) for number, candidate in enumerate(drawn, start=1)]
        attrition[name] = (*_attrition(cohort, found[name], noted), _left("drawn, one a subject", drawn))
    return Sample(tuple(cases), attrition)


def write_sample(sample: Sample, charts_dir: Path, out_dir: Path) -> None:
    """Write cases and attrition, and link the charts, so that ``--clinicare-cases=<out_dir>`` finds them.

    Raises:
        ChartError: the folder holds cases already, or cannot be written.
    """
    there = sorted(path for name in sample.attrition for path in (out_dir / name).glob("*.toml"))
    if there:
        raise ChartError(f"{there[0]}: the folder holds cases already; choose another or remove them")
    try:
        write_cases(sample.cases, out_dir)
        out_dir.mkdir(parents=True, exist_ok=True)
        table = {name: [asdict(step) for step in steps] for name, steps in sample.attrition.items()}
        content = json.dumps({"format": _FORMAT, "scenarios": table}, indent=2)
        (out_dir / ATTRITION_FILE).write_text(f"{content}\n", encoding="utf-8")
        _link(charts_dir, out_dir / CHARTS_LINK)
    except OSError as error:
        raise ChartError(f"{out_dir}: the sample cannot be written ({error})") from error


def _link(charts_dir: Path, link: Path) -> None:
    if link.is_symlink():
        link.unlink()
    if not link.exists():
        link.symlink_to(os.path.relpath(charts_dir.resolve(), link.parent.resolve()), target_is_directory=True)


def _note_tables(paths: Sequence[Path]) -> frozenset[NoteTable]:
    """The note tables that have rows in any chart."""
    tables: tuple[NoteTable, ...] = ("discharge", "radiology")
    noted: set[NoteTable] = set()
    for path in paths:
        with open_chart(path) as chart:
            noted.update(t for t in tables if chart.rows(f"SELECT EXISTS (SELECT 1 FROM {t})")[0][0])
        if len(noted) == len(tables):
            break
    return frozenset(noted)


def _candidates(chart: Chart, cohort: Cohort, noted: frozenset[NoteTable]) -> Iterator[_Candidate]:
    tests = [_predicate(condition, noted) or "1" for condition in cohort.conditions]
    columns = ", ".join([*tests, cohort.main, cohort.favoured])
    for row in chart.rows(f"SELECT c.subject_id, c.hadm_id, c.stay_id, {columns} FROM ({cohort.candidates}) c"):
        held = [bool(value) for value in row[3:-2]]
        passed = held.index(False) if False in held else len(held)
        yield _Candidate(row[0], row[1], row[2], passed, bool(row[-2]), bool(row[-1]))


def _predicate(condition: Condition, noted: frozenset[NoteTable]) -> str | None:
    if condition.notes is None or condition.notes in noted:
        return condition.sql
    return condition.without_notes


def _draw(found: Sequence[_Candidate], cohort: Cohort, most: int, rng: random.Random) -> list[_Candidate]:
    """One candidate a subject, the share of the main stratum kept where possible, in an order that says nothing."""
    # Weighted order without replacement: the largest of u ** (1 / weight) come first.
    order = {
        candidate: rng.random() ** (1 / (_FAVOUR if candidate.favoured else 1.0))
        for candidate in sorted(found, key=lambda c: (c.subject_id, c.hadm_id or 0, c.stay_id or 0))
        if candidate.passed == len(cohort.conditions)
    }
    ranked = sorted(order, key=order.__getitem__, reverse=True)
    of_main = round(most * cohort.share)
    wanted = {True: of_main, False: most - of_main}
    drawn: dict[int, _Candidate] = {}
    for strict in (True, False):
        for candidate in ranked:
            if len(drawn) < most and candidate.subject_id not in drawn and (wanted[candidate.main] > 0 or not strict):
                drawn[candidate.subject_id] = candidate
                wanted[candidate.main] -= 1
    chosen = list(drawn.values())
    rng.shuffle(chosen)
    return chosen


def _case(scenario: str, number: int, candidate: _Candidate) -> Case:
    return Case(
        id=f"{scenario}-mimic-{number:03d}",
        scenario=scenario,
        source="mimic",
        subject_id=candidate.subject_id,
        hadm_id=candidate.hadm_id,
        stay_id=candidate.stay_id,
    )


def _attrition(cohort: Cohort, found: Sequence[_Candidate], noted: frozenset[NoteTable]) -> Iterator[Remaining]:
    yield _left("candidates", found)
    for number, condition in enumerate(cohort.conditions, start=1):
        left = [candidate for candidate in found if candidate.passed >= number]
        yield _left(condition.text, left, _missing(condition, noted))


def _missing(condition: Condition, noted: frozenset[NoteTable]) -> str:
    if condition.notes is None or condition.notes in noted:
        return ""
    how = "condition dropped" if condition.without_notes is None else "judged without notes"
    return f"note.{condition.notes} has no rows: {how}"


def _left(condition: str, candidates: Sequence[_Candidate], note: str = "") -> Remaining:
    return Remaining(condition, len(candidates), len({candidate.subject_id for candidate in candidates}), note)
