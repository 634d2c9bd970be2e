"""Red-cell transfusion against restrictive thresholds."""
