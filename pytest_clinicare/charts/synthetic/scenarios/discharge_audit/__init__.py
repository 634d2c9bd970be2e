"""Discharge summary completeness and concordance."""
