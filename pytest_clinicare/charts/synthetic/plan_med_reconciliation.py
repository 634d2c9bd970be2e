"""The case plan of med-reconciliation: 30 recipes drawn from the ranges of the scenario's variants."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from pytest_clinicare.charts.synthetic import med_rec_abstract
from pytest_clinicare.charts.synthetic.med_rec_regimen import Regimen, creatinine_course, drug, stable_course
from pytest_clinicare.suite.case import Case
from pytest_clinicare.suite.verdict import Verdict

SCENARIO = "med-reconciliation"
Recipe = dict[str, Any]


class Variant(NamedTuple):
    """``draw(rng, turn)`` gives the recipe of the variant's ``turn``-th case and the sentence that decides it."""

    verdict: Verdict
    step: int
    count: int
    draw: Callable[[random.Random, int], tuple[Recipe, str]]
    trap: str


def plan(seed: int) -> list[Case]:
    """The 30 cases, ids in an order that says nothing."""
    rng = random.Random(f"{SCENARIO}/{seed}")
    numbers = rng.sample(range(1, 31), 30)
    identities = _identities(rng, 30)
    cases: list[Case] = []
    for name, variant in VARIANTS.items():
        for turn in range(variant.count):
            number, (subject_id, hadm_id, stay_id) = numbers[len(cases)], identities[len(cases)]
            recipe, decisive = variant.draw(rng, turn)
            cases.append(
                Case(
                    id=f"{SCENARIO}-{number:02d}",
                    scenario=SCENARIO,
                    subject_id=subject_id,
                    hadm_id=hadm_id,
                    stay_id=stay_id,
                    verdict=variant.verdict,
                    variant=name,
                    step=variant.step,
                    seed=rng.randrange(1, 2**31),
                    abstract=med_rec_abstract.abstract(recipe, decisive),
                    trap=variant.trap,
                    recipe=recipe,
                )
            )
    return sorted(cases, key=lambda case: case.id)


def _identities(rng: random.Random, count: int) -> list[tuple[int, int, None]]:
    """Subject and admission; the question names no ICU or ED stay, finding the ED stay is part of it."""
    subjects = rng.sample(range(10_000_000, 20_000_000), count)
    admissions = rng.sample(range(20_000_000, 30_000_000), count)
    return [(subject, admission, None) for subject, admission in zip(subjects, admissions, strict=True)]


def _recipe(regimen: Regimen, creatinine: list[list[float]], **other: Any) -> Recipe:
    regimen.shuffle()
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


def _silent_omission(rng: random.Random, turn: int) -> tuple[Recipe, str]:
    regimen = Regimen(rng)
    target = ("levothyroxine", "sertraline", "levetiracetam")[turn % 3]
    dose = regimen.take(target)
    regimen.give(target, dose)
    regimen.fill(rng.randrange(6, 9))
    regimen.ward("heparin_sc")
    text = f"{_label(target, dose)} is a home drug, was given in the last 24 h, is absent from the discharge list, and no text names it."
    return _recipe(regimen, stable_course(rng, 0.7, 1.1, _days(rng))), text


def _hold_never_resolved(rng: random.Random, _turn: int) -> tuple[Recipe, str]:
    regimen = Regimen(rng)
    regimen.take("lisinopril", "20 mg")
    regimen.fill(rng.randrange(5, 8))
    regimen.ward("heparin_sc")
    regimen.statements.append(
        ["lisinopril", "lisinopril was held on admission in the setting of AKI.", "hospital course"]
    )
    baseline, peak, last = rng.choice((0.9, 1.0, 1.1)), rng.randrange(20, 25) / 10, rng.choice((1.0, 1.1, 1.2))
    text = (
        f"lisinopril 20 mg DAILY was held for AKI (creatinine {peak} mg/dL) which resolved ({last}, baseline {baseline}: "
        f"ratio {last / baseline:.2f}); it is not on the discharge list and no restart, stop or review is written."
    )
    return _recipe(regimen, creatinine_course(rng, baseline, peak, last, _days(rng))), text


