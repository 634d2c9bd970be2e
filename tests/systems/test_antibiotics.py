"""Antibacterials by their spellings in orders, administrations, panels and lists."""

from __future__ import annotations

import pytest

from pytest_clinicare.systems.scripted.clinical.antibiotics import agent_of, agents_in, doses, rank_of


@pytest.mark.parametrize(
    ("text", "agent"),
    [
        ("Piperacillin-Tazobactam", "piperacillin-tazobactam"),
        ("PIPERACILLIN/TAZO", "piperacillin-tazobactam"),
        ("Piperacillin/Tazobactam (Zosyn)", "piperacillin-tazobactam"),
        ("Sulfameth/Trimethoprim DS", "trimethoprim-sulfamethoxazole"),
        ("TRIMETHOPRIM/SULFA", "trimethoprim-sulfamethoxazole"),
        ("AMPICILLIN/SULBACTAM", "ampicillin-sulbactam"),
        ("Ampicillin Sodium", "ampicillin"),
        ("CefTAZidime", "ceftazidime"),
        ("MetRONIDAZOLE (FLagyl)", "metronidazole"),
        ("Vancomycin Oral Liquid", "vancomycin"),
        ("Ciprofloxacin 0.3% Ophth Soln", None),
        ("Pantoprazole", None),
    ],
)
def test_a_drug_line_names_its_agent(text: str, agent: str | None) -> None:
    assert agent_of(text) == agent


def test_all_agents_of_a_sentence() -> None:
    assert agents_in("vancomycin and Zosyn were changed to cefazolin") == (
        "vancomycin",
        "piperacillin-tazobactam",
        "cefazolin",
    )
    assert [rank_of(a) for a in ("cefazolin", "ceftriaxone", "cefepime", "meropenem", "vancomycin")] == [1, 2, 3, 4, 0]


def test_doses_are_given_rows_with_the_route_of_their_order() -> None:
    def row(n: int, drug: str, event: str, hour: int, pharmacy: int | None) -> dict[str, object]:
        return {
            "ref": f"emar:{n}", "source": "emar", "drug": drug, "event_txt": event,
            "charttime": f"2150-01-01 {hour:02d}:00:00", "pharmacy_id": pharmacy,
        }  # fmt: skip

    rows = [
        row(1, "Vancomycin", "Administered", 1, 11),
        row(2, "Vancomycin", "Not Given", 2, 11),
        row(3, "Vancomycin Oral Liquid", "Administered", 3, None),
        row(4, "Docusate Sodium", "Administered", 4, None),
        row(5, "Vancomycin", "Administered", 1, 11),
    ]
    found = doses(rows, {11: "IV"})
    assert [(d.agent, d.route, d.ref) for d in found] == [
        ("vancomycin", "IV", "emar:1"),
        ("vancomycin", "oral", "emar:3"),
    ]
