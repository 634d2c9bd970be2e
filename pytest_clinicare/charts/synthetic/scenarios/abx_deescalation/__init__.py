"""Antibiotic de-escalation after susceptibilities."""
