"""The foil that believes what is written first: codes, orders and list names, without looking at what happened."""

from __future__ import annotations

from pytest_clinicare.environment import Brief
from pytest_clinicare.systems.protocol import Toolbox
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators import load
from pytest_clinicare.systems.scripted.session import Session


class Shortcut:
    """Takes the nearest sign for the finding; abstains only where it finds nothing at all."""

    name = "scripted/shortcut"

    def run(self, brief: Brief, tools: Toolbox) -> str | None:
        draft: Draft = load(brief.scenario, "shortcut").guess(Session(brief, tools))
        draft.confidence = 0.9
        tools.call("submit_report", draft.arguments())
        return None
