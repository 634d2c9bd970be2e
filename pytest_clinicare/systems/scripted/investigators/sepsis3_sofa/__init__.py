"""Sepsis-3 by suspected infection and SOFA rise, as CC-SEP-02 directs."""