def _no_duration(rng: random.Random, turn: int) -> tuple[Recipe, str]:
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


def _dose_differs(rng: random.Random, turn: int) -> tuple[Recipe, str]:
    regimen = Regimen(rng)
    key, home, leaving = (("metoprolol_succinate", "100 mg", "25 mg"), ("apixaban", "5 mg", "2.5 mg"))[turn % 2]
    regimen.take(key, home)
    regimen.give(key, home)
    regimen.leave(key, leaving)
    regimen.fill(rng.randrange(5, 8), without=("aspirin", "metoprolol_succinate"))
    vitals = [rng.randrange(70, 85), rng.randrange(120, 139)]
    text = f"{_label(key, home)} at home and to the last dose in hospital, {leaving} on the discharge list, no word on the change."
    return _recipe(regimen, stable_course(rng, 0.8, 1.1, _days(rng)), vitals_last=vitals), text


def _beside_ambiguous(rng: random.Random, _turn: int) -> tuple[Recipe, str]:
    regimen = Regimen(rng)
    regimen.take("apixaban", "5 mg")
    regimen.give("apixaban", "5 mg")
    regimen.take("losartan", "50 mg")
    regimen.fill(rng.randrange(5, 8), without=("aspirin",))
    baseline, last = rng.choice(((1.0, 1.7), (1.0, 1.6), (1.1, 1.8), (1.1, 1.9)))
    text = (
        "apixaban 5 mg BID was given to the end and is absent at discharge with no statement, no bleeding, normal platelets; "
        f"losartan is absent too, with creatinine {last} on {baseline} mg/dL ({last / baseline:.2f} x)."
    )
    return _recipe(regimen, creatinine_course(rng, baseline, last + 0.6, last, _days(rng))), text


def _duplicate_rows(rng: random.Random, _turn: int) -> tuple[Recipe, str]:
    regimen = Regimen(rng)
    regimen.fill(rng.randrange(6, 8))
    for row in regimen.rows:
        row[1] = 2
    for row in rng.sample(regimen.rows, rng.randrange(2, 5)):
        row[1] = 3
    regimen.give("docusate", "100 mg")
    regimen.leave("docusate", "100 mg", annotation="new")
    total = sum(row[1] for row in regimen.rows)
    text = f"{total} home-list rows are {len(regimen.rows)} drugs, all continued at equal dose; only docusate PRN is added."
    return _recipe(regimen, stable_course(rng, 0.7, 1.1, _days(rng))), text


def _documented_stop(rng: random.Random, turn: int) -> tuple[Recipe, str]:
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


def _stale_home_list(rng: random.Random, _turn: int) -> tuple[Recipe, str]:
    regimen = Regimen(rng)
    regimen.take("warfarin", "5 mg", status="stopped", rows=1)
    regimen.carry("apixaban", "5 mg", rows=0)
    regimen.fill(rng.randrange(5, 7), without=("aspirin",))
    regimen.statements.append(
        ["warfarin", "stopped 2 months ago by cardiology, now apixaban 5 mg BID", "medications on admission"]
    )
    text = "The ED list still names warfarin; Medications on Admission marks it stopped for apixaban 5 mg BID, which continues."
    return _recipe(regimen, stable_course(rng, 0.7, 1.1, _days(rng))), text


def _hold_with_review(rng: random.Random, turn: int) -> tuple[Recipe, str]:
    regimen = Regimen(rng)
    regimen.take("furosemide", "40 mg")
    regimen.fill(rng.randrange(5, 8))
    regimen.ward("heparin_sc")
    sentence = "Please hold furosemide until seen by your primary physician within 1 week."
    regimen.statements.append(["furosemide", sentence, ("instructions", "hospital course")[turn % 2]])
    baseline, last = ((1.0, 1.1), (1.0, 1.7), (1.1, 1.4))[rng.randrange(3)]
    text = f"furosemide 40 mg DAILY is held with a review by the primary physician within 1 week; creatinine {baseline} to {last} mg/dL."
    return _recipe(regimen, creatinine_course(rng, baseline, round(last + 0.7, 1), last, _days(rng))), text


