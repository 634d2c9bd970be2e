"""The foil that believes what is written first: codes, orders and list names, without looking at what happened."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from pytest_clinicare.environment import Brief
from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.protocol import Toolbox
from pytest_clinicare.systems.scripted.clinical import creatinine, kidney
from pytest_clinicare.systems.scripted.clinical.drugs import main_ingredients
from pytest_clinicare.systems.scripted.clinical.notes import section
from pytest_clinicare.systems.scripted.clinical.times import linked_ed_stay, parse_time
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.session import Session, refs


class Shortcut:
    """Takes the nearest sign for the finding; abstains only where it finds nothing at all."""

    name = "scripted/shortcut"

    def run(self, brief: Brief, tools: Toolbox) -> str | None:
        guess = {
            "post-ct-aki": _post_ct,
            "advanced-imaging": _imaging,
            "med-reconciliation": _medication,
            "renal-trajectory": _trajectory,
        }.get(brief.scenario)
        if guess is None:
            raise NotImplementedError(f"scenario {brief.scenario!r} has no shortcut")
        draft = guess(Session(brief, tools))
        draft.confidence = 0.9
        tools.call("submit_report", draft.arguments())
        return None


def _post_ct(session: Session) -> Draft:
    """An AKI code is kidney injury; else any rise after the CT order over the first value of the admission."""
    draft, hadm_id = Draft(), session.brief.hadm_id
    codes = [
        r for r in session.query("get_diagnoses", hadm_id=hadm_id).rows if kidney.code_of(r).startswith(("N17", "584"))
    ]
    orders = [
        r
        for r in session.query("get_orders", order_type="Radiology", order_subtype="CT", hadm_id=hadm_id).rows
        if parse_time(r.get("ordertime"))
    ]
    values = creatinine.valid_values(session.query("get_labs", items=[creatinine.SERUM_CREATININE]).rows)
    if not orders:
        draft.conclude(Verdict.LACK, "No CT order was found.")
        return draft
    ordered = parse_time(orders[0]["ordertime"])
    assert ordered is not None
    draft.add(
        "F1",
        "index_time",
        f"The CT was ordered at {orders[0]['ordertime']}.",
        name="T0",
        value=str(orders[0]["ordertime"]),
        time=str(orders[0]["ordertime"]),
        evidence=refs(orders[:1]),
    )
    before = [v for v in values if v.time <= ordered]
    after = [v for v in values if ordered < v.time <= ordered + timedelta(hours=48)]
    peak = max(after, key=lambda v: v.value, default=None)
    if peak:
        draft.add(
            "F5",
            "peak",
            f"Peak creatinine {peak.value}.",
            name="creatinine",
            value=float(peak.value),
            unit="mg/dL",
            time=str(peak.time),
            evidence=[peak.ref],
        )
    rising = bool(before and peak and creatinine.qualifies(peak.value, min(v.value for v in before)))
    if codes:
        draft.add("F5", "status", "Acute kidney injury is coded.", name="aki", value="coded", evidence=refs(codes))
    draft.conclude(
        Verdict.YES if codes or rising else Verdict.NO,
        "Acute kidney injury is coded." if codes else "Creatinine after the CT order against the lowest before.",
    )
    return draft


def _imaging(session: Session) -> Draft:
    """A CT or MRI order in the stay is a CT or MRI."""
    draft = Draft()
    stay = next((r for r in session.query("list_icu_stays").rows if r["stay_id"] == session.brief.stay_id), None)
    start, end = (stay.get("intime"), stay.get("outtime") or "9999-12-31 00:00:00") if stay else (None, None)
    if not start:
        draft.conclude(Verdict.LACK, "The stay was not found.")
        return draft
    orders = session.query("get_orders", order_type="Radiology", start=start, end=end)
    wanted = [r for r in orders.rows if r.get("order_subtype") in ("CT Scan", "MRI")]
    draft.add(
        "F1",
        "window",
        f"The stay runs from {start} to {end}.",
        name="ICU stay window",
        time=start,
        evidence=refs([stay] if stay else []),
    )
    for row in wanted:
        draft.add(
            "F2",
            "order",
            f"{row['order_subtype']} ordered at {row['ordertime']}.",
            name=row["order_subtype"],
            value="inside",
            time=row["ordertime"],
            evidence=refs([row]),
        )
    draft.conclude(
        Verdict.YES if wanted else Verdict.NO,
        "An order of the class is in the stay." if wanted else "No such order is in the stay.",
    )
    return draft


def _medication(session: Session) -> Draft:
    """A home drug whose name is not on the discharge list is a discrepancy."""
    draft = Draft()
    admission = next((r for r in session.query("list_admissions").rows if r["hadm_id"] == session.brief.hadm_id), {})
    stays = session.query("list_ed_stays").rows
    stay = linked_ed_stay(admission, stays)[0] if admission else None
    home = session.query("get_home_medications", stay_id=(stay or {}).get("stay_id"))
    notes = session.notes("discharge", hadm_id=session.brief.hadm_id)
    if not home.rows or not notes.items:
        draft.conclude(Verdict.LACK, "A list was not found.")
        return draft
    note = notes.items[-1]
    part = section(note.text, "discharge medications")
    listed = part.text.lower() if part else ""
    missing = {i: r for r in home.rows for i in main_ingredients(str(r["name"])) if i not in listed}
    for name, row in missing.items():
        draft.add(
            "F5",
            "difference",
            f"{name} is not on the discharge list.",
            name=name,
            value="T1 high",
            evidence=refs([row]),
        )
    span = [note.span(part.start, part.end)] if part else [note.ref]
    draft.add("F4", "medication", "The discharge list was compared by name.", name="discharge list", evidence=span)
    draft.conclude(
        Verdict.YES if missing else Verdict.NO, f"{len(missing)} home drug(s) are not on the discharge list."
    )
    return draft


def _trajectory(session: Session) -> Draft:
    """A rising CKD code, or a last creatinine well above the first, is worsening."""
    draft = Draft()
    coded = [(s, r) for r in session.query("get_diagnoses").rows if (s := kidney.coded_stage(r))]
    values = creatinine.valid_values(session.query("get_labs", items=[creatinine.SERUM_CREATININE]).rows)
    rising = len({s for s, _ in coded}) > 1
    if not values and not coded:
        draft.conclude(Verdict.LACK, "No creatinine and no code was found.")
        return draft
    first, last = (values[0], values[-1]) if values else (None, None)
    for value in (v for v in (first, last) if v):
        draft.add(
            "F2",
            "measurement",
            f"Creatinine {value.value} mg/dL at {value.time}.",
            name="creatinine",
            value=float(value.value),
            unit="mg/dL",
            time=str(value.time),
            evidence=[value.ref],
        )
    if coded:
        draft.add(
            "F7",
            "status",
            "CKD stages are coded.",
            name="ckd stage codes",
            value="rising" if rising else "unchanged",
            evidence=refs([r for _, r in coded]),
        )
    up = bool(first and last and last.value >= Decimal("1.2") * first.value)
    draft.conclude(
        Verdict.YES if rising or up else Verdict.NO, "CKD codes rise." if rising else "Last against first creatinine."
    )
    return draft
