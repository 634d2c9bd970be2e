"""What the gates decide, and with which exit status. 0 to 6 are pytest's own; these are ours."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_clinicare.pytest_side.options import MAX_ERRORS
from pytest_clinicare.results import Gate, Metrics, RunDir

HELD = 0
NOT_HELD = 20
TOO_MANY_ERRORS = 21
INCOMPLETE = 22


@dataclass(frozen=True)
class Ruling:
    """The exit status and, one a line, why."""

    status: int
    lines: tuple[str, ...]


def rule(gates: tuple[Gate, ...], metrics: Metrics, run_dir: RunDir, max_errors: int) -> Ruling:
    """The worse news wins: a run that is not complete, then infrastructure errors, then a gate that did not hold.

    Completeness is read off the records on disk, as pytest-xdist can end well after losing results.
    """
    verdicts = [gate.check(metrics) for gate in gates]
    lines = [f"gate {verdict.text}" for verdict in verdicts]
    status = HELD if all(verdict.held for verdict in verdicts) else NOT_HELD
    errors = sum(record.ended.infrastructure for record in run_dir.records().values())
    if errors > max_errors:
        status = TOO_MANY_ERRORS
        lines.append(
            f"{errors} infrastructure errors, tolerated {max_errors} ({MAX_ERRORS.flag}); run the command again"
        )
    missing = run_dir.missing()
    if missing:
        status = INCOMPLETE
        named = ", ".join(case for case, _ in missing[:3]) + (", ..." if len(missing) > 3 else "")
        lines.append(f"incomplete: {len(missing)} of {len(run_dir.manifest.expected)} runs left no record ({named})")
    outcome = "held" if status == HELD else "not held"
    return Ruling(status, (*lines, f"gates {outcome}: exit status {status}"))
