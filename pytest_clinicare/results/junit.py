"""JUnit XML: one test case a run; wrong answers and defects are failures, infrastructure is an error."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_clinicare.scoring import RunRecord

_SCORES = ("process", "process_decided", "p_record", "r_retrieval", "p_doc", "r_doc", "calls", "turns", "sql_calls")
# What XML 1.0 cannot hold, even escaped; a broken model can put it into an error message.
_ILLEGAL = {code: "\ufffd" for code in (*range(32), 0xFFFE, 0xFFFF, *range(0xD800, 0xE000)) if code not in (9, 10, 13)}


def junit(system: str, records: Sequence[RunRecord]) -> str:
    """The document as text. Properties of a case: verdict, reference, outcome, defects and scores."""
    failed = [record for record in records if not record.passed and not record.ended.infrastructure]
    broken = [record for record in records if record.ended.infrastructure]
    counts = {"tests": str(len(records)), "failures": str(len(failed)), "errors": str(len(broken)), "skipped": "0"}
    root = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(root, "testsuite", {"name": f"clinicare {system}", **counts})
    for record in records:
        _case(suite, record)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _case(suite: ElementTree.Element, record: RunRecord) -> None:
    name = record.case if record.attempt == 1 else f"{record.case}[{record.attempt}]"
    attributes = {"classname": record.scenario, "name": _legal(name), "time": f"{record.resources.seconds:.3f}"}
    case = ElementTree.SubElement(suite, "testcase", attributes)
    properties = ElementTree.SubElement(case, "properties")
    for key, value in _properties(record).items():
        ElementTree.SubElement(properties, "property", {"name": key, "value": _legal(value)})
    if record.ended.infrastructure:
        error = ElementTree.SubElement(case, "error", {"type": record.outcome, "message": record.ended.text})
        error.text = _legal(record.error or "")
    elif not record.passed:
        text = _why(record)
        failure = ElementTree.SubElement(case, "failure", {"type": record.outcome, "message": _legal(text[0])})
        failure.text = _legal("\n".join(text))


def _properties(record: RunRecord) -> dict[str, str]:
    properties = {
        "verdict": record.verdict or "none",
        "reference": record.reference or "none",
        "outcome": record.outcome,
        "judge": record.judge,
        "defects": ",".join(record.defects),
    }
    if record.confidence is not None:
        properties["confidence"] = f"{record.confidence:g}"
    if record.scores:
        values = ((name, getattr(record.scores, name)) for name in _SCORES)
        properties |= {name: f"{value:g}" for name, value in values if value is not None}
    if record.trace:
        properties["trace"] = record.trace
    return {key: str(value) for key, value in properties.items()}


def _why(record: RunRecord) -> list[str]:
    verdict = record.verdict.value if record.verdict else f"none ({record.ended.text})"
    lines = [f"verdict {verdict}, reference {record.reference.value if record.reference else 'none'}"]
    why = {grade.criterion: grade for grade in record.grades}
    for name in record.defects:
        grade = why[name]
        lines.append(f"defect {name}: {grade.why}" + (f" ({', '.join(grade.refs)})" if grade.refs else ""))
    return lines


def _legal(text: str) -> str:
    return text.translate(_ILLEGAL)
