"""An agent CLI, the real one, audits a case over MCP; its model is a script on loopback.

Claude Code is looked for in ``.clinicare/clis`` (``make .clinicare/clis`` puts it there) and on the PATH; without it
the test is skipped and says so.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts import Chart
from pytest_clinicare.environment import Corpus, Environment, Refused, ToolCall, ToolResult, replay
from pytest_clinicare.environment.mcp_http import McpServing
from pytest_clinicare.environment.trace_file import read_trace
from tests.model_servers import Call, ModelServer, Script

from .conftest import HADM, SUBJECT

pytestmark = pytest.mark.slow
CLIS = Path(__file__).resolve().parents[2] / ".clinicare" / "clis" / "node_modules" / ".bin"
QUERY = "Did creatinine rise after the scan?"
REPORT = {"verdict": "no", "confidence": 0.7, "rationale": "It did not [record: labevents:100].", "claims": []}
SCRIPT: list[tuple[str, dict[str, Any]]] = [
    ("get_labs", {"items": ["Creatinine"], "limit": 3}),
    ("get_labs", {"items": ["Kreatinin"]}),
    ("read_policy", {"document": "../../etc/passwd"}),
    ("submit_report", REPORT),
    ("get_patient", {}),
]


@pytest.fixture
def claude() -> str:
    found = shutil.which("claude", path=f"{CLIS}") or shutil.which("claude")
    if found is None:
        pytest.skip("Claude Code is not installed: `make .clinicare/clis` (needs npm and its registry)")
    return found


def test_claude_code_audits_over_mcp(claude: str, chart: Chart, corpus: Corpus, tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    model = ModelServer(Script.of(*(Call(tool, arguments) for tool, arguments in SCRIPT)))
    with (
        Environment(chart, corpus, subject_id=SUBJECT, hadm_id=HADM, trace_path=trace) as environment,
        McpServing(environment, environment.brief("post-ct-aki", QUERY)) as serving,
        model.serving() as base_url,
    ):
        servers = {"clinicare": {"type": "http", "url": serving.url, "headers": serving.headers}}
        (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": servers}))
        command = [
            claude, "-p", QUERY, "--output-format", "stream-json", "--verbose", "--tools", "", "--setting-sources", "",
            "--mcp-config", str(tmp_path / "mcp.json"), "--strict-mcp-config", "--permission-mode", "dontAsk",
            "--allowedTools", "mcp__clinicare", "--no-session-persistence", "--system-prompt", "You audit charts.",
        ]  # fmt: skip
        variables = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(tmp_path),
            "ANTHROPIC_BASE_URL": base_url,
            "ANTHROPIC_API_KEY": "sk-none",
            "ANTHROPIC_MODEL": "script",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "ENABLE_TOOL_SEARCH": "false",
        }
        ended = subprocess.run(
            command, env=variables, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=90
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
        report, events = environment.report, environment.events
    assert report is not None
    assert (str(report.verdict), report.confidence) == ("no", 0.7)
    assert [(event.tool, event.arguments) for event in events if isinstance(event, ToolCall)] == SCRIPT
    assert [event.ok for event in events if isinstance(event, ToolResult)] == [True, False, False, True, False]
    assert not any(isinstance(event, Refused) for event in events)
    offered = {tool for request in model.requests for tool in request.tools}
    assert offered >= {f"mcp__clinicare__{spec.name}" for spec in environment.specs}
    assert replay(read_trace(trace), chart, corpus) == []
