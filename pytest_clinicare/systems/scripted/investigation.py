"""The one course of an investigation; a scenario brings the steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.session import Session

C = TypeVar("C")
R = TypeVar("R")


@dataclass(frozen=True)
class Investigation(Generic[C, R]):
    """Gather the required sources, read what they say of the findings, decide in the protocol's order, and write.

    ``gather`` gives None where what is to be audited is not on record; ``absent`` is the sentence for it.
    """

    titles: Mapping[str, str]
    gather: Callable[[Session], C | None]
    look: Callable[[C], R]
    decide: Callable[[R, Draft], None]
    write: Callable[[R, Draft], None]
    absent: str = "The admission is not on record."

    def __call__(self, session: Session) -> Draft:
        return self.begin(session)[1]

    def begin(self, session: Session) -> tuple[R | None, Draft]:
        """The report, and the reading that it was made from; None without a chart."""
        chart = self.gather(session)
        if chart is None:
            draft = Draft(titles=self.titles)
            draft.conclude(Verdict.LACK, self.absent)
            return None, draft
        reading = self.look(chart)
        return reading, self.report(reading)

    def report(self, reading: R) -> Draft:
        """The report that a reading leads to."""
        draft = Draft(titles=self.titles)
        self.decide(reading, draft)
        self.write(reading, draft)
        return draft

    def slip(self, *mistakes: Callable[[R, Draft], None]) -> Callable[[Session], Draft]:
        """Decorates a mistake: the investigation, and then what the mistake (or several) makes of its report."""

        def slipping(session: Session) -> Draft:
            reading, draft = self.begin(session)
            if reading is not None:
                for mistake in mistakes:
                    mistake(reading, draft)
            return draft

        return slipping
