"""What a run read: its successful tool calls, and whether they cover a required source in its scope."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict

from pytest_clinicare.environment import ToolCall, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_clinicare.environment import TraceEvent
    from pytest_clinicare.judging.facts import Facts

_PARTS_OF = {"hosp.poe_detail": "hosp.poe", "hosp.emar_detail": "hosp.emar"}
_PAGING = ("limit", "cursor")
# Tools that read a table for one kind of its rows only.
_ONLY = {("get_imaging", "hosp.poe"): "Radiology", ("get_code_status", "hosp.poe"): "General Care"}
_FIRST, _LAST = "", "~"  # before and after every ISO time


class Needed(BaseModel):
    """A required read of one table (``hosp.labevents``).

    ``start`` and ``end`` are facts that bound a window; ``stay`` is a fact with the stay ids of the encounter;
    ``items`` are itemids, one of which must not have been left out; ``order_type`` is an order type of which no order
    may have been left out (``""``: of no type); ``complete`` wants every page of the result.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    table: str
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
    def note_refs(self) -> frozenset[str]:
        """Refs of notes whose text was opened: by ``read_note``, or by SQL that returned the text."""
        opened = {read.refs[0] for read in self._reads if read.tool == "read_note" and read.refs}
        for read in self._reads:
            if read.tool == "run_sql":
                rows = read.content.get("rows", [])
                opened.update(
                    str(row["ref"]) for row in rows if isinstance(row, dict) and row.get("ref") and row.get("text")
                )
        return frozenset(opened)

    def covering(self, needed: Needed, facts: Facts) -> tuple[Read, ...]:
        """The reads that cover ``needed`` together, empty results included; none where they do not."""
        fitting = [read for read in self.of(needed.table) if _fits(read, needed)]
        by_sql = [read for read in fitting if read.tool == "run_sql" and _sql_in_scope(read, needed, facts)]
        if by_sql:
            return tuple(by_sql)
        typed = [read for read in fitting if read.tool != "run_sql"]
        if needed.scope == "patient":
            return _whole_patient(typed, facts)
        start, end = _bounds(needed, facts)
        spans = [(span, read) for read in typed if (span := _span(read, needed, facts)) is not None]
        return tuple(read for _, read in spans) if _covers([span for span, _ in spans], start, end) else ()


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
    encounter = (str(facts.value("encounter_start") or ""), _LAST)
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


def _sql_in_scope(read: Read, needed: Needed, facts: Facts) -> bool:
    """SQL counts by the rows that it returned: one of the scope, or none that can be told (counts, an empty result)."""
    table = needed.table.partition(".")[2]
    cited = [ref for ref in read.refs if ref.startswith(f"{table}:")]
    if needed.scope == "patient" or not cited:
        return True
    start, end = _bounds(needed, facts)
    return any(_row_in_scope(facts, ref, table, start, end) for ref in cited)


def _row_in_scope(facts: Facts, ref: str, table: str, start: str, end: str) -> bool:
    from pytest_clinicare.charts import TABLES

    row = facts.chart.row(ref)
    if row is None:
        return False
    names, time = row.keys(), TABLES[table].time
    if "hadm_id" in names and row["hadm_id"] is not None and row["hadm_id"] == facts.case.hadm_id:
        return True
    return time is None or row[time] is None or start <= str(row[time]) <= end
