"""C1 to C4: disposition, pending results, medications, procedures (HIM-007 4.1 to 4.4)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pytest_clinicare.systems.scripted.clinical.administration import is_given
from pytest_clinicare.systems.scripted.clinical.antibiotics import agent_of
from pytest_clinicare.systems.scripted.clinical.cultures import Culture, cultures
from pytest_clinicare.systems.scripted.clinical.drugs import class_of, ingredients
from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.clinical.notes import Sentence, sentences
from pytest_clinicare.systems.scripted.clinical.radiology import own_body, title_of
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.investigators.discharge_audit.chart import LAST_DAY, Chart
from pytest_clinicare.systems.scripted.investigators.discharge_audit.elements import words_of
from pytest_clinicare.systems.scripted.session import Note, Row

_GROUP_OF_LOCATION = {
    "HOME": "Home", "HOME HEALTH CARE": "Home", "SKILLED NURSING FACILITY": "Facility", "REHAB": "Facility",
    "CHRONIC/LONG TERM ACUTE CARE": "Facility", "OTHER FACILITY": "Facility", "HEALTHCARE FACILITY": "Facility",
    "PSYCH FACILITY": "Facility", "ASSISTED LIVING": "Facility", "ACUTE HOSPITAL": "Acute", "HOSPICE": "Hospice",
    "AGAINST ADVICE": "Against advice", "DIED": "Died",
}  # fmt: skip
_GROUPS = (
    ("Died", r"expired|died|deceased"),
    ("Against advice", r"against (?:medical )?advice|\bAMA\b"),
    ("Hospice", r"hospice"),
    ("Home", r"(?<!nursing )(?<!group )\bhome\b"),
    ("Facility", r"extended care|nursing|rehab|assisted living|facility"),
    ("Acute", r"acute|another hospital|other hospital"),
)
_PENDING = re.compile(r"pending|outstanding|not (?:yet )?final|still (?:out|cooking)|await\w* (?:final|result)", re.I)
_MASKED = re.compile(r"(?:pending|outstanding)[^:\n]*:\s*_+\s*$", re.IGNORECASE)
_SEND_OUT = re.compile(
    r"antibod|serolog|\bigm\b|\bigg\b|ANCA|antinuclear|complement|lyme|hepatitis|hiv|quantiferon|cryoglob",
    re.IGNORECASE,
)
_CLASSES = frozenset(
    {"anticoagulant", "antiepileptic", "immunosuppressant", "antiviral", "antifungal", "antibacterial"}
)
_BASAL = re.compile(r"glargine|lantus|detemir|levemir|degludec|\bNPH\b|70/30|75/25", re.IGNORECASE)
_LOCAL_ROUTE = re.compile(r"^(?:TP|TD|IH|OU|OD|OS|BOTH EYES|LEFT EYE|RIGHT EYE|PR|VG)", re.IGNORECASE)
_GOES_ON = re.compile(
    r"\b(?:is|are) to be (?:taken|continued|given)|\bwill be (?:taken|continued|given)|\b(?:to )?completes? \w+ days"
    r"|\bgoes on\b|\b(?:can|should) be continued|\bcontinued? (?:at home|after discharge)|\bdischarged on\b",
    re.IGNORECASE,
)
_ENDED = re.compile(
    r"\b(?:was|were) (?:stopped|discontinued|completed|finished|changed)|\bstopped\b|\bcompleted\b"
    r"|finished (?:here|in hospital)|inpatient only|in hospital only",
    re.IGNORECASE,
)
_DRAINS = re.compile(r"drain|aspirat|\btapped\b|centesis|incision", re.IGNORECASE)
_INTERVENTION = re.compile(r"drain|aspirat|guided|biops|catheter|stent|emboli[sz]|puncture|centesis|angio", re.I)


def group_of_location(location: str) -> str:
    """Group of admissions.discharge_location, empty where it has none."""
    return _GROUP_OF_LOCATION.get(location, "")


def group_of_wording(text: str) -> str:
    """Group of the note's disposition, empty where it cannot be read."""
    return next((name for name, pattern in _GROUPS if re.search(pattern, text, re.IGNORECASE)), "")


@dataclass
class Pending:
    """C2: ``cultures`` and ``labs`` were pending; ``said`` are the note's sentences on pending results."""

    cultures: list[Culture] = field(default_factory=list)
    labs: list[Row] = field(default_factory=list)
    said: list[Sentence] = field(default_factory=list)

    @property
    def masked(self) -> bool:
        return any(_MASKED.search(s.text) for s in self.said)

    @property
    def unnamed(self) -> list[Culture]:
        return [c for c in self.cultures if not any(_names(s.text, c) for s in self.said)]

    @property
    def unnamed_labs(self) -> list[Row]:
        return [r for r in self.labs if not any(str(r.get("label")).lower() in s.text.lower() for s in self.said)]


def pending(chart: Chart) -> Pending:
    """In-scope results collected before and stored after dischtime, and what the note says."""
    out = Pending()
    for culture in cultures(chart.microbiology.rows):
        after = culture.stored is not None and culture.stored > chart.leaves
        if culture.collected < chart.leaves and after and not culture.screen:
            out.cultures.append(culture)
    for row in chart.labs.rows:
        drawn, stored = parse_time(row.get("charttime")), parse_time(row.get("storetime"))
        if drawn and stored and drawn < chart.leaves < stored and _SEND_OUT.search(str(row.get("label") or "")):
            out.labs.append(row)
    if chart.note:
        out.said = [s for s in sentences(chart.note.text) if _PENDING.search(s.text)]
    return out


