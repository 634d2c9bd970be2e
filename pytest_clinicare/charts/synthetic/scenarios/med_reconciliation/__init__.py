"""Medication reconciliation at discharge."""
