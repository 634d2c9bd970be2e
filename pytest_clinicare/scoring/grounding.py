"""Grounding (paper, section 5.3): do citations point at retrieved records, and were the required sources looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_clinicare.environment import record_citations
from pytest_clinicare.judging import canonical, required_reads

if TYPE_CHECKING:
    from pytest_clinicare.environment import Report
    from pytest_clinicare.judging import Facts, Reads
    from pytest_clinicare.suite import Rubric, Scenario


class RecordPrecision(NamedTuple):
    """Distinct rows cited, and how many of them this run retrieved."""

    cited: int
    found: int

    @property
    def value(self) -> float | None:
        """P_record; None for a report that cites no record."""
        return self.found / self.cited if self.cited else None


class Retrieval(NamedTuple):
    """Required sources, and those not queried in their scope."""

    required: int
    missing: tuple[str, ...]

    @property
    def value(self) -> float | None:
        """R_retrieval; None where nothing is required."""
        return (self.required - len(self.missing)) / self.required if self.required else None


def record_precision(report: Report, reads: Reads) -> RecordPrecision:
    """Rows that the report cites against the rows that the run's results carried; spans count for their note."""
    cited = dict.fromkeys(canonical(ref) for ref in record_citations(report))
    return RecordPrecision(len(cited), sum(ref in reads.refs for ref in cited))


def retrieval(scenario: Scenario, rubric: Rubric, reads: Reads, facts: Facts) -> Retrieval:
    """Required sources queried for the patient and, where the scenario says so, the encounter and time."""
    needed = [read for read, unless in required_reads(scenario, rubric) if not (unless and facts.value(unless))]
    missing = tuple(read.table for read in needed if not reads.covering(read, facts))
    return Retrieval(len(needed), missing)
