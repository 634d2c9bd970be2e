"""Who grades: the judge protocol and the rules judge."""

from pytest_clinicare.judging.checks import CheckError
from pytest_clinicare.judging.citing import canonical
from pytest_clinicare.judging.facts import FactError, Facts
from pytest_clinicare.judging.protocol import Grade, Judge, JudgedRun
from pytest_clinicare.judging.reads import Needed, Read, Reads
from pytest_clinicare.judging.rubric_problems import rubric_problems
from pytest_clinicare.judging.rules import RulesJudge, required_reads, validate_rubric

__all__ = [
    "CheckError",
    "FactError",
    "Facts",
    "Grade",
    "Judge",
    "JudgedRun",
    "Needed",
    "Read",
    "Reads",
    "RulesJudge",
    "canonical",
    "required_reads",
    "rubric_problems",
    "validate_rubric",
]
