"""Equations against the worked tables of the policy documents and the figures in the scenario specifications."""

from __future__ import annotations

import pytest

from pytest_clinicare.systems.scripted.clinical.egfr import (
    ckd_epi_2021,
    ckd_epi_2021_cystatin,
    g_category,
    in_stage_or_worse,
    lower_category,
    mdrd_creatinine,
    rounded,
)


@pytest.mark.parametrize(
    ("female", "age", "figures"),
    [
        (True, 40, (95, 73, 45, 24)),
        (True, 60, (84, 64, 40, 21)),
        (True, 80, (74, 57, 35, 19)),
        (False, 40, (115, 98, 60, 32)),
        (False, 60, (101, 86, 53, 29)),
        (False, 80, (89, 76, 47, 25)),
    ],
)
def test_ckd_epi_reproduces_the_worked_table(female: bool, age: int, figures: tuple[int, ...]) -> None:
    assert tuple(rounded(ckd_epi_2021(c, age, female)) for c in (0.8, 1.0, 1.5, 2.5)) == figures


@pytest.mark.parametrize(
    ("female", "course"),
    [
        (True, [(58, 0.9, 74), (60, 1.2, 52), (62, 1.4, 43)]),
        (True, [(72, 0.7, 92), (75, 0.9, 67)]),
        (False, [(62, 2.6, 27), (64, 3.6, 18)]),
        (False, [(55, 1.0, 89), (56, 1.7, 47), (58, 1.7, 46)]),
        (False, [(66, 2.1, 34), (67, 2.5, 27)]),
        (True, [(78, 1.0, 58), (80, 1.1, 51)]),
        (False, [(40, 1.0, 98), (43, 1.1, 85), (47, 1.2, 75)]),
    ],
)
def test_ckd_epi_gives_the_figures_of_the_case_plan(female: bool, course: list[tuple[int, float, int]]) -> None:
    assert [rounded(ckd_epi_2021(c, age, female)) for age, c, _ in course] == [figure for *_, figure in course]


@pytest.mark.parametrize(
    ("age", "male", "female"), [(30, "1.15", "0.88"), (45, "1.07", "0.82"), (60, "1.01", "0.78"), (75, "0.98", "0.75")]
)
def test_mdrd_solved_for_creatinine_reproduces_the_kdigo_table(age: int, male: str, female: str) -> None:
    assert (f"{mdrd_creatinine(age, False):.2f}", f"{mdrd_creatinine(age, True):.2f}") == (male, female)


def test_categories_are_read_from_the_rounded_value() -> None:
    assert [g_category(v) for v in (89.5, 89.4, 59.5, 44.6, 29.4, 14.4)] == ["G1", "G2", "G2", "G3a", "G4", "G5"]
    assert lower_category("G3b", "G3a")
    assert not lower_category("G2", "G2")
    assert in_stage_or_worse(29.4, 4)
    assert not in_stage_or_worse(29.5, 4)


def test_cystatin_lowers_the_estimate_of_a_patient_without_muscle() -> None:
    assert ckd_epi_2021_cystatin(0.8, 1.6, 80, True) < ckd_epi_2021(0.8, 80, True)
