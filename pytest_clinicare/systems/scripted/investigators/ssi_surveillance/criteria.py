"""The criteria of each level, applied to what an encounter holds (cdc-nhsn-ssi 4 to 6, IP-012 section 4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from pytest_clinicare.systems.scripted.clinical.cultures import Culture
from pytest_clinicare.systems.scripted.investigators.ssi_surveillance.operation import SUPERFICIAL_DAYS, Operation
from pytest_clinicare.systems.scripted.investigators.ssi_surveillance.site import Said, Site
from pytest_clinicare.systems.scripted.session import refs

SUPERFICIAL, DEEP, SPACE = "superficial incisional", "deep incisional", "organ/space"


@dataclass(frozen=True)
class Event:
    """A candidate. ``status`` is met, disputed or not met; ``element`` is what meets or fails the criterion."""

    level: str
    status: str
    element: str
    on: date
    evidence: tuple[str, ...]
    site_criterion: str = ""

    def allowed(self, index: Operation) -> int:
        """Days of the period for this level."""
        return SUPERFICIAL_DAYS if self.level == SUPERFICIAL else index.period

    def inside(self, index: Operation) -> bool:
        return 1 <= index.day_of(self.on) <= self.allowed(index)


def events(site: Site, index: Operation) -> list[Event]:
    """Candidates of one encounter, deepest level first; none where nothing at the site was found or looked for."""
    if not site.named:
        return []
    found = [_space(site, index), _deep(site), _superficial(site)]
    return [event for event in found if event]


def grew(cultures: Iterable[Culture]) -> list[Culture]:
    return [c for c in cultures if c.isolates]


def _cited(*parts: Iterable[Said | Culture]) -> tuple[str, ...]:
    out: list[str] = []
    for part in parts:
        for item in part:
            out += [item.ref] if isinstance(item, Said) else refs(list(item.rows))
    return tuple(dict.fromkeys(out))


def _first(site: Site, *parts: Iterable[Said | Culture]) -> date:
    """Date of the first element; a passage without a date counts from the beginning of its encounter."""
    dates = [item.on if isinstance(item, Said) else item.collected.date() for part in parts for item in part]
    known = [d for d in dates if d]
    return min(known) if known else site.spot.start.date()


def organisms(cultures: Iterable[Culture]) -> str:
    return ", ".join(dict.fromkeys(i.organism for c in cultures for i in c.isolates))


def _space(site: Site, index: Operation) -> Event | None:
    positive = grew(site.space)
    if not (site.space_pus or site.space or site.abscess or site.equivocal):
        return None
    dated = [s for s in (*site.abscess, *site.space_pus) if s.source == "report"]
    if not index.abdominal:
        return _joint(site, positive)
    if positive:
        return Event(
            SPACE, "met", f"organism from the space ({organisms(positive)})", _first(site, dated, positive),
            _cited(positive, site.abscess, site.space_pus), "IAB: organism from the abscess or fluid of the space",
        )  # fmt: skip
    if site.space_pus and site.denied:
        return Event(
            SPACE, "disputed", "purulence affirmed in one document and denied in another", _first(site, site.space_pus),
            _cited(site.space_pus, site.denied),
        )  # fmt: skip
    if site.space_pus:
        return Event(
            SPACE, "met", "pus from the space", _first(site, dated), _cited(site.space_pus, site.abscess),
            "IAB: pus seen at drainage",
        )  # fmt: skip
    seen = [*site.abscess, *site.equivocal]
    if site.space:
        return Event(
            SPACE, "not met", "sampled collection with no growth and no pus", _first(site, site.space),
            _cited(site.space, site.denied, seen),
        )  # fmt: skip
    if site.sampled or site.denied:
        return Event(
            SPACE, "not met", "collection without pus or organism", _first(site, seen), _cited(seen, site.denied)
        )
    return Event(SPACE, "not met", "collection on imaging alone, not sampled", _first(site, seen), _cited(seen))


def _joint(site: Site, positive: list[Culture]) -> Event:
    """PJI: the same organism in two specimens, or a sinus tract."""
    counts: dict[str, int] = {}
    for culture in (*positive, *grew(site.tissue)):
        for name in {i.organism for i in culture.isolates}:
            counts[name] = counts.get(name, 0) + 1
    twice = [name for name, count in counts.items() if count > 1]
    if twice or site.sinus:
        return Event(
            SPACE, "met", f"organism of the joint ({', '.join(twice) or 'sinus tract'})",
            _first(site, positive, site.sinus), _cited(positive, site.sinus), "PJI: two specimens or a sinus tract",
        )  # fmt: skip
    told = "joint fluid with no growth" if not positive else "one positive specimen of the joint"
    return Event(SPACE, "not met", told, _first(site, site.space), _cited(site.space))


def _deep(site: Site) -> Event | None:
    if not site.deep:
        return None
    positive = grew(site.tissue) or grew(site.incisional)
    sampled = [*site.tissue, *site.incisional]
    if site.pus and not site.shallow:
        return Event(DEEP, "met", "pus from the deep incision", _first(site, site.pus), _cited(site.pus, site.deep))
    symptom = [*site.local, *([site.fever] if site.fever else [])]
    if not site.opened or not symptom:
        return Event(
            DEEP, "not met", "no opening with fever, pain or tenderness", _first(site, site.deep), _cited(site.deep)
        )
    # Pain that brought the patient in is the first element.
    came = [Said(site.spot.complaint, site.spot.ref, site.spot.start.date())] if site.came_in_pain else []
    if positive:
        told = f"deep incision opened, {organisms(positive)} from it, with local pain or fever"
        return Event(DEEP, "met", told, _first(site, came, positive), _cited(positive, site.opened, symptom))
    if not sampled:
        return Event(
            DEEP, "met", "deep incision opened without culture", _first(site, site.opened), _cited(site.opened)
        )
    return Event(DEEP, "not met", "deep incision opened, culture negative", _first(site, sampled), _cited(sampled))


def _superficial(site: Site) -> Event | None:
    positive, sampled = grew(site.incisional), list(site.incisional)
    if site.pus:
        on = _first(site, site.pus, positive or sampled)
        return Event(SUPERFICIAL, "met", "pus from the incision", on, _cited(site.pus, positive))
    if positive and not site.deep:
        return Event(
            SUPERFICIAL, "met", f"organism from the incision ({organisms(positive)})", _first(site, positive),
            _cited(positive),
        )  # fmt: skip
    if site.opened and not site.deep:
        signs = site.signs
        if not sampled and signs:
            return Event(
                SUPERFICIAL, "met", "incision opened without culture, with a local sign", _first(site, site.opened),
                _cited(site.opened, signs),
            )  # fmt: skip
        told = "incision opened, culture negative" if sampled else "incision opened without a local sign"
        return Event(SUPERFICIAL, "not met", told, _first(site, site.opened), _cited(site.opened, sampled))
    if site.diagnosed:
        return Event(
            SUPERFICIAL, "met", "wound infection diagnosed by the physician", _first(site, site.diagnosed),
            _cited(site.diagnosed),
        )  # fmt: skip
    if site.left_open:
        return Event(
            SUPERFICIAL, "disputed", "diagnosis left open between wound infection and cellulitis",
            _first(site, site.left_open), _cited(site.left_open),
        )  # fmt: skip
    if sampled:
        return Event(
            SUPERFICIAL, "not met", "specimen of the incision with no growth", _first(site, sampled), _cited(sampled)
        )
    if site.cellulitis:
        return Event(SUPERFICIAL, "not met", "cellulitis alone", _first(site, site.cellulitis), _cited(site.cellulitis))
    return None
