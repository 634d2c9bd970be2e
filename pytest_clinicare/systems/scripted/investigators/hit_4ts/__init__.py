"""Suspected heparin-induced thrombocytopenia, as HEM-05 directs."""
