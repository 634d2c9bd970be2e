"""The suite proves that it measures what it says: over every case, scenario by scenario."""
