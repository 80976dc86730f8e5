# SPDX-License-Identifier: GPL-3.0-or-later
"""Picture of a land's figures: five charts beside measured land, and a table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...base.arrays import Field
from ..charts.canvas import RAISE, Canvas, Color, text_width
from ..charts.chart import (
    FAINT_INK,
    GRID,
    INK,
    LABEL,
    PAPER,
    TITLE,
    Axis,
    Chart,
    linear_axis,
    log_axis,
)
from .ground import BAR, SHARES
from .labels import format_figures
from .measured import NAME, measured_land
from .measuring import FigureCurves, Measurement, Values

Box = tuple[float, float, float, float]
"""Left, top, right and bottom edge in pixels."""

ROWS, COLUMNS = 920, 1500
"""Pixels of the picture."""

LAND: Color = (0.00, 0.47, 0.49)
MEASURED: Color = (0.58, 0.60, 0.62)
"""Colors of the curves."""

_BACKGROUND: Color = (0.955, 0.96, 0.965)
_BARS: Color = (0.52, 0.75, 0.75)
_EDGE, _HEAD = 22.0, 68.0
"""Pixels around charts, and of the heading."""

_WIDE, _THIN = 2.4, 1.8
"""Widths of lines in pixels."""

_LEAST_HEAD = 1e-9
"""Meters that a river falls at least, so that one that does not has a profile too."""

_LONGEST_NAME = 40
"""Letters of a land's name that have room."""


def draw_figures(land: Measurement, name: str, facts: str = "") -> Field:
    """Return a picture of figures and curves beside those of measured land.

    Parameters
    ----------
    land : Measurement
    name : str
        Name of the land.
    facts : str
        Further words of the heading, such as the number of samples.

    Returns
    -------
    ndarray of shape (ROWS, COLUMNS, 3), float32
        sRGB, 0 to 1, row 0 at the top.

    Examples
    --------
    >>> from noise_core.pictures.relief_figures.measured import measured_land
    >>> from noise_core.pictures.relief_figures.picture import draw_figures
    >>> draw_figures(measured_land(), "Jacksboro").shape
    (920, 1500, 3)
    """
    canvas, measured = Canvas(ROWS, COLUMNS, _BACKGROUND), measured_land()
    name = name[:_LONGEST_NAME]
    _draw_heading(canvas, name, facts)
    for number, draw in enumerate(_CHARTS):
        draw(canvas, _box(number), land.curves, measured.curves)
    _draw_table(canvas, _box(len(_CHARTS)), land, measured)
    return canvas.pixels


def _box(number: int) -> Box:
    """Return the place of a chart: three beside each other, in two rows."""
    row, column = divmod(number, 3)
    width, height = (COLUMNS - 4.0 * _EDGE) / 3.0, (ROWS - _HEAD - 2.0 * _EDGE) / 2.0
    left, top = _EDGE + column * (width + _EDGE), _HEAD + row * (height + _EDGE)
    left, top, right, bottom = map(round, (left, top, left + width, top + height))
    return float(left), float(top), float(right), float(bottom)


def _draw_heading(canvas: Canvas, name: str, facts: str) -> None:
    middle = 42.0
    canvas.text(name, _EDGE + 2.0, middle + 6.0, INK, 15.0)
    right = COLUMNS - _EDGE
    for text, color in ((NAME, MEASURED), (f"{name}, {facts}" if facts else name, LAND)):
        canvas.text(text, right, middle + 0.5 * LABEL, INK, LABEL, align=1.0)
        right -= text_width(text, LABEL) + 12.0
        canvas.line([(right - 26.0, middle), (right, middle)], color, _WIDE)
        right -= 26.0 + 30.0


def _draw_hypsometry(canvas: Canvas, box: Box, land: FigureCurves, measured: FigureCurves) -> None:
    x, y = (
        Axis(0.0, 100.0, "share of the area that lies higher, %"),
        Axis(0.0, 1.0, "relative height"),
    )
    chart = Chart(canvas, box, "Hypsometric curve", x, y)
    share = np.linspace(0.0, 100.0, SHARES)
    chart.line(share, measured.hypsometry, MEASURED, _THIN)
    if len(land.hypsometry):
        chart.line(share, land.hypsometry, LAND, _WIDE)
    else:
        chart.note("Level ground: no relief")