def _swap_reversed(rng: random.Random, _turn: int) -> tuple[Recipe, str]:
    regimen = Regimen(rng)
    regimen.take("rosuvastatin", "10 mg")
    regimen.give("atorvastatin", "40 mg")
    regimen.leave("rosuvastatin", "10 mg")
    regimen.fill(rng.randrange(5, 8), without=("atorvastatin",))
    regimen.ward("heparin_sc")
    text = "rosuvastatin 10 mg at home and at discharge; atorvastatin 40 mg was the formulary substitute in hospital."
    return _recipe(regimen, stable_course(rng, 0.7, 1.1, _days(rng))), text


def _equal_dose(rng: random.Random, _turn: int) -> tuple[Recipe, str]:
    regimen = Regimen(rng)
    regimen.take("metoprolol_succinate", "50 mg")
    regimen.give("metoprolol_tartrate", "25 mg")
    regimen.leave("metoprolol_tartrate", "25 mg")
    regimen.fill(rng.randrange(5, 8), without=("metoprolol_succinate",))
    text = "metoprolol succinate 50 mg DAILY at home, tartrate 25 mg BID in hospital and at discharge: 50 mg a day both."
    return _recipe(regimen, stable_course(rng, 0.7, 1.1, _days(rng))), text


def _trivial_only(rng: random.Random, _turn: int) -> tuple[Recipe, str]:
    regimen = Regimen(rng)
    for key in ("multivitamin", "vitamin_d", "artificial_tears"):
        regimen.take(key)
    regimen.fill(rng.randrange(5, 7), without=("multivitamin", "vitamin_d"))
    regimen.give("amoxicillin_clavulanate", "875 mg")
    regimen.leave("amoxicillin_clavulanate", "875 mg", annotation="new")
    sentence = "Antibiotics were narrowed to amoxicillin-clavulanate to complete a 7-day course, last day day 7."
    regimen.statements.append(["amoxicillin_clavulanate", sentence, "hospital course"])
    text = "Only multivitamin, vitamin D and artificial tears are dropped; the 7-day antibiotic course is written in the hospital course."
    return _recipe(regimen, stable_course(rng, 0.7, 1.1, rng.randrange(3, 6)), events="infection"), text


def _no_ed(rng: random.Random, _turn: int) -> tuple[Recipe, str]:
    regimen = Regimen(rng)
    regimen.fill(rng.randrange(6, 8))
    text = "Elective admission, no ED stay within 24 h; the only ED home list is 5 months old."
    return _recipe(regimen, stable_course(rng, 0.7, 1.1, 3), ed_link="none"), text


def _empty_medrecon(rng: random.Random, _turn: int) -> tuple[Recipe, str]:
    regimen = Regimen(rng)
    regimen.fill(6)
    regimen.ward("heparin_sc")
    text = "The linked ED stay has no medrecon row and no text says that the patient takes no medication."
    return _recipe(regimen, stable_course(rng, 0.7, 1.1, _days(rng)), medrecon_rows=[], ed_link="hadm"), text


def _no_list(rng: random.Random, _turn: int) -> tuple[Recipe, str]:
    regimen = Regimen(rng)
    regimen.fill(7)
    regimen.ward("heparin_sc", "docusate", "senna", "acetaminophen", "ondansetron")
    text = "The discharge-medication section is wholly masked; 12 prescriptions are active on the last day."
    recipe = _recipe(regimen, stable_course(rng, 0.7, 1.1, _days(rng)), note_state="list masked", discharge_list=[])
    return recipe, text


