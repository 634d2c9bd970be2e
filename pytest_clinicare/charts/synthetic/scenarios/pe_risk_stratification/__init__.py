"""Risk class and first treatment of acute pulmonary embolism."""
