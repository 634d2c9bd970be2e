"""Risk class and first treatment of acute pulmonary embolism, as TH-09 directs."""
