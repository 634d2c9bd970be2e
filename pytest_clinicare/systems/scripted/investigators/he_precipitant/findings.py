"""The findings F1 to F8 of a precipitant report."""

from __future__ import annotations

from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft, number
from pytest_clinicare.systems.scripted.investigators.he_precipitant.candidates import (
    CHEST,
    Tiers,
    consolidation,
    peritoneal,
)
from pytest_clinicare.systems.scripted.investigators.he_precipitant.chart import (
    CREATININE,
    POTASSIUM,
    SODIUM,
    Chart,
)
from pytest_clinicare.systems.scripted.investigators.he_precipitant.story import Said, Story, exposure, sedative_of
from pytest_clinicare.systems.scripted.session import refs

LOCAL, HE, FLUID = "refhosp-he-precipitant-review", "aasld-easl-he-2014", "aasld-ascites-sbp-2021"
AUDIT = "refhosp-chart-audit-standard"
TITLES = {
    "F1": "Premise",
    "F2": "Ascites",
    "F3": "Ascitic-fluid cell count",
    "F4": "Other infection",
    "F5": "Gastrointestinal bleeding",
    "F6": "Electrolytes and kidney",
    "F7": "Bowels, lactulose, sedatives",
    "F8": "Precipitant and open gaps",
}


def _noted(chart: Chart) -> list[str]:
    return [n.ref for n in chart.mine] or list(chart.discharge.evidence)


def _spans(found: list[Said]) -> list[str]:
    return [ref for _, ref in found[:3]]


def premise(chart: Chart, draft: Draft, story: Story) -> None:
    """F1 and F2."""
    policy = chart.session.policy
    out = draft.finding("F1", policy(LOCAL, "2 Premise"), policy(HE, "2.3 Severity"))
    if story.cirrhosis:
        text, ref = story.cirrhosis[0]
        out.status(f'Cirrhosis: "{text}"', [ref], "cirrhosis", "present")
    else:
        out.absence("Cirrhosis is not stated in the summary or a report.", _noted(chart), "cirrhosis")
    if story.overt:
        out.status(
            f"Overt hepatic encephalopathy at presentation, admission {iso(chart.admitted)}: "
            f'"{story.encephalopathy[0][0]}"',
            _spans(story.encephalopathy), "overt hepatic encephalopathy", "present",
        )  # fmt: skip
    else:
        out.absence("Overt hepatic encephalopathy is not documented.", _noted(chart), "hepatic encephalopathy")
    if chart.diagnoses.rows:
        out.status(
            "Diagnosis codes are leads, not findings.", refs(chart.diagnoses.rows[:4]), "code", "lead",
            policy(AUDIT, "2.2 Codes"),
        )  # fmt: skip
    start, end = chart.window
    out.status(
        f"Evidence window: {iso(start)} to {iso(end)}, by collection, procedure or administration time.",
        [str(chart.admission["ref"])], "evidence window", f"{iso(start)} to {iso(end)}",
        policy(LOCAL, "3 Evidence window"),
    )  # fmt: skip
    for text, ref in story.earlier[:2]:
        out.status(
            f'Historical, of an earlier episode, without weight here: "{text}"', [ref], "earlier episode", "historical"
        )
    two = draft.finding("F2", policy(LOCAL, "6 Ascites"), policy(FLUID, "2.1 Who"))
    if story.ascites:
        two.status(f'Ascites was present: "{story.ascites[0][0]}"', _spans(story.ascites), "ascites", "present")
    else:
        seen = _spans(story.no_ascites) or [n.ref for n in chart.radiology.items] or _noted(chart)
        two.absence("Ascites that could be tapped is not documented in this admission.", seen, "ascites")


