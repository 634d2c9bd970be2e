"""SEP-1 sepsis bundle completion."""
