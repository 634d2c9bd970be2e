"""Baseline by component (CC-SEP-02 section 4), contested points and excluded infection (section 5)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.clinical.notes import asserted, sentences
from pytest_clinicare.systems.scripted.clinical.sofa import (
    CARDIOVASCULAR,
    CNS,
    COAGULATION,
    COMPONENTS,
    LIVER,
    RENAL,
    RESPIRATION,
    of_laboratory,
)
from pytest_clinicare.systems.scripted.clinical.values import Value
from pytest_clinicare.systems.scripted.investigators.sepsis3_sofa.chart import Chart
from pytest_clinicare.systems.scripted.investigators.sepsis3_sofa.suspicion import Course

# Condition: components, how a summary names it, codes.
_CHRONIC: tuple[tuple[str, tuple[str, ...], str, str], ...] = (
    (
        "chronic dialysis",
        (RENAL,),
        r"\bESRD\b|end[- ]stage (?:renal|kidney) disease|on (?:chronic )?(?:hemo|peritoneal )dialysis",
        r"N186|Z992|5856|V4511",
    ),
    (
        "chronic kidney disease",
        (RENAL,),
        r"(?:chronic kidney disease|\bCKD)[^.\n]{0,20}(?:3b|4|5|IV|V)\b",
        r"N1832|N184|N185|585[45]",
    ),
    ("cirrhosis", (LIVER, COAGULATION), r"\bcirrhosis\b", r"K74[346]|K7030|K7031|571[256]"),
    ("hematologic malignancy or chronic thrombocytopenia", (COAGULATION,),
     r"leukemia|lymphoma|myelodysplas|myeloma|chronic thrombocytopenia", r"C8[1-9]|C9[0-6]|D46"),
    ("home oxygen", (RESPIRATION,), r"home (?:oxygen|O2|ventilat)", r"Z9981|V462"),
    ("dementia", (CNS,), r"\bdementia\b", r"F0[123]|G30"),
)  # fmt: skip
# Component: the cause, and what of the organ its sentence must name.
_CONTESTED: dict[str, tuple[str, str]] = {
    CARDIOVASCULAR: (r"(?:cardiogenic|ha?emorrhagic|obstructive|neurogenic) shock|vasoplegia", ""),
    RESPIRATION: (
        r"cardiogenic (?:pulmonary )?edema|pulmonary embol\w+|"
        r"intubated (?:only )?for (?:airway protection|\w*scopy|surgery|the (?:operation|procedure))",
        "",
    ),
    CNS: (r"stroke|hemorrhage|trauma|seizure|overdose", r"GCS|coma|unresponsive|mental status|stupor"),
    COAGULATION: (r"heparin[- ]induced|\bHIT\b|chemotherapy|massive transfusion", r"platelet|thrombocytopeni"),
    LIVER: (r"(?:ischemic|toxic) hepatitis|shock liver", ""),
    RENAL: (r"obstruct\w+|rhabdomyolysis|tumor lysis", r"kidney|renal|creatinine"),
}
_EXCLUDED = re.compile(r"infection (?:was|has been|is) (?:ruled out|excluded)|no infection was found", re.IGNORECASE)
_INSTEAD = re.compile(r"(?:due to|explained by|attributed to|diagnosis of|consistent with)\s+\w+", re.IGNORECASE)
_SKIP = frozenset({"family history", "social history", "allergies", "discharge instructions"})
YEAR, WEEK, STOPPED = timedelta(days=365), timedelta(days=7), timedelta(hours=72)


@dataclass(frozen=True)
class Baseline:
    """``points`` is None where a chronic condition is documented without an earlier value."""

    component: str
    points: int | None
    told: str
    refs: tuple[str, ...]


def baselines(chart: Chart) -> dict[str, Baseline]:
    """Zero unless chronic dysfunction of the organ is documented."""
    found = {name: Baseline(name, 0, "no chronic condition", ()) for name in COMPONENTS}
    for condition, components, named, coded in _CHRONIC:
        spans, codes = _documented(chart, named, coded)
        for component in components:
            if found[component].told.startswith("chronic dialysis"):
                continue
            # A code is a lead, which the summary or an earlier value confirms.
            if spans or (codes and _earlier(chart, component)):
                found[component] = _of(chart, condition, component, (*spans, *codes))
    return found


def _documented(chart: Chart, named: str, coded: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Where the summary names the condition, and its codes."""
    pattern = re.compile(named, re.IGNORECASE)
    spans = [
        note.span(s.start, s.end)
        for note in chart.mine
        for s in sentences(note.text, _SKIP)
        if asserted(pattern, s.text)
    ]
    codes = [str(r["ref"]) for r in chart.diagnoses.rows if re.match(coded, code_of(r))]
    return tuple(spans[:2]), tuple(codes[:2])


def _earlier(chart: Chart, component: str) -> list[Value]:
    """Values 365 to 7 days before the admission."""
    if component not in (COAGULATION, LIVER, RENAL):
        return []
    return [v for v in chart.values(component) if chart.admitted - YEAR <= v.time <= chart.admitted - WEEK]


def _of(chart: Chart, condition: str, component: str, refs: tuple[str, ...]) -> Baseline:
    if condition == "chronic dialysis":
        return Baseline(component, 4, "chronic dialysis", refs)
    earlier = _earlier(chart, component)
    if not earlier:
        return Baseline(component, None, f"{condition} without a value 365 to 7 days before admission", refs)
    last = of_laboratory(earlier[-1:], component)[0]
    return Baseline(component, last.points, f"{condition}; {last.told} at {last.start}", (*last.refs, *refs))


def contested(chart: Chart) -> dict[str, tuple[str, str]]:
    """Components whose points the summary attributes to a cause of the list: the passage and its span."""
    found: dict[str, tuple[str, str]] = {}
    for component, (cause, organ) in _CONTESTED.items():
        pattern = re.compile(cause, re.IGNORECASE)
        for note in chart.mine:
            for sentence in sentences(note.text, _SKIP):
                if sentence.section not in ("brief hospital course", "hospital course"):
                    continue
                if component in found or not re.search(organ, sentence.text, re.IGNORECASE):
                    continue
                if asserted(pattern, sentence.text, history=False):
                    found[component] = (sentence.text, note.span(sentence.start, sentence.end))
    return found


def excluded(chart: Chart, courses: Sequence[Course]) -> tuple[str, str] | None:
    """Infection stated as excluded, another diagnosis named, and antibiotics stopped within 72 h of the first dose."""
    if not courses or max(c.last for c in courses) - min(c.first for c in courses) > STOPPED:
        return None
    for note in chart.mine:
        found = sentences(note.text, _SKIP)
        for number, sentence in enumerate(found):
            if not _EXCLUDED.search(sentence.text):
                continue
            following = found[number + 1].text if number + 1 < len(found) else ""
            if _INSTEAD.search(sentence.text) or _INSTEAD.search(following):
                return sentence.text, note.span(sentence.start, sentence.end)
    return None
