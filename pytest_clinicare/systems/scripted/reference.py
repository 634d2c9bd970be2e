"""The reference system: investigates through the tools alone and follows the scenario's protocol step by step."""

from __future__ import annotations

from pytest_clinicare.environment import Brief
from pytest_clinicare.systems.protocol import Toolbox
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators import load
from pytest_clinicare.systems.scripted.session import Session


def investigate(brief: Brief, tools: Toolbox) -> Draft:
    """The full investigation of the brief's scenario.

    Raises ``LookupError`` for a scenario that no investigator knows: an infrastructure failure, not an answer.
    """
    draft: Draft = load(brief.scenario, "investigation").investigate(Session(brief, tools))
    return draft


class Reference:
    """Audits as the protocols direct, cites what it retrieved, and abstains where it must."""

    name = "scripted/reference"

    def run(self, brief: Brief, tools: Toolbox) -> str | None:
        tools.call("submit_report", investigate(brief, tools).arguments())
        return None
