"""Antibiotic de-escalation after susceptibilities, as ASC-11 directs."""
