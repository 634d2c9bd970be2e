"""Reading a report leniently: from ``submit_report``, from JSON in text, or from Markdown with a verdict line."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any, get_args

from pytest_clinicare.environment.report import Claim, ClaimKind, Report
from pytest_clinicare.suite import Verdict

_KINDS = frozenset(get_args(ClaimKind))

_LACK = re.compile(
    r"\black(?:ing|s)?\b|\binsufficient|\bnot enough\b|\binadequate (?:data|evidence|information|documentation)|"
    r"\bmissing (?:data|evidence|information|documentation)|\bno data\b|"
    r"\bdata (?:is |are )?(?:not available|unavailable|missing)"
)
_AMBIGUOUS = re.compile(r"\bambigu|\bequivocal\b")
_YES = re.compile(r"\byes\b")
_NO = re.compile(r"\bno\b(?! data\b)")
_HEAD_END = re.compile(r"[.,;(\n\u2013\u2014]|\s-+\s")

_NAMES = r"(?:final\s+|overall\s+)?(?:verdict|answer|determination|conclusion)"
_VERDICT_LINE = re.compile(rf"^(?:[^\w\n]|_)*{_NAMES}(?:[^\w\n]|_)*?[:=\uff1a](.*)$", re.IGNORECASE | re.MULTILINE)
_VERDICT_HEADING = re.compile(rf"^[ \t#*_]*{_NAMES}[ \t#*_:]*\n+(.*)$", re.IGNORECASE | re.MULTILINE)
_CONFIDENCE_LINE = re.compile(r"^(?:[^\w\n]|_)*confidence(?:[^\w\n]|_)*?[:=\uff1a](.*)$", re.IGNORECASE | re.MULTILINE)
_NUMBER = re.compile(r"(-?\d+(?:\.\d+)?|-?\.\d+)\s*(%?)", re.ASCII)
_FENCE = re.compile(r"```[a-zA-Z]*[^\S\n]*\n(.*?)```", re.DOTALL)


def parse_report(given: str | dict[str, Any] | None) -> Report | None:
    """The report in a text or in arguments of ``submit_report``; None where there is none. Never raises.

    A report whose verdict cannot be read, or that gives two, has verdict None. Confidence is a number in [0, 1] or a
    percentage; anything else is None.
    """
    if isinstance(given, dict):
        return _from_dict(given, _dumped(given))
    if not isinstance(given, str) or not given.strip():
        return None
    found = [_lowered(value) for value in _json_objects(given)]
    reports = [value for value in found if "verdict" in value]
    if reports:
        return _from_several(reports, given)
    return _from_markdown(given)


def parse_verdict(given: object) -> Verdict | None:
    """The one verdict that a phrase states; None for none and for more than one."""
    if isinstance(given, bool):
        return Verdict.YES if given else Verdict.NO
    if not isinstance(given, str):
        return None
    text = re.sub(r"[*_`\"'#>]+|\s+", " ", given).strip().lower()
    head = _HEAD_END.split(text, maxsplit=1)[0]
    stated = _stated(head) or _stated(text)
    return stated.pop() if len(stated) == 1 else None


def parse_confidence(given: object) -> float | None:
    """A probability: 0.85, "0.85", 85, "85%" and "85 %" are alike; out of range is None."""
    if isinstance(given, str):
        match = _NUMBER.search(given)
        if match is None:
            return None
        number, percent = float(match.group(1)), bool(match.group(2))
    elif isinstance(given, int | float) and not isinstance(given, bool):
        try:
            number, percent = float(given), False
        except OverflowError:
            return None
    else:
        return None
    if percent or 1 < number <= 100:
        number /= 100
    return number if math.isfinite(number) and 0 <= number <= 1 else None


def _stated(text: str) -> set[Verdict]:
    found = set()
    if _LACK.search(text):
        found.add(Verdict.LACK)
    if _AMBIGUOUS.search(text):
        found.add(Verdict.AMBIGUOUS)
    if text.startswith("indeterminate") and found:
        return found
    if _YES.search(text) or text == "true":
        found.add(Verdict.YES)
    if _NO.search(text) or text == "false":
        found.add(Verdict.NO)
    return found


def _from_several(reports: list[dict[str, Any]], raw: str) -> Report:
    """The last object is the report; objects before it that say otherwise leave the verdict unread."""
    report = _from_dict(reports[-1], raw)
    verdicts = {parse_verdict(value["verdict"]) for value in reports}
    return report if len(verdicts) == 1 else report.model_copy(update={"verdict": None})


def _from_dict(given: dict[str, Any], raw: str) -> Report:
    values = _lowered(given)
    rationale = values.get("rationale", values.get("reasoning", ""))
    claims = values.get("claims")
    read = [_claim(item) for item in claims] if isinstance(claims, list | tuple) else []
    return Report(
        verdict=parse_verdict(values.get("verdict")),
        confidence=parse_confidence(values.get("confidence")),
        rationale=rationale if isinstance(rationale, str) else _dumped(rationale),
        claims=tuple(claim for claim in read if claim is not None),
        raw=raw,
    )


def _from_markdown(text: str) -> Report | None:
    lines = [match.group(1) for match in _VERDICT_LINE.finditer(text) if match.group(1).strip(" *_`")]
    lines += [match.group(1) for match in _VERDICT_HEADING.finditer(text)]
    if not lines:
        verdict = parse_verdict(text) if len(text) <= 80 else None
        return Report(verdict=verdict, rationale=text, raw=text) if verdict else None
    # A conclusion that restates the verdict in prose does not count unless it names one.
    verdicts = {verdict for line in lines if (verdict := parse_verdict(line))}
    unclear = any(len(_stated(line.lower())) > 1 and parse_verdict(line) is None for line in lines)
    confidences = [parse_confidence(match.group(1)) for match in _CONFIDENCE_LINE.finditer(text)]
    return Report(
        verdict=verdicts.pop() if len(verdicts) == 1 and not unclear else None,
        confidence=confidences[-1] if confidences else None,
        rationale=text,
        raw=text,
    )


def _claim(given: object) -> Claim | None:
    if isinstance(given, str):
        return Claim(text=given) if given.strip() else None
    if not isinstance(given, dict):
        return None
    values = _lowered(given)
    text = _text(values.get("text", values.get("claim")))
    if not text or not text.strip():
        return None
    kind = values.get("kind")
    return Claim(
        text=text,
        kind=kind if isinstance(kind, str) and kind in _KINDS else "other",
        name=_text(values.get("name")),
        value=_value(values.get("value")),
        unit=_text(values.get("unit")),
        time=_text(values.get("time")),
        evidence=_texts(values.get("evidence")),
        policy=_texts(values.get("policy")),
    )


def _value(given: object) -> float | str | None:
    if given is None or isinstance(given, str):
        return given
    if isinstance(given, int | float) and not isinstance(given, bool):
        try:
            number = float(given)
        except OverflowError:
            return _dumped(given)
        return number if math.isfinite(number) else str(given)
    return _dumped(given)


def _text(given: object) -> str | None:
    return None if given is None else given if isinstance(given, str) else _dumped(given)


def _texts(given: object) -> tuple[str, ...]:
    if isinstance(given, list | tuple):
        return tuple(text for item in given if (text := _text(item)))
    return (text,) if (text := _text(given)) else ()


def _lowered(given: dict[Any, Any]) -> dict[str, Any]:
    return {str(key).strip().lower(): value for key, value in given.items()}


def _dumped(given: object) -> str:
    try:
        return json.dumps(given, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):
        return "(not representable)"


def _json_objects(text: str) -> Iterator[dict[Any, Any]]:
    """Objects that are the whole text, fenced blocks, or lie between the outermost braces; the first that works."""
    outer = text[text.find("{") : text.rfind("}") + 1] if "{" in text else ""
    for candidates in ([text], _FENCE.findall(text), [outer]):
        found = [value for candidate in candidates if isinstance(value := _loaded(candidate), dict)]
        if found:
            yield from found
            return


def _loaded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
