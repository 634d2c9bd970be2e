"""ICU stays of a day or more on the ventilator with a low PaO2/FiO2 and a chest film, or coded ARDS."""

from __future__ import annotations

from pytest_clinicare.charts.mimic.cohort import ADULT, STAYS, Cohort, Condition

_VENTILATED = (
    "EXISTS (SELECT 1 FROM procedureevents p WHERE p.stay_id = c.stay_id AND p.itemid = 225792"
    " AND julianday(p.endtime) - julianday(p.starttime) >= 1)"
)
_HYPOXEMIC = (
    "EXISTS (SELECT 1 FROM chartevents o, chartevents f WHERE o.stay_id = c.stay_id AND o.itemid = 220224"
    " AND f.stay_id = c.stay_id AND f.itemid = 223835 AND f.valuenum BETWEEN 21 AND 100"
    " AND f.charttime BETWEEN datetime(o.charttime, '-2 hours') AND o.charttime"
    " AND o.valuenum * 100 / f.valuenum <= 300)"
)
_CODED = "EXISTS (SELECT 1 FROM diagnoses_icd d WHERE d.hadm_id = c.hadm_id AND d.icd_code IN ('J80', '51882'))"

COHORT = Cohort(
    STAYS,
    (
        ADULT,
        Condition(
            "invasive ventilation for 24 h and PaO2/FiO2 <= 300, or coded ARDS",
            f"({_VENTILATED} AND {_HYPOXEMIC} OR {_CODED})",
        ),
        Condition(
            "a chest radiology report",
            "EXISTS (SELECT 1 FROM radiology r WHERE r.hadm_id = c.hadm_id AND upper(r.text) LIKE '%CHEST%')",
            notes="radiology",
        ),
    ),
    main=f"({_VENTILATED} AND {_HYPOXEMIC})",
    share=0.87,
    favoured="EXISTS (SELECT 1 FROM chartevents p WHERE p.stay_id = c.stay_id AND p.itemid = 224696)",
)
