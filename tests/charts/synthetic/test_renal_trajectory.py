"""Every renal-trajectory chart, read as bare SQL, leads to its case's verdict, step and trap."""

from __future__ import annotations

import sqlite3
import tomllib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

import pytest

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.scenarios.renal_trajectory.plan import plan
from pytest_clinicare.suite import Case, suite_root

FOLDER = suite_root().cases / "renal-trajectory"
SCENARIO = tomllib.loads((FOLDER / "scenario.toml").read_text(encoding="utf-8"))
CASES = [
    Case(**tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("renal-trajectory-*.toml"))
]


@dataclass
class Admission:
    hadm_id: int
    admitted: datetime
    discharged: datetime
    age: int
    values: list[tuple[datetime, Decimal]]
    codes: set[str]
    note: str
    dialysis: bool
    female: bool
    evaluable: bool = field(default=False)

    @property
    def lowest(self) -> Decimal:
        return min(v for _, v in self.values)

    @property
    def peak(self) -> Decimal:
        return max(v for _, v in self.values)

    @property
    def dates(self) -> int:
        return len({t.date() for t, _ in self.values})

    @property
    def aki(self) -> bool:
        return self.peak >= Decimal("1.5") * self.lowest or "acute kidney injury" in self.note

    @property
    def stage(self) -> int:
        return max((int(code[3]) for code in self.codes if code.startswith("N18") and code != "N189"), default=0)

    @property
    def egfr(self) -> float:
        k, a = (0.7, -0.241) if self.female else (0.9, -0.302)
        ratio = float(self.lowest) / k
        value = 142 * min(ratio, 1) ** a * max(ratio, 1) ** -1.2 * 0.9938**self.age
        return value * 1.012 if self.female else value


@dataclass
class Derived:
    step: int
    verdict: str
    admissions: list[Admission]
    decline: float | None = None

    @property
    def egfrs(self) -> list[int]:
        return [round(a.egfr) for a in self.admissions]

    @property
    def categories(self) -> list[str]:
        return [category(a.egfr) for a in self.admissions]


def category(egfr: float) -> str:
    limits = ((90, "G1"), (60, "G2"), (45, "G3a"), (30, "G3b"), (15, "G4"))
    return next((name for limit, name in limits if round(egfr) >= limit), "G5")


def read(db: sqlite3.Connection) -> list[Admission]:
    gender, anchor_age, anchor_year = db.execute("select gender, anchor_age, anchor_year from patients").fetchone()
    found = []
    rows = db.execute("select hadm_id, admittime, dischtime, edregtime from admissions order by admittime").fetchall()
    for hadm_id, admit, disch, arrived in rows:
        values = db.execute(
            "select charttime, value from labevents where itemid = 50912 and charttime between ? and ? order by 1",
            (arrived or admit, disch),
        )
        codes = db.execute("select icd_code from diagnoses_icd where hadm_id = ?", (hadm_id,))
        note = db.execute("select text from discharge where hadm_id = ?", (hadm_id,)).fetchone()[0].lower()
        dialysis = db.execute(
            "select (select count(*) from poe where hadm_id = ?1 and order_type = 'Hemodialysis')"
            " + (select count(*) from procedures_icd where hadm_id = ?1 and icd_code like '5A1D%')"
            " + (select count(*) from procedureevents where hadm_id = ?1 and itemid in (225441, 225802))",
            (hadm_id,),
        ).fetchone()[0]
        admitted = datetime.fromisoformat(admit)
        found.append(
            Admission(
                hadm_id=hadm_id,
                admitted=admitted,
                discharged=datetime.fromisoformat(disch),
                age=anchor_age + admitted.year - anchor_year,
                values=[(datetime.fromisoformat(t), Decimal(v)) for t, v in values],
                codes={code for (code,) in codes},
                note=note,
                dialysis=bool(dialysis),
                female=gender == "F",
            )
        )
    first: Admission | None = None
    for number, admission in enumerate(found):
        sampled = any(a.dates >= 2 and not a.dialysis for a in found[number + 1 :])
        admission.evaluable = admission.dates >= 2 and not admission.dialysis and settled(admission, first, sampled)
        if first is None and admission.evaluable:
            first = admission
    return found


def settled(admission: Admission, first: Admission | None, sampled_later: bool) -> bool:
    if not admission.aki:
        return True
    last = admission.values[-1][1]
    if first is not None and last <= first.lowest + Decimal("0.2"):
        return True
    by_date = list({t.date(): v for t, v in admission.values}.values())
    return abs(by_date[-1] - by_date[-2]) < Decimal("0.3") and sampled_later


