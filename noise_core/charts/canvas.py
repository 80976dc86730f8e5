# SPDX-License-Identifier: GPL-3.0-or-later
"""Array of pixels on which lines, dots, rectangles and text are drawn with smooth edges.

How much of a pixel is covered follows from the distance of its middle to what is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field
from . import strokes

Color = tuple[float, float, float]
"""sRGB, 0 to 1."""

Points = npt.NDArray[np.float64]
"""Shape (points, 2): pixels to the right and down."""

_STROKE = 0.115
"""Width of the strokes of text, of the height of its capitals."""

_RAISED, _SMALLER = 0.45, 0.72
"""How far what stands raised lies above the rest, of the height of capitals, and how large it is."""

_AT_ONCE = 8
"""Segments whose distance is taken at once: few enough that they lie close together."""

_TINY = 1e-12
"""Square of a length in pixels, for segments that are points."""

RAISE = "^"
"""Raises the digits and signs that follow it."""


class Canvas:
    """Picture on which is drawn.

    Parameters
    ----------
    rows, columns : int
    background : Color

    Attributes
    ----------
    pixels : ndarray of shape (rows, columns, 3), float32
        sRGB, 0 to 1, row 0 at the top.
    """

    def __init__(self, rows: int, columns: int, background: Color) -> None:
        self.pixels: Field = np.empty((rows, columns, 3), np.float32)
        self.pixels[:] = background

    def fill(self, left: float, top: float, right: float, bottom: float, color: Color) -> None:
        """Fill a rectangle whose edges lie between pixels."""
        rows = self._between(np.array((top, bottom)), 0.0, 0)
        columns = self._between(np.array((left, right)), 0.0, 1)
        down = _covered(top, bottom, rows)
        self._blend(rows, columns, down[:, np.newaxis] * _covered(left, right, columns), color)

    def line(self, points: npt.ArrayLike, color: Color, width: float = 1.5) -> None:
        """Draw a line from point to point, with round ends."""
        self.lines([np.asarray(points, np.float64)], color, width)

    def dot(self, x: float, y: float, color: Color, radius: float) -> None:
        """Draw a dot."""
        self.line([(x, y)], color, 2.0 * radius)

    def lines(self, parts: Iterable[Points], color: Color, width: float) -> None:
        """Draw several lines as one shape, which is not darker where they cross."""
        pieces = [one for points in parts for one in _pieces(points)]
        if not pieces:
            return
        ends = np.concatenate(pieces, axis=1)
        reach = 0.5 * width + 1.0
        rows = self._between(ends[..., 1], reach, 0)
        columns = self._between(ends[..., 0], reach, 1)
        shape = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.float32)
        for start, end in pieces:
            both = np.concatenate((start, end))
            down, along = self._between(both[:, 1], reach, 0), self._between(both[:, 0], reach, 1)
            near = 0.5 + 0.5 * width - _distance(along, down, start, end)
            part = shape[_shift(down, rows.start), _shift(along, columns.start)]
            np.maximum(part, np.clip(near, 0.0, 1.0).astype(np.float32), out=part)
        self._blend(rows, columns, shape, color)

    def text(
        self, text: str, x: float, y: float, color: Color, size: float, align: float = 0.0
    ) -> None:
        """Draw a line of text.

        Parameters
        ----------
        text : str
            Digits and minus signs after `RAISE` are raised.
        x, y : float
            Where its baseline begins.
        size : float
            Height of capitals, in pixels.
        align : float
            Share of its width by which it lies to the left of `x`: 0.5 centers it.
        """
        x -= align * text_width(text, size)
        parts = []
        for letter, left, scale, up in _set(text):
            unit = size / strokes.CAPITAL
            for points in () if letter.isspace() else strokes.strokes_of(letter):
                place = points * (unit * scale)
                place += (x + left * unit, y - size * scale - up * size)
                parts.append(place)
        self.lines(parts, color, max(1.1, _STROKE * size))

    def _between(self, places: Points, reach: float, axis: int) -> slice:
        """Return the rows or columns that hold places and what is around them."""
        count = self.pixels.shape[axis]
        low, high = float(places.min()) - reach, float(places.max()) + reach + 1.0
        return slice(int(min(max(low, 0.0), count)), int(min(max(high, 0.0), count)))

    def _blend(
        self, rows: slice, columns: slice, share: npt.NDArray[np.floating], color: Color
    ) -> None:
        part = self.pixels[rows, columns]
        part += (np.array(color, np.float32) - part) * share.astype(np.float32)[..., np.newaxis]


def text_width(text: str, size: float) -> float:
    """Return the width of a text in pixels."""
    width = 0.0
    for letter, left, scale, _ in _set(text):
        width = left + (strokes.width_of(letter) - strokes.GAP) * scale
    return width * size / strokes.CAPITAL


def _set(text: str) -> Iterator[tuple[str, float, float, float]]:
    """Yield letters, how far right each begins, its scale, and how far it is raised."""
    left, is_raised = 0.0, False
    for letter in text:
        if letter == RAISE:
            is_raised = True
            continue
        is_raised = is_raised and (letter.isdigit() or letter in "-\N{MINUS SIGN}")
        scale = _SMALLER if is_raised else 1.0
        yield letter, left, scale, _RAISED if is_raised else 0.0
        left += strokes.width_of(letter) * scale


def _pieces(points: Points) -> Iterator[tuple[Points, Points]]:
    """Yield the segments between points, some at a time: where they begin, and where they end.

    A single point is a segment.
    """
    starts, ends = (points, points) if len(points) == 1 else (points[:-1], points[1:])
    for first in range(0, len(starts), _AT_ONCE):
        yield starts[first : first + _AT_ONCE], ends[first : first + _AT_ONCE]


def _shift(part: slice, start: int) -> slice:
    return slice(part.start - start, part.stop - start)


def _covered(low: float, high: float, part: slice) -> Points:
    """Return how much of each pixel of a row lies between two places."""
    begin = np.arange(part.start, part.stop, dtype=np.intp).astype(np.float64)
    covered: Points = np.clip(np.minimum(begin + 1.0, high) - np.maximum(begin, low), 0.0, 1.0)
    return covered


def _distance(columns: slice, rows: slice, start: Points, end: Points) -> Points:
    """Return the distance of pixels to the nearest of some segments."""
    x = np.arange(columns.start, columns.stop, dtype=np.intp) + 0.5
    y = np.arange(rows.start, rows.stop, dtype=np.intp)[:, np.newaxis] + 0.5
    (left, top), (along, down) = (
        one.T[:, :, np.newaxis, np.newaxis] for one in (start, end - start)
    )
    right, below = x - left, y - top
    square = np.maximum(along * along + down * down, _TINY)
    share = np.clip((right * along + below * down) / square, 0.0, 1.0)
    distance: Points = np.hypot(right - share * along, below - share * down).min(axis=0)
    return distance
