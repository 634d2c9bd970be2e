"""Disposition after overdose."""
