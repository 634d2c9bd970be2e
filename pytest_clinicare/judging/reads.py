"""What a run read: its successful tool calls, and whether they cover a required source in its scope."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict

from pytest_clinicare.charts import TABLES, ref_of
from pytest_clinicare.environment import ToolCall, ToolResult
from pytest_clinicare.judging.sql_reads import rows_shown, tables_shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_clinicare.charts import Chart
    from pytest_clinicare.environment import TraceEvent
    from pytest_clinicare.judging.facts import Facts

_PARTS_OF = {"hosp.poe_detail": "hosp.poe", "hosp.emar_detail": "hosp.emar"}
_PAGING = ("limit", "cursor")
# Tools that read a table for one kind of its rows only.
_ONLY = {("get_imaging", "hosp.poe"): "Radiology", ("get_code_status", "hosp.poe"): "General Care"}
# Tables with rows of no admission, which a query for one leaves out.
_WITHOUT_ADMISSION = frozenset(
    {"hosp.labevents", "hosp.microbiologyevents", "hosp.omr", "note.discharge", "note.radiology", "ed.edstays"}
)
# A citation of more lines than this points at no passage.
_MOST_LINES = 60
_FIRST, _LAST = "", "~"  # before and after every ISO time


class Reach(BaseModel):
    """How far a read must reach.

    ``start`` and ``end`` are facts that bound a window; ``stay`` is a fact with the stay ids of the encounter;
    ``items`` are itemids, one of which must not have been left out; ``order_type`` is an order type of which no order
    may have been left out (``""``: of no type); ``complete`` wants every page of the result.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    scope: Literal["patient", "encounter", "window"] = "patient"
    start: str | None = None
    end: str | None = None
    stay: str | None = None
    items: tuple[int, ...] = ()
    order_type: str | None = None
    complete: bool = False

    @property
    def fact_names(self) -> tuple[str, ...]:
        return tuple(name for name in (self.start, self.end, self.stay) if name)


class Needed(Reach):
    """A required read of one table (``hosp.labevents``)."""

    table: str


@dataclass(frozen=True)
class Read:
    """One successful call; ``complete`` says that its pages were read to the end."""

    n: int
    tool: str
    arguments: dict[str, Any]
    scope: dict[str, Any]
    tables: frozenset[str]
    refs: tuple[str, ...]
    rows: int
    complete: bool
    content: dict[str, Any]


