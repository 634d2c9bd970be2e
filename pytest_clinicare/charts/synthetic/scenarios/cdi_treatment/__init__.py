"""Clostridioides difficile treatment concordance."""
