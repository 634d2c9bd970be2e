"""Guideline-directed therapy at discharge in heart failure, as CAR-04 directs."""
