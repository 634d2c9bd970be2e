"""Renal trajectory across admissions."""
