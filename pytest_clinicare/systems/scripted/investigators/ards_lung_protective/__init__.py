"""Lung-protective ventilation in ARDS, as CC-07 directs."""
