"""Completeness and concordance of a discharge summary, as HIM-007 directs."""
