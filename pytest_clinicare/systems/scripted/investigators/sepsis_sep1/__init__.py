"""SEP-1 sepsis bundle, as QD-SEP-03 directs."""
