"""Count and relatedness, decided in the order of CC-005 sections 3 to 5."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigation import Investigation
from pytest_clinicare.systems.scripted.investigators.frequent_admitter import findings
from pytest_clinicare.systems.scripted.investigators.frequent_admitter.chart import (
    ENOUGH,
    Chart,
    Episode,
    Mention,
    gather,
    largest,
    may_reach_four,
    outside_episode,
)


@dataclass
class Reading:
    """``period`` is the reviewed period, or the fullest where the count is not met; ``unclear`` a stay elsewhere that
    could make the fourth. ``placed`` and ``open`` count episodes by family.
    """

    chart: Chart
    episodes: list[Episode]
    period: list[Episode]
    unclear: Mention | None = None
    placed: Counter[str] = field(default_factory=Counter)
    open: Counter[str] = field(default_factory=Counter)
    unknown: int = 0

    @property
    def met(self) -> bool:
        return len(self.period) >= ENOUGH

    @property
    def families(self) -> list[str]:
        return sorted({*self.placed, *self.open}, key=lambda name: (-self.placed[name], -self.open[name], name))

    def suffices(self, number: int) -> bool:
        return number >= 3 and number >= Fraction(len(self.period), 2)


def look(chart: Chart) -> Reading:
    outside = [outside_episode(m) for m in chart.mentions if m.counted]
    episodes = sorted([*chart.episodes, *outside], key=lambda e: e.begin)
    reading = Reading(chart, episodes, largest(episodes))
    if len(reading.period) == ENOUGH - 1:
        doubtful = (m for m in chart.mentions if not m.counted)
        reading.unclear = next((m for m in doubtful if may_reach_four(episodes, m)), None)
    for episode in reading.period:
        if episode.reason.status == "placed":
            reading.placed[episode.reason.families[0]] += 1
        elif episode.reason.status == "open":
            reading.open.update(episode.reason.families)
        else:
            reading.unknown += 1
    return reading


def decide(reading: Reading, draft: Draft) -> None:
    """The first step that fits."""
    count, half = len(reading.period), f"half of {len(reading.period)}"
    if not reading.met:
        if reading.unclear:
            draft.reopens = "Date and class of the stay elsewhere."
            return draft.conclude(
                Verdict.LACK,
                "The count is 3, and a summary tells of a stay elsewhere, date or class unknown, that may be a fourth.",
                Verdict.YES,
            )
        return draft.conclude(Verdict.NO, f"No period of 365 x 24 h holds 4 qualifying episodes; the most is {count}.")
    families, unknown = reading.families, reading.unknown
    for name in families:
        if reading.suffices(reading.placed[name]):
            return draft.conclude(
                Verdict.YES, f"{count} episodes in the period, {reading.placed[name]} of them {name}: 3 and {half}."
            )
    lacking = [name for name in families if unknown and reading.suffices(reading.placed[name] + unknown)]
    if lacking or (not families and reading.suffices(unknown)):
        draft.reopens = "The summaries or first-listed codes of the episodes of unknown reason."
        return draft.conclude(
            Verdict.LACK, f"{unknown} episodes of unknown reason could complete the rule of three and half.", Verdict.NO
        )
    for name in families:
        if reading.open[name] and reading.suffices(reading.placed[name] + reading.open[name]):
            return draft.conclude(
                Verdict.AMBIGUOUS,
                f"{name} has {reading.placed[name]} placed episodes and would suffice with {reading.open[name]} that "
                "its own summary leaves open.",
                Verdict.YES,
            )
    if any(unknown and reading.suffices(reading.placed[n] + reading.open[n] + unknown) for n in families):
        draft.reopens = "The summaries or first-listed codes of the episodes of unknown reason."
        return draft.conclude(Verdict.LACK, "Open and unknown reasons together could complete the rule.", Verdict.NO)
    return draft.conclude(Verdict.NO, f"The count is met ({count}), and no family has 3 episodes and {half}.")


def write(reading: Reading, draft: Draft) -> None:
    """All findings."""
    chart = reading.chart
    findings.admissions(chart, draft)
    findings.episodes(chart, reading.episodes, draft)
    findings.count(chart, reading.episodes, reading.period, draft)
    findings.reviewed(chart, reading.period, draft)
    findings.reasons(chart, reading.period, draft)
    totals = [(name, reading.placed[name], reading.open[name]) for name in reading.families]
    findings.relatedness(chart, reading.period, totals, reading.unknown, draft)
    findings.elsewhere(chart, draft)
    findings.not_counted(chart, reading.period, draft)


investigate = Investigation(findings.TITLES, gather, look, decide, write)
