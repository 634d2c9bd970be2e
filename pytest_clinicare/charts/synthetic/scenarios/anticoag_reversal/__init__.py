"""Anticoag-reversal: plan, charts and edits."""
