# SPDX-License-Identifier: GPL-3.0-or-later
"""Charts: a title, two axes, linear or logarithmic, their ticks, and curves between them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .canvas import RAISE, Canvas, Color, text_width

Values = npt.NDArray[np.float64]

MOST_TICKS = 6
"""Numbers along an axis."""

_PLAIN_DECADES = 3
"""Powers of ten up to which a logarithmic axis has plain numbers: 0.001 to 1,000."""

_MARGIN = 0.04
"""Of a logarithmic axis, beyond its lowest and its highest value."""

INK: Color = (0.16, 0.20, 0.24)
FAINT_INK: Color = (0.42, 0.46, 0.50)
GRID: Color = (0.90, 0.91, 0.92)
FRAME: Color = (0.66, 0.69, 0.72)
PAPER: Color = (1.0, 1.0, 1.0)

TITLE, LABEL = 11.0, 8.0
"""Height of capitals in pixels."""

LEFT, RIGHT, TOP, BOTTOM = 66.0, 22.0, 70.0, 54.0
"""From the edges of the chart to its axes, in pixels."""

_TICK = 5.0
"""Length of a tick in pixels."""


@dataclass(frozen=True)
class Axis:
    """An axis.

    Attributes
    ----------
    low, high : float
        Where it begins and ends; above 0 if it is logarithmic.
    label : str
        Name of the measured quantity, with its unit.
    is_log : bool
    """

    low: float
    high: float
    label: str
    is_log: bool = False

    def place(self, values: npt.ArrayLike) -> Values:
        """Return how far along the axis values lie, from 0 to 1; those beyond its ends at the ends."""
        plain = np.asarray(values, np.float64)
        low, high = self.low, self.high
        if self.is_log:
            plain = np.log10(np.maximum(plain, low))
            low, high = math.log10(low), math.log10(high)
        return np.clip((plain - low) / (high - low), 0.0, 1.0)

    def ticks(self) -> list[tuple[float, str]]:
        """Return the values that have a number, and these numbers."""
        return self._log_ticks() if self.is_log else self._linear_ticks()

    def _linear_ticks(self) -> list[tuple[float, str]]:
        step = nice_step(self.high - self.low)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [(number * step, _plain(number * step)) for number in range(first, last + 1)]

    def _log_ticks(self) -> list[tuple[float, str]]:
        first = math.ceil(math.log10(self.low) - 1e-9)
        last = math.floor(math.log10(self.high) + 1e-9)
        stride = -(-(last - first + 1) // MOST_TICKS) if last > first else 1
        powers = range(first, last + 1, max(stride, 1))
        is_plain = max(abs(first), abs(last)) <= _PLAIN_DECADES
        if len(powers) > 1:
            return [
                (10.0**power, _plain(10.0**power) if is_plain else _power(power))
                for power in powers
            ]
        between = [
            lead * 10.0**power for power in range(first - 1, last + 1) for lead in (1.0, 2.0, 5.0)
        ]
        inside = [value for value in between if self.low <= value <= self.high]
        return [(value, _plain(value)) for value in inside]


def linear_axis(values: npt.ArrayLike, label: str) -> Axis:
    """Return an axis from 0 to a round number that no value exceeds.

    Examples
    --------
    >>> from noise_core.pictures.charts.chart import linear_axis
    >>> axis = linear_axis([0.0, 97.0], "Height (m)")
    >>> [label for _, label in axis.ticks()]
    ['0', '20', '40', '60', '80', '100']
    """
    highest = float(np.max(values, initial=0.0))
    if not highest > 0.0:
        return Axis(0.0, 1.0, label)
    step = nice_step(highest)
    return Axis(0.0, step * math.ceil(highest / step - 1e-9), label)


def log_axis(values: npt.ArrayLike, label: str) -> Axis:
    """Return a logarithmic axis around values above 0."""
    plain = np.asarray(values, np.float64)
    low, high = (math.log10(float(end)) for end in (plain.min(), plain.max()))
    margin = max(_MARGIN * (high - low), 0.05)
    return Axis(10.0 ** (low - margin), 10.0 ** (high + margin), label, is_log=True)


def nice_step(extent: float) -> float:
    """Return the distance of ticks: 1, 2 or 5 times a power of ten.

    Examples
    --------
    >>> from noise_core.pictures.charts.chart import nice_step
    >>> nice_step(97.0), nice_step(0.3)
    (20.0, 0.05)
    """
    rough = extent / MOST_TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    return power * next(lead for lead in (1.0, 2.0, 5.0, 10.0) if lead * power >= rough * 0.9999)


def _plain(value: float) -> str:
    """Return a number in plain figures."""
    return f"{value:,.10g}".replace("-", "\N{MINUS SIGN}")


def _power(power: int) -> str:
    return f"10{RAISE}{power}".replace("-", "\N{MINUS SIGN}")


class Chart:
    """Chart on a part of a canvas; its frame is drawn at once.

    Parameters
    ----------
    canvas : Canvas
    box : tuple of four floats
        Left, top, right and bottom edge in pixels.
    title : str
    x, y : Axis
    """

    def __init__(
        self, canvas: Canvas, box: tuple[float, float, float, float], title: str, x: Axis, y: Axis
    ) -> None:
        self.canvas, self.x, self.y = canvas, x, y
        left, top, right, bottom = box
        canvas.fill(*box, PAPER)
        self.left, self.right = left + LEFT, right - RIGHT
        self.top, self.bottom = top + TOP, bottom - BOTTOM
        canvas.text(title, left + 18.0, top + 30.0, INK, TITLE)
        canvas.text(y.label, left + 18.0, top + 54.0, FAINT_INK, LABEL)
        canvas.text(x.label, self.right, bottom - 14.0, FAINT_INK, LABEL, align=1.0)
        self._draw_axes()

    def line(self, x: npt.ArrayLike, y: npt.ArrayLike, color: Color, width: float = 2.0) -> None:
        """Draw a curve."""
        points = self._points(x, y)
        if len(points):
            self.canvas.line(points, color, width)

    def dots(self, x: npt.ArrayLike, y: npt.ArrayLike, color: Color, radius: float = 3.0) -> None:
        """Draw a dot at each point."""
        self.canvas.lines([point[np.newaxis] for point in self._points(x, y)], color, 2.0 * radius)

    def bars(self, edges: npt.ArrayLike, heights: npt.ArrayLike, color: Color) -> None:
        """Draw bars from 0 between edges, one fewer than these."""
        places = self.left + self.x.place(edges) * (self.right - self.left)
        tops = self.bottom - self.y.place(heights) * (self.bottom - self.top)
        for left, right, top in zip(places, places[1:], tops):
            if top < self.bottom and right > left:
                self.canvas.fill(float(left), float(top), float(right) - 1.0, self.bottom, color)

    def note(self, *lines: str) -> None:
        """Write why there is no curve, in the upper right: curves that fall leave it free."""
        half = 0.5 * max(text_width(line, LABEL) for line in lines) + 14.0
        tall = 10.0 * len(lines) + 10.0
        x, y = self.right - half - 10.0, self.top + tall + 10.0
        self.canvas.fill(x - half, y - tall, x + half, y + tall, PAPER)
        for number, line in enumerate(lines):
            below = 20.0 * (number - 0.5 * (len(lines) - 1)) + 0.5 * LABEL
            self.canvas.text(line, x, y + below, INK, LABEL, align=0.5)

    def _points(self, x: npt.ArrayLike, y: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Return where points lie on the canvas."""
        right = self.left + self.x.place(x) * (self.right - self.left)
        down = self.bottom - self.y.place(y) * (self.bottom - self.top)
        return np.stack((right, down), axis=-1)

    def _draw_axes(self) -> None:
        canvas, left, right, top, bottom = self.canvas, self.left, self.right, self.top, self.bottom
        for value, text in self.x.ticks():
            # In the middle of a pixel, so that it is sharp.
            x = round(left + float(self.x.place(value)) * (right - left)) + 0.5
            canvas.fill(x - 0.5, top, x + 0.5, bottom, GRID)
            canvas.fill(x - 0.5, bottom, x + 0.5, bottom + _TICK, FRAME)
            canvas.text(text, x, bottom + _TICK + 5.0 + LABEL, FAINT_INK, LABEL, align=0.5)
        for value, text in self.y.ticks():
            y = round(bottom - float(self.y.place(value)) * (bottom - top)) + 0.5
            canvas.fill(left, y - 0.5, right, y + 0.5, GRID)
            canvas.fill(left - _TICK, y - 0.5, left, y + 0.5, FRAME)
            canvas.text(text, left - _TICK - 5.0, y + 0.5 * LABEL, FAINT_INK, LABEL, align=1.0)
        canvas.fill(left, bottom, right, bottom + 1.0, FRAME)
        canvas.fill(left, top, left + 1.0, bottom, FRAME)
