"""Unplanned 30-day readmission, by QA-011."""