def _draw_slopes(canvas: Canvas, box: Box, land: FigureCurves, measured: FigureCurves) -> None:
    edges = BAR * np.arange(len(land.slopes) + 1, dtype=np.intp)
    used = np.flatnonzero(np.maximum(land.slopes, measured.slopes) > 0.0)
    x = linear_axis(edges[used[-1] + 1], "slope, degrees")
    y = linear_axis(
        [land.slopes.max(), measured.slopes.max()], f"share of the area in {BAR:g} degrees, %"
    )
    chart = Chart(canvas, box, "Slopes", x, y)
    chart.bars(edges, land.slopes, _BARS)
    for curves, color, width in ((measured, MEASURED, _THIN), (land, LAND, _WIDE)):
        stop = int(np.flatnonzero(curves.slopes)[-1]) + 1 if curves.slopes.any() else 0
        heights = np.concatenate((np.zeros(1), np.repeat(curves.slopes[:stop], 2), np.zeros(1)))
        chart.line(np.repeat(edges[: stop + 1], 2), heights, color, width)
    if not land.slopes.any():
        chart.note("No land above the sea")


def _draw_areas(canvas: Canvas, box: Box, land: FigureCurves, measured: FigureCurves) -> None:
    drawn = [measured] if land.area_fit is None else [measured, land]
    lines = [_line_of_channels(curves) for curves in drawn]
    areas = [curves.area for curves in drawn] + [area for area, _ in lines]
    slopes = [curves.area_slope for curves in drawn] + [slope for _, slope in lines]
    x = log_axis(np.concatenate(areas), f"drainage area, km{RAISE}2")
    y = log_axis(np.concatenate(slopes), "slope along the flow, m / m")
    chart = Chart(canvas, box, "Slope and drainage area", x, y)
    for curves, line, color in zip(drawn, lines, (MEASURED, LAND)):
        chart.dots(curves.area, curves.area_slope, color)
        chart.line(*line, color, _THIN)
    if land.area_fit is None:
        chart.note("No channels: water stands, or no", "part of the land is large enough")


def _line_of_channels(land: FigureCurves) -> tuple[Values, Values]:
    """Return the ends of the line through channels: their areas and slopes."""
    if land.area_fit is None:
        return np.empty(0), np.empty(0)
    ends = np.array([land.least_channel, max(land.area[-1], land.least_channel)])
    return ends, 10.0 ** (land.area_fit.start + land.area_fit.slope * np.log10(ends))


def _draw_profile(canvas: Canvas, box: Box, land: FigureCurves, measured: FigureCurves) -> None:
    curves = land if len(land.profile) else measured
    x = linear_axis(
        curves.distance, "along the river, km; measured land to the same length and fall"
    )
    chart = Chart(
        canvas, box, "Main river", x, linear_axis(curves.profile, "height above its mouth, m")
    )
    length, fall = float(curves.distance[-1]), max(float(curves.profile[0]), _LEAST_HEAD)
    share, height = (
        measured.distance / measured.distance[-1],
        measured.profile / measured.profile[0],
    )
    chart.line(share * length, height * fall, MEASURED, _THIN)
    if curves is land:
        chart.line(land.distance, land.profile, LAND, _WIDE)
    else:
        chart.note("No channels, and so no main river")


def _draw_spectrum(canvas: Canvas, box: Box, land: FigureCurves, measured: FigureCurves) -> None:
    drawn = [measured] if land.power_fit is None else [measured, land]
    x = log_axis(np.concatenate([curves.frequency for curves in drawn]), "frequency, waves per km")
    y = log_axis(np.concatenate([curves.power for curves in drawn]), f"power, m{RAISE}4")
    chart = Chart(canvas, box, "Power spectrum", x, y)
    for curves, color, width in zip(drawn, (MEASURED, LAND), (_THIN, _WIDE)):
        chart.line(curves.frequency, curves.power, color, width)
        chart.dots(curves.frequency, curves.power, color, 2.6)
    if land.power_fit is None:
        chart.note("Level ground, or too few samples")


def _draw_table(canvas: Canvas, box: Box, land: Measurement, measured: Measurement) -> None:
    left, top, right, _ = box
    canvas.fill(*box, PAPER)
    canvas.text("Figures", left + 18.0, top + 30.0, INK, TITLE)
    ends = right - 122.0, right - 22.0
    for place, text, color in zip(ends, ("this land", "measured"), (LAND, FAINT_INK)):
        canvas.text(text, place, top + 54.0, color, LABEL, align=1.0)
    rows = zip(format_figures(land.figures), format_figures(measured.figures))
    for number, ((label, value), (_, measured_value)) in enumerate(rows):
        line = top + 88.0 + 30.0 * number
        canvas.fill(left + 18.0, line - 21.0, right - 18.0, line - 20.0, GRID)
        canvas.text(label, left + 18.0, line, INK, LABEL)
        for place, text, color in zip(ends, (value, measured_value), (LAND, FAINT_INK)):
            canvas.text(text, place, line, color, LABEL, align=1.0)


_Draw = Callable[[Canvas, Box, FigureCurves, FigureCurves], None]

_CHARTS: tuple[_Draw, ...] = (
    _draw_hypsometry,
    _draw_slopes,
    _draw_areas,
    _draw_profile,
    _draw_spectrum,
)
"""In the order of the picture."""
