"""Over-correction of severe hyponatremia, as RH-NEPH-07 directs."""
