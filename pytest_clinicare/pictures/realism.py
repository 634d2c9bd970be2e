"""Real and synthetic charts side by side: a line from the 5th to the 95th percentile, thick in the middle half."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from pytest_clinicare.charts.realism import Compared, Spread
from pytest_clinicare.pictures.drawing import FAINT, ONE, OTHER, RULE, look, write

_ROWS = ("admission_day", "admission", "icu_day", "ed_stay")
_SMALLEST = 0.05
# Above and below the line of a name.
_REAL, _SYNTHETIC = 0.16, -0.16


def draw_realism(lines: Sequence[Compared], path: Path) -> None:
    """Raises PictureError: not an .svg or .png, or not writable."""
    panels = (
        ("Rows a day, an admission or a visit", [line for line in lines if line.measure in _ROWS], False),
        ("Hours between one and the next", [line for line in lines if line.measure == "gap"], False),
        ("Values, as a multiple of the real median", [line for line in lines if line.measure == "value"], True),
    )
    with look():
        longest = max(len(own) for _, own, _ in panels)
        figure = Figure(figsize=(15, 1.4 + 0.3 * longest))
        for axes, (title, own, relative) in zip(figure.subplots(1, 3), panels, strict=True):
            _panel(axes, title, own, relative=relative)
        hands = [Line2D([], [], color=hue, linewidth=4) for hue in (OTHER, ONE)]
        figure.legend(hands, ["MIMIC-IV demo", "synthetic"], loc="upper center", ncols=2, frameon=False)
        figure.subplots_adjust(wspace=0.75, top=0.9)
        write(figure, path)


def _panel(axes: Axes, title: str, lines: Sequence[Compared], *, relative: bool) -> None:
    for y, line in enumerate(lines):
        scale = line.real.middle if relative and line.real.middle else 1.0
        axes.axhline(y, color=RULE, linewidth=0.5, zorder=0)
        _spread(axes, y - _REAL, line.real, scale, OTHER)
        _spread(axes, y - _SYNTHETIC, line.synthetic, scale, ONE)
    if not relative:
        axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_yticks(range(len(lines)), [line.label for line in lines])
    axes.set_ylim(len(lines) - 0.4, -0.6)
    axes.set_title(title, fontsize=10, loc="left")
    axes.tick_params(length=0)
    axes.tick_params(axis="x", colors=FAINT)
    axes.grid(axis="x", color=RULE, linewidth=0.5)
    axes.spines[:].set_visible(False)


def _spread(axes: Axes, y: float, side: Spread, scale: float, hue: str) -> None:
    low, lower, middle, upper, high = (
        max(value / scale, 0 if scale != 1 else _SMALLEST)
        for value in (side.low, side.lower, side.middle, side.upper, side.high)
    )
    axes.plot([low, high], [y, y], color=hue, linewidth=1, solid_capstyle="butt")
    axes.plot([lower, upper], [y, y], color=hue, linewidth=4, solid_capstyle="butt", alpha=0.55)
    axes.plot([middle], [y], color=hue, marker="o", markersize=4)
