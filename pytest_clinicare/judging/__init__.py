"""Who grades: the judge protocol and the rules judge."""

from pytest_clinicare.judging.protocol import Grade, Judge, JudgedRun
from pytest_clinicare.judging.rules import RulesJudge, validate_rubric

__all__ = ["Grade", "Judge", "JudgedRun", "RulesJudge", "validate_rubric"]
