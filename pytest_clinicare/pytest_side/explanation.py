"""Why an item did not pass: verdict against reference, defects with their evidence, where the trace is."""

from __future__ import annotations

import os
from pathlib import Path

from pytest_clinicare.results import RunDir
from pytest_clinicare.scoring import RunRecord
from pytest_clinicare.suite import Rubric, Verdict

_REFS_SHOWN = 6


def explain_failure(record: RunRecord, rubric: Rubric, run_dir: RunDir) -> str:
    """For a run that counts: a wrong or missing verdict, or a defect."""
    lines = [_in_short(record), _verdict_line(record)]
    criteria = {criterion.id: criterion for criterion in rubric.criteria}
    grades = {grade.criterion: grade for grade in record.grades}
    for name in record.defects:
        lines.append(f"  defect    {name} (weight {criteria[name].weight}): {criteria[name].text}")
        grade = grades[name]
        if grade.why:
            lines.append(f"            because {grade.why}")
        if grade.refs:
            more = f" and {len(grade.refs) - _REFS_SHOWN} more" if len(grade.refs) > _REFS_SHOWN else ""
            lines.append(f"            on {', '.join(grade.refs[:_REFS_SHOWN])}{more}")
    lines += _trace_lines(record, run_dir)
    return "\n".join(lines)


def explain_error(record: RunRecord, run_dir: RunDir) -> str:
    """For a run that does not count: an error of the infrastructure, to be run again."""
    lines = [
        f"{record.outcome}: {record.ended.text}",
        f"  error     {record.error}",
        "  This is an infrastructure error, not an answer: the same command runs the case again.",
        *_trace_lines(record, run_dir),
    ]
    return "\n".join(lines)


def _in_short(record: RunRecord) -> str:
    """The first line is all that pytest shows in its list of what failed."""
    told = (
        []
        if record.correct or record.reference is None
        else [f"{record.verdict or 'no verdict'}, not {record.reference}"]
    )
    if record.defects:
        told.append(f"defect {', '.join(record.defects)}")
    return "; ".join(told) or record.ended.text


def _verdict_line(record: RunRecord) -> str:
    got = _label(record.verdict) if record.verdict else f"none: {record.ended.text}"
    if record.reference is None:
        return f"  verdict   {got} (the case has no reference)"
    mark = "as the reference" if record.correct else f"but the reference is {_label(record.reference)}"
    return f"  verdict   {got}, {mark}"


def _label(verdict: Verdict) -> str:
    return f"{verdict.value} ({verdict.label})"


def _trace_lines(record: RunRecord, run_dir: RunDir) -> list[str]:
    return [f"  trace     clinicare trace {shown(run_dir.path / record.trace)}"] if record.trace else []


def shown(path: Path) -> str:
    """The path as a user would type it: relative where it lies below the current folder."""
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("..") else relative
