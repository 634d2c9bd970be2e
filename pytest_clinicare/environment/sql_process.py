"""Agents' SQL in a process of its own, which can be killed: no deadline reaches inside one opcode of SQLite.

One such process serves all charts of the process that asks, one query at a time. The kernel ends it at a limit of CPU
seconds that leaves the query's own deadline alone, and the next query starts another. What is read from it is JSON and
never pickled: it has worked on an agent's statement.
"""

from __future__ import annotations

import atexit
import base64
import contextlib
import json
import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from select import select
from typing import IO, Any

from pytest_clinicare.charts import Chart
from pytest_clinicare.environment.governed import STEPS, Answer, GovernedConnection, QueryOverran, QueryRefused

SECONDS = 3.0
"""CPU seconds of one query, by its own deadline; the limit of steps comes in half of that or less."""
_HARD = 2
"""CPU seconds beyond the deadline after which the kernel ends the process; resource limits are whole seconds."""
_STUCK = 60.0
"""Seconds of wall time after which a process that does not answer is killed, whatever it is doing."""
_MEMORY = 2 << 30
_KEPT = 4
# No key of the user's is there.
_INHERITED = ("PATH", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "LANG")


class SqlProcess:
    """The process; it is started by the first query and after each kill."""

    def __init__(self, steps: int = STEPS, seconds: float = SECONDS, hard: int = _HARD, stuck: float = _STUCK) -> None:
        self._seconds = seconds
        self._arguments = (str(steps), str(seconds), str(hard))
        self._stuck = stuck
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, chart: Path, sql: str, skip: int, most: int, most_bytes: int) -> Answer:
        """As GovernedConnection.run on the chart. Raises QueryOverran for a query that had to be killed, too."""
        file = chart.stat()
        asked = {
            "chart": str(chart),
            # A chart that was built again under the same name is another one.
            "version": [file.st_ino, file.st_mtime_ns, file.st_size],
            "sql": sql,
            "skip": skip,
            "most": most,
            "most_bytes": most_bytes,
        }
        with self._lock:
            line = self._ask(json.dumps(asked).encode() + b"\n")
        if line is None:
            raise QueryOverran(f"the query took longer than {self._seconds:g} s of computing and was ended")
        told = json.loads(line)
        if "refused" in told:
            raise (QueryOverran if told["overran"] else QueryRefused)(told["refused"])
        rows = [tuple(map(_received, row)) for row in told["rows"]]
        read = {table: tuple(columns) for table, columns in told["read"].items()}
        return Answer(tuple(told["columns"]), rows, read, told["complete"])

    def close(self) -> None:
        """End the process; a later query starts another."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _ask(self, line: bytes) -> bytes | None:
        """The answer, or None where the process was killed over it."""
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(line)
            process.stdin.flush()
            answer = _read_line(process.stdout, self._stuck)
        except OSError:
            answer = None
        if answer is None:
            self.close()
        return answer

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.close()
        command = [sys.executable, "-P", "-m", __name__, *self._arguments]
        environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env=environment
        )
        return self._process


class ChartSql:
    """The SQL of one chart, as tools ask it."""

    def __init__(self, chart: Path, process: SqlProcess | None = None) -> None:
        self._chart = chart.resolve()
        self._process = process or _SHARED

    def run(self, sql: str, skip: int, most: int, most_bytes: int) -> Answer:
        """As GovernedConnection.run."""
        return self._process.run(self._chart, sql, skip, most, most_bytes)


_SHARED = SqlProcess()
atexit.register(_SHARED.close)


def _read_line(pipe: IO[bytes], seconds: float) -> bytes | None:
    """A whole line, or None at the end of the stream or after so many seconds."""
    deadline = time.monotonic() + seconds
    read = bytearray()
    while not read.endswith(b"\n"):
        ready, _, _ = select([pipe], [], [], max(0.0, deadline - time.monotonic()))
        part = pipe.read(1 << 16) if ready else b""
        if not part:
            return None
        read += part
    return bytes(read)


def _sent(value: object) -> object:
    return {"bytes": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def _received(value: Any) -> object:
    return base64.b64decode(value["bytes"]) if isinstance(value, dict) else value


def _serve(steps: int, seconds: float, hard: int) -> None:
    """Answer queries, a line each, until the asking process goes away."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    charts = _Charts(steps, seconds)
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        used = resource.getrusage(resource.RUSAGE_SELF)
        # The soft limit alone, as a lowered hard one could not be raised for the next query.
        most = int(used.ru_utime + used.ru_stime + seconds) + hard
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))
        sys.stdout.buffer.write(json.dumps(charts.answer(asked)).encode() + b"\n")
        sys.stdout.buffer.flush()


class _Charts:
    """The charts asked last, open; one whose query failed is opened again, since SQLite keeps traces of failures (full
    text asks for the schema anew, which the authorizer denies)."""

    def __init__(self, steps: int, seconds: float) -> None:
        self._limits = (steps, seconds)
        self._open: dict[str, tuple[Chart, GovernedConnection]] = {}

    def answer(self, asked: Mapping[str, Any]) -> dict[str, object]:
        key = f"{asked['chart']} {asked['version']}"
        try:
            answer = self._connection(key, asked["chart"]).run(
                asked["sql"], asked["skip"], asked["most"], asked["most_bytes"]
            )
        except QueryRefused as error:
            self._close(key)
            return {"refused": str(error), "overran": isinstance(error, QueryOverran)}
        rows = [[_sent(value) for value in row] for row in answer.rows]
        return {"columns": answer.columns, "rows": rows, "read": answer.read, "complete": answer.complete}

    def _connection(self, key: str, path: str) -> GovernedConnection:
        if key in self._open:
            self._open[key] = self._open.pop(key)
        else:
            while len(self._open) >= _KEPT:
                self._close(next(iter(self._open)))
            chart = Chart(Path(path))
            self._open[key] = (chart, GovernedConnection(chart, *self._limits))
        return self._open[key][1]

    def _close(self, key: str) -> None:
        chart, connection = self._open.pop(key)
        connection.close()
        chart.close()


if __name__ == "__main__":
    _serve(int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]))