def derive(db: sqlite3.Connection) -> Derived:
    """The nine steps of RH-NEPH-05, section 8."""
    admissions = read(db)
    if len(admissions) < 2:
        return Derived(1, "lack", admissions)
    onset = [a for a in admissions[1:] if a.codes & {"N186", "Z992", "Z940"} or "transplantation on" in a.note]
    if onset and not admissions[0].codes & {"N186", "Z992", "Z940"}:
        return Derived(2, "yes", admissions)
    evaluable = [a for a in admissions if a.evaluable]
    if len(evaluable) < 2 or evaluable[-1].admitted - evaluable[0].admitted < timedelta(days=90):
        return Derived(3, "lack", admissions)
    reference, latest = evaluable[0], evaluable[-1]
    decline = (reference.egfr - latest.egfr) / reference.egfr
    lower = category(latest.egfr) > category(reference.egfr)
    stages = [a.stage for a in admissions]
    rises = [b for i, b in enumerate(stages) for a in stages[:i] if a and b > a]
    appears = [
        b
        for a, b in zip(admissions, stages, strict=True)
        if b >= 3 and not reference.stage and a.admitted > reference.admitted
    ]
    limits = {1: 999, 2: 89, 3: 59, 4: 29, 5: 14}
    if (decline >= 0.25 and lower) or decline >= 0.30:
        return Derived(4, "yes", admissions, decline)
    if rises and round(latest.egfr) <= limits[max(rises)] and decline >= 0.15:
        return Derived(5, "yes", admissions, decline)
    if any(round(latest.egfr) > limits[stage] for stage in (*[r for r in rises if r >= 3], *appears)):
        return Derived(6, "ambiguous", admissions, decline)
    if decline < 0.15:
        return Derived(7, "no", admissions, decline)
    long_stay = any(a.discharged - a.admitted >= timedelta(days=21) for a in evaluable)
    if latest.age >= 65 or long_stay or weight_loss(db, reference, latest) >= 0.05:
        return Derived(8, "ambiguous", admissions, decline)
    return Derived(9, "no", admissions, decline)


def weight_loss(db: sqlite3.Connection, first: Admission, last: Admission) -> float:
    rows = db.execute("select chartdate, result_value from omr where result_name = 'Weight (Lbs)'").fetchall()

    def nearest(admission: Admission) -> float | None:
        gaps = [(abs(datetime.fromisoformat(d) - admission.admitted), float(v)) for d, v in rows]
        gap, value = min(gaps, default=(timedelta.max, 0.0))
        return value if gap <= timedelta(days=180) else None

    before, after = nearest(first), nearest(last)
    return 0.0 if before is None or after is None else (before - after) / before


def test_case_files_are_the_plan() -> None:
    assert plan(1) == CASES


