"""Intravenous alteplase decision, as NEU-01 directs."""
