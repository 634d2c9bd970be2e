"""End-of-life care concordant with documented goals."""
