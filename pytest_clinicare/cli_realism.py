"""``clinicare charts realism``: synthetic charts beside real ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from pytest_clinicare.charts import Chart
    from pytest_clinicare.charts.realism import Compared, Spread
    from pytest_clinicare.suite import Suite

EXIT_USAGE = 4
CACHE = Path(".clinicare/charts")


def register(group: typer.Typer) -> None:
    """Add ``realism`` to the commands on charts."""
    group.command("realism")(_realism)


def _realism(
    real: Annotated[Path, typer.Argument(metavar="DIR", help="Charts made by `clinicare charts build --mimic`.")],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw it as well, to an .svg or .png file.")] = None,
    scenario: Annotated[str | None, typer.Option(help="Only the synthetic charts of this scenario.")] = None,
) -> None:
    """Compare the synthetic charts with real ones: rows, intervals, values, what is missing; name what differs most."""
    from rich.console import Console

    from pytest_clinicare.charts import ChartError
    from pytest_clinicare.charts.realism import compare, measure, missing_items
    from pytest_clinicare.suite import SuiteError, load_suite

    paths = sorted(real.glob("*.sqlite"))
    if not paths:
        _refuse(f"{real} holds no charts; make them with `clinicare charts build --mimic MIMIC --out {real}`")
    try:
        suite = load_suite()
        if scenario is not None and scenario not in suite.scenarios:
            _refuse(f"there is no scenario '{scenario}' (there are: {', '.join(suite.scenarios)})")
        theirs, labels = measure(_real(paths))
        ours, more = measure(_synthetic(suite, scenario))
    except (ChartError, SuiteError) as error:
        _refuse(str(error))
    labels |= more
    lines = compare(theirs, ours, labels)
    console = Console(highlight=False)
    for grid in _grids(lines):
        console.print(grid)
    for sentence in _differences(lines, missing_items(theirs, ours, labels)):
        console.print(sentence)
    if out is not None:
        _draw(lines, out)


def _real(paths: Sequence[Path]) -> Iterator[Chart]:
    from pytest_clinicare.charts import open_chart

    for path in paths:
        with open_chart(path) as chart:
            yield chart


def _synthetic(suite: Suite, scenario: str | None) -> Iterator[Chart]:
    from pytest_clinicare.charts import SyntheticSource

    source = SyntheticSource(CACHE, suite.root.fixtures)
    for case in suite.cases:
        if scenario in (None, case.scenario):
            with source.chart(case) as chart:
                yield chart


def _grids(lines: Sequence[Compared]) -> Iterator[Table]:
    from rich.table import Table

    from pytest_clinicare.charts.realism import MEASURES

    for one in MEASURES:
        own = [line for line in lines if line.measure == one.name]
        if not own:
            continue
        grid = Table(title=f"\n{one.title}", title_justify="left", title_style="bold", box=None, pad_edge=False)
        grid.add_column("", no_wrap=True)
        counted = one.unit == "rows"
        for column in ("real", "synthetic", *(("none", "none") if counted else ()), "distance"):
            grid.add_column(column, justify="right", no_wrap=True)
        for line in own:
            sides = (line.real, line.synthetic)
            none = [f"{side.none:.0%}" for side in sides] if counted else []
            cells = (line.label, *map(_spread, sides), *none, f"{line.distance:.2f}")
            grid.add_row(*cells, style="yellow" if line.far else "")
        yield grid


def _spread(side: Spread) -> str:
    return f"{_number(side.middle)} [dim]({_number(side.low)} to {_number(side.high)})[/]"


def _number(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _differences(lines: Sequence[Compared], missing: Sequence[str]) -> Iterator[str]:
    far = sorted((line for line in lines if line.far), key=lambda line: -line.distance)
    yield "\nMedian (5th to 95th percentile); none: share without a row; distance: Kolmogorov-Smirnov, from 0 to 1"
    yield f"\n[bold]What still differs[/] ({len(far)} of {len(lines)} lines, farthest first)"
    for line in far:
        yield f"  {line.label}: {_how(line)}"
    if missing:
        yield f"  never charted in synthetic charts: {', '.join(missing)}"


def _how(line: Compared) -> str:
    from pytest_clinicare.charts.realism import MEASURES

    title = next(one.title for one in MEASURES if one.name == line.measure)
    ours, theirs = line.synthetic, line.real
    told = f"{title[0].lower()}{title[1:]}, median {_number(ours.middle)} for {_number(theirs.middle)}"
    if ours.high - ours.low < (theirs.high - theirs.low) / 2:
        told += ", within a narrower range"
    return told


def _draw(lines: Sequence[Compared], out: Path) -> None:
    try:
        from pytest_clinicare.pictures import PictureError, draw_realism
    except ModuleNotFoundError:
        _refuse('drawing needs matplotlib: pip install "pytest-clinicare[pictures]"')
    try:
        draw_realism(lines, out)
    except PictureError as error:
        _refuse(str(error))
    typer.echo(f"drawn to {out}")


def _refuse(message: str) -> NoReturn:
    typer.echo(f"clinicare charts realism: {message}", err=True)
    raise typer.Exit(EXIT_USAGE)
