"""Four slips of an auditor who knows CC-07."""

from __future__ import annotations

import re

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.clinical.notes import sentences
from pytest_clinicare.systems.scripted.clinical.ventilator import middle
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.ards_lung_protective.chart import WEIGHTS
from pytest_clinicare.systems.scripted.investigators.ards_lung_protective.investigation import Reading, investigate
from pytest_clinicare.systems.scripted.session import refs

_CLAIM = re.compile(r"protective|low tidal volume|ARDSNet|small breaths|to protect the lungs", re.IGNORECASE)


@investigate.slip
def measured_weight(reading: Reading, draft: Draft) -> None:
    """Divides by the weight that was charted."""
    median = middle(reading.volumes)
    if median is None:
        return
    row = next((r for r in reading.chart.body.rows if r.get("itemid") in WEIGHTS), None)
    if row is not None:
        per = float(median) / float(row["valuenum"])
        draft.add(
            "F7", "computation", f"{median:g} mL / {row['value']} kg = {per:.1f} mL/kg.", name="mL/kg",
            value=round(per, 2), unit="mL/kg", evidence=[*(v.ref for v in reading.volumes), str(row["ref"])],
        )  # fmt: skip
        draft.conclude(Verdict.YES if per <= 8 else Verdict.NO, f"The median volume is {per:.1f} mL/kg.")


@investigate.slip
def believes_the_note(reading: Reading, draft: Draft) -> None:
    """Takes a sentence on protective ventilation for the ventilator's values."""
    for note in reading.chart.mine:
        for sentence in sentences(note.text):
            if _CLAIM.search(sentence.text):
                draft.findings = {"F7": []}
                draft.add(
                    "F7", "status", "Ventilation was protective, as the summary says.", name="protective ventilation",
                    value="yes", evidence=[note.span(sentence.start, sentence.end)],
                )  # fmt: skip
                draft.conclude(Verdict.YES, "The summary documents a protective strategy.")
                return


@investigate.slip
def any_gas(reading: Reading, draft: Draft) -> None:
    """Takes the first gas for arterial and its percent of oxygen for a fraction."""
    gas = next((g for g in reading.chart.gases if not g.arterial), None) or next(iter(reading.chart.gases), None)
    if gas is not None:
        ratio = float(gas.po2) / 50
        draft.add(
            "F2", "computation", f"P/F {ratio:.1f} from pO2 {gas.po2} and oxygen 50.", name="P/F",
            value=round(ratio, 1), unit="mmHg", evidence=refs(list(gas.rows)),
        )  # fmt: skip


@investigate.slip
def codes_decide(reading: Reading, draft: Draft) -> None:
    """No code, no syndrome; and a code is the syndrome. Reads the first tidal volume alone."""
    rows = reading.chart.diagnoses.rows
    codes = [r for r in rows if code_of(r).startswith("J80")]
    draft.findings = {}
    draft.add(
        "F2", "status", f"ARDS is {'coded' if codes else 'not coded'}.", name="ARDS",
        value="present" if codes else "absent", evidence=refs(codes or rows[:4]),
    )  # fmt: skip
    draft.conclude(Verdict.NO if codes else Verdict.LACK, "As coded.")


MISTAKES = (measured_weight, believes_the_note, any_gas, codes_decide)
