"""``clinicare cases``: check, list, show, sample, generate and pair what is asked."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from pytest_clinicare import cli_matrix, cli_pairs

if TYPE_CHECKING:
    from rich.console import RenderableType

    from pytest_clinicare.suite import Case, Problem, Scenario, Suite

EXIT_PROBLEMS = 1
EXIT_USAGE = 4

_Folder = Annotated[
    Path | None, typer.Option("--cases", metavar="DIR", help="A folder of your own cases, in place of those that ship.")
]


def register(app: typer.Typer) -> None:
    """Add ``clinicare cases`` to the application."""
    group = typer.Typer(help="What is asked: check, list, show, sample, generate and pair cases.", no_args_is_help=True)
    group.command("check")(_check)
    group.command("list")(_list)
    group.command("show")(_show)
    group.command("sample")(_sample)
    group.command("generate")(_generate)
    cli_pairs.register(group)
    cli_matrix.register(group)
    app.add_typer(group, name="cases")


def _check(cases: _Folder = None) -> None:
    """Check the structure of scenarios, rubrics and cases; exit 1 with every problem as file:line."""
    from pytest_clinicare.judging import rubric_problems
    from pytest_clinicare.suite import SuiteError, check_cases, check_suite, load_suite, suite_root, with_twins

    if cases is not None and not cases.is_dir():
        _refuse("check", f"{cases}: no such folder of cases")
    try:
        suite = _load(cases)
        shipped = with_twins(load_suite() if cases else suite)
    except SuiteError as error:
        _report(error.problems)
        raise typer.Exit(EXIT_PROBLEMS) from None
    corpus_ids = {path.stem for path in suite_root().policy_docs.glob("*.md")}
    problems = check_suite(shipped, corpus_ids) + rubric_problems(shipped) + (check_cases(suite) if cases else [])
    if problems:
        _report(problems)
        raise typer.Exit(EXIT_PROBLEMS)
    typer.echo(_counts(suite if cases else shipped))


def _list(
    cases: _Folder = None,
    scenario: Annotated[str | None, typer.Option(help="Only the cases of this scenario.")] = None,
) -> None:
    """List the cases with their reference verdict, procedure step and variant."""
    with _usage("list"):
        suite = _load(cases)
    if scenario is not None and scenario not in suite.scenarios:
        _refuse("list", f"there is no scenario '{scenario}' (there are: {', '.join(suite.scenarios)})")
    rows = [case for case in suite.cases if scenario in (None, case.scenario)]
    width = max((len(case.id) for case in rows), default=0)
    for case in rows:
        verdict = case.verdict or "unlabelled"
        step = "-" if case.step is None else str(case.step)
        typer.echo(f"{case.id:<{width}}  {verdict:<10}  {step:>2}  {case.variant or '-'}")


def _show(
    case: Annotated[str, typer.Argument(help="Case id, as in `clinicare cases list`.")], cases: _Folder = None
) -> None:
    """Show a case as a clinician reads it: question, reference verdict, deciding step, facts and trap."""
    from rich.console import Console

    with _usage("show"):
        suite = _load(cases)
    found = suite.case(case)
    if found is None:
        _refuse("show", f"there is no case '{case}'; `clinicare cases list` names them")
    console = Console(highlight=False)
    for part in _parts(found, suite.scenarios[found.scenario], suite.file("case", found.id)):
        console.print(part)


def _sample(
    charts: Annotated[Path, typer.Option(metavar="DIR", help="Charts made by `clinicare charts build --mimic`.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder to write the cases to.")],
    per_scenario: Annotated[int, typer.Option(min=1, help="At most so many cases a scenario.")] = 10,
    seed: Annotated[int, typer.Option(help="The same seed draws the same patients.")] = 0,
) -> None:
    """Find eligible real patients for every scenario and write them as unlabelled cases."""
    from pytest_clinicare.charts import ChartError
    from pytest_clinicare.charts.mimic.sampling import sample_cases

    with _usage("sample"):
        try:
            sampled = sample_cases(charts, out, per_scenario=per_scenario, seed=seed)
        except ChartError as error:
            _refuse("sample", str(error))
    for scenario, count in sorted(Counter(case.scenario for case in sampled).items()):
        typer.echo(f"{count:>4}  {scenario}")
    typer.echo(f"{len(sampled)} unlabelled cases in {out} (attrition.json: who fell out and why); audit with")
    typer.echo(f"  pytest --clinicare-system=reference --clinicare-cases={out}")


def _generate(
    scenarios: Annotated[list[str] | None, typer.Argument(metavar="[SCENARIO]...", help="Only of these.")] = None,
    seed: Annotated[int | None, typer.Option(help="The same seed draws the same patients, so keep it secret.")] = None,
    per_scenario: Annotated[
        int | None,
        typer.Option(min=1, help="So many cases a scenario, by default as many as ship; shared out over its variants."),
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder to write the cases to.")] = None,
    holdout: Annotated[bool, typer.Option("--holdout", help="Mark them as holdout cases.")] = False,
    committed: Annotated[
        bool, typer.Option("--committed", help="Write the cases that ship once more, by default in their place.")
    ] = False,
) -> None:
    """Draw new synthetic patients of the scenarios' variants, never those that ship, and write them as cases."""
    from pytest_clinicare.charts.synthetic.casefile import write_cases
    from pytest_clinicare.charts.synthetic.forms import committed_cases

    with _usage("generate"):
        suite = _load(None)
    for name in scenarios or ():
        if name not in suite.scenarios:
            _refuse("generate", f"there is no scenario '{name}' (there are: {', '.join(suite.scenarios)})")
    names = [name for name in suite.scenarios if not scenarios or name in scenarios]
    if committed:
        if seed is not None or per_scenario is not None or holdout:
            _refuse("generate", "--committed goes with no --seed, --per-scenario or --holdout: these cases are fixed")
        folder, cases = out or suite.root.cases, [case for name in names for case in committed_cases(name)]
    elif seed is None or out is None:
        _refuse("generate", "new cases need --seed and --out (or --committed, for the cases that ship)")
    elif any(out.rglob("*.toml")):
        _refuse("generate", f"{out} holds cases already; name a new folder, as two forms do not mix")
    else:
        folder, cases = out, _form(suite, names, seed, per_scenario, holdout)
    try:
        write_cases(cases, folder)
    except OSError as error:
        _refuse("generate", f"cannot write to {folder}: {error.strerror}")
    for name in names:
        typer.echo(f"{sum(case.scenario == name for case in cases):>4}  {name}")
    typer.echo(f"{len(cases)} cases in {folder}")
    if not committed:
        typer.echo(f"  pytest --clinicare-system=reference --clinicare-cases={folder}")


