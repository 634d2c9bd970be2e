"""Four slips of an auditor who knows GI-07."""

from __future__ import annotations

from pytest_clinicare.systems.scripted.clinical.cultures import cultures
from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.he_precipitant.candidates import Met
from pytest_clinicare.systems.scripted.investigators.he_precipitant.investigation import Reading, decide, investigate
from pytest_clinicare.systems.scripted.session import refs


@investigate.slip
def red_cells_forgotten(reading: Reading, draft: Draft) -> None:
    """Takes the raw PMN, and says nothing of what is missing."""
    draft.findings["F8"] = [c for c in draft.findings["F8"] if "gap" not in (c.name or "")]
    tap = reading.tiers.tap
    if tap and tap.red and tap.red > 10000:
        draft.findings["F3"] = []
        rows = refs(list(tap.rows))
        draft.add(
            "F3", "computation", f"PMN {tap.raw:.1f} cells/uL.", name="PMN", value=float(tap.raw), unit="cells/uL",
            evidence=rows,
        )  # fmt: skip
        if tap.raw >= 250 and not reading.tiers.met:
            reading.tiers.met.append(Met("SBP", f"PMN {tap.raw:.0f}", rows))
            decide(reading, draft)


@investigate.slip
def order_is_a_tap(reading: Reading, draft: Draft) -> None:
    """Takes an order, or a summary without fever, for a tap that excluded peritonitis."""
    chart, story = reading.chart, reading.story
    if story.ascites and reading.tiers.tap is None:
        orders = [r for r in chart.orders.rows if r.get("order_subtype") == "Ultrasound"]
        draft.findings["F3"] = []
        draft.add(
            "F3", "status", "Paracentesis was done.", name="paracentesis", value="done", evidence=refs(orders)
        )  # fmt: skip
        draft.add(
            "F3", "status", "SBP was excluded.", name="SBP", value="excluded", evidence=[n.ref for n in chart.mine]
        )  # fmt: skip
        story.ascites.clear()
        decide(reading, draft)


@investigate.slip
def any_time(reading: Reading, draft: Draft) -> None:
    """Lets a culture of any day of the stay count, and states no window."""
    draft.findings["F1"] = [c for c in draft.findings["F1"] if "window" not in (c.name or "")]
    session = reading.chart.session
    rows = session.query("get_microbiology", hadm_id=session.brief.hadm_id).rows
    later = [c for c in cultures(rows) if not reading.chart.inside(c.collected) and c.isolates]
    if later and not reading.tiers.met:
        found = Met("urinary infection", "a culture of the stay grew", refs(list(later[0].rows)))
        reading.tiers.met.append(found)
        draft.add(
            "F8", "attribution", "A culture of the stay grew.", name="precipitant urinary infection", value="found",
            evidence=found.evidence,
        )  # fmt: skip
        decide(reading, draft)


@investigate.slip
def coded(reading: Reading, draft: Draft) -> None:
    """Takes a code of peritonitis, of any stay, and does not say where the encephalopathy stands."""
    draft.findings["F1"] = [c for c in draft.findings["F1"] if "encephalopathy" not in (c.name or "")]
    rows = [r for r in reading.chart.session.query("get_diagnoses").rows if code_of(r) == "K652"]
    if rows and not reading.tiers.met:
        draft.add(
            "F8", "attribution", "Peritonitis is coded.", name="precipitant SBP", value="found", evidence=refs(rows)
        )  # fmt: skip
        reading.tiers.met.append(Met("SBP", "coded", refs(rows)))
        decide(reading, draft)


MISTAKES = (red_cells_forgotten, order_is_a_tap, any_time, coded)
