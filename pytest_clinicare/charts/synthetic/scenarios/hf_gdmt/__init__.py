"""Guideline-directed therapy at discharge in heart failure with reduced ejection fraction."""
