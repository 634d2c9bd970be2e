"""The index operation, its category and period, and what was done at the site afterwards (IP-012 section 2, 4.7)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.session import Row

# Category: days, prefixes of ICD-10-PCS codes, ICD-9-CM codes.
_CATEGORIES: dict[str, tuple[int, tuple[str, ...], tuple[str, ...]]] = {
    "COLO": (30, ("0DTF", "0DTG", "0DTN"), ("4573", "4575", "4576", "1733", "1736")),
    "APPY": (30, ("0DTJ",), ("4701", "4709")),
    "CHOL": (30, ("0FT4",), ("5122", "5123")),
    "SB": (30, ("0DB8", "0DT8"), ("4562",)),
    "GAST": (30, ("0DB6", "0DT6"), ("437", "4389")),
    "XLAP": (30, ("0WJG0",), ("5411",)),
    "HER": (90, ("0WUF", "0YU5", "0YU6"), ("5305", "5351", "5361")),
    "HPRO": (90, ("0SR9", "0SRB"), ("8151", "8152")),
    "KPRO": (90, ("0SRC", "0SRD"), ("8154",)),
    "CBGB": (90, ("0210", "0211", "0212", "0213"), ("3611", "3612", "3613", "3614")),
}
SUPERFICIAL_DAYS, LONGEST = 30, 90
# Open, or through a scope, in the abdomen or its wall; drainage (root 9) is an entry and no operation.
_ABDOMINAL = re.compile(r"^(?:0D|0F|0W[FGJ]|0Y[567])[A-Z1-8][A-Z0-9][04]")
_ABDOMINAL_9 = re.compile(r"^(?:4[2-7]|5[0-4])")
_JOINT = {"HPRO": re.compile(r"^(?:0S[^9][9AB]|8005|8153|8070)"), "KPRO": re.compile(r"^(?:0S[^9][CD]|8006|8155|8080)")}
_ENTRY = re.compile(r"^(?:0W9[FGJ]|0S9|5491|8191)")


@dataclass(frozen=True)
class Operation:
    category: str
    period: int
    day_1: date
    row: Row

    @property
    def ref(self) -> str:
        return str(self.row["ref"])

    @property
    def abdominal(self) -> bool:
        return self.category not in ("HPRO", "KPRO", "CBGB")

    def day_of(self, time: datetime | date) -> int:
        """Day number: day 1 is the operation."""
        when = time.date() if isinstance(time, datetime) else time
        return (when - self.day_1).days + 1

    def date_of(self, day: int) -> date:
        return self.day_1 + timedelta(days=day - 1)


def category_of(code: str, version: int) -> str | None:
    """NHSN category of a procedure code, None outside IP-012 2.2."""
    for name, (_, ten, nine) in _CATEGORIES.items():
        if (version == 10 and code.startswith(ten)) or (version == 9 and code in nine):
            return name
    return None


def period_of(category: str) -> int:
    return _CATEGORIES[category][0]


def index_operation(rows: list[Row], hadm_id: int) -> Operation | None:
    """The first procedure of the admission that falls in a category and has a date."""
    for row in sorted(rows, key=lambda r: (str(r.get("chartdate") or ""), int(r.get("seq_num") or 0))):
        time = parse_time(row.get("chartdate"))
        if row.get("hadm_id") != hadm_id or time is None or not row.get("icd_code"):
            continue
        category = category_of(code_of(row), int(row.get("icd_version") or 0))
        if category:
            return Operation(category, period_of(category), time.date(), row)
    return None


def later_operations(rows: list[Row], index: Operation) -> list[tuple[date, Row]]:
    """Operations at the same site on a later date than the index one."""
    return _later(rows, index, _operates)


def entries(rows: list[Row], index: Operation) -> list[tuple[date, Row]]:
    """Needle or catheter entries of the space after the index operation."""
    return _later(rows, index, lambda row, _: _ENTRY.match(code_of(row)) is not None)


def _later(rows: list[Row], index: Operation, wanted: object) -> list[tuple[date, Row]]:
    assert callable(wanted)
    found = []
    for row in rows:
        time = parse_time(row.get("chartdate"))
        if row.get("icd_code") and time and time.date() > index.day_1 and wanted(row, index):
            found.append((time.date(), row))
    return sorted(found, key=lambda pair: pair[0])


def _operates(row: Row, index: Operation) -> bool:
    code, nine = code_of(row), int(row.get("icd_version") or 0) == 9
    if not index.abdominal:
        pattern = _JOINT.get(index.category)
        return pattern is not None and pattern.match(code) is not None
    if nine:
        return _ABDOMINAL_9.match(code) is not None and not code.startswith("5491")
    return _ABDOMINAL.match(code) is not None
