"""Surgical-site infection within the surveillance period."""
