"""``clinicare cases matrix``: which scenario asks for which skill, in which specialty."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from pytest_clinicare.suite.coverage import Coverage

EXIT_USAGE = 4
_NARROWEST = 110


def register(group: typer.Typer) -> None:
    """Add ``matrix`` to the commands on cases."""
    group.command("matrix")(_matrix)


def _matrix(
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw it as well, to an .svg or .png file.")] = None,
) -> None:
    """Print which scenario asks for which skill, by specialty."""
    from rich.console import Console

    from pytest_clinicare.suite import SuiteError, load_suite
    from pytest_clinicare.suite.coverage import coverage

    try:
        covered = coverage(load_suite())
    except SuiteError as error:
        _refuse(str(error))
    # A narrower table would leave columns out.
    console = Console(highlight=False, width=max(Console().width, _NARROWEST))
    for number, skill in enumerate(covered.skills, 1):
        console.print(f"{number:>3}  {skill}  [dim]{covered.asked(skill)}[/]")
    console.print()
    console.print(_grid(covered))
    console.print(
        f"\n{len(covered.rows)} scenarios, {len(covered.specialties)} specialties and operations, "
        f"{len(covered.skills)} skills"
    )
    if out is not None:
        _draw(covered, out)


def _grid(covered: Coverage) -> Table:
    from rich.table import Table

    grid = Table(box=None, pad_edge=False, padding=(0, 1))
    grid.add_column("specialty", no_wrap=True, style="dim")
    grid.add_column("scenario", no_wrap=True)
    for number in range(1, len(covered.skills) + 1):
        grid.add_column(str(number), justify="center", no_wrap=True)
    grid.add_column("n", justify="right")
    before = ""
    for row in covered.rows:
        dots = ["●" if skill in row.skills else "[dim]·[/]" for skill in covered.skills]
        grid.add_row("" if row.specialty == before else row.specialty, row.scenario, *dots, str(len(row.skills)))
        before = row.specialty
    grid.add_row("", "scenarios", *(str(covered.asked(skill)) for skill in covered.skills), "", style="bold")
    return grid


def _draw(covered: Coverage, out: Path) -> None:
    try:
        from pytest_clinicare.pictures import PictureError, draw_coverage
    except ModuleNotFoundError:
        _refuse('drawing needs matplotlib: pip install "pytest-clinicare[pictures]"')
    try:
        draw_coverage(covered, out)
    except PictureError as error:
        _refuse(str(error))
    typer.echo(f"drawn to {out}")


def _refuse(message: str) -> NoReturn:
    typer.echo(f"clinicare cases matrix: {message}", err=True)
    raise typer.Exit(EXIT_USAGE)
