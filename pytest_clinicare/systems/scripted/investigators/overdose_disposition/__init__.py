"""Disposition after overdose, as RH-TOX-01 directs."""
