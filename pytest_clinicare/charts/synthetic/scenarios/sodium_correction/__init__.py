"""Over-correction of severe hyponatremia."""