def fluid(chart: Chart, draft: Draft, story: Story, tiers: Tiers) -> None:
    """F3."""
    policy = chart.session.policy
    out = draft.finding("F3", policy(LOCAL, "4.3 Corrected PMN"), policy(FLUID, "3.4 Bloody fluid"))
    tap = tiers.tap
    if tap:
        rows = refs(list(tap.rows))
        red = f"RBC {tap.red}/uL" if tap.red is not None else "RBC not reported"
        percent = f"{tap.polys} %" if tap.polys is not None else "no differential"
        out.claim(
            "computation",
            f"Ascitic fluid of {iso(tap.time)}: {tap.cells} cells/uL, polys and bands {percent}, {red}; "
            f"raw PMN {tap.raw:.1f}, corrected PMN {tap.pmn:.1f} cells/uL.",
            rows, name="corrected PMN", value=round(float(tap.pmn), 3), unit="cells/uL", time=iso(tap.time),
        )  # fmt: skip
        out.status(f"Diagnostic paracentesis was done: fluid collected {iso(tap.time)}.", rows, "paracentesis", "done")
        state = "met" if tap.pmn >= 250 else "tested and negative"
        out.status(f"SBP is {state} by the count.", rows, "SBP", state, policy(FLUID, "3.1 Cell count"))
    else:
        rows = refs([r for r in chart.orders.rows if str(r.get("order_type")) == "Radiology"])
        looked = [f"call:{chart.labs.call}", *(rows[:6] if story.ascites else ())]
        out.absence(
            "No ascitic-fluid cell count was collected inside the window.", looked, "cell count",
            policy(FLUID, "2.4 What does not count"),
        )  # fmt: skip
        out.absence("Paracentesis: not done with a result; an order or an attempt is no count.", looked, "paracentesis")
        if story.ascites:
            out.status(
                "SBP is neither confirmed nor ruled in or out: untested.", _spans(story.ascites), "SBP", "never tested"
            )
        else:
            seen = _spans(story.no_ascites) or looked
            out.status("SBP: without ascites there is no fluid to test.", seen, "SBP", "not indicated")
    for culture in (c for c in chart.cultures if peritoneal(c)):
        grown = ", ".join(i.organism for i in culture.isolates) or "no growth"
        out.claim(
            "measurement",
            f"Fluid culture of {iso(culture.collected)}: {grown}.",
            refs(list(culture.rows)),
            policy(FLUID, "3.3 Culture"),
            name="fluid culture",
            value=grown,
            time=iso(culture.collected),
        )


def infection(chart: Chart, draft: Draft, tiers: Tiers) -> None:
    """F4."""
    policy = chart.session.policy
    out = draft.finding("F4", policy(LOCAL, "4 Tier 1"))
    found = [c for c in chart.cultures if c.blood or c.urine]
    for culture in found:
        grown = (
            ", ".join(i.organism for i in culture.isolates) or "; ".join(culture.comments)[:60].strip() or "no growth"
        )
        kind = "Blood" if culture.blood else "Urine"
        out.claim(
            "measurement", f"{kind} culture of {iso(culture.collected)}: {grown}.", refs(list(culture.rows)),
            name=f"{kind.lower()} culture", value=grown, time=iso(culture.collected),
        )  # fmt: skip
    if not found:
        out.absence("No blood or urine culture was collected inside the window: never tested.",
                    chart.microbiology.evidence, "blood or urine culture")  # fmt: skip
    films = chart.reports_inside(*CHEST)
    for note in films:
        said = consolidation(note)
        told = f'names "{said}"' if said else "names no consolidation or pneumonia"
        out.status(
            f"Chest imaging of {note.charttime} {told}.",
            [note.ref],
            "chest imaging",
            "positive" if said else "negative",
        )
    if not films:
        looked = [n.ref for n in chart.radiology.items] or chart.radiology.evidence
        out.absence("No chest imaging inside the window: never tested.", looked, "chest imaging")
    doses = chart.antibiotics
    if doses:
        out.claim("medication", f"{number(len(doses), 'antibiotic dose')} given inside the window, the first "
                  f"{doses[0].agent}.", [d.ref for d in doses[:6]], name="antibiotic", value="given")  # fmt: skip
    else:
        out.absence(
            "No antibiotic dose inside the window.", refs(chart.given.rows[:6]) or chart.given.evidence, "antibiotic"
        )


def bleeding(chart: Chart, draft: Draft, story: Story, tiers: Tiers) -> None:
    """F5."""
    policy = chart.session.policy
    out = draft.finding("F5", policy(LOCAL, "4 Tier 1"))
    if story.bleeding:
        out.status(f'Overt bleeding: "{story.bleeding[0][0]}"', _spans(story.bleeding), "overt bleeding", "present")
    else:
        out.absence("No overt gastrointestinal bleeding is stated for this episode.", _noted(chart), "overt bleeding")
    if tiers.lowest:
        base = tiers.hemoglobin
        out.measurement(f"Lowest hemoglobin {tiers.lowest.value} g/dL at {iso(tiers.lowest.time)}.", tiers.lowest,
                        "lowest hemoglobin", "g/dL")  # fmt: skip
        if base:
            fall = base.value - tiers.lowest.value
            out.claim("computation", f"Baseline {base.value} g/dL of {iso(base.time)}: a fall of {fall} g/dL.",
                      [base.ref, tiers.lowest.ref], policy(LOCAL, "3 Evidence window"), name="hemoglobin fall",
                      value=float(fall), unit="g/dL")  # fmt: skip
    scopes = [
        r for r in chart.procedures.rows if str(r.get("icd_code") or "").startswith(("06L3", "0DJ", "4233", "451"))
    ]
    if scopes or story.source:
        out.status("Endoscopy was done; source of bleeding as the summary tells.",
                   [*refs(scopes), *_spans(story.source)], "endoscopy", "done")  # fmt: skip
    else:
        looked = refs(chart.procedures.rows) or chart.procedures.evidence
        out.absence("No endoscopy is on record.", looked, "endoscopy")