class Reads:
    """The successful calls of a trace."""

    def __init__(self, trace: Iterable[TraceEvent]) -> None:
        self._reads = tuple(_paired(trace))
        self._by_sql: dict[int, frozenset[str]] = {}

    def __iter__(self) -> Iterator[Read]:
        return iter(self._reads)

    def of(self, table: str) -> tuple[Read, ...]:
        """Reads of one table, whatever their scope."""
        return tuple(read for read in self._reads if table in read.tables)

    @cached_property
    def refs(self) -> frozenset[str]:
        """Every row ref retrieved in the run."""
        return frozenset(ref for read in self._reads for ref in read.refs)

    @cached_property
    def answered(self) -> frozenset[int]:
        """Numbers of the calls that were answered, with rows or without."""
        return frozenset(read.n for read in self._reads)

    def empty(self, n: int, table: str | None) -> bool:
        """Whether call ``n`` was answered with no rows, and looked into ``table`` (plain name), if one is given."""
        return any(
            read.n == n and not read.rows and (table is None or table in {t.rpartition(".")[2] for t in read.tables})
            for read in self._reads
        )

    def shown(self, chart: Chart) -> frozenset[str]:
        """Refs of every row whose values the run got, those that SQL returned without their key included."""
        return self.refs.union(*(self._shown(read, chart) for read in self._reads if read.tool == "run_sql"))

    def has_lines(self, document: str, start: int | None, end: int | None) -> bool:
        """Whether these lines of a policy document were read."""
        if start is None:
            return False
        last = end or start
        return start <= last < start + _MOST_LINES and self._lines.get(document, set()).issuperset(
            range(start, last + 1)
        )

    @cached_property
    def _lines(self) -> dict[str, set[int]]:
        lines: dict[str, set[int]] = {}
        for read in self._reads:
            if read.tool in ("read_policy", "search_policies"):
                for part in read.content.get("rows", [read.content]):
                    span = range(part["start_line"], part["end_line"] + 1)
                    lines.setdefault(part["document"], set()).update(span)
        return lines

    @cached_property
    def note_refs(self) -> frozenset[str]:
        """Refs of notes whose text was opened: most of it by ``read_note``, or by SQL that returned the text."""
        parts: dict[str, set[int]] = {}
        lengths: dict[str, int] = {}
        for read in self._reads:
            if read.tool == "read_note":
                ref, start = read.refs[0], read.content["offset"]
                parts.setdefault(ref, set()).update(range(start, start + len(read.content["text"])))
                lengths[ref] = read.content["length"]
        opened = {ref for ref, seen in parts.items() if len(seen) * 2 >= lengths[ref]}
        for read in self._reads:
            if read.tool == "run_sql":
                rows = read.content.get("rows", [])
                opened.update(
                    str(row["ref"]) for row in rows if isinstance(row, dict) and row.get("ref") and row.get("text")
                )
        return frozenset(opened)

    def covering(self, needed: Needed, facts: Facts) -> tuple[Read, ...]:
        """The reads that cover ``needed`` together, empty results included; none where they do not."""
        by_sql = [read for read in self.of(needed.table) if read.tool == "run_sql"]
        if by_sql and (covering := self._sql_covering(by_sql, needed, facts)):
            return covering
        fitting = [read for read in self.of(needed.table) if _fits(read, needed)]
        typed = [read for read in fitting if read.tool != "run_sql"]
        if needed.scope == "patient":
            return _whole_patient(typed, facts)
        start, end = _bounds(needed, facts)
        spans = [(span, read) for read in typed if (span := _span(read, needed, facts)) is not None]
        return tuple(read for _, read in spans) if _covers([span for span, _ in spans], start, end) else ()

    def _sql_covering(self, reads: list[Read], needed: Needed, facts: Facts) -> tuple[Read, ...]:
        """SQL counts by the rows that it shows: some of the scope, all of it where ``complete``.

        Where the chart has no such row, a statement about that table alone has shown as much.
        """
        table = needed.table.rpartition(".")[2]
        wanted = _rows_in_scope(table, needed, facts)
        if not wanted:
            return tuple(read for read in reads if table in tables_shown(read.tables))
        showing = [read for read in reads if wanted & self._shown(read, facts.chart)]
        shown = frozenset().union(*(self._shown(read, facts.chart) for read in showing))
        return tuple(showing) if not needed.complete or wanted <= shown else ()

    def _shown(self, read: Read, chart: Chart) -> frozenset[str]:
        if read.n not in self._by_sql:
            rows = [row for row in read.content.get("rows", []) if isinstance(row, dict) and not row.get("ref")]
            tables = tables_shown(read.tables) if rows else ()
            self._by_sql[read.n] = frozenset(read.refs).union(*(rows_shown(chart, table, rows) for table in tables))
        return self._by_sql[read.n]


def _paired(trace: Iterable[TraceEvent]) -> Iterator[Read]:
    calls: dict[int, ToolCall] = {}
    results: list[tuple[ToolCall, ToolResult]] = []
    for event in trace:
        if isinstance(event, ToolCall):
            calls[event.n] = event
        elif isinstance(event, ToolResult) and event.ok and event.n in calls:
            results.append((calls[event.n], event))
    ended = {_question(call) for call, result in results if not result.truncated}
    for call, result in results:
        tables = frozenset(_PARTS_OF.get(table, table) for table in result.tables)
        done = _question(call) in ended
        scope = dict(result.scope)
        yield Read(call.n, call.tool, call.arguments, scope, tables, result.refs, result.rows, done, result.content)


def _question(call: ToolCall) -> str:
    """What was asked, without the page."""
    return f"{call.tool} {sorted((k, str(v)) for k, v in call.arguments.items() if k not in _PAGING)}"


def _fits(read: Read, needed: Needed) -> bool:
    if needed.complete and not read.complete:
        return False
    asked = read.scope.get("items")
    if needed.items and isinstance(asked, list) and not set(needed.items) & set(asked):
        return False
    if needed.order_type is None:
        return True
    if read.scope.get("order_subtype"):
        return False
    only = str(read.scope.get("order_type") or _ONLY.get((read.tool, needed.table), ""))
    return only.lower() in needed.order_type.lower()


