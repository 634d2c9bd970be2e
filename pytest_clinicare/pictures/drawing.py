"""How all pictures look, and how they are written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

INK, FAINT, RULE = "#1f2933", "#7b8794", "#e4e7eb"
ONE, OTHER = "#0f609b", "#d64545"
_LOOK: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.edgecolor": RULE,
    # The same data give the same file.
    "svg.hashsalt": "clinicare",
    "svg.fonttype": "none",
}


class PictureError(Exception):
    """A picture that cannot be written: the message says where and what to do."""


@contextmanager
def look() -> Iterator[None]:
    """Inside, figures are made in the look of all pictures."""
    with mpl.rc_context(_LOOK):
        yield


def write(figure: Figure, path: Path) -> None:
    """Raises PictureError: not an .svg or .png, or not writable."""
    if path.suffix not in (".svg", ".png"):
        raise PictureError(f"{path}: pictures are .svg or .png files")
    metadata = {"Date": None} if path.suffix == ".svg" else {}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=150, bbox_inches="tight", facecolor="white", metadata=metadata)
    except OSError as error:
        raise PictureError(f"cannot write {path}: {error.strerror}") from error
