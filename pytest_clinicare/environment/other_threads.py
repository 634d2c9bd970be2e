"""Tool calls from threads other than the one a run began in, as agent frameworks make them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from pytest_clinicare.charts import Chart
from pytest_clinicare.environment.tools.context import Context

T = TypeVar("T")


class OtherThreads:
    """Runs their work in one thread of its own, on one further connection to the chart.

    A SQLite connection stays in the thread that opened it, and frameworks take any thread of a pool, so that one a
    thread would leave connections that nobody can close. Opened for the first such call only.
    """

    def __init__(self, open_context: Callable[[Chart], Context], chart: Chart) -> None:
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="clinicare-tools")
        self._chart, self._context = self._executor.submit(_opened, open_context, chart).result()

    def run(self, work: Callable[[Context], T]) -> T:
        """Do ``work`` there and wait for it; what it raises is raised here."""
        return self._executor.submit(work, self._context).result()

    def close(self) -> None:
        self._executor.submit(self._chart.close).result()
        self._executor.shutdown()


def _opened(open_context: Callable[[Chart], Context], chart: Chart) -> tuple[Chart, Context]:
    again = Chart(chart.path)
    return again, open_context(again)
