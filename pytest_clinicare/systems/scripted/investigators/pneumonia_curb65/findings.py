"""The findings F1 to F9 of a CURB-65 report."""

from __future__ import annotations

from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.clinical.times import iso, parse_time
from pytest_clinicare.systems.scripted.clinical.vital_signs import UNITS, Sign
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.pneumonia_curb65.chart import HOUR, Chart
from pytest_clinicare.systems.scripted.investigators.pneumonia_curb65.items import MISSING, UNDECIDED, Items
from pytest_clinicare.systems.scripted.investigators.pneumonia_curb65.pneumonia import Pneumonia
from pytest_clinicare.systems.scripted.session import refs

LOCAL, BTS, QA = "refhosp-cap-severity-audit", "bts-cap-2009", "refhosp-chart-audit-standard"
TITLES = {
    "F1": "Pneumonia on presentation",
    "F2": "T0 and route of arrival",
    "F3": "Age at admission",
    "F4": "First urea nitrogen",
    "F5": "Highest respiratory rate",
    "F6": "Lowest blood pressure",
    "F7": "Mental status at presentation",
    "F8": "Minimum and maximum score",
    "F9": "Care setting, not scored",
}
_STATUS = {
    "transfer": "outside the question: arrival by transfer from another hospital",
    "hospital": "outside the question: hospital onset, first evident more than 48 h after T0",
    "open": "left open between pneumonia and a non-infectious process, both treated",
    "unestablished": "not established",
    "community": "community-acquired pneumonia, treated",
}


def pneumonia(chart: Chart, draft: Draft, found: Pneumonia) -> None:
    """F1."""
    policy = chart.session.policy
    out = draft.finding("F1", policy(LOCAL, "2.1 Pneumonia"), policy(LOCAL, "2.3 Outside"), policy(QA, "7.1 Lack"))
    out.claim("imaging", f"Chest imaging: {found.film_told}", found.film, name="chest imaging")
    out.status(f'Discharge summary: "{found.text}"', found.told, "treating diagnosis", found.status)
    cited = [*found.film, *found.told, str(chart.admission["ref"])]
    out.status(f"Pneumonia: {_STATUS[found.status]}.", cited, "eligibility", found.status)
    codes = [r for r in chart.diagnoses.rows if code_of(r).startswith(("J1", "48", "A41", "R65"))]
    if codes:
        out.claim("other", "Codes are leads and are neither a diagnosis nor a score.", refs(codes), name="codes")


def arrival(chart: Chart, draft: Draft) -> None:
    """F2."""
    out = draft.finding("F2", chart.session.policy(LOCAL, "3 Time zero"))
    place = chart.admission.get("admission_location")
    if chart.ed_stay is not None:
        told, cited = f"arrival in the linked ED stay {chart.ed_stay['stay_id']}", [str(chart.ed_stay["ref"])]
    else:
        told, cited = "admission time, since no ED stay is linked", list(chart.ed_stays.evidence[:5])
    out.claim(
        "index_time", f"T0 is {iso(chart.t0)}: {told}; admission_location {place}.",
        [*cited, str(chart.admission["ref"])], name="T0", value=iso(chart.t0), time=iso(chart.t0),
    )  # fmt: skip


def _point(draft: Draft, finding: str, name: str, found: Items, *policy: str) -> None:
    """How the item scores: 0, 1, or 0 to 1."""
    item = found.points[name]
    low, high = item.points
    value = str(low) if low == high else f"{item.state}, {low} to {high}"
    kind = "absence" if item.state == MISSING else "computation" if name != "confusion" else "status"
    evidence = item.evidence
    if item.state == MISSING and kind == "absence":
        draft.add(finding, kind, f"{name}: {item.told}; it counts 0 to 1.", name=f"{name} item", value="missing",
                  evidence=evidence, policy=policy)  # fmt: skip
        return
    draft.add(finding, kind, f"{name}: {item.told}, {item.state}; points {value}.", name=f"{name} item", value=value,
              evidence=evidence, policy=policy)  # fmt: skip


