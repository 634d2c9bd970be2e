"""Red-cell transfusion against restrictive thresholds, as TM-02 directs."""
