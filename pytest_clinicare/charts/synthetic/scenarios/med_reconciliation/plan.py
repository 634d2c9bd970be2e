"""The case plan of med-reconciliation: recipes drawn from the ranges of the scenario's variants."""

from __future__ import annotations

import random
from typing import Any

from pytest_clinicare.charts.synthetic.illness import Tellings
from pytest_clinicare.charts.synthetic.plan_cases import Draw, Drawn, Recipe, draw_cases
from pytest_clinicare.charts.synthetic.scenarios.med_reconciliation import abstract
from pytest_clinicare.charts.synthetic.scenarios.med_reconciliation.notes import BANK, kind_of
from pytest_clinicare.charts.synthetic.scenarios.med_reconciliation.regimen import (
    Regimen,
    creatinine_course,
    drug,
    stable_course,
)
from pytest_clinicare.suite.case import Case

SCENARIO = "med-reconciliation"
_NO_LONGER_LOW = 118  # mmHg; the variant's systolic pressure from which a hold has lost its reason


def plan(seed: int) -> list[Case]:
    """The 30 cases; the question names no ED stay, as finding it is part of it."""
    tellings = Tellings(random.Random(f"{SCENARIO}/tellings/{seed}/7"), BANK)
    return draw_cases(SCENARIO, {name: _told(draw, tellings) for name, draw in DRAWS.items()}, abstract.abstract, seed)


def _told(draw: Draw, tellings: Tellings) -> Draw:
    """The same draw with the illness of the admission, that of an uneventful one before, and their wordings."""

    def drawn(rng: random.Random, turn: int) -> Drawn:
        recipe, text = draw(rng, turn)
        past = {**recipe, "ed_link": "hadm", "events": "none", "creatinine": recipe["creatinine"][:1] * 2}
        told, before = (tellings.deal(*kind_of(each)) for each in (recipe, past))
        return recipe | {"telling": told.row, "earlier_telling": before.row}, text

    return drawn


def _recipe(regimen: Regimen, creatinine: list[list[float]], *, as_needed: str | None = None, **other: Any) -> Recipe:
    """``as_needed`` is a home drug that some patients take as needed, so that such entries tell no verdict."""
    regimen.shuffle()
    if as_needed is not None:
        regimen.carry_as_needed(as_needed)
    rng = regimen.rng
    recipe: Recipe = {
        "ed_link": rng.choice(("hadm", "hadm", "hadm", "by-time")),
        "medrecon_rows": regimen.rows,
        "home_meds": regimen.home,
        "final_24h": regimen.given,
        "discharge_list": regimen.leaving,
        "statements": regimen.statements,
        "creatinine": creatinine,
        "vitals_last": [rng.randrange(64, 88), rng.randrange(114, 140)],
        "events": "none",
        "note_state": "complete",
    }
    return recipe | other


def _label(key: str, dose: str) -> str:
    entry = drug(key)
    return f"{key.replace('_', ' ')} {dose} {entry['frequency']}"


def _days(rng: random.Random) -> int:
    return rng.randrange(3, 7)


def _silent_omission(rng: random.Random, turn: int) -> Drawn:
    regimen = Regimen(rng)
    target = ("levothyroxine", "sertraline", "levetiracetam")[turn % 3]
    dose = regimen.take(target)
    regimen.give(target, dose)
    regimen.fill(rng.randrange(6, 9))
    regimen.ward("heparin_sc")
    text = (
        f"{_label(target, dose)} is a home drug, was given in the last 24 h, is absent from the "
        "discharge list, and no text names it."
    )
    return _recipe(regimen, stable_course(rng, 0.7, 1.1, _days(rng)), as_needed="acetaminophen"), text


