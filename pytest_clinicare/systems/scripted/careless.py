"""The foil that knows the protocol and slips: each of a scenario's known mistakes on its share of the patients."""

from __future__ import annotations

from pytest_clinicare.environment import Brief
from pytest_clinicare.systems.protocol import Toolbox
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators import load
from pytest_clinicare.systems.scripted.session import Session


class Careless:
    """Makes one of the scenario's ``MISTAKES``, chosen by the patient's number, so that a rerun makes the same."""

    name = "scripted/careless"

    def run(self, brief: Brief, tools: Toolbox) -> str | None:
        mistakes = load(brief.scenario, "careless").MISTAKES
        draft: Draft = mistakes[brief.subject_id % len(mistakes)](Session(brief, tools))
        tools.call("submit_report", draft.arguments())
        return None
