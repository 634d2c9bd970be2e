"""A row as the tools return it."""

from __future__ import annotations

from typing import Any

Row = dict[str, Any]
