"""The case plan of post-ct-aki: 30 recipes drawn from the ranges of the scenario's variants.

Creatinine in mg/dL; ``encounter_creatinine`` in hours from the index scan, ``prior_creatinine`` in days before
admission.
"""

from __future__ import annotations

import random
from typing import Any

from pytest_clinicare.charts.synthetic.illness import Tellings
from pytest_clinicare.charts.synthetic.plan_cases import Draw, Drawn, Recipe, draw_cases
from pytest_clinicare.charts.synthetic.plan_numbers import plus, quarter, tenth
from pytest_clinicare.charts.synthetic.scenarios.post_ct_aki.abstract import abstract
from pytest_clinicare.suite.case import Case

SCENARIO = "post-ct-aki"
_REGIONS = ("abdomen and pelvis; contrast given", "chest; contrast given", "head; contrast not given")
# What a report may end with; it decides nothing.
_FOLLOW_UP = "Follow-up of renal function is recommended after contrast administration"
_ADVICE = (
    _FOLLOW_UP,
    "Findings were discussed by telephone with the covering physician shortly after the study",
    "Continued clinical correlation and comparison with outside studies are recommended",
)
_LONGEST_AFTER = 4


_ARRIVED = (
    "Acute kidney injury: creatinine was already {base} on arrival, thought to reflect poor oral intake; "
    "improved with fluids.",
    "AKI present on admission with a creatinine of {base}, laid to days without drinking; better after two liters.",
)
_COMPLICATED = (
    "Course complicated by acute kidney injury with creatinine to {peak}, attributed to overdiuresis; resolved.",
    "Later in the stay acute kidney injury followed too much diuretic, creatinine {peak}; it passed.",
    "Acute kidney injury late in the stay (creatinine {peak}) was ascribed to diuresis and settled.",
)


def plan(seed: int) -> list[Case]:
    """The 30 cases, ids in an order that says nothing."""
    tellings = Tellings(random.Random(f"{SCENARIO}/tellings/{seed}/1"))
    return draw_cases(SCENARIO, {name: _told(draw, tellings) for name, draw in DRAWS.items()}, abstract, seed)


def _told(draw: Draw, tellings: Tellings) -> Draw:
    """The same draw with the illnesses of the stay and of an earlier one, and the wordings of their summaries."""

    def drawn(rng: random.Random, turn: int) -> Drawn:
        recipe, text = draw(rng, turn)
        trauma = recipe["baseline_tier"] == "none"
        told = tellings.deal("trauma") if trauma else tellings.deal(having="unit")
        return recipe | {"telling": told.row, "earlier_telling": tellings.deal(lacking="unit").row}, text

    return drawn


def _recipe(rng: random.Random, prior: list[list[float]], drawn: list[list[float]], **other: Any) -> Recipe:
    recipe: Recipe = {
        "baseline_tier": "prior",
        "prior_creatinine": prior,
        "encounter_creatinine": sorted(drawn),
        "later_ct": "none",
        "order_to_scan_delay_h": quarter(rng, 1, 4),
        "ct_report": _report(rng),
        "dialysis": "none",
        "ckd_stage": "none",
        "icd_codes": [],
        "summary_claim": "none",
    }
    return recipe | other


def _report(rng: random.Random) -> str:
    region = rng.choice(_REGIONS)
    advice = rng.choice(_ADVICE if region.endswith("contrast given") else _ADVICE[1:])
    return f"present; {region}" + (f"; {advice}" if rng.random() < 0.5 else "")


def _days(rng: random.Random, low: int = 100, high: int = 350) -> int:
    return rng.randint(low, high)


def _before(rng: random.Random, value: float) -> list[float]:
    """The blood drawn on arrival, some hours ahead of a scan on the first or second day."""
    return [-quarter(rng, 5, 16), value]


def _after(rng: random.Random, *values: float, start: float = 54) -> list[list[float]]:
    """Morning values after the window, a day apart; the last one stays for up to some days more."""
    first = quarter(rng, start, start + 6)
    kept = [*values, *[values[-1]] * rng.randint(0, _LONGEST_AFTER)]
    return [[first + 24.0 * number, value] for number, value in enumerate(kept)]


def _second_value_peak(rng: random.Random, _turn: int) -> Drawn:
    base = tenth(rng, 0.8, 1.0)
    peaks = [p / 10 for p in range(10, 22) if 150 * base <= 10 * p <= 190 * base + 1e-9 and p * 10 >= 150 * base]
    peak = rng.choice(peaks)
    at = quarter(rng, 30, 40)
    drawn = [[-quarter(rng, 26, 32), base], [quarter(rng, 8, 12), plus(base, rng.choice((0.0, 0.1)))], [at, peak]]
    drawn += _after(rng, plus(peak, -0.1), plus(peak, -0.3))
    text = (
        f"Baseline {base} (tier 1, single value); CT on day 2; peak {peak} at +{at:g} h ({peak / base:.2f} x baseline)."
    )
    return _recipe(rng, [[_days(rng, 150, 300), base]], drawn), text