def _hold_never_resolved(rng: random.Random, _turn: int) -> Drawn:
    regimen = Regimen(rng)
    regimen.take("lisinopril", "20 mg")
    regimen.fill(rng.randrange(5, 8))
    regimen.ward("heparin_sc")
    regimen.statements.append(
        ["lisinopril", "lisinopril was held on admission in the setting of AKI.", "hospital course"]
    )
    baseline, peak, last = rng.choice((0.9, 1.0, 1.1)), rng.randrange(20, 25) / 10, rng.choice((1.0, 1.1, 1.2))
    text = (
        f"lisinopril 20 mg DAILY was held for AKI (creatinine {peak} mg/dL) "
        f"which resolved ({last}, baseline {baseline}: "
        f"ratio {last / baseline:.2f}); it is not on the discharge list and no restart, stop or review is written."
    )
    recipe = _recipe(regimen, creatinine_course(rng, baseline, peak, last, _days(rng)), as_needed="acetaminophen")
    heart_rate, systolic = recipe["vitals_last"]
    return recipe | {"vitals_last": [heart_rate, max(systolic, _NO_LONGER_LOW)]}, text


def _no_duration(rng: random.Random, turn: int) -> Drawn:
    regimen = Regimen(rng)
    regimen.fill(rng.randrange(5, 8), without=("escitalopram",))
    key, other, sentence = (
        ("levofloxacin", "ceftriaxone", "Ceftriaxone was given for 2 days and completed on hospital day 2."),
        ("cefpodoxime", "azithromycin", "A 3-day course of azithromycin was completed on hospital day 3."),
    )[turn % 2]
    dose = drug(key)["doses"][0]
    regimen.give(key, dose)
    regimen.leave(key, dose, annotation="new")
    regimen.ward("heparin_sc")
    regimen.statements.append([other, sentence, "hospital course"])
    text = f"{_label(key, dose)} is new at discharge for pneumonia, with no days, stop date or total course anywhere."
    return _recipe(regimen, stable_course(rng, 0.7, 1.1, _days(rng) + 1), events="infection"), text


def _dose_differs(rng: random.Random, turn: int) -> Drawn:
    regimen = Regimen(rng)
    key, home, leaving = (("metoprolol_succinate", "100 mg", "25 mg"), ("apixaban", "5 mg", "2.5 mg"))[turn % 2]
    regimen.take(key, home)
    regimen.give(key, home)
    regimen.leave(key, leaving)
    regimen.fill(rng.randrange(5, 8), without=("aspirin", "metoprolol_succinate"))
    vitals = [rng.randrange(70, 85), rng.randrange(120, 139)]
    text = (
        f"{_label(key, home)} at home and to the last dose in hospital, {leaving} on the discharge list, "
        "no word on the change."
    )
    return _recipe(
        regimen, stable_course(rng, 0.8, 1.1, _days(rng)), as_needed="acetaminophen", vitals_last=vitals
    ), text


def _beside_ambiguous(rng: random.Random, _turn: int) -> Drawn:
    regimen = Regimen(rng)
    regimen.take("apixaban", "5 mg")
    regimen.give("apixaban", "5 mg")
    regimen.take("losartan", "50 mg")
    regimen.fill(rng.randrange(5, 8), without=("aspirin",))
    baseline, last = rng.choice(((1.0, 1.7), (1.0, 1.6), (1.1, 1.8), (1.1, 1.9)))
    text = (
        "apixaban 5 mg BID was given to the end and is absent at discharge: "
        "no statement, no bleeding, normal platelets; "
        f"losartan is absent too, with creatinine {last} on {baseline} mg/dL ({last / baseline:.2f} x)."
    )
    return _recipe(
        regimen, creatinine_course(rng, baseline, last + 0.6, last, _days(rng)), as_needed="acetaminophen"
    ), text


def _duplicate_rows(rng: random.Random, _turn: int) -> Drawn:
    regimen = Regimen(rng)
    regimen.fill(rng.randrange(6, 8))
    for row in regimen.rows:
        row[1] = 2
    for row in rng.sample(regimen.rows, rng.randrange(2, 5)):
        row[1] = 3
    regimen.give("docusate", "100 mg")
    regimen.leave("docusate", "100 mg", annotation="new")
    total = sum(row[1] for row in regimen.rows)
    text = (
        f"{total} home-list rows are {len(regimen.rows)} drugs, all continued at equal dose; only "
        "docusate PRN is added."
    )
    return _recipe(regimen, stable_course(rng, 0.7, 1.1, _days(rng))), text


