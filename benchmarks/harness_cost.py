"""Cost of the harness in CPU, ours against plain pytest and inspect-ai that do the same SQLite work, in one run.

    python benchmarks/harness_cost.py [--cases N]

Charts are built beforehand, so that only the harness is measured: tools, trace, grading, record, reports. All run in
one process each; CPU is user plus system time of that process, less that of a session with nothing to do. The row of
inspect-ai needs ``benchmarks/.venv-inspect`` (``make bench`` makes it) and is left out otherwise.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
INSPECT_PYTHON = HERE / ".venv-inspect" / "bin" / "python"


@dataclass(frozen=True)
class Cost:
    """CPU seconds of a whole process, and what it did."""

    name: str
    seconds: float
    empty: float
    cases: int
    calls: int

    def row(self) -> str:
        net = (self.seconds - self.empty) * 1000
        a_call = f"{net / self.calls:>12.3f}" if self.calls else f"{'-':>12}"
        return f"{self.name:<22}{self.seconds:>9.2f}{self.empty:>9.2f}{net / self.cases:>12.2f}{a_call}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=None, help="number of cases (default: all that ship)")
    wanted = parser.parse_args().cases
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        ids = case_ids(wanted)
        _ours(work, ids, "reference")  # builds the charts, and its traces are the work of all three
        script = recorded_work(work)
        calls = sum(len(case.queries) for case in script)
        (work / "work.json").write_text(json.dumps([asdict(case) for case in script]))
        (work / "replaying.py").write_text(REPLAYING)
        ours, empty = _ours(work, ids, "replaying:Replaying"), _ours_empty(work)
        rows = [Cost("pytest-clinicare", ours, empty, len(ids), calls)]
        rows += [_plain(work, len(ids), calls), _empty(work, len(ids))]
        if INSPECT_PYTHON.exists():
            rows.append(_inspect(work, len(ids), calls))
        report(rows, calls / len(ids))


def case_ids(wanted: int | None) -> list[str]:
    from pytest_clinicare.suite import load_suite

    return [case.id for case in load_suite().cases][:wanted]


@dataclass(frozen=True)
class Recorded:
    """What one run of the reference did: its calls, and what each call read from SQLite."""

    subject_id: int
    hadm_id: int | None
    scenario: str
    chart: str
    calls: list[tuple[str, dict[str, object]]]
    queries: list[list[str]]


def recorded_work(work: Path) -> list[Recorded]:
    from pytest_clinicare.environment import ToolCall, ToolResult, read_trace

    newest = max((work / ".clinicare" / "runs").iterdir(), key=lambda path: path.stat().st_mtime)
    script: list[Recorded] = []
    for path in sorted((newest / "traces").iterdir()):
        trace = read_trace(path)
        queries = [
            [f"SELECT * FROM {name.rpartition('.')[2]} LIMIT {max(event.rows, 1)}" for name in event.tables]
            for event in trace
            if isinstance(event, ToolResult)
        ]
        calls = [(event.tool, event.arguments) for event in trace if isinstance(event, ToolCall)]
        header = trace.header
        scenario = path.name.rpartition("-")[0]
        script.append(Recorded(header.subject_id, header.hadm_id, scenario, str(header.chart), calls, queries))
    return script


def _cpu(command: list[str], folder: Path) -> float:
    """CPU seconds (user + system) of one command. Raises RuntimeError with its output if it could not run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    # The source tree is imported as it stands, wherever the command runs.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1, 5):
        raise RuntimeError(f"{' '.join(command[:6])} ... ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _ours(work: Path, ids: list[str], system: str) -> float:
    return _cpu([*_pytest(), f"--clinicare-system={system}", "-k", " or ".join(ids)], work)


def _ours_empty(work: Path) -> float:
    return _cpu([*_pytest(), "--clinicare-system=replaying:Replaying", "--collect-only"], work)


def _pytest() -> list[str]:
    return [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider"]


def _plain(work: Path, cases: int, calls: int) -> Cost:
    folder = work / "plain"
    folder.mkdir()
    (folder / "test_plain.py").write_text(PLAIN)
    command = [*_pytest(), "test_plain.py"]
    return Cost("plain pytest", _cpu(command, folder), _cpu([*command, "-k", "no_such"], folder), cases, calls)


def _empty(work: Path, cases: int) -> Cost:
    folder = work / "empty"
    folder.mkdir()
    (folder / "test_empty.py").write_text(EMPTY.format(cases=cases))
    command = [*_pytest(), "test_empty.py"]
    return Cost("pytest, empty items", _cpu(command, folder), _cpu([*command, "-k", "no_such"], folder), cases, 0)


def _inspect(work: Path, cases: int, calls: int) -> Cost:
    folder = work / "inspect"
    folder.mkdir()
    (folder / "bench.py").write_text(INSPECT)
    command = [str(INSPECT_PYTHON), "bench.py"]
    return Cost("inspect-ai", _cpu([*command, "all"], folder), _cpu([*command, "one"], folder), cases, calls)


def report(rows: list[Cost], calls_per_case: float) -> None:
    print(f"{rows[0].cases} cases, {calls_per_case:.1f} tool calls a case, one process each")
    print(f"{'':<22}{'CPU s':>9}{'start s':>9}{'ms a case':>12}{'ms a call':>12}")
    for row in rows:
        print(row.row())
    ours = rows[0].seconds - rows[0].empty
    for other in rows[1:]:
        print(f"pytest-clinicare / {other.name}: {ours / max(other.seconds - other.empty, 1e-9):.2f}")
    budget = 10 + calls_per_case
    print(f"budget: 10 ms a case + 1 ms a call = {budget:.1f} ms a case; used {ours * 1000 / rows[0].cases:.1f} ms")


# Makes the reference's calls without its thinking, which is no cost of the harness.
REPLAYING = """
import json, pathlib

WORK = {
    (case["scenario"], case["subject_id"], case["hadm_id"]): case["calls"]
    for case in json.loads(pathlib.Path("work.json").read_text())
}


class Replaying:
    name = "benchmark/replaying"

    def run(self, brief, tools):
        for tool, arguments in WORK[brief.scenario, brief.subject_id, brief.hadm_id]:
            tools.call(tool, arguments)
"""

PLAIN = """
import json, sqlite3, pathlib, pytest

WORK = json.loads(pathlib.Path("../work.json").read_text())


@pytest.mark.parametrize("case", WORK, ids=range(len(WORK)))
def test_case(case, tmp_path, record_property):
    connection = sqlite3.connect(f"file:{case['chart']}?mode=ro&immutable=1", uri=True)
    with (tmp_path / "trace.jsonl").open("w") as log:
        for call in case["queries"]:
            rows = [connection.execute(query).fetchall() for query in call]
            log.write(json.dumps(rows) + "\\n")
            log.flush()
    connection.close()
    record_property("calls", str(len(case["queries"])))
"""

EMPTY = """
import pytest


@pytest.mark.parametrize("case", range({cases}))
def test_case(case):
    pass
"""

INSPECT = '''
import json, pathlib, sqlite3, sys
from inspect_ai import Task, eval
from inspect_ai.agent import react
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes
from inspect_ai.tool import tool

WORK = json.loads(pathlib.Path("../work.json").read_text())
if sys.argv[1] == "one":
    WORK = WORK[:1]
    WORK[0]["queries"] = WORK[0]["queries"][:1]


@tool
def query():
    async def execute(chart: str, queries: list[str]) -> str:
        """Query a chart.

        Args:
            chart: Path of the chart.
            queries: SQL statements.
        """
        connection = sqlite3.connect(f"file:{chart}?mode=ro&immutable=1", uri=True)
        try:
            return json.dumps([connection.execute(sql).fetchall() for sql in queries])
        finally:
            connection.close()

    return execute


def outputs():
    for case in WORK:
        calls = [("query", {"chart": case["chart"], "queries": queries}) for queries in case["queries"]]
        for name, arguments in [*calls, ("submit", {"answer": "yes"})]:
            output = ModelOutput.for_tool_call("mockllm/model", name, arguments)
            # Without usage inspect downloads a tokenizer.
            output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
            yield output


samples = [Sample(input="Audit the chart.", target="yes") for _ in WORK]
logs = eval(
    Task(dataset=samples, solver=react(tools=[query()]), scorer=includes()),
    # One sample at a time, as the scripted outputs come in order.
    model=get_model("mockllm/model", custom_outputs=outputs()), max_samples=1, display="none", log_dir="logs",
)
if logs[0].status != "success":
    sys.exit(f"inspect-ai: {logs[0].error}")
'''

if __name__ == "__main__":
    main()