def _exact_threshold(rng: random.Random, turn: int) -> Drawn:
    base = (0.9, 1.1, rng.choice((0.9, 1.1)))[turn]
    peak = plus(base, 0.3)
    other = plus(base, rng.choice((0.0, 0.1)))
    prior = [[_days(rng, 230, 350), other], [_days(rng, 100, 210), base]]
    window = [
        [quarter(rng, 8, 12), plus(base, 0.1)],
        [quarter(rng, 22, 30), peak],
        [quarter(rng, 36, 44), plus(base, 0.2)],
    ]
    drawn = [_before(rng, plus(base, 0.1)), *window, *_after(rng, plus(base, 0.1), base)]
    text = (
        f"Baseline {base} (tier 1, lower of two); peak exactly {peak}, a rise of 0.3 and a ratio of {peak / base:.2f}."
    )
    return _recipe(rng, prior, drawn), text


def _late_in_window(rng: random.Random, turn: int) -> Drawn:
    at = (48.0, quarter(rng, 45, 47.5))[turn]
    peak = tenth(rng, 1.4, 1.6)
    drawn = [_before(rng, 1.0), [12.0, 1.0], [24.0, 1.1], [at, peak], *_after(rng, plus(peak, -0.1), 1.1, start=66)]
    text = f"Baseline 1.0 (tier 1); {peak} at +{at:g} h is the only qualifying value in the 48 h."
    return _recipe(rng, [[_days(rng), 1.0]], drawn, order_to_scan_delay_h=quarter(rng, 5, 8)), text


def _single_qualifying(rng: random.Random, _turn: int) -> Drawn:
    peak, at = tenth(rng, 1.4, 2.0), quarter(rng, 20, 30)
    drawn = [_before(rng, 0.8), [at, peak], *_after(rng, plus(peak, -0.2), 1.0, start=62)]
    text = f"Baseline 0.8 (tier 1); a single value in the window, {peak} at +{at:g} h, qualifies."
    return _recipe(rng, [[_days(rng), 0.8]], drawn), text


def _admission_high(rng: random.Random, turn: int) -> Drawn:
    base, rise = tenth(rng, 2.2, 2.6), tenth(rng, 0.3, 0.6)
    peak = plus(base, rise)
    window = [
        [quarter(rng, 6, 10), plus(base, 0.1)],
        [quarter(rng, 22, 30), peak],
        [quarter(rng, 40, 46), plus(base, 0.2)],
    ]
    drawn = [_before(rng, base), *window, *_after(rng, base, plus(base, -0.6))]
    claim = _ARRIVED[turn % len(_ARRIVED)].format(base=base)
    text = (
        f"No value 365-90 d before admission; baseline {base} on arrival (tier 2); "
        f"peak {peak} (+{rise}, {peak / base:.2f} x)."
    )
    old = [[rng.randint(480, 700), 1.2]]
    return _recipe(rng, old, drawn, baseline_tier="admission", icd_codes=["N17.9"], summary_claim=claim), text


def _mdrd(rng: random.Random, _turn: int) -> Drawn:
    drawn = [
        [quarter(rng, 4, 8), 1.5],
        [quarter(rng, 20, 28), 1.7],
        [quarter(rng, 38, 45), 1.6],
        *_after(rng, 1.5, 1.5),
    ]
    text = (
        "Man of 60, CKD stage 3, no measured baseline; MDRD at eGFR 75 gives 1.01 (tier 3); window values 1.5 to 1.7."
    )
    codes = {"baseline_tier": "mdrd", "ckd_stage": "3, coded and in summary", "icd_codes": ["N18.3"]}
    return _recipe(rng, [], drawn, order_to_scan_delay_h=0.25, **codes), text


def _ckd4_rise(rng: random.Random, _turn: int) -> Drawn:
    peak = tenth(rng, 3.3, 3.5)
    prior = [[_days(rng, 220, 340), 3.1], [_days(rng, 100, 200), 2.9]]
    drawn = [_before(rng, 3.0), [10.0, 3.0], [32.0, peak], *_after(rng, 3.2, 3.0)]
    text = (
        f"CKD 4 without dialysis; baseline 2.9 (tier 1, lower of two); {peak} at +32 h is a rise of {plus(peak, -2.9)}."
    )
    return _recipe(rng, prior, drawn, ckd_stage="4, coded and in summary", icd_codes=["N18.4"]), text


