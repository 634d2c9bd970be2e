"""``clinicare cases pair``: a case beside its counterfactual twins."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from pytest_clinicare.suite import Case, Scenario, Suite

EXIT_USAGE = 4


def register(group: typer.Typer) -> None:
    """Add ``pair`` to the commands on cases."""
    group.command("pair")(_pair)


def _pair(
    case: Annotated[str | None, typer.Argument(help="Case id, as in `clinicare cases list`.")] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Write the case and its twins here.")] = None,
    committed: Annotated[
        bool, typer.Option("--committed", help="Write the twins that ship once more, by default in their place.")
    ] = False,
) -> None:
    """Make a case's twins: one decisive fact changed, and with it the procedure step and the verdict."""
    from pytest_clinicare.charts import ChartError
    from pytest_clinicare.suite import SuiteError, load_suite

    if (case is None) is not committed:
        _refuse("name a case, or say --committed for the twins that ship")
    try:
        suite = load_suite()
        if case is None:
            _write_committed(suite, out or suite.root.pairs)
        else:
            _show_twins(suite, case, out)
    except (SuiteError, ChartError) as error:
        _refuse(str(error))


def _write_committed(suite: Suite, folder: Path) -> None:
    from pytest_clinicare.charts.synthetic.twins import committed_twins

    total = 0
    for name in suite.scenarios:
        twins = committed_twins([case for case in suite.cases if case.scenario == name])
        _write(twins, folder)
        typer.echo(f"{len(twins):>4}  {name}")
        total += len(twins)
    typer.echo(f"{total} twins in {folder}")


def _show_twins(suite: Suite, name: str, out: Path | None) -> None:
    from rich.console import Console

    from pytest_clinicare.charts.synthetic.twins import twins_of

    case = suite.case(name)
    if case is None:
        _refuse(f"there is no case '{name}'; `clinicare cases list` names them")
    scenario = suite.scenarios[case.scenario]
    twins = twins_of(case)
    if not twins:
        _refuse(
            f"no edit of '{scenario.id}' changes the verdict of {case.id}; `clinicare cases show` tells why it holds"
        )
    console = Console(highlight=False)
    console.print(f"[bold]{case.id}[/]  {_reached(case, scenario)}")
    for twin in twins:
        console.print(f"\n[bold]{twin.id}[/]  {_reached(twin, scenario)}")
        for line in _told(case, twin):
            console.print(f"  {line}")
    if out is None:
        console.print("\n[dim]--out DIR writes them, to run with --clinicare-cases=DIR --clinicare-split=pairs[/]")
        return
    _write([case, *twins], out)
    console.print(f"\n{len(twins) + 1} cases in {out}", soft_wrap=True)
    console.print(
        f"  pytest --clinicare-system=reference --clinicare-cases={out} --clinicare-split=pairs", soft_wrap=True
    )


def _reached(case: Case, scenario: Scenario) -> str:
    when = scenario.procedure[case.step - 1].when if case.step else ""
    verdict = case.verdict.label if case.verdict else "no verdict"
    return f"{verdict}, by step {case.step}: [dim]{when}[/]"


def _told(case: Case, twin: Case) -> Iterator[str]:
    from pytest_clinicare.charts.synthetic.twins import difference

    yield twin.edit
    changed = difference(case, twin)
    rows = ", ".join(f"{table} -{gone} +{new}" for table, gone, new in changed)
    yield f"[dim]rows of the chart that differ: {rows}[/]"


def _write(cases: list[Case], folder: Path) -> None:
    from pytest_clinicare.charts.synthetic.casefile import write_cases

    try:
        write_cases(cases, folder)
    except OSError as error:
        _refuse(f"cannot write to {folder}: {error.strerror}")


def _refuse(message: str) -> NoReturn:
    typer.echo(f"clinicare cases pair: {message}", err=True)
    raise typer.Exit(EXIT_USAGE)