def test_case_plan_matches_the_scenario() -> None:
    variants = {v["name"]: v for v in SCENARIO["variants"]}
    assert Counter(case.variant for case in CASES) == {name: v["count"] for name, v in variants.items()}
    for case in CASES:
        variant = variants[case.variant]
        assert (case.verdict, case.step) == (variant["verdict"], variant["step"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_chart_leads_to_the_case(case: Case, open_built: Callable[[Case], sqlite3.Connection]) -> None:
    db = open_built(case)
    derived = derive(db)
    assert (derived.verdict, derived.step) == (case.verdict, case.step)
    TRAPS[case.variant](db, case, derived)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_values_are_those_of_the_recipe(case: Case, open_built: Callable[[Case], sqlite3.Connection]) -> None:
    read_back = read(open_built(case))
    for row, admission in zip(case.recipe["admissions"], read_back, strict=True):
        age, _, _, lowest, peak, last, dates = row
        levels = [float(v) for _, v in admission.values]
        assert (admission.age, float(admission.lowest), float(admission.peak), admission.dates) == (
            age,
            lowest,
            peak,
            dates,
        )
        assert levels[-2:] == last or dates == 1


def _code_lists(d: Derived) -> list[set[str]]:
    return [{code for code in a.codes if code[:3] in ("N17", "N18", "Z99", "Z94")} for a in d.admissions]


def _lows(d: Derived) -> list[float]:
    return [float(a.lowest) for a in d.admissions]


def _sustained(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    assert (d.egfrs, d.categories[0], d.categories[-1]) == ([74, 52, 43], "G2", "G3b")
    assert d.admissions[1].peak == Decimal("2.6")
    assert d.admissions[1].evaluable
    assert "N189" in d.admissions[-1].codes


def _normal_range(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    assert d.egfrs[:2] == [92, 67]
    assert 52 <= d.egfrs[2] <= 58
    flags = db.execute("select count(*) from labevents where itemid = 50912 and flag is not null").fetchone()[0]
    assert flags == 0
    assert not any(_code_lists(d))
    assert not any("kidney" in a.note for a in d.admissions)


def _one_category(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    assert (d.egfrs, d.categories) == ([27, 18], ["G4", "G4"])
    assert _code_lists(d) == [{"N184"}, {"N184"}]
    assert not any(a.aki for a in d.admissions)


def _no_return(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    assert d.egfrs == [89, 47, 46]
    assert d.admissions[1].peak == Decimal("4.2")
    assert [float(v) for _, v in d.admissions[1].values[-2:]] == [1.7, 1.7]
    assert "resolved acute kidney injury" in d.admissions[1].note
    assert not d.admissions[2].aki


def _dialysis(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    first, last = d.admissions[0], d.admissions[-1]
    assert 2.8 <= float(first.lowest) <= float(first.peak) <= 3.6
    assert not first.dialysis
    assert {"N186", "Z992"} <= last.codes
    assert "outpatient hemodialysis three times a week" in last.note
    assert not last.evaluable


def _transplant(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    assert all(3.5 <= float(v) <= 5 for a in d.admissions[:2] for _, v in a.values)
    assert ["N185" in a.codes for a in d.admissions[:2]] == [True, True]
    codes = db.execute("select hadm_id from procedures_icd where icd_code like '0TY%'").fetchall()
    assert codes == [(d.admissions[2].hadm_id,)]
    assert d.admissions[3].lowest == Decimal("1.3")
    assert "Z940" in d.admissions[3].codes


def _concordant(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    assert d.categories == ["G3b", "G4"]
    assert round(d.decline * 100) == 19
    assert _code_lists(d) == [{"N183"}, {"N184"}]
    assert d.admissions[-1].age > 65


def _flat(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    lows = _lows(d)
    assert abs(lows[0] - lows[-1]) <= 0.1
    assert lows[1] > lows[0]


def _improving(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    assert d.egfrs == [49, 57]
    assert d.admissions[-1].peak == Decimal("2.4")
    assert d.admissions[-1].values[0][1] > Decimal("1.5")
    drugs = db.execute("select hadm_id from prescriptions where drug in ('Furosemide', 'Naproxen')").fetchall()
    assert {hadm_id for (hadm_id,) in drugs} == {d.admissions[0].hadm_id}


def _reversible(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    middle = d.admissions[1]
    assert 2.5 <= float(middle.peak) <= 5
    assert middle.values[-1][1] <= d.admissions[0].lowest + Decimal("0.2")
    assert middle.codes & {"N170", "N179"}
    assert any(said.lower() in middle.note for said in bank("phrases/kidney")["consult"])


def _temporary(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    assert [a.evaluable for a in d.admissions] == [True, False, True]
    assert "N170" in d.admissions[1].codes
    start, end = db.execute("select starttime, endtime from procedureevents where itemid = 225802").fetchone()
    assert datetime.fromisoformat(end) - datetime.fromisoformat(start) == timedelta(days=3)


def _old_frail(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    assert (_lows(d), d.egfrs[0], d.egfrs[-1]) == ([1.0, 1.0, 1.0], 57, 55)
    assert 0.055 <= weight_loss(db, d.admissions[0], d.admissions[-1]) <= 0.105
    assert _code_lists(d) == [{"N183"}] * 3


def _young_mild(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    assert (d.egfrs, d.categories[0], d.categories[-1]) == ([98, 85, 75], "G1", "G2")
    assert weight_loss(db, d.admissions[0], d.admissions[-1]) <= 0


def _single(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    levels = [v for _, v in d.admissions[0].values]
    assert len(levels) == 10
    assert levels == sorted(levels)
    assert db.execute("select count(*) from edstays where hadm_id is null").fetchone()[0] >= 2


def _sparse(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    assert [a.dates == 1 for a in d.admissions] == [True, False, True]
    assert (_lows(d)[0], _lows(d)[-1]) == (0.9, 1.6)


def _unsettled(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    (before, _), (after, last) = d.admissions[1].values[-2:]
    assert after.date() - before.date() == timedelta(days=1)
    assert last == Decimal("2.3")
    location = db.execute("select discharge_location from admissions order by admittime desc").fetchone()[0]
    assert location == "ACUTE HOSPITAL"


def _mild_elderly(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    assert d.categories == ["G3a"] * 3
    assert round(d.decline * 100) == 21
    assert 0.075 <= weight_loss(db, d.admissions[0], d.admissions[-1]) <= 0.125
    assert not any(a.aki for a in d.admissions)


def _rising_code(db: sqlite3.Connection, case: Case, d: Derived) -> None:
    assert d.egfrs == [49, 48]
    assert _code_lists(d) == [{"N183"}, {"N184"}]


TRAPS: dict[str | None, Callable[[sqlite3.Connection, Case, Derived], None]] = {
    "sustained-decline": _sustained,
    "decline-within-normal-range": _normal_range,
    "decline-within-one-category": _one_category,
    "aki-without-return": _no_return,
    "dialysis-onset": _dialysis,
    "transplant-onset": _transplant,
    "stage-progression-concordant": _concordant,
    "flat-with-mid-course-bump": _flat,
    "improving": _improving,
    "reversible-aki": _reversible,
    "temporary-dialysis-recovered": _temporary,
    "old-frail-flat": _old_frail,
    "young-mild-decline": _young_mild,
    "single-admission": _single,
    "sparse-sampling": _sparse,
    "unsettled-last-aki": _unsettled,
    "mild-decline-elderly": _mild_elderly,
    "rising-code-flat-labs": _rising_code,
}
