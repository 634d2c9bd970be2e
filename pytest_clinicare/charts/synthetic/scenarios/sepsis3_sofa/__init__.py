"""Sepsis-3 by suspected infection and SOFA rise."""
