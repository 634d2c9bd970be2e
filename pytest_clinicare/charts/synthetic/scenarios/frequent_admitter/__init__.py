"""Frequent admitter with clinically related admissions."""
