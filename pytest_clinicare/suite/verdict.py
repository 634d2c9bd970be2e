"""The four-way verdict (paper, section 4.1)."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """Answer to an audit question; ``lack`` and ``ambiguous`` are abstentions."""

    YES = "yes"
    NO = "no"
    LACK = "lack"
    AMBIGUOUS = "ambiguous"

    @property
    def definitive(self) -> bool:
        return self in (Verdict.YES, Verdict.NO)

    @property
    def label(self) -> str:
        return {
            Verdict.YES: "Yes",
            Verdict.NO: "No",
            Verdict.LACK: "Indeterminate: Lack of Data",
            Verdict.AMBIGUOUS: "Indeterminate: Medically Ambiguous",
        }[self]
