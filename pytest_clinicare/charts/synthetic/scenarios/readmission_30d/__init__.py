"""Unplanned 30-day readmission."""
