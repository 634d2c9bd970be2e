"""``clinicare report`` and ``clinicare runs``: what lies on disk of earlier runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NoReturn

import typer

_USAGE = 4
_RUNS = Annotated[Path, typer.Option("--runs", help="Folder of the run directories.")]
_DEFAULT = Path(".clinicare/runs")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("report")(report)
    runs = typer.Typer(help="Run directories.", no_args_is_help=True)
    runs.command("list")(list_runs)
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


def _fail(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(_USAGE)
