"""The reference system: investigates through the tools alone and follows the scenario's protocol step by step."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from pytest_clinicare.environment import Brief
from pytest_clinicare.systems.protocol import Toolbox
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.session import Session

_INVESTIGATORS = {
    "post-ct-aki": "post_ct_aki",
    "advanced-imaging": "advanced_imaging",
    "med-reconciliation": "med_reconciliation",
    "renal-trajectory": "renal_trajectory",
}


def investigate(brief: Brief, tools: Toolbox) -> Draft:
    """The full investigation of the brief's scenario.

    Raises ``NotImplementedError`` for a scenario that no investigator knows: an infrastructure failure, not an answer.
    """
    module = _INVESTIGATORS.get(brief.scenario)
    if module is None:
        raise NotImplementedError(
            f"scenario {brief.scenario!r} has no scripted investigator; known: {', '.join(_INVESTIGATORS)}"
        )
    run: Callable[[Session], Draft] = import_module(f"pytest_clinicare.systems.scripted.{module}").investigate
    return run(Session(brief, tools))


class Reference:
    """Audits as the protocols direct, cites what it retrieved, and abstains where it must."""

    name = "scripted/reference"

    def run(self, brief: Brief, tools: Toolbox) -> str | None:
        tools.call("submit_report", investigate(brief, tools).arguments())
        return None
