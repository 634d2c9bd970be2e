"""What one encounter says of the operated site: pus, opening, signs, diagnosis, depth, collections, specimens."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date

from pytest_clinicare.systems.scripted.clinical.cultures import Culture
from pytest_clinicare.systems.scripted.clinical.notes import BACKGROUND, Sentence, asserted, sentences
from pytest_clinicare.systems.scripted.clinical.radiology import own_body, title_of
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.investigators.ssi_surveillance.chart import Spot
from pytest_clinicare.systems.scripted.investigators.ssi_surveillance.operation import Operation
from pytest_clinicare.systems.scripted.session import Note

_SKIP = BACKGROUND | {
    "physical exam", "pertinent results", "medications on admission", "discharge medications", "discharge condition",
    "discharge instructions", "followup instructions", "facility", "discharge disposition",
}  # fmt: skip
_ABDOMEN = re.compile(
    r"wound|incision|surgical site|\bscar\b|abdom|belly|pelvi|abscess|collection|hernia|mesh", re.IGNORECASE
)
_JOINT = re.compile(r"wound|incision|surgical site|\bscar\b|\bknee\b|\bhip\b|\bjoint\b|prosthe", re.IGNORECASE)
_PUS = re.compile(r"\bpus\b|purulen\w*", re.IGNORECASE)
_OPENED = re.compile(r"\b(?:re-?)?opened\b|\blaid open\b|\bunroofed\b", re.IGNORECASE)
_LOCAL = re.compile(r"\bpain|tender|swell|swollen", re.IGNORECASE)
_SIGN = re.compile(r"\bpain|tender|swell|swollen|erythema|\bred(?:ness)?\b|\bheat\b|warm", re.IGNORECASE)
_DIAGNOSIS = re.compile(
    r"(?:surgical[- ]site|wound|(?:superficial )?incisional) infection|\bSSI\b|infected (?:wound|incision)",
    re.IGNORECASE,
)
_CELLULITIS = re.compile(r"cellulitis", re.IGNORECASE)
_OPEN_ENDED = re.compile(r"\bversus\b|\bvs\b\.?", re.IGNORECASE)
_DEEP = re.compile(
    r"(?:down|deep|level of|to) (?:to )?(?:the )?(?:level of the )?(?:fascia|muscle)|"
    r"tissue (?:from|of|along|next to) (?:the )?(?:fascia|muscle|mesh)|fascial dehiscence|deep incisional",
    re.IGNORECASE,
)
_SHALLOW = re.compile(r"fascia (?:was |is )?intact|intact fascia|superficial|subcutaneous|\bskin\b", re.IGNORECASE)
_SPACE = re.compile(r"pelvi|abscess|intra-?abdominal|collection|aspirat|\bjoint\b|cavity of", re.IGNORECASE)
_SPACE_ABSCESS = re.compile(r"(?:pelvi\w+|intra-?abdominal|abdominal) abscess|abscess (?:in|of|deep)", re.IGNORECASE)
_DENIES = re.compile(r"sterile|seroma|hematoma|old blood|not infected|serous", re.IGNORECASE)
_AT_OPERATION = re.compile(r"\bat (?:the )?(?:operation|surgery|laparotomy)\b|operative findings|intraoperativ", re.I)
_PATOS = re.compile(r"\bpus\b|purulen|peritonitis|abscess|perforat|gangren|ruptured|burst", re.IGNORECASE)
_ABSCESS = re.compile(r"\babscess\b", re.IGNORECASE)
_COLLECTION = re.compile(r"\bcollection\b", re.IGNORECASE)
_EQUIVOCAL = re.compile(r"cannot be excluded|may be postoperative|versus|possibl", re.IGNORECASE)
_SAMPLED = re.compile(r"aspirat|drain|withdrawn|catheter|needle|tapped", re.IGNORECASE)
_INTERVENTION = re.compile(r"intervention|drainage|aspirat|arthrocentesis|guided", re.IGNORECASE)
_POSTOPERATIVE_DAY = re.compile(r"postoperative day #?(\d+)|\bPOD ?#?(\d+)", re.IGNORECASE)
_SINUS = re.compile(r"sinus tract", re.IGNORECASE)
_FEVER = re.compile(r"(\d{2,3}(?:\.\d)?) ?°? ?([FC])\b")
_SKIN_SWAB = re.compile(r"skin[- ]surface swab", re.IGNORECASE)
_SPACE_TYPES = ("PERITONEAL FLUID", "JOINT FLUID", "FLUID,OTHER")
_SUBSTANCE = re.compile(r"pelvi|abscess|collection|aspirat|drawn off|\bfluid\b|\btapped\b", re.IGNORECASE)


@dataclass(frozen=True)
class Said:
    """A passage and where it stands; ``day`` is its date where one is told or known."""

    text: str
    ref: str
    on: date | None = None
    source: str = "summary"


@dataclass
class Site:
    """Passages by what they say, and specimens of the incision, of deep tissue and of the space."""

    spot: Spot
    named: bool = False
    pus: list[Said] = field(default_factory=list)
    space_pus: list[Said] = field(default_factory=list)
    denied: list[Said] = field(default_factory=list)
    opened: list[Said] = field(default_factory=list)
    signs: list[Said] = field(default_factory=list)
    local: list[Said] = field(default_factory=list)
    fever: Said | None = None
    diagnosed: list[Said] = field(default_factory=list)
    left_open: list[Said] = field(default_factory=list)
    cellulitis: list[Said] = field(default_factory=list)
    deep: list[Said] = field(default_factory=list)
    shallow: list[Said] = field(default_factory=list)
    patos: list[Said] = field(default_factory=list)
    abscess: list[Said] = field(default_factory=list)
    equivocal: list[Said] = field(default_factory=list)
    sampled: list[Said] = field(default_factory=list)
    sinus: list[Said] = field(default_factory=list)
    clear: list[Said] = field(default_factory=list)
    incisional: list[Culture] = field(default_factory=list)
    tissue: list[Culture] = field(default_factory=list)
    space: list[Culture] = field(default_factory=list)

    @property
    def came_in_pain(self) -> bool:
        """Local pain or swelling is the complaint."""
        return self.named and _LOCAL.search(self.spot.complaint) is not None


def read_site(spot: Spot, index: Operation) -> Site:
    """Everything after day 1 that the encounter holds of the site."""
    site = Site(spot)
    words = _ABDOMEN if index.abdominal else _JOINT
    site.named = words.search(spot.complaint) is not None
    if spot.note:
        _summary(site, spot.note, index, words)
    for note in spot.reports:
        _report(site, note, index)
    for culture in spot.cultures:
        if index.day_of(culture.collected) > 1 and not culture.screen:
            _specimen(site, culture)
    return site


def _summary(site: Site, note: Note, index: Operation, words: re.Pattern[str]) -> None:
    for sentence in sentences(note.text, frozenset(_SKIP)):
        text = sentence.text
        said = Said(text, note.span(sentence.start, sentence.end), _told_day(text, index))
        if _AT_OPERATION.search(text):
            if asserted(_PATOS, text) and site.spot.hadm_id == index.row.get("hadm_id"):
                site.patos.append(said)
            continue
        if words.search(text) and sentence.section in ("brief hospital course", "history of present illness"):
            site.named = True
        _statements(site, sentence, said)


def _statements(site: Site, sentence: Sentence, said: Said) -> None:
    text = sentence.text
    course = sentence.section in ("brief hospital course", "hospital course", "discharge diagnosis")
    if not course:
        return
    if asserted(_PUS, text):
        (site.space_pus if _SPACE.search(text) and not _SHALLOW.search(text) else site.pus).append(said)
    elif _SUBSTANCE.search(text) and _DENIES.search(text):
        site.denied.append(said)
    if asserted(_OPENED, text):
        site.opened.append(said)
    for pattern, place in ((_SIGN, site.signs), (_LOCAL, site.local)):
        if asserted(pattern, text) and _where(text):
            place.append(said)
    if _DIAGNOSIS.search(text):
        if _OPEN_ENDED.search(text):
            site.left_open.append(said)
        elif asserted(_DIAGNOSIS, text):
            site.diagnosed.append(said)
    if asserted(_CELLULITIS, text):
        site.cellulitis.append(said)
    if asserted(_DEEP, text):
        site.deep.append(said)
    elif _SHALLOW.search(text):
        site.shallow.append(said)
    if asserted(_SPACE_ABSCESS, text):
        site.abscess.append(said)
    if _SAMPLED.search(text) and _SPACE.search(text):
        site.sampled.append(said)
    if asserted(_SINUS, text):
        site.sinus.append(said)
    if asserted(re.compile(r"clean|\bdry\b|intact|healed|without redness", re.IGNORECASE), text):
        site.clear.append(said)
    found = _FEVER.search(text)
    if found and (float(found.group(1)) > 100.4 if found.group(2) == "F" else float(found.group(1)) > 38.0):
        site.fever = said


def _where(text: str) -> bool:
    return (
        re.search(r"incision|wound|\bscar\b|abdominal wall|repair|mesh|\bit was opened\b|opened", text, re.I)
        is not None
    )


def _told_day(text: str, index: Operation) -> date | None:
    """The day of the operation is postoperative day 0."""
    found = _POSTOPERATIVE_DAY.search(text)
    return index.date_of(int(found.group(1) or found.group(2)) + 1) if found else None


def _report(site: Site, note: Note, index: Operation) -> None:
    time = parse_time(note.charttime)
    if time is None or index.day_of(time) <= 1:
        return
    title, body = title_of(note.text), own_body(note.text)
    intervention = _INTERVENTION.search(title) is not None
    for sentence in sentences(note.text):
        if sentence.text not in body or sentence.text == title or "//" in sentence.text:
            continue
        said = Said(sentence.text, note.span(sentence.start, sentence.end), time.date(), "report")
        if asserted(_PUS, sentence.text):
            site.space_pus.append(said)
        elif intervention and _DENIES.search(sentence.text):
            site.denied.append(said)
        if asserted(_ABSCESS, sentence.text):
            site.abscess.append(said)
        elif asserted(_COLLECTION, sentence.text):
            site.equivocal.append(said)
        if intervention and _SAMPLED.search(sentence.text):
            site.sampled.append(said)


def _specimen(site: Site, culture: Culture) -> None:
    """Type and text tell the layer (4.2); without depth in the text a specimen is superficial."""
    kind = culture.specimen.upper()
    if kind in _SPACE_TYPES:
        site.space.append(culture)
    elif kind == "ABSCESS":
        (site.space if site.abscess or site.equivocal else site.incisional).append(culture)
    elif kind == "TISSUE":
        site.tissue.append(culture)
    elif kind == "SWAB" and any("WOUND CULTURE" in test.upper() for test in culture.tests):
        skin = any(_SKIN_SWAB.search(s.text) for s in (*site.pus, *site.opened, *site.shallow))
        site.incisional += [] if skin else [culture]
