"""What CC-005 counts: qualifying admissions, episodes, periods of 365 x 24 h, and stays elsewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.clinical.notes import sentences
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.investigators.frequent_admitter.reasons import Reason, family, reason_of
from pytest_clinicare.systems.scripted.session import Found, Note, Notes, Row, Session

PERIOD = timedelta(hours=365 * 24)
MERGED = timedelta(hours=24)
ENOUGH = 4
_QUALIFYING = frozenset({"EW EMER.", "DIRECT EMER.", "URGENT", "OBSERVATION ADMIT"})
_TREATMENT = frozenset({"Z510", "Z5111", "Z5112", "V580", "V5811", "V5812"})
_ELSEWHERE = re.compile(r"outside hospital|\bOSH\b|another hospital", re.IGNORECASE)
_STAY = re.compile(r"hospitali[sz]\w+|\badmi(?:tted|ssion)\b|inpatient", re.IGNORECASE)
_HARMLESS = re.compile(
    r"transfer\w*|planned|scheduled|elective|clinic|home\b|without a stay|years? (?:back|ago)|observation",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"(\d+) (day|week)s? before this admission", re.IGNORECASE)
_UNPLANNED = re.compile(r"emergency|unplanned|urgent", re.IGNORECASE)


@dataclass(frozen=True)
class Stay:
    """A row of admissions; ``why_not`` says why it does not count, empty where it counts."""

    row: Row
    admit: datetime
    disch: datetime
    why_not: str
    first: Row | None

    @property
    def ref(self) -> str:
        return str(self.row["ref"])

    @property
    def hadm_id(self) -> int:
        return int(self.row["hadm_id"])


@dataclass(frozen=True)
class Episode:
    """Qualifying admissions 24 h or less apart; it begins with the first and has its reason."""

    stays: tuple[Stay, ...]
    begin: datetime
    reason: Reason


@dataclass(frozen=True)
class Mention:
    """A stay elsewhere: ``earliest`` and ``latest`` bound when it began; ``counted`` if date and class are given."""

    told: str
    evidence: str
    earliest: datetime
    latest: datetime
    counted: bool


@dataclass
class Chart:
    session: Session
    patient: Found
    admissions: Found
    diagnoses: Found
    ed_stays: Found
    discharge: Notes
    search: Found
    stays: list[Stay] = field(default_factory=list)
    episodes: list[Episode] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)

    def notes_of(self, hadm_id: int) -> list[Note]:
        return [n for n in self.discharge.items if n.hadm_id == hadm_id]

    def codes_of(self, hadm_id: int) -> list[Row]:
        return [r for r in self.diagnoses.of("diagnoses_icd") if r.get("hadm_id") == hadm_id]


def gather(session: Session) -> Chart:
    chart = Chart(
        session,
        session.query("get_patient"),
        session.query("list_admissions"),
        session.query("get_diagnoses"),
        session.query("list_ed_stays"),
        session.notes("discharge"),
        session.query("search_notes", query='"outside hospital" OR OSH OR "another hospital"', kind="discharge"),
    )
    chart.stays = sorted(_stays(chart), key=lambda s: (s.admit, s.disch))
    chart.episodes = _episodes(chart)
    chart.mentions = _mentions(chart)
    return chart


def _stays(chart: Chart) -> list[Stay]:
    out = []
    for row in chart.admissions.rows:
        admit = parse_time(row.get("admittime"))
        if admit is None:
            continue
        kind = str(row.get("admission_type") or "").strip().upper()
        codes = chart.codes_of(int(row["hadm_id"]))
        first = next((r for r in codes if int(r.get("seq_num") or 0) == 1), None)
        why = ""
        if kind not in _QUALIFYING:
            why = "observation, not admitted" if "OBSERVATION" in kind else "planned type"
        elif first is not None and code_of(first) in _TREATMENT:
            why = f"first-listed {code_of(first)}: planned treatment, any type"
        out.append(Stay(row, admit, parse_time(row.get("dischtime")) or admit, why, first))
    return out


def _episodes(chart: Chart) -> list[Episode]:
    groups: list[list[Stay]] = []
    until: datetime | None = None
    for stay in (s for s in chart.stays if not s.why_not):
        if until is not None and stay.admit - until <= MERGED:
            groups[-1].append(stay)
            until = max(until, stay.disch)
        else:
            groups.append([stay])
            until = stay.disch
    return [Episode(tuple(group), group[0].admit, _reason(chart, group[0])) for group in groups]


def _reason(chart: Chart, stay: Stay) -> Reason:
    return reason_of(chart.notes_of(stay.hadm_id), chart.codes_of(stay.hadm_id), stay.row)


def _mentions(chart: Chart) -> list[Mention]:
    """Unplanned or unclear stays elsewhere told by a summary; what is planned, a visit or long ago is none."""
    out = []
    for note in chart.discharge.items:
        stay = next((s for s in chart.stays if s.hadm_id == note.hadm_id), None)
        if stay is None:
            continue
        for sentence in sentences(note.text):
            text = sentence.text
            if not _ELSEWHERE.search(text) or not _STAY.search(text) or _HARMLESS.search(text):
                continue
            span = note.span(sentence.start, sentence.end)
            dated = _BEFORE.search(text)
            if dated:
                days = int(dated.group(1)) * (7 if dated.group(2).lower() == "week" else 1)
                at = stay.admit - timedelta(days=days)
                out.append(Mention(text, span, at, at, bool(_UNPLANNED.search(text))))
                continue
            before = [s.disch for s in chart.stays if s.disch <= stay.admit]
            since = max(before) if before and "since the last discharge" in text.lower() else stay.admit - PERIOD
            out.append(Mention(text, span, since, stay.admit, False))
    return out


def outside_episode(mention: Mention) -> Episode:
    """A stay elsewhere whose date and class are told, as an episode of its own."""
    told = mention.told.rpartition(" for ")[2]
    known = " for " in mention.told
    status = "placed" if known else "unknown"
    reason = Reason(status, mention.told, (family(told),) if known else (), (mention.evidence,), "text")
    return Episode((), mention.earliest, reason)


def periods(episodes: list[Episode]) -> list[list[Episode]]:
    """Of each episode, those that begin within 365 x 24 h of it, the end included."""
    return [[e for e in episodes if first.begin <= e.begin <= first.begin + PERIOD] for first in episodes]


def largest(episodes: list[Episode]) -> list[Episode]:
    """The period with the most episodes, of equals the latest; empty without episodes."""
    found: list[Episode] = []
    for period in periods(episodes):
        if len(period) >= len(found):
            found = period
    return found


def may_reach_four(episodes: list[Episode], mention: Mention) -> bool:
    """Whether a stay at some time that the mention allows would make four in one period."""
    inside = [e.begin for e in episodes if mention.earliest <= e.begin <= mention.latest]
    for moment in (mention.earliest, *inside, mention.latest):
        begins = sorted([*(e.begin for e in episodes), moment])
        if any(last - first <= PERIOD for first, last in zip(begins, begins[ENOUGH - 1 :], strict=False)):
            return True
    return False