def _names(text: str, culture: Culture) -> bool:
    if re.search(r":\s*(?:none|_+)\W*$|\b(?:no|nothing)\b", text, re.IGNORECASE):
        return False
    kind = culture.specimen.split(",")[0].split()[0].lower()
    return re.search(rf"\b{re.escape(kind)}", text, re.I) is not None or (
        re.search(r"^(?:(?:all|several|final|the) )?cultures?\b", text, re.I) is not None
    )


@dataclass
class Drug:
    """A drug of a listed class given in the last 24 h, or one that the text says goes on or was stopped."""

    name: str
    rows: list[Row]
    on_list: bool
    said: list[Sentence]

    @property
    def ended(self) -> bool:
        return any(_ENDED.search(s.text) and not _GOES_ON.search(s.text) for s in self.said)

    @property
    def goes_on(self) -> list[Sentence]:
        return [s for s in self.said if _GOES_ON.search(s.text)]


def _keys(text: str) -> set[str]:
    return {str(i) for i in ingredients(text)}


def listed_class(drug: str) -> list[str]:
    """Ingredients of a listed class (4.3 b)."""
    found = [i for i in ingredients(drug) if class_of(i) in _CLASSES]
    if not found and agent_of(drug):
        found = [str(agent_of(drug))]
    return [str(i) for i in found]


def _counts(row: Row) -> bool:
    drug, route = str(row.get("drug") or ""), str(row.get("route") or "")
    if _LOCAL_ROUTE.match(route) or "flush" in drug.lower():
        return False
    if "heparin" in drug.lower():
        return not route.upper().startswith("SC")
    if "enoxaparin" in drug.lower():
        return not str(row.get("dose_given") or row.get("dose_due") or "").startswith(("30", "40"))
    return bool(listed_class(drug)) or _BASAL.search(drug) is not None


def given_last_day(chart: Chart) -> dict[str, list[Row]]:
    """Listed-class drugs given in the 24 h up to dischtime, both ends included."""
    out: dict[str, list[Row]] = {}
    for row in chart.doses.rows:
        time = parse_time(row.get("charttime"))
        if row.get("source") != "emar" or not is_given(row.get("event_txt")) or time is None:
            continue
        if chart.leaves - LAST_DAY <= time <= chart.leaves and _counts(row):
            name = (listed_class(str(row["drug"])) or ["insulin"])[0]
            out.setdefault(name, []).append(row)
    return out


def drugs(chart: Chart, note: Note) -> list[Drug]:
    """Every drug of a listed class that was given on the last day or of which course or instructions speak."""
    on_list = words_of(note, "discharge medications")
    told = [
        s for s in sentences(note.text)
        if s.section in ("brief hospital course", "hospital course", "discharge instructions", "transitional issues")
    ]  # fmt: skip
    given = given_last_day(chart)
    named = {i for s in told for i in listed_class(s.text) if _GOES_ON.search(s.text) or _ENDED.search(s.text)}
    out = []
    for name in sorted({*given, *named}):
        listed = {*_keys(on_list), *listed_class(on_list)}
        said = [s for s in told if name in listed_class(s.text) or name in _keys(s.text)]
        out.append(Drug(name, given.get(name, []), name in listed or name in on_list.lower(), said))
    return out


def contradiction(drug: Drug) -> str:
    """What is wrong with a drug (4.3), empty where nothing is."""
    if drug.goes_on and not drug.on_list:
        return "the course says that it goes on after discharge and the list omits it"
    if drug.rows and not drug.on_list and not drug.ended:
        return "it was given in the last 24 h and is neither listed nor said to have ended"
    if drug.ended and not drug.goes_on and drug.on_list:
        return "the course says that it was stopped and the list has it"
    return ""


@dataclass
class Procedure:
    """A coded invasive procedure with its second source and whether the note names it."""

    row: Row
    second: list[str]
    named: bool


def procedures(chart: Chart) -> list[Procedure]:
    """Coded operations and invasive procedures of the admission."""
    out = []
    for row in chart.coded_procedures:
        code, version = code_of(row), int(row.get("icd_version") or 0)
        if (version == 10 and code.startswith("0")) or (version == 9 and code[:2] < "87"):
            out.append(Procedure(row, _second(chart, row), _named(chart, row)))
    return out


def _second(chart: Chart, row: Row) -> list[str]:
    day = parse_time(row.get("chartdate"))
    found = []
    for note in chart.reports.items:
        time = parse_time(note.charttime)
        near = day is None or time is None or abs((time.date() - day.date()).days) <= 1
        if near and _INTERVENTION.search(title_of(note.text) + own_body(note.text)):
            found.append(note.ref)
    return found


def _named(chart: Chart, row: Row) -> bool:
    if chart.note is None:
        return False
    text = " ".join(
        words_of(chart.note, name)
        for name in ("major surgical or invasive procedure", "brief hospital course", "hospital course")
    )
    code = code_of(row)
    if int(row.get("icd_version") or 0) == 10 and code[2:3] == "9":
        return _DRAINS.search(text) is not None
    words = re.findall(r"[a-z]{6,}", str(row.get("label") or "").lower())
    return any(word[:7] in text.lower() for word in words if word not in ("approach", "percutaneous"))
