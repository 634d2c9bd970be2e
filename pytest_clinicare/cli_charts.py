"""``clinicare charts``: build, show and verify the records that cases are answered from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from pytest_clinicare import cli_realism

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table as Grid

    from pytest_clinicare.charts import Chart
    from pytest_clinicare.suite import Case, Suite

EXIT_PROBLEMS = 1
EXIT_USAGE = 4
CACHE = Path(".clinicare/charts")

_Folder = Annotated[
    Path | None, typer.Option("--cases", metavar="DIR", help="A folder of your own cases, in place of those that ship.")
]


def register(app: typer.Typer) -> None:
    """Add ``clinicare charts`` to the application."""
    group = typer.Typer(help="The record: build, show, verify and compare charts.", no_args_is_help=True)
    group.command("build")(_build)
    group.command("show")(_show)
    group.command("verify")(_verify)
    cli_realism.register(group)
    app.add_typer(group, name="charts")


def _build(
    mimic: Annotated[Path | None, typer.Option(metavar="DIR", help="A MIMIC-IV folder: hosp, icu, ed, note.")] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Where the charts go.")] = None,
    subject: Annotated[list[int] | None, typer.Option(help="With --mimic: only this subject; repeatable.")] = None,
    case: Annotated[list[str] | None, typer.Option(metavar="CASE", help="A synthetic case; repeatable.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Every synthetic case.")] = False,
    cases: _Folder = None,
) -> None:
    """Build charts of real patients (--mimic) or of synthetic cases (--case, --all)."""
    if sum((mimic is not None, bool(case), every)) != 1:
        _refuse("build", "say what to build: --mimic DIR, --case CASE or --all (one of them)")
    if subject and mimic is None:
        _refuse("build", "--subject goes with --mimic; a synthetic chart is named by its case")
    with _usage("build"):
        if mimic is not None:
            _build_mimic(mimic, out, subject)
        else:
            _build_synthetic(case, out or CACHE, cases)


def _build_mimic(mimic: Path, out: Path | None, subjects: list[int] | None) -> None:
    from pytest_clinicare.charts.mimic import build_charts

    if out is None:
        _refuse("build", "--mimic needs --out DIR for the charts")
    built = build_charts(mimic, out, subjects or None, progress=typer.echo)
    typer.echo(f"{len(built.subjects)} charts with {built.rows} rows in {out}; next:")
    typer.echo(f"  clinicare cases sample --charts {out} --out CASES")


def _build_synthetic(names: list[str] | None, out: Path, folder: Path | None) -> None:
    from pytest_clinicare.charts import SyntheticSource

    suite = _suite(folder)
    chosen = [_case("build", suite, name) for name in names] if names else suite.cases
    wanted = [case for case in chosen if case.source == "synthetic"]
    if not wanted:
        _refuse("build", "these are cases of real patients; build their charts with --mimic")
    source = SyntheticSource(out, suite.root.fixtures)
    for case in wanted:
        with source.chart(case) as chart:
            typer.echo(f"{case.id}  {chart.path}")


def _show(
    chart: Annotated[str, typer.Argument(metavar="CASE_OR_PATH", help="A case id, or the path of a chart.")],
    table: Annotated[
        str | None, typer.Option(metavar="TABLE", help="The rows of one table, such as labevents.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="At most so many rows or events.")] = 60,
    cases: _Folder = None,
) -> None:
    """Show a chart: its encounters, how many rows each table holds, and a timeline; or the rows of one table."""
    from rich.console import Console

    console = Console(highlight=False)
    with _usage("show"), _opened(chart, cases) as opened:
        if table is None:
            for part in _overview(opened, limit):
                console.print(part)
        else:
            _print_table(console, opened, table, limit)


def _verify(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Charts, or folders of them.")],
) -> None:
    """Check charts against the schema, for one subject, keys, references, times and full text; exit 1 with problems."""
    from pytest_clinicare.charts.verify import verify_chart

    files: list[Path] = []
    for path in paths:
        found = sorted(path.glob("*.sqlite")) if path.is_dir() else [path]
        if not found:
            _refuse("verify", f"{path}: holds no charts (*.sqlite)")
        files += found
    bad = 0
    for file in files:
        problems = verify_chart(file)
        bad += bool(problems)
        for problem in problems:
            typer.echo(problem if problem.startswith(str(file)) else f"{file}: {problem}", err=True)
    typer.echo(f"{len(files)} chart{'' if len(files) == 1 else 's'}, {bad} with problems")
    if bad:
        raise typer.Exit(EXIT_PROBLEMS)


@contextmanager
def _opened(target: str, folder: Path | None) -> Iterator[Chart]:
    from pytest_clinicare.charts import MimicSource, SyntheticSource, open_chart

    if target.endswith(".sqlite") or Path(target).is_file():
        with open_chart(Path(target)) as chart:
            yield chart
        return
    suite = _suite(folder)
    case = _case("show", suite, target)
    if case.source == "synthetic":
        with SyntheticSource(CACHE, suite.root.fixtures).chart(case) as chart:
            yield chart
    else:
        with MimicSource(suite.file("case", case.id).parent.parent / "charts").chart(case) as chart:
            yield chart


def _overview(chart: Chart, limit: int) -> Iterator[RenderableType]:
    from rich.text import Text

    from pytest_clinicare.charts.timeline import row_counts, timeline

    patient = chart.rows("SELECT * FROM patients")[0]
    died = f", died {patient['dod']}" if patient["dod"] else ""
    about = (
        f"subject {chart.subject_id}  {patient['gender']}, {patient['anchor_age']} in {patient['anchor_year']}{died}"
    )
    yield Text(about, style="bold")
    yield Text(str(chart.path), style="dim")
    encounters = _grid("Encounters", "encounter", "id", "from", "to", "what")
    for row in chart.rows(_ENCOUNTERS):
        encounters.add_row(*(str(value or "") for value in row))
    yield encounters
    counts = row_counts(chart)
    rows = _grid(f"{sum(counts.values())} rows", "table", "rows")
    for name, count in counts.items():
        rows.add_row(name, str(count))
    yield rows
    events = timeline(chart)
    grid = _grid("Timeline", "time", "event", "ref", "what")
    for event in events[:limit]:
        grid.add_row(event.time, event.kind, event.ref, event.text)
    yield grid
    if len(events) > limit:
        yield Text(f"{len(events) - limit} more events; show them with --limit {len(events)}", style="dim")


def _grid(title: str, *columns: str) -> Grid:
    """Of narrow columns and a last one that gives way."""
    from rich.table import Table as Grid

    grid = Grid(title=f"\n{title}", title_justify="left", title_style="bold", box=None, pad_edge=False)
    for column in columns:
        grid.add_column(column, no_wrap=column != columns[-1], overflow="fold")
    return grid


_ENCOUNTERS = """
    SELECT 'ED stay', stay_id, intime, outtime, disposition FROM edstays
    UNION ALL SELECT 'admission', hadm_id, admittime, dischtime, admission_type FROM admissions
    UNION ALL SELECT 'ICU stay', stay_id, intime, outtime, first_careunit FROM icustays
    ORDER BY 3