def _form(suite: Suite, names: list[str], seed: int, per_scenario: int | None, holdout: bool) -> list[Case]:
    from pytest_clinicare.charts import ChartError
    from pytest_clinicare.charts.synthetic.forms import fresh_cases

    cases: list[Case] = []
    for name in names:
        scenario = suite.scenarios[name]
        count = per_scenario or sum(variant.count for variant in scenario.variants)
        try:
            # Of one form too: no two scenarios are given the same patient.
            cases += fresh_cases(scenario, seed, count, known=[*suite.cases, *cases], holdout=holdout)
        except ChartError as error:
            _refuse("generate", str(error))
    return cases


def _load(folder: Path | None) -> Suite:
    from pytest_clinicare.suite import load_cases, load_suite

    suite = load_suite()
    return suite if folder is None else load_cases(folder, suite)


@contextmanager
def _usage(command: str) -> Iterator[None]:
    """A suite that cannot be loaded ends the command with its message and not with a traceback."""
    from pytest_clinicare.suite import SuiteError

    try:
        yield
    except SuiteError as error:
        _refuse(command, str(error))


def _refuse(command: str, message: str) -> NoReturn:
    typer.echo(f"clinicare cases {command}: {message}", err=True)
    raise typer.Exit(EXIT_USAGE)


def _report(problems: Sequence[Problem]) -> None:
    for problem in problems:
        typer.echo(str(problem._replace(file=_near(problem.file))), err=True)
    typer.echo(f"{len(problems)} problem{'' if len(problems) == 1 else 's'}", err=True)


def _near(path: Path) -> Path:
    """Relative to the working directory where it lies below it, as editors and terminals link it."""
    relative = Path(os.path.relpath(path))
    return path if relative.parts[:1] == ("..",) else relative


def _counts(suite: Suite) -> str:
    own = [case for case in suite.cases if case.pair_of is None]
    verdicts = Counter(case.verdict.value if case.verdict else "unlabelled" for case in own)
    told = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))
    kinds = f"{len(suite.scenarios)} scenarios, {len(suite.rubrics)} rubrics, {len(own)} cases"
    twins = f", {len(suite.cases) - len(own)} twins" if len(own) < len(suite.cases) else ""
    return f"{kinds} ({told}){twins}: no problems"


def _parts(case: Case, scenario: Scenario, file: Path) -> Iterator[RenderableType]:
    from rich.padding import Padding
    from rich.text import Text

    from pytest_clinicare.suite import fill_query

    yield Text(f"{case.id}  {scenario.title}", style="bold")
    kind = f"{case.source} chart{', holdout' if case.holdout else ''}"
    yield Text(f"{scenario.specialty}; {', '.join(scenario.skills)}; {kind}; {_near(file)}", style="dim")
    for heading, text in (("Question", fill_query(scenario, case)), *_reference(case, scenario)):
        if text:
            yield Text(f"\n{heading}", style="bold")
            yield Padding(Text(text), (0, 0, 0, 2), expand=False)


def _reference(case: Case, scenario: Scenario) -> Iterator[tuple[str, str]]:
    """Heading and text of what the reference says; little for a real patient, where nobody has decided."""
    yield "Reference verdict", case.verdict.label if case.verdict else "none: an unlabelled case"
    if case.step is not None and 1 <= case.step <= len(scenario.procedure):
        yield f"Decided by step {case.step} of {len(scenario.procedure)}", scenario.procedure[case.step - 1].when
    yield "This patient", case.abstract
    variant = next((variant for variant in scenario.variants if variant.name == case.variant), None)
    if variant is not None:
        yield f"Facts of every case of this kind ({variant.name})", variant.facts
    yield "Trap", case.trap or (variant.trap if variant else "")
    yield "Chart recipe", "\n".join(_recipe_lines(case))


def _recipe_lines(case: Case) -> Iterator[str]:
    """A line for each parameter, and for each row of one that is a table."""
    for name, value in case.recipe.items():
        if isinstance(value, list) and any(isinstance(row, list) for row in value):
            yield f"{name}:"
            yield from (f"  {', '.join(map(str, row))}" if isinstance(row, list) else f"  {row}" for row in value)
        else:
            yield f"{name}: {value}"
