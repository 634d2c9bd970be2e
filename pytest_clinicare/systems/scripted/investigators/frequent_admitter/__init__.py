"""Frequent admitter and relatedness, as CC-005 directs."""