def chemistry(chart: Chart, draft: Draft, tiers: Tiers) -> None:
    """F6."""
    policy = chart.session.policy
    out = draft.finding("F6", policy(LOCAL, "4 Tier 1"), policy(LOCAL, "3 Evidence window"))
    for name, item, unit, worst in (
        ("sodium", SODIUM, "mmol/L", min),
        ("potassium", POTASSIUM, "mmol/L", min),
        ("creatinine", CREATININE, "mg/dL", max),
    ):
        values = chart.within(item)
        if not values:
            out.absence(f"No {name} inside the window.", [f"call:{chart.labs.call}"], name)
            continue
        value = worst(values, key=lambda v: v.value)
        what = "highest" if worst is max else "lowest"
        out.measurement(
            f"{what.capitalize()} {name} {value.value} {unit} at {iso(value.time)} of {len(values)} inside the window.",
            value,
            f"{what} {name}",
            unit,
        )
    base = tiers.creatinine
    if base:
        out.measurement(
            f"Creatinine baseline {base.value} mg/dL of {iso(base.time)}.", base, "creatinine baseline", "mg/dL"
        )
    else:
        out.absence("No creatinine from 365 to 7 days before admission: the renal criterion is not met.",
                    [f"call:{chart.labs.call}"], "creatinine baseline")  # fmt: skip


def soft(chart: Chart, draft: Draft, story: Story) -> None:
    """F7."""
    policy = chart.session.policy
    out = draft.finding("F7", policy(LOCAL, "5 Tier 2"), policy(HE, "4.3 Remarks"))
    for name in ("constipation", "missed lactulose", "sedative"):
        said, against = story.soft.get(name), story.against.get(name)
        if said:
            cited = [*_spans(said), *(exposure(chart, sedative_of(story)) if name == "sedative" else ())]
            state = "contradicted" if against else "affirmed"
            out.status(f'Summary on {name}: "{said[0][0]}" ({state}).', [*cited, *_spans(against or [])], name, state)
        else:
            out.absence(f"The summary affirms no {name} for this episode.", _noted(chart), name)
    home = [r for r in chart.home.rows if "lactulose" in str(r.get("name") or "").lower()]
    given = [r for r in chart.given.rows if "lactulose" in str(r.get("drug") or "").lower()]
    if home or given:
        out.claim("medication", "Lactulose is on the home list or was given here: a list is no adherence statement.",
                  refs([*home, *given[:3]]), name="lactulose")  # fmt: skip


def result(chart: Chart, draft: Draft, story: Story, tiers: Tiers) -> None:
    """F8: what was found, and each indicated test that is missing."""
    policy = chart.session.policy
    out = draft.finding("F8", policy(LOCAL, "9 Order"), policy(LOCAL, "10 Reporting"), policy(HE, "4.1 Principle"))
    for met in tiers.met:
        out.claim("attribution", f"Tier 1, associated with the episode: {met.name}, {met.why}.", met.evidence,
                  name=f"precipitant {met.name}", value="found")  # fmt: skip
    for name in story.affirmed:
        out.claim("attribution", f"Tier 2, associated with the episode: {name}.", _spans(story.soft[name]),
                  name=f"tier 2 {name}", value="documented")  # fmt: skip
    if story.second:
        out.status(f'A second cause of the altered mental state: "{story.second[0][0]}"',
                   [*_spans(story.second), *_spans(story.inseparable)], "competing cause",
                   "inseparable" if story.inseparable else "documented", policy(LOCAL, "8 Ambiguity"))  # fmt: skip
    if tiers.bacterascites:
        out.status(
            "Bacterascites: a pathogen in the fluid with a corrected PMN below 250 cells/uL.",
            refs(list(tiers.bacterascites.rows)),
            "bacterascites",
            "present",
            policy(FLUID, "3.5 Bacterascites"),
        )
    if not tiers.met:
        looked = [str(r["ref"]) for r in chart.labs.rows[:8]] or [f"call:{chart.labs.call}"]
        out.absence("No Tier 1 candidate is met inside the window.", looked, "tier 1")
    gaps = list(tiers.missing)
    if story.ascites and tiers.tap is None:
        gaps.insert(0, "ascitic-fluid cell count (diagnostic paracentesis)")
    for gap in gaps:
        out.absence(f"Open gap, escalated: {gap} was indicated and is not on record inside the window.",
                    [f"call:{chart.labs.call}", *_spans(story.ascites)], f"open gap {gap}",
                    policy(LOCAL, "7 Core work-up"))  # fmt: skip
    if not gaps:
        out.status("No indicated test is missing: no open gap.", [str(chart.admission["ref"])], "open gap", "none",
                   policy(LOCAL, "7 Core work-up"))  # fmt: skip
