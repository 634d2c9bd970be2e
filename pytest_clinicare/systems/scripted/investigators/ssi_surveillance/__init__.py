"""Surgical-site infection surveillance, as IP-012 directs."""