def _stable(rng: random.Random, turn: int) -> Drawn:
    base = tenth(rng, 0.8, 1.1)
    hours = sorted(rng.sample((7.0, 15.5, 22.25, 31.5, 39.0, 46.5), rng.randint(3, 5)))
    drawn = [[hour, plus(base, rng.choice((0.0, 0.1, 0.2)))] for hour in hours]
    ckd = {"ckd_stage": "2, coded", "icd_codes": ["N18.2"]} if turn else {}
    report = f"present; abdomen and pelvis; contrast given; {_FOLLOW_UP}"
    text = f"Baseline {base} (tier 1); {len(hours)} window values, all within +0.2; contrast CT of the abdomen."
    recipe = _recipe(
        rng, [[_days(rng), base]], [_before(rng, base), *drawn, *_after(rng, base)], ct_report=report, **ckd
    )
    return recipe, text


def _later_ct(rng: random.Random, _turn: int) -> Drawn:
    later = quarter(rng, 84, 100)
    peak, at = tenth(rng, 1.4, 1.6), later + quarter(rng, 20, 30)
    window = [[quarter(rng, 6, 10), 0.9], [quarter(rng, 22, 28), 1.0], [quarter(rng, 40, 46), 1.0]]
    drawn = [_before(rng, 0.9), *window, [quarter(rng, 64, 70), 0.9], [at, peak], [at + 24, 1.2], [at + 48, 1.0]]
    text = f"Baseline 0.9 (tier 1); window values 0.9 to 1.0; {peak} follows only a second CT at +{later:g} h."
    report = {"ct_report": "present; abdomen and pelvis; contrast given", "later_ct": later}
    return _recipe(rng, [[_days(rng), 0.9]], drawn, **report), text


def _coded_outside(rng: random.Random, turn: int) -> Drawn:
    peak, at = tenth(rng, 1.6, 2.0), quarter(rng, 122, 140)
    drawn = [
        _before(rng, 1.0),
        [quarter(rng, 7, 12), tenth(rng, 1.0, 1.1)],
        [quarter(rng, 30, 38), tenth(rng, 1.1, 1.2)],
    ]
    drawn += [
        [quarter(rng, 68, 74), 1.1],
        [quarter(rng, 94, 100), 1.1],
        [at, peak],
        [at + 24, plus(peak, -0.3)],
        [at + 48, 1.1],
    ]
    claim = _COMPLICATED[turn % len(_COMPLICATED)].format(peak=peak)
    text = f"Baseline 1.0 (tier 1); window values at most 1.2; N17.9 and the summary refer to {peak} at +{at:g} h."
    return _recipe(rng, [[_days(rng), 1.0]], drawn, icd_codes=["N17.9"], summary_claim=claim), text


def _just_past(rng: random.Random, turn: int) -> Drawn:
    at = (48.35, quarter(rng, 50, 60))[turn]
    peak = tenth(rng, 1.4, 1.8)
    drawn = [_before(rng, 0.9), [10.0, tenth(rng, 0.9, 1.1)], [34.0, tenth(rng, 0.9, 1.1)], [at, peak], [at + 24, 1.2]]
    text = f"Baseline 0.9 (tier 1); window values at most 1.1; the first qualifying value, {peak}, comes at +{at:g} h."
    return _recipe(rng, [[_days(rng), 0.9]], drawn), text


def _between_order_and_scan(rng: random.Random, _turn: int) -> Drawn:
    after_order, before_scan = quarter(rng, 1, 4), quarter(rng, 2, 6)
    drawn = [
        [-before_scan, 1.5],
        [quarter(rng, 6, 12), 1.2],
        [quarter(rng, 26, 36), tenth(rng, 1.0, 1.1)],
        *_after(rng, 1.0),
    ]
    delay = after_order + before_scan
    text = (
        f"Baseline 1.0 (tier 1); 1.5 was drawn {after_order:g} h after the order and {before_scan:g} h before the scan."
    )
    return _recipe(rng, [[_days(rng), 1.0]], drawn, order_to_scan_delay_h=delay), text


def _tempting_low(rng: random.Random, turn: int) -> Drawn:
    tempting = (rng.randint(400, 450), rng.randint(32, 80))[turn]
    prior = sorted([[tempting, 0.7], [_days(rng, 220, 340), 1.2], [_days(rng, 100, 200), 1.1]], reverse=True)
    window = [[quarter(rng, 8, 12), 1.2], [quarter(rng, 30, 38), tenth(rng, 1.2, 1.3)]]
    drawn = [_before(rng, 1.1), *window, *_after(rng, 1.1)]
    text = f"Baseline 1.1 (tier 1); the 0.7 of {tempting} d before admission is out of range; window values 1.2 to 1.3."
    return _recipe(rng, prior, drawn), text


