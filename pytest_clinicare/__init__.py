"""pytest-clinicare: a benchmark for clinical AI agents on retrospective chart audit."""

__version__ = "0.1.0"
