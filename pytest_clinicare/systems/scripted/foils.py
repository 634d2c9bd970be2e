"""Systems that each fail in one honest way; the suite is worth its name only if it catches every one of them."""

from __future__ import annotations

import json

from pytest_clinicare.environment import Brief
from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.protocol import Toolbox
from pytest_clinicare.systems.scripted.reference import investigate


class Idle:
    """Answers at once and looks at nothing."""

    name = "scripted/idle"

    def run(self, brief: Brief, tools: Toolbox) -> str | None:
        tools.call(
            "submit_report", {"verdict": "no", "confidence": 0.5, "rationale": "Nothing suggests it.", "claims": []}
        )
        return None


class Committer:
    """Investigates like the reference and never abstains: answers what the evidence leans to."""

    name = "scripted/committer"

    def run(self, brief: Brief, tools: Toolbox) -> str | None:
        draft = investigate(brief, tools)
        if not draft.verdict.definitive:
            draft.conclude(draft.lean, f"On balance of the findings below: {draft.lean.value}.")
        tools.call("submit_report", draft.arguments())
        return None


class Abstainer:
    """Looks at everything and then always calls the data lacking."""

    name = "scripted/abstainer"

    def run(self, brief: Brief, tools: Toolbox) -> str | None:
        draft = investigate(brief, tools)
        draft.conclude(Verdict.LACK, "The record may be incomplete, so no answer is given.")
        draft.confidence = 0.5
        tools.call("submit_report", draft.arguments())
        return None


class Fabricator:
    """Writes a report that looks right and cites records and policies that do not exist."""

    name = "scripted/fabricator"

    def run(self, brief: Brief, tools: Toolbox) -> str | None:
        # One real look, so that the run holds a retrieved record and its grounding can be scored at all.
        tools.call("get_patient", {})
        cited = [(f"labevents:{990000000 + n}", f"invented-standard-{n} L{n}-L{n + 4}") for n in range(1, 6)]
        claims = [
            {
                "text": f"Decisive value {n} was documented.",
                "kind": "measurement",
                "value": 1.0 + n / 10,
                "unit": "mg/dL",
                "evidence": [record],
                "policy": [policy],
            }
            for n, (record, policy) in enumerate(cited, start=1)
        ]
        inline = " ".join(f"[record: {record}] [policy: {policy}]" for record, policy in cited)
        rationale = f"All criteria are met on direct documentation. {inline}"
        arguments = {"verdict": "yes", "confidence": 0.97, "rationale": rationale, "claims": claims}
        tools.call("submit_report", arguments)
        return None


class Mute:
    """Returns prose from which no verdict can be read."""

    name = "scripted/mute"

    def run(self, brief: Brief, tools: Toolbox) -> str | None:
        patient = tools.call("get_patient", {})
        return (
            f"I opened the chart ({json.dumps(patient.refs)}) and have some thoughts about it, which I keep to myself."
        )


class Crasher:
    """Fails as infrastructure fails: by raising."""

    name = "scripted/crasher"

    def run(self, brief: Brief, tools: Toolbox) -> str | None:
        tools.call("get_patient", {})
        raise ConnectionError("the model endpoint refused the connection")
