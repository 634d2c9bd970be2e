"""Pictures for the docs, drawn from the same data as the tables beside them; needs the extra ``pictures``."""

from __future__ import annotations

from pytest_clinicare.pictures.coverage import draw_coverage
from pytest_clinicare.pictures.drawing import PictureError
from pytest_clinicare.pictures.realism import draw_realism

__all__ = ["PictureError", "draw_coverage", "draw_realism"]