def _documented_stop(rng: random.Random, turn: int) -> Drawn:
    regimen = Regimen(rng)
    regimen.take("aspirin", "81 mg")
    sentence = "STOP taking aspirin."
    if turn % 2:
        regimen.take("ibuprofen", "400 mg")
        sentence = "STOP taking aspirin and ibuprofen."
    regimen.statements.append(["aspirin", sentence, "instructions"])
    regimen.fill(rng.randrange(5, 7), without=("omeprazole", "sertraline", "escitalopram"))
    regimen.give("pantoprazole", "40 mg")
    regimen.leave("pantoprazole", "40 mg", annotation="new")
    text = f"Upper GI bleed; aspirin is absent from the discharge list and the instructions end with '{sentence}'"
    return _recipe(regimen, stable_course(rng, 0.7, 1.1, _days(rng)), events="bleeding"), text


def _stale_home_list(rng: random.Random, _turn: int) -> Drawn:
    regimen = Regimen(rng)
    regimen.take("warfarin", "5 mg", status="stopped", rows=1)
    regimen.carry("apixaban", "5 mg", rows=0)
    regimen.fill(rng.randrange(5, 7), without=("aspirin",))
    regimen.statements.append(
        ["warfarin", "stopped 2 months ago by cardiology, now apixaban 5 mg BID", "medications on admission"]
    )
    text = (
        "The ED list still names warfarin; Medications on Admission marks it stopped for apixaban 5 mg "
        "BID, which continues."
    )
    return _recipe(regimen, stable_course(rng, 0.7, 1.1, _days(rng))), text


def _hold_with_review(rng: random.Random, turn: int) -> Drawn:
    regimen = Regimen(rng)
    regimen.take("furosemide", "40 mg")
    regimen.fill(rng.randrange(5, 8))
    regimen.ward("heparin_sc")
    sentence = "Please hold furosemide until seen by your primary physician within 1 week."
    regimen.statements.append(["furosemide", sentence, ("instructions", "hospital course")[turn % 2]])
    baseline, last = ((1.0, 1.1), (1.0, 1.7), (1.1, 1.4))[rng.randrange(3)]
    text = (
        "furosemide 40 mg DAILY is held with a review by the primary physician within 1 week; "
        f"creatinine {baseline} to {last} mg/dL."
    )
    return _recipe(
        regimen, creatinine_course(rng, baseline, round(last + 0.7, 1), last, _days(rng)), as_needed="acetaminophen"
    ), text


def _swap_reversed(rng: random.Random, _turn: int) -> Drawn:
    regimen = Regimen(rng)
    regimen.take("rosuvastatin", "10 mg")
    regimen.give("atorvastatin", "40 mg")
    regimen.leave("rosuvastatin", "10 mg")
    regimen.fill(rng.randrange(5, 8), without=("atorvastatin",))
    regimen.ward("heparin_sc")
    text = "rosuvastatin 10 mg at home and at discharge; atorvastatin 40 mg was the formulary substitute in hospital."
    return _recipe(regimen, stable_course(rng, 0.7, 1.1, _days(rng))), text


def _equal_dose(rng: random.Random, _turn: int) -> Drawn:
    regimen = Regimen(rng)
    regimen.take("metoprolol_succinate", "50 mg")
    regimen.give("metoprolol_tartrate", "25 mg")
    regimen.leave("metoprolol_tartrate", "25 mg")
    regimen.fill(rng.randrange(5, 8), without=("metoprolol_succinate",))
    text = (
        "metoprolol succinate 50 mg DAILY at home, tartrate 25 mg BID in hospital and at discharge: 50 mg a day both."
    )
    return _recipe(regimen, stable_course(rng, 0.7, 1.1, _days(rng))), text


