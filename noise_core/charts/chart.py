# SPDX-License-Identifier: GPL-3.0-or-later
"""Chart: a title, two axes, and curves between them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .axes import Axis
from .canvas import Canvas, Color, text_width

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