def _whole_patient(reads: list[Read], facts: Facts) -> tuple[Read, ...]:
    """Reads without bounds; or reads admission by admission, where they leave none out."""
    whole = [r for r in reads if not any(r.scope.get(key) for key in ("hadm_id", "stay_id", "start", "end", "note_id"))]
    if whole:
        return tuple(whole)
    single = [read for read in reads if read.scope.get("hadm_id") and not read.scope.get("start")]
    seen = {read.scope["hadm_id"] for read in single}
    return tuple(single) if single and seen >= set(facts.values("admissions")) else ()


def _bounds(needed: Needed, facts: Facts) -> tuple[str, str]:
    start = facts.value(needed.start) if needed.start else None
    end = facts.value(needed.end) if needed.end else None
    return str(start or facts.value("encounter_start") or ""), str(end or facts.value("encounter_end") or "")


def _span(read: Read, needed: Needed, facts: Facts) -> tuple[str, str] | None:
    """The stretch of time for which the read tells all; None where it is about another encounter."""
    scope = read.scope
    # What is only ever filed under an admission has nothing between this one and the one before.
    since = "encounter_start" if needed.table in _WITHOUT_ADMISSION else "before_encounter"
    encounter = (str(facts.value(since) or ""), _LAST)
    stays = facts.values(needed.stay) if needed.stay else (facts.case.stay_id,)
    if scope.get("stay_id") is not None:
        return (_FIRST, _LAST) if scope["stay_id"] in stays else None
    if scope.get("note_id") is not None:
        return encounter if read.content.get("hadm_id") == facts.case.hadm_id else None
    start, end = str(scope.get("start") or _FIRST), _to_the_second(str(scope.get("end") or _LAST))
    if scope.get("hadm_id") is None:
        return start, end
    if scope["hadm_id"] != facts.case.hadm_id:
        return None
    return max(start, encounter[0]), min(end, encounter[1])


def _to_the_second(end: str) -> str:
    return f"{end} 23:59:59" if len(end) == 10 else end


def _covers(spans: list[tuple[str, str]], start: str, end: str) -> bool:
    """Whether the spans leave no gap from ``start`` to ``end``."""
    reached = start
    if not spans:
        return False
    for first, last in sorted(spans):
        if first > reached:
            return False
        reached = max(reached, last)
        if reached >= end:
            return True
    return reached >= end


def _rows_in_scope(table: str, needed: Needed, facts: Facts) -> frozenset[str]:
    """Refs of the chart's rows that ``needed`` is about."""
    known = TABLES[table]
    where, parameters = ["1"], list[Any]()
    if needed.items and "itemid" in known.column_names:
        where.append(f"itemid IN ({', '.join('?' * len(needed.items))})")
        parameters += needed.items
    if needed.order_type and "order_type" in known.column_names:
        where.append("order_type = ?")
        parameters.append(needed.order_type)
    rows = facts.chart.rows(f'SELECT rowid AS "rowid", * FROM "{table}" WHERE {" AND ".join(where)}', parameters)
    start, end = _bounds(needed, facts)
    stays = facts.values(needed.stay) if needed.stay else ()
    return frozenset(
        ref_of(table, row, row["rowid"])
        for row in map(dict, rows)
        if needed.scope == "patient" or _in_scope(row, known.moment(row), needed, facts, (start, end), stays)
    )


def _in_scope(
    row: dict[str, Any],
    moment: str | None,
    needed: Needed,
    facts: Facts,
    bounds: tuple[str, str],
    stays: tuple[Any, ...],
) -> bool:
    """Of the encounter by its id, or by its time where it has none; in a window by its time."""
    if needed.scope == "encounter":
        if needed.stay and row.get("stay_id") is not None:
            return row["stay_id"] in stays
        if row.get("hadm_id") is not None:
            return bool(row["hadm_id"] == facts.case.hadm_id)
    if moment is None:
        return row.get("hadm_id") in (None, facts.case.hadm_id)
    return bounds[0] <= moment <= _to_the_second(bounds[1])
