"""Radiology reports: what was done, whether here, when; and which order led to it (RH-RAD-01, RH-NEPH-03 2)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from pytest_clinicare.systems.scripted.clinical.orders import CROSS_SECTIONAL, UNSETTLED, Order
from pytest_clinicare.systems.scripted.clinical.times import date_only, parse_time

EARLIEST, LATEST = timedelta(hours=-1), timedelta(hours=72)

_TITLE = re.compile(
    r"^[ \t]*(?:EXAMINATION|EXAM|STUDY|PROCEDURE)[ \t]*:[ \t]*(.*(?:\n[ \t]+\S.*)*)", re.IGNORECASE | re.MULTILINE
)
_PART = re.compile(r"^[ \t]*([A-Z][A-Z /&-]{3,40}):", re.MULTILINE)
_CONTEXT_PARTS = ("COMPARISON", "INDICATION", "HISTORY", "CLINICAL", "REASON", "RECOMMENDATION", "NOTIFICATION")
_CT = re.compile(r"\bCT[AV]?\b|\bcomputed tomograph", re.IGNORECASE)
_MR = re.compile(r"\bMR[IAV]?\b|\bMRCP\b|\bmagnetic resonance", re.IGNORECASE)
_HYBRID = re.compile(r"\b(?:SPECT|PET)\s?[/-]\s?CT\b", re.IGNORECASE)
_CONE_BEAM = re.compile(r"\bcone[- ]beam\b|\bdyna-?CT\b", re.IGNORECASE)
_NUCLEAR = re.compile(
    r"\bSPECT\b|\bPET\b|scintigra|nuclear|\blung scan\b|\bV/Q\b|\bbone scan\b|\bHIDA\b|tagged red|tracer", re.IGNORECASE
)
_INTERVENTION = re.compile(
    r"guided|guidance|drainage|biops|embolization|angiogra(?!phy with contrast)|catheter placement"
    r"|intervention|\bPICC\b|"
    r"nephrostomy|paracentesis|thoracentesis|aspiration|thrombectomy",
    re.IGNORECASE,
)
_GUIDED_BY = re.compile(r"\b(CT|MRI?|cone[- ]beam CT|fluoroscop\w*|ultrasound|sonograph\w*|US)\b", re.IGNORECASE)
_OUTSIDE_TITLE = re.compile(
    r"second (?:opinion|read)|outside (?:hospital|images|study|read)|\bOSH\b|re-?read", re.IGNORECASE
)
_OUTSIDE_BODY = re.compile(
    r"second (?:opinion|read(?:ing)?)\b|(?:images|study|examination)[^.\n]{0,40} (?:acquired|performed"
    r"|obtained) (?:at|in) (?:an? |___ |the )?"
    r"(?:outside|another|other|___)[^.\n]{0,12}\b(?:hospital|institution|facility)|no images were acquired at this",
    re.IGNORECASE,
)
_NOT_DONE = re.compile(
    r"(?:study|exam(?:ination)?|scan|procedure) (?:was|is|has been) (?:not performed|aborted|cancel+ed)"
    r"|no images were (?:acquired|obtained)|aborted before",
    re.IGNORECASE,
)
_STAMP = re.compile(
    r"(?:perform\w*|acquir\w*|scann?\w*|obtain\w*|exam(?:ination)? (?:time|date)|study (?:time|date))[^.\n]{0,60}?"
    r"(\d{4}-\d{2}-\d{2})[ T](?:at )?(\d{1,2}:\d{2}(?::\d{2})?)",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"(?:perform\w*|acquir\w*|scan (?:time|was)|scanned|exam(?:ination)? time|study time)[^.\n]{0,40}?\b(?:at|:)?\s*"
    r"(\d{1,2}:\d{2})(?::\d{2})?\s*([ap]\.?m\.?)?\b(?!\s*on \d{4})",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Study:
    """One reported study. ``time`` is the performed time, None where only a date is known (``record_time`` then)."""

    ref: str
    title: str
    modality: str
    record_time: datetime
    stated_time: datetime | None
    in_house: bool
    performed: bool
    hybrid: bool
    unsettled: bool
    intervention: bool

    @property
    def conflict(self) -> bool:
        """Record and body differ by more than 24 h."""
        return self.stated_time is not None and abs(self.stated_time - self._anchor) > timedelta(hours=24)

    @property
    def _anchor(self) -> datetime:
        if self.stated_time and date_only(self.record_time) and self.stated_time.date() == self.record_time.date():
            return self.stated_time
        return self.record_time

    @property
    def time(self) -> datetime | None:
        """The body governs where it states a time; 00:00:00 alone is no time."""
        if self.stated_time is not None:
            return self.stated_time
        return None if date_only(self.record_time) else self.record_time

    @property
    def counts(self) -> bool:
        """An in-house CT or MRI that was performed, its class settled by the report."""
        return self.modality in ("CT", "MR") and self.in_house and self.performed and not self.hybrid


def read_study(ref: str, charttime: str, text: str) -> Study | None:
    """Classify a report by its title and its own body; comparison and indication lines speak of other studies."""
    record_time = parse_time(charttime)
    if record_time is None:
        return None
    title = title_of(text)
    body = own_body(text)
    hybrid = bool(_HYBRID.search(f"{title}\n{body}"))
    nuclear = bool(_NUCLEAR.search(title))
    intervention = bool(_INTERVENTION.search(title)) and not nuclear
    modality = _modality(title, body, intervention)
    return Study(
        ref=ref,
        title=title,
        modality="NM" if nuclear and not hybrid else modality,
        record_time=record_time,
        stated_time=stated_time(body, record_time),
        in_house=not (_OUTSIDE_TITLE.search(title) or _OUTSIDE_BODY.search(body)),
        performed=not _NOT_DONE.search(body),
        hybrid=hybrid,
        unsettled=hybrid or _unsettled(title, body),
        intervention=intervention,
    )


def title_of(text: str) -> str:
    """The EXAMINATION line, else the first line that is not empty."""
    match = _TITLE.search(text)
    if match and match.group(1).strip():
        return " ".join(match.group(1).split())
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def own_body(text: str) -> str:
    """The report without the parts that speak of the question or of other studies."""
    marks = [*_PART.finditer(text)]
    kept, at = [], 0
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        kept.append(text[at : mark.start()])
        at = following.start() if following else len(text)
        if not mark.group(1).strip().upper().startswith(_CONTEXT_PARTS):
            kept.append(text[mark.start() : at])
    return "".join(kept) + (text[at:] if not marks else "")


def stated_time(body: str, record_time: datetime) -> datetime | None:
    """Performed time that the body states for the same study."""
    if match := _STAMP.search(body):
        clock = match.group(2).rjust(5, "0") if len(match.group(2)) < 5 else match.group(2)
        return parse_time(f"{match.group(1)} {clock}")
    if match := _CLOCK.search(body):
        hour, minute = map(int, match.group(1).split(":"))
        half = (match.group(2) or "").lower()[:1]
        hour = hour % 12 + 12 if half == "p" else hour % 12 if half == "a" else hour
        return record_time.replace(hour=hour, minute=minute, second=0) if hour < 24 and minute < 60 else None
    return None


def _modality(title: str, body: str, intervention: bool) -> str:
    where = f"{title}\n{body}" if intervention else title
    if _CT.search(_HYBRID.sub("", _CONE_BEAM.sub("", title))):
        return "CT"
    if _MR.search(title):
        return "MR"
    if intervention and not _CONE_BEAM.search(where):
        guided = {found.group(1).upper() for found in _GUIDED_BY.finditer(body)}
        return "CT" if "CT" in guided else "MR" if guided & {"MR", "MRI"} else "OTHER"
    return "OTHER"


def _unsettled(title: str, body: str) -> bool:
    """An intervention with cone-beam CT, with CT or MRI guidance, or whose guidance has no name."""
    if not _INTERVENTION.search(title):
        return False
    named = {found.group(1).lower() for found in _GUIDED_BY.finditer(f"{title}\n{body}")}
    return not named or bool(named & {"ct", "mr", "mri"}) or bool(_CONE_BEAM.search(body))


def fits(study: Study, order: Order) -> bool:
    """Whether the order is of a class that the report can match; a blank subtype takes the class of the report."""
    if order.order_type.lower() != "radiology":
        return False
    if not order.subtype:
        return True
    if order.subtype in CROSS_SECTIONAL:
        wanted = {"CT Scan": ("CT",), "MRI": ("MR",)}.get(order.subtype, ("CT", "MR"))
        return study.counts and study.modality in wanted
    nuclear = study.hybrid or study.modality == "NM"
    if order.subtype in UNSETTLED:
        return nuclear if order.subtype == "Nuclear Med" else study.intervention
    return not (study.counts or nuclear or study.intervention)


def match(study: Study, orders: list[Order]) -> Order | None:
    """The live order nearest to the study, of those performed 1 h before to 72 h after it; ties go to the earlier."""
    moment = study.time
    if moment is None:
        return None
    open_ = [o for o in orders if fits(study, o) and EARLIEST <= moment - o.time <= LATEST and o.live_at(moment)]
    # A named class is a better home than a blank subtype or an order of an unsettled class.
    settled = [o for o in open_ if o.cross_sectional] if study.counts else open_
    return min(settled or open_, key=lambda o: (abs(moment - o.time), o.time), default=None)


def could_match(study: Study, orders: list[Order]) -> list[Order]:
    """For a report with a date alone: live orders of the class that could have led to a study on that date."""
    day = study.record_time
    return [
        o
        for o in orders
        if fits(study, o)
        and day + EARLIEST - LATEST <= o.time <= day + timedelta(hours=24) - EARLIEST
        and o.live_at(day)
    ]


def index_ct(
    studies: list[Study], scanned: Callable[[datetime], datetime | None]
) -> tuple[Study | None, datetime | None, str]:
    """The index CT of a post-CT audit, its T0, and why T0 cannot be set if it cannot.

    ``scanned`` gives the time of a charted scan on a date, or None: the other record that may time a date-only report.
    """
    scans = [s for s in studies if s.counts and s.modality == "CT"]
    timed = [(s.time or scanned(s.record_time), s) for s in scans]
    known = sorted(((t, s) for t, s in timed if t is not None), key=lambda item: (item[0], item[1].ref))
    first = known[0] if known else None
    for moment, study in timed:
        earliest_possible = study.record_time if moment is None else min(moment, study.record_time)
        if moment is None and (first is None or study.record_time <= first[0]):
            return (
                study,
                None,
                "its report carries a date without a usable time, and neither its body nor a charted scan gives one",
            )
        if study.conflict and (first is None or earliest_possible <= first[0]):
            return study, None, "its report record and its body disagree by more than 24 hours on when it took place"
    return (first[1], first[0], "") if first else (None, None, "no radiology report confirms a CT")