def _persisting_aki(rng: random.Random, turn: int) -> tuple[Recipe, str]:
    regimen = Regimen(rng)
    key, dose = (("losartan", "50 mg"), ("lisinopril", "20 mg"))[turn % 2]
    regimen.take(key, dose)
    regimen.fill(rng.randrange(5, 8))
    regimen.ward("heparin_sc")
    baseline, last = rng.choice((1.0, 1.1)), rng.randrange(18, 22) / 10
    text = (
        f"{_label(key, dose)} is absent at discharge with no statement; creatinine on the day of discharge {last} mg/dL, "
        f"{last / baseline:.2f} x the baseline of {baseline}."
    )
    return _recipe(regimen, creatinine_course(rng, baseline, round(last + 0.8, 1), last, _days(rng))), text


def _titrated(rng: random.Random, _turn: int) -> tuple[Recipe, str]:
    regimen = Regimen(rng)
    regimen.take("furosemide", "40 mg")
    regimen.give("furosemide", "80 mg")
    regimen.leave("furosemide", "80 mg")
    regimen.fill(rng.randrange(5, 8))
    regimen.ward("heparin_sc")
    text = "furosemide 40 mg DAILY at home; 80 mg given on the last 2 days and on the discharge list; the text is silent on it."
    return _recipe(regimen, stable_course(rng, 0.9, 1.1, 5)), text


_DRAWS: tuple[tuple[str, Verdict, int, int, Callable[[random.Random, int], tuple[Recipe, str]], str], ...] = (
    ("silent-omission", Verdict.YES, 3, 3, _silent_omission, "inpatient prescription is active up to dischtime"),
    ("hold-never-resolved", Verdict.YES, 3, 3, _hold_never_resolved, "the hold sentence reads like a decision"),
    ("no-duration-antibiotic", Verdict.YES, 4, 2, _no_duration, "inpatient stoptime equals dischtime; another antibiotic has a stated course"),
    ("name-match-dose-differs", Verdict.YES, 3, 2, _dose_differs, "medrecon holds names only and every name matches"),
    ("unintended-beside-ambiguous", Verdict.YES, 3, 2, _beside_ambiguous, "the losartan item invites escalation of the whole case"),
    ("clean-with-duplicate-rows", Verdict.NO, 6, 2, _duplicate_rows, "row count of medrecon exceeds the discharge list"),
    ("documented-stop", Verdict.NO, 6, 2, _documented_stop, "the stop is written only in the instructions at the end of the note"),
    ("stale-home-list", Verdict.NO, 6, 1, _stale_home_list, "warfarin on medrecon looks like an omitted anticoagulant"),
    ("hold-with-review", Verdict.NO, 6, 2, _hold_with_review, "a home drug is held and absent from the active list"),
    ("formulary-swap-reversed", Verdict.NO, 6, 2, _swap_reversed, "the statin given is on neither list"),
    ("equal-daily-dose-form", Verdict.NO, 6, 1, _equal_dose, "dose and frequency both differ on their face"),
    ("trivial-only-duration-in-course", Verdict.NO, 6, 2, _trivial_only, "the list entry has no duration; three home items are missing"),
    ("no-ed-encounter", Verdict.LACK, 1, 1, _no_ed, "a two-way comparison within the note is easy; an unrelated older ED list exists"),
    ("ed-stay-empty-medrecon", Verdict.LACK, 1, 1, _empty_medrecon, "Medications on Admission could be taken for the arrival list"),
    ("no-readable-discharge-list", Verdict.LACK, 2, 1, _no_list, "active prescriptions tempt as a discharge list"),
    ("persisting-aki-arb-absent", Verdict.AMBIGUOUS, 5, 2, _persisting_aki, "a clinician would guess a deliberate hold, a checklist an omission"),
    ("titrated-in-hospital-unstated", Verdict.AMBIGUOUS, 5, 1, _titrated, "unexplained on paper, deliberate in the administration record"),
)  # fmt: skip
VARIANTS = {name: Variant(verdict, step, count, draw, trap) for name, verdict, step, count, draw, trap in _DRAWS}