def _trivial_only(rng: random.Random, _turn: int) -> Drawn:
    regimen = Regimen(rng)
    for key in ("multivitamin", "vitamin_d", "artificial_tears"):
        regimen.take(key)
    regimen.fill(rng.randrange(5, 7), without=("multivitamin", "vitamin_d"))
    regimen.give("amoxicillin_clavulanate", "875 mg")
    regimen.leave("amoxicillin_clavulanate", "875 mg", annotation="new")
    sentence = "Antibiotics were narrowed to amoxicillin-clavulanate to complete a 7-day course, last day day 7."
    regimen.statements.append(["amoxicillin_clavulanate", sentence, "hospital course"])
    text = (
        "Only multivitamin, vitamin D and artificial tears are dropped; the 7-day antibiotic course is "
        "written in the hospital course."
    )
    return _recipe(regimen, stable_course(rng, 0.7, 1.1, rng.randrange(3, 6)), events="infection"), text


def _no_ed(rng: random.Random, _turn: int) -> Drawn:
    regimen = Regimen(rng)
    regimen.fill(rng.randrange(6, 8))
    text = "Elective admission, no ED stay within 24 h; the only ED home list is 5 months old."
    return _recipe(regimen, stable_course(rng, 0.7, 1.1, 3), ed_link="none"), text


def _empty_medrecon(rng: random.Random, _turn: int) -> Drawn:
    regimen = Regimen(rng)
    regimen.fill(6)
    regimen.ward("heparin_sc")
    text = "The linked ED stay has no medrecon row and no text says that the patient takes no medication."
    return _recipe(regimen, stable_course(rng, 0.7, 1.1, _days(rng)), medrecon_rows=[], ed_link="hadm"), text


def _no_list(rng: random.Random, _turn: int) -> Drawn:
    regimen = Regimen(rng)
    regimen.fill(7)
    regimen.ward("heparin_sc", "docusate", "senna", "acetaminophen", "ondansetron")
    text = "The discharge-medication section is wholly masked; 12 prescriptions are active on the last day."
    recipe = _recipe(regimen, stable_course(rng, 0.7, 1.1, _days(rng)), note_state="list masked", discharge_list=[])
    return recipe, text


def _persisting_aki(rng: random.Random, turn: int) -> Drawn:
    regimen = Regimen(rng)
    key, dose = (("losartan", "50 mg"), ("lisinopril", "20 mg"))[turn % 2]
    regimen.take(key, dose)
    regimen.fill(rng.randrange(5, 8))
    regimen.ward("heparin_sc")
    baseline, last = rng.choice((1.0, 1.1)), rng.randrange(18, 22) / 10
    text = (
        f"{_label(key, dose)} is absent at discharge with no statement; "
        f"on the day of discharge creatinine is {last} mg/dL, "
        f"{last / baseline:.2f} x the baseline of {baseline}."
    )
    return _recipe(
        regimen, creatinine_course(rng, baseline, round(last + 0.8, 1), last, _days(rng)), as_needed="acetaminophen"
    ), text


def _titrated(rng: random.Random, _turn: int) -> Drawn:
    regimen = Regimen(rng)
    regimen.take("furosemide", "40 mg")
    regimen.give("furosemide", "80 mg")
    regimen.leave("furosemide", "80 mg")
    regimen.fill(rng.randrange(5, 8))
    regimen.ward("heparin_sc")
    text = (
        "furosemide 40 mg DAILY at home; 80 mg given on the last 2 days and on the discharge list; the "
        "text is silent on it."
    )
    return _recipe(regimen, stable_course(rng, 0.9, 1.1, 5), as_needed="acetaminophen"), text


DRAWS: dict[str, Draw] = {
    "silent-omission": _silent_omission,
    "hold-never-resolved": _hold_never_resolved,
    "no-duration-antibiotic": _no_duration,
    "name-match-dose-differs": _dose_differs,
    "unintended-beside-ambiguous": _beside_ambiguous,
    "clean-with-duplicate-rows": _duplicate_rows,
    "documented-stop": _documented_stop,
    "stale-home-list": _stale_home_list,
    "hold-with-review": _hold_with_review,
    "formulary-swap-reversed": _swap_reversed,
    "equal-daily-dose-form": _equal_dose,
    "trivial-only-duration-in-course": _trivial_only,
    "no-ed-encounter": _no_ed,
    "ed-stay-empty-medrecon": _empty_medrecon,
    "no-readable-discharge-list": _no_list,
    "persisting-aki-arb-absent": _persisting_aki,
    "titrated-in-hospital-unstated": _titrated,
}
