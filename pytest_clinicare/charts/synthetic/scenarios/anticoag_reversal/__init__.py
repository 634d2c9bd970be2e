"""Reversal of an oral anticoagulant in bleeding."""
