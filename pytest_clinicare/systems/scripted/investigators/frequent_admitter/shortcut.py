"""Four admissions within a year by date, and a code that comes again and again: a frequent admitter."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.session import Row, Session, refs


def _day(row: Row) -> int:
    return datetime.fromisoformat(str(row["admittime"])).toordinal()


def guess(session: Session) -> Draft:
    """The report of the guess."""
    draft = Draft()
    rows = sorted(session.query("list_admissions").rows, key=lambda r: str(r["admittime"]))
    codes = session.query("get_diagnoses").of("diagnoses_icd")
    near = max(([r for r in rows if 0 <= _day(r) - _day(first) <= 365] for first in rows), key=len, default=[])
    for row in near:
        draft.add(
            "F1", "encounter", f"Admission {row['hadm_id']} counts.", name=f"admission {row['hadm_id']}",
            value="counts", evidence=refs([row]),
        )  # fmt: skip
    inside = {int(r["hadm_id"]) for r in near}
    stays = Counter(
        code_of(r)[:3] for r in {(r["hadm_id"], code_of(r)): r for r in codes if r["hadm_id"] in inside}.values()
    )
    code, often = stays.most_common(1)[0] if stays else ("", 0)
    related = len(near) >= 4 and often >= 3
    shared = [r for r in codes if r["hadm_id"] in inside and code_of(r).startswith(code) and r["seq_num"] != 1]
    if related and shared:
        draft.add(
            "F6", "status", f"The admissions are related: code {code} is on {often} of them.", name="relatedness",
            value="related", evidence=refs(shared),
        )  # fmt: skip
    verdict = Verdict.YES if related else Verdict.NO
    draft.conclude(verdict, f"{len(near)} admissions within a year, {code} on {often} of them.")
    return draft
