"""Clostridioides difficile treatment concordance, as ASC-14 directs."""
