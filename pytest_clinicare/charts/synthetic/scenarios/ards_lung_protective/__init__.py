"""Lung-protective ventilation in ARDS."""
