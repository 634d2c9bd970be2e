"""Suspected heparin-induced thrombocytopenia: 4Ts and response."""
