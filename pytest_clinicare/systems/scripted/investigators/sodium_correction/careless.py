"""Four slips of an auditor who knows RH-NEPH-07."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.values import Value, valid_values
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.sodium_correction.chart import (
    HOUR,
    SODIUM,
    WHOLE_BLOOD,
    largest,
    pairs,
)
from pytest_clinicare.systems.scripted.investigators.sodium_correction.investigation import Reading, investigate


@investigate.slip
def after_a_day(reading: Reading, draft: Draft) -> None:
    """Compares the index with the value nearest to 24 h later, when a re-lowered sodium looks well."""
    if reading.chart.index is None:
        return
    index = reading.chart.index
    later = [v for v in reading.chart.values[1:] if v.time <= index.time + 30 * HOUR]
    near = min(later, key=lambda v: abs(v.time - index.time - 24 * HOUR), default=None)
    if near is None:
        return
    draft.findings["F3"], draft.findings["F4"] = [], []
    rise = near.value - index.value
    draft.add(
        "F3", "computation", f"Rise from {index.value} to {near.value} after a day.", name="rise24", value=float(rise),
        unit="mmol/L", evidence=[index.ref, near.ref],
    )  # fmt: skip
    if draft.verdict is Verdict.YES and rise <= reading.limit:
        draft.conclude(Verdict.NO, "After a day sodium was within the limit again.")


@investigate.slip
def any_sodium(reading: Reading, draft: Draft) -> None:
    """Puts whole-blood and void values among the serum values, and blames the treatment."""
    if reading.chart.index is None:
        return
    rows = [{**r, "comments": None} for r in reading.chart.labs.rows]
    mixed: list[Value] = []
    for item in (SODIUM, *WHOLE_BLOOD):
        mixed += valid_values(rows, item, "meq/l", high=300)
    start, end = reading.chart.index.time, reading.chart.end
    pair = largest(list(pairs(sorted((v for v in mixed if start <= v.time <= end), key=lambda v: v.time), 24)))
    if pair is None:
        return
    draft.findings["F2"], draft.findings["F3"] = [], []
    draft.add(
        "F3", "computation", f"Largest rise: {pair.told}.", name="rise24", value=float(pair.rise), unit="mmol/L",
        evidence=pair.refs,
    )  # fmt: skip
    draft.add(
        "F9", "attribution", "The rise was caused by treatment that was too aggressive.", name="cause",
        value="treatment", evidence=pair.refs,
    )  # fmt: skip
    if pair.rise > 10 and draft.verdict is Verdict.NO:
        draft.conclude(Verdict.YES, f"Largest rise: {pair.told}.")


@investigate.slip
def reaching_is_passing(reading: Reading, draft: Draft) -> None:
    """Counts a rise of exactly the limit as passed."""
    if reading.rise24 is None:
        return
    draft.add(
        "F5", "comparison", f"The limit is {reading.limit} or more mmol/L in 24 h.", name="limit", value=reading.limit,
        evidence=reading.rise24.refs,
    )  # fmt: skip
    if draft.verdict is Verdict.NO and reading.rise24.rise >= reading.limit:
        draft.conclude(Verdict.YES, f"The limit of {reading.limit} is reached.")


@investigate.slip
def any_mention(reading: Reading, draft: Draft) -> None:
    """Takes every mention of alcohol for a risk factor and looks neither at glucose nor at onset nor at gaps."""
    if reading.rise24 is None:
        return
    for finding in ("F6", "F7", "F8"):
        draft.findings[finding] = []
    told = next((n for n in reading.chart.mine if "alcohol" in n.text.lower() or "vodka" in n.text.lower()), None)
    if told:
        draft.add(
            "F5", "status", "Alcohol is mentioned.", name="alcohol use disorder", value="present", evidence=[told.ref]
        )
    if reading.rise24.rise > (8 if told else 10):
        draft.conclude(Verdict.YES, f"Rise24: {reading.rise24.told}.")
    elif draft.verdict in (Verdict.LACK, Verdict.AMBIGUOUS):
        draft.conclude(Verdict.NO, "No limit is passed.")


MISTAKES = (after_a_day, any_sodium, reaching_is_passing, any_mention)
