"""Checks of what a run read, and of the chart itself."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from pytest_clinicare.judging.checks import Check, Evidence, Found, word
from pytest_clinicare.judging.reads import Needed, Reach


@word
class Queried(Reach, Check):
    """A table was read as far as ``Reach`` says; a valid empty result counts. Of several tables one suffices."""

    name: ClassVar[str] = "queried"

    table: str | tuple[str, ...]

    def find(self, evidence: Evidence) -> Found:
        tables = (self.table,) if isinstance(self.table, str) else self.table
        parameters = self.model_dump(exclude={"table"})
        for table in tables:
            reads = evidence.reads.covering(Needed(table=table, **parameters), evidence.facts)
            if reads:
                return Found(True, f"{table} read in call {reads[0].n}")
        return Found(False, f"{' or '.join(tables)} not read in the {self.scope} scope that it is needed in")


@word
class ReadNote(Check):
    """Text of notes was opened: ``notes`` is a fact with note ids; all of them, or one with ``every = false``.

    Without such notes in the chart, listing or searching notes of that kind suffices.
    """

    name: ClassVar[str] = "read_note"

    kind: Literal["discharge", "radiology"]
    notes: str
    every: bool = True

    @property
    def fact_names(self) -> tuple[str, ...]:
        return (self.notes,)

    def find(self, evidence: Evidence) -> Found:
        wanted = [f"{self.kind}:{note_id}" for note_id in evidence.facts.values(self.notes) if note_id is not None]
        if not wanted:
            looked = evidence.reads.of(f"note.{self.kind}")
            return Found(
                bool(looked), f"the chart has no such {self.kind} note; {'looked' if looked else 'not looked'} for"
            )
        unread = tuple(ref for ref in wanted if ref not in evidence.reads.note_refs)
        met = not unread if self.every else len(unread) < len(wanted)
        return Found(
            met, f"{len(wanted) - len(unread)} of {len(wanted)} {self.kind} notes opened", unread if not met else ()
        )


@word
class Retrieved(Check):
    """Rows were retrieved: ``rows`` is a fact with refs; all of them, or one with ``every = false``. No rows: met."""

    name: ClassVar[str] = "retrieved"

    rows: str
    every: bool = True

    @property
    def fact_names(self) -> tuple[str, ...]:
        return (self.rows,)

    def find(self, evidence: Evidence) -> Found:
        wanted = [str(ref) for ref in evidence.facts.values(self.rows)]
        retrieved = evidence.reads.shown(evidence.chart)
        unseen = tuple(ref for ref in wanted if ref not in retrieved)
        met = not unseen if self.every or not wanted else len(unseen) < len(wanted)
        return Found(met, f"{len(wanted) - len(unseen)} of {len(wanted)} rows of {self.rows!r} retrieved", unseen[:10])


@word
class Called(Check):
    """A tool was called with success and with this text among its arguments (without case), and read the table."""

    name: ClassVar[str] = "called"

    tool: str | tuple[str, ...] = ()
    text: str = ""
    table: str | None = None

    def find(self, evidence: Evidence) -> Found:
        tools = (self.tool,) if isinstance(self.tool, str) else self.tool
        for read in evidence.reads if self.table is None else evidence.reads.of(self.table):
            if (not tools or read.tool in tools) and self.text.lower() in str(list(read.arguments.values())).lower():
                return Found(True, f"call {read.n} of {read.tool}")
        what = [*tools, *(f"with {self.text!r}" for _ in self.text[:1]), *(f"on {t}" for t in (self.table,) if t)]
        return Found(False, f"no call of {' '.join(what)}")


@word
class Fact(Check):
    """A fact of the chart holds (is neither null, 0 nor empty), or ``equals`` a value, or has ``at_least`` rows."""

    name: ClassVar[str] = "fact"

    fact: str
    equals: Any = None
    at_least: int | None = Field(default=None, ge=1)

    @property
    def fact_names(self) -> tuple[str, ...]:
        return (self.fact,)

    def find(self, evidence: Evidence) -> Found:
        values = evidence.facts.values(self.fact)
        value = values[0] if values else None
        if self.at_least is not None:
            return Found(len(values) >= self.at_least, f"{self.fact}: {len(values)} in the chart")
        met = value == self.equals if self.equals is not None else bool(value)
        return Found(met, f"{self.fact} is {value!r} in the chart")