def _never_reported(rng: random.Random, _turn: int) -> Drawn:
    drawn = [_before(rng, 0.9), [quarter(rng, 10, 16), 0.9], [quarter(rng, 34, 42), 1.4], *_after(rng, 1.2)]
    text = "One CT Scan order, never discontinued; no CT report in the admission, so no scan time."
    return _recipe(rng, [[_days(rng), 0.9]], drawn, ct_report="absent; abdomen and pelvis; contrast not given"), text


def _no_baseline(rng: random.Random, _turn: int) -> Drawn:
    drawn = [[quarter(rng, 1, 4), 1.3], [quarter(rng, 22, 30), 1.2], *_after(rng, 1.1)]
    other = {"baseline_tier": "none", "order_to_scan_delay_h": 0.15, "ct_report": "present; torso; contrast given"}
    text = "First contact; trauma CT 20 min after arrival and before any blood; no earlier creatinine, no CKD: no tier."
    return _recipe(rng, [], drawn, **other), text


def _one_value(rng: random.Random, _turn: int) -> Drawn:
    value, at, late = tenth(rng, 1.0, 1.2), quarter(rng, 6, 12), quarter(rng, 70, 80)
    drawn = [_before(rng, 1.0), [at, value], [late, 1.5], [late + 24, 1.3]]
    text = f"Baseline 1.0 (tier 1); one window value, {value} at +{at:g} h with its flowsheet copy; 1.5 at +{late:g} h."
    return _recipe(rng, [[_days(rng), 1.0]], drawn), text


def _maintenance_dialysis(rng: random.Random, _turn: int) -> Drawn:
    prior = [[_days(rng, 240, 340), 5.6], [_days(rng, 100, 220), 4.4]]
    drawn = [_before(rng, 8.9), [quarter(rng, 5, 8), 5.1], [quarter(rng, 36, 39), 6.8], *_after(rng, 4.6, 6.0)]
    other = {"dialysis": "maintenance", "ckd_stage": "5, coded and in summary", "icd_codes": ["N18.6", "Z99.2"]}
    claim = "End stage renal disease on hemodialysis three times a week, continued during this admission."
    text = "End-stage renal disease on maintenance hemodialysis; 5.1 and 6.8 lie between sessions."
    return _recipe(rng, prior, drawn, summary_claim=claim, **other), text


def _unstable(rng: random.Random, _turn: int) -> Drawn:
    days = sorted(rng.sample(range(100, 350), 3), reverse=True)
    prior = [[days[0], 0.9], [days[1], 1.6], [days[2], 1.5]]
    drawn = [_before(rng, 1.3), [quarter(rng, 8, 12), 1.3], [quarter(rng, 30, 38), 1.4], *_after(rng, 1.3)]
    text = "Tier 1 is 0.9, 1.6, 1.5 (median 1.5); window values 1.3 and 1.4 qualify against 0.9 only."
    return _recipe(rng, prior, drawn), text


def _ckd4_flat(rng: random.Random, _turn: int) -> Drawn:
    prior = [[_days(rng, 220, 340), 3.2], [_days(rng, 100, 200), 3.0]]
    window = [
        [hour, tenth(rng, 3.0, 3.2)] for hour in (quarter(rng, 8, 11), quarter(rng, 22, 28), quarter(rng, 38, 45))
    ]
    drawn = [_before(rng, 3.1), *window, *_after(rng, 3.1)]
    text = "CKD 4 without dialysis; baseline 3.0 (tier 1); three window values from 3.0 to 3.2, none qualifying."
    return _recipe(rng, prior, drawn, ckd_stage="4, coded and in summary", icd_codes=["N18.4"]), text


DRAWS: dict[str, Draw] = {
    "second-value-peak": _second_value_peak,
    "exact-threshold": _exact_threshold,
    "qualifies-late-in-the-window": _late_in_window,
    "single-qualifying-value": _single_qualifying,
    "admission-baseline-already-high": _admission_high,
    "mdrd-baseline": _mdrd,
    "ckd4-with-rise": _ckd4_rise,
    "stable-after-ct": _stable,
    "rise-after-a-later-ct": _later_ct,
    "coded-aki-outside-the-window": _coded_outside,
    "rise-just-past-the-close": _just_past,
    "peak-between-order-and-scan": _between_order_and_scan,
    "tempting-low-baseline": _tempting_low,
    "ordered-never-reported": _never_reported,
    "no-baseline": _no_baseline,
    "one-unremarkable-value": _one_value,
    "maintenance-dialysis": _maintenance_dialysis,
    "unstable-prior-baseline": _unstable,
    "ckd4-without-rise": _ckd4_flat,
}
