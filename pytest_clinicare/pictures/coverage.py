"""The coverage of the suite: a dot for each skill of each scenario, bars for the scenarios of a skill."""

from __future__ import annotations

from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pytest_clinicare.pictures.drawing import FAINT, INK, ONE, RULE, look, write
from pytest_clinicare.suite.coverage import OPERATIONS, Coverage


def draw_coverage(covered: Coverage, path: Path) -> None:
    """Raises PictureError: not an .svg or .png, or not writable."""
    with look():
        figure = Figure(figsize=(9.5, 1.6 + 0.27 * len(covered.rows)))
        matrix, bars = figure.subplots(2, 1, sharex=True, height_ratios=(len(covered.rows), 3.2))
        _dots(matrix, covered)
        _bars(bars, covered)
        figure.subplots_adjust(hspace=0.03)
        write(figure, path)


def _dots(axes: Axes, covered: Coverage) -> None:
    last = len(covered.skills)
    for y, row in enumerate(covered.rows):
        axes.axhline(y, color=RULE, linewidth=0.6, zorder=0)
        asked = [x for x, skill in enumerate(covered.skills) if skill in row.skills]
        hue = FAINT if row.specialty == OPERATIONS else ONE
        axes.scatter(asked, [y] * len(asked), s=46, color=hue, zorder=2)
        if y and row.specialty == covered.rows[y - 1].specialty:
            continue
        axes.text(last - 0.2, y, row.specialty, color=hue, va="center", fontsize=8)
        if y:
            axes.axhline(y - 0.5, color=FAINT, linewidth=0.4, zorder=0)
    axes.set_yticks(range(len(covered.rows)), [row.scenario for row in covered.rows])
    axes.set_ylim(len(covered.rows) - 0.5, -0.5)
    axes.set_xlim(-0.6, last - 0.4)
    axes.tick_params(length=0, labelbottom=False)
    axes.spines[:].set_visible(False)


def _bars(axes: Axes, covered: Coverage) -> None:
    counts = [covered.asked(skill) for skill in covered.skills]
    axes.bar(range(len(counts)), counts, width=0.55, color=ONE)
    for x, count in enumerate(counts):
        axes.text(x, count + 0.2, str(count), ha="center", va="bottom", fontsize=8, color=INK)
    axes.set_ylim(0, max(counts) * 1.25)
    axes.set_yticks([])
    axes.set_ylabel("scenarios", color=FAINT, rotation=0, ha="right", va="center")
    axes.set_xticks(range(len(counts)), covered.skills, rotation=35, ha="right", rotation_mode="anchor")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