"""


def _print_table(console: Console, chart: Chart, name: str, limit: int) -> None:
    """One row a paragraph, its ref first; columns without a value are left out."""
    from rich.text import Text

    from pytest_clinicare.charts import TABLES, ref_of

    table = TABLES.get(name.rsplit(".", 1)[-1])
    if table is None:
        _refuse("show", f"there is no table '{name}'; there are: {', '.join(TABLES)}")
    total = int(chart.rows(f'SELECT count(*) FROM "{table.name}"')[0][0])
    order = f'"{table.time}", rowid' if table.time else "rowid"
    for row in chart.rows(f'SELECT rowid AS "#", * FROM "{table.name}" ORDER BY {order} LIMIT ?', (limit,)):
        given = "  ".join(f"{column}={row[column]}" for column in table.column_names if row[column] is not None)
        console.print(Text.assemble((ref_of(table.name, dict(row), row["#"]), "bold"), "  ", given))
    more = f"; the first {limit} shown, go on with --limit" if total > limit else ""
    console.print(Text(f"{table.qualified}: {total} row{'' if total == 1 else 's'}{more}", style="dim"))


def _suite(folder: Path | None) -> Suite:
    from pytest_clinicare.suite import load_cases, load_suite

    suite = load_suite()
    return suite if folder is None else load_cases(folder, suite)


def _case(command: str, suite: Suite, name: str) -> Case:
    found = suite.case(name)
    if found is None:
        _refuse(command, f"there is no case '{name}' (and no such chart); `clinicare cases list` names the cases")
    return found


@contextmanager
def _usage(command: str) -> Iterator[None]:
    """What the user has to put right ends the command with its message and not with a traceback."""
    from pytest_clinicare.charts import ChartError
    from pytest_clinicare.suite import SuiteError

    try:
        yield
    except (ChartError, SuiteError) as error:
        _refuse(command, str(error))


def _refuse(command: str, message: str) -> NoReturn:
    typer.echo(f"clinicare charts {command}: {message}", err=True)
    raise typer.Exit(EXIT_USAGE)
