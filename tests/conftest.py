"""Shared by the tests of all rooms."""

from __future__ import annotations

pytest_plugins = ["pytester"]
