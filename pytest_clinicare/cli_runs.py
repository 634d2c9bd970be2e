"""``clinicare report`` and ``clinicare runs``: what lies on disk of earlier runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from pytest_clinicare.results import Metric
    from pytest_clinicare.results.comparison import Cell, Comparison

_USAGE = 4
_RUNS = Annotated[Path, typer.Option("--runs", help="Folder of the run directories.")]
_DEFAULT = Path(".clinicare/runs")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("report")(report)
    runs = typer.Typer(help="Run directories.", no_args_is_help=True)
    runs.command("list")(list_runs)
    runs.command("compare")(compare)
    app.add_typer(runs, name="runs")


def report(
    run: Annotated[str, typer.Argument(help="Path, id or part of the id of a run; or 'latest'.")] = "latest",
    runs: _RUNS = _DEFAULT,
) -> None:
    """Build report.json, junit.xml and report.html of a run from its records: the same records, the same bytes."""
    from pytest_clinicare.results import RunStore, StoreError, write_report

    try:
        found = RunStore(runs).find(run)
        metrics = write_report(found)
    except (StoreError, OSError) as error:
        _fail(str(error))
    typer.echo(f"{found.id}: {metrics.runs} of {metrics.expected} runs recorded")
    for name in ("accuracy", "defect_free_accuracy", "process", "p_record", "r_retrieval"):
        metric = metrics[name]
        typer.echo(f"  {name:22} {'undefined' if metric.value is None else f'{metric.value:.3f}':>9}  n = {metric.n}")
    typer.echo(f"report: {found.path / 'report.html'}")


def list_runs(runs: _RUNS = _DEFAULT) -> None:
    """List the runs, oldest first: id, system, records."""
    from pytest_clinicare.results import RunStore, StoreError

    store = RunStore(runs)
    found, unreadable = store.runs(), store.unreadable()
    if not found and not unreadable:
        typer.echo(f"no runs under {runs}")
    for each in found:
        try:
            done = f"{len(each.records())} of {len(each.manifest.expected)} runs"
        except StoreError as error:
            done = f"unreadable: {error}"
        typer.echo(f"{each.id}  {each.manifest.system}  {done}")
    for reason in unreadable:
        typer.echo(reason, err=True)


def compare(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[RUN]...", help="Paths, ids or parts of ids; by default the latest of each system."),
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="As a table for a document.")] = False,
    runs: _RUNS = _DEFAULT,
) -> None:
    """Put runs of the same cases side by side: accuracy and defect-free accuracy by scenario."""
    from pytest_clinicare.results import RunStore, StoreError
    from pytest_clinicare.results.comparison import compare_runs, latest_of_each_system

    store = RunStore(runs)
    try:
        chosen = [store.find(name) for name in names] if names else latest_of_each_system(store.runs())
        compared = compare_runs(chosen)
    except StoreError as error:
        _fail(str(error))
    rows = list(_table(compared))
    if markdown:
        for row in [rows[0], ["---", *["---:" for _ in rows[0][1:]]], *rows[1:]]:
            typer.echo(f"| {' | '.join(row)} |")
        return
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        first, *others = row
        cells = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))]
        typer.echo("  ".join(cells))
    typer.echo("\naccuracy / defect-free accuracy, in percent")


def _table(compared: Comparison) -> Iterator[list[str]]:
    yield ["scenario", *(name.removeprefix("scripted/") for name in compared.systems)]
    for name, cells in compared.rows.items():
        yield [name, *map(_both, cells)]
    yield ["all", *map(_both, compared.total)]


def _both(cell: Cell) -> str:
    return f"{_percent(cell.accuracy)} / {_percent(cell.defect_free)}"


def _percent(metric: Metric) -> str:
    return "-" if metric.value is None else f"{100 * metric.value:.0f}"


def _fail(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(_USAGE)