def values(chart: Chart, draft: Draft, found: Items) -> None:
    """F3 to F7."""
    policy = chart.session.policy
    row = chart.patient.rows[0]
    draft.add(
        "F3", "computation",
        f"Age at admission {found.age}: anchor_age {row['anchor_age']} + (year of admittime - anchor_year "
        f"{row['anchor_year']}), against 65.",
        name="age at admission", value=found.age, unit="years",
        evidence=[*chart.patient.evidence, str(chart.admission["ref"])], policy=[policy(LOCAL, "4 Age")],
    )  # fmt: skip
    _point(draft, "F3", "age", found, policy(BTS, "2.3 Boundaries"))
    four = draft.finding("F4", policy(LOCAL, "6 Urea"), policy(BTS, "2.2 Units"))
    if found.urea:
        four.measurement(
            f"First urea nitrogen {found.urea.value} mg/dL at {iso(found.urea.time)}, against more than 19 mg/dL (urea "
            f"{found.urea.value} / 2.8 = {float(found.urea.value) / 2.8:.1f} mmol/L, against more than 7 mmol/L).",
            found.urea, "urea nitrogen", "mg/dL",
        )  # fmt: skip
    _point(draft, "F4", "urea", found, policy(LOCAL, "6 Urea"), policy(BTS, "2.2 Units"))
    window = policy(LOCAL, "3 Time zero")
    if found.rate:
        _sign(draft, "F5", "highest respiratory rate", found.rate, UNITS["respiratory rate"], window)
    _point(draft, "F5", "respiratory rate", found, window)
    for name, sign in (("systolic", found.systolic), ("diastolic", found.diastolic)):
        if sign:
            _sign(draft, "F6", f"lowest {name} pressure", sign, "mmHg", window)
    _point(draft, "F6", "blood pressure", found, window, policy(BTS, "2.1 Items"))
    _point(draft, "F7", "confusion", found, policy(LOCAL, "5.1 Hierarchy"), policy(LOCAL, "5.2 Reading"))


def _sign(draft: Draft, finding: str, name: str, sign: Sign, unit: str, policy: str) -> None:
    draft.add(
        finding, "measurement", f"{name.capitalize()} from T0 to T0 + 6 h: {sign.value:f} {unit} at {iso(sign.time)} "
        f"({sign.source}).", name=name, value=float(sign.value), unit=unit, time=iso(sign.time), evidence=[sign.ref],
        policy=[policy],
    )  # fmt: skip


def score(chart: Chart, draft: Draft, found: Items, *, due: bool) -> None:
    """F8."""
    policy = chart.session.policy
    out = draft.finding("F8", policy(LOCAL, "7 Bounds"), policy(LOCAL, "8 Order"), policy(BTS, "3 Interpretation"))
    cited = [ref for item in found.points.values() for ref in item.evidence]
    unknown = found.open(MISSING, UNDECIDED)
    told = f"{', '.join(unknown)} unknown" if unknown else "all items are known"
    note = "" if due else " No score is due, since eligibility fails before it."
    out.claim("computation", f"Minimum score {found.least} ({told}).{note}", cited, name="minimum score",
              value=found.least)  # fmt: skip
    out.claim("computation", f"Maximum score {found.most} ({told}).{note}", cited, name="maximum score",
              value=found.most)  # fmt: skip


def setting(chart: Chart, draft: Draft) -> None:
    """F9: context."""
    out = draft.finding("F9", chart.session.policy(LOCAL, "9 Not used"))
    early = [r for r in chart.icu_stays.rows if (t := parse_time(r.get("intime"))) and t <= chart.t0 + 24 * HOUR]
    told = "an intensive care unit" if early else "a ward"
    out.claim(
        "other", f"Care in the first 24 h: {told}; reported as context and not scored.",
        refs(early) or chart.icu_stays.evidence[:3], name="care setting", value="ICU" if early else "ward",
    )  # fmt: skip
