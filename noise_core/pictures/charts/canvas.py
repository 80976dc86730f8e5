# SPDX-License-Identifier: GPL-3.0-or-later
"""Array of pixels on which lines, dots, rectangles and text are drawn with smooth edges.

How much of a pixel is covered follows from the distance of its middle to the drawn shape. Text is drawn in a font
of strokes. A letter is a list of strokes, a stroke a list of points. Each point is two hexadecimal digits, how far
it lies to the right and how far down: capitals reach from 0 to 8, small letters from 2, tails down to b. A stroke
is straight from point to point, or a quadratic B-spline (``~``), which goes around its inner points, or a closed
one (``@``).
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field

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

CAPITAL = 8.0
"""How high capitals and digits are."""

GAP = 2.0
"""Between two letters."""

SPACE = 3.0
"""Width of a space, without the gap."""

STEPS = 6
"""Lines that a piece of a curve becomes."""

GLYPHS: Mapping[str, str] = MappingProxyType(
    {
        "0": "@00 50 58 08", "1": "12 30 38", "2": "~02 00 50 53 08|08 58",
        "3": "~01 00 50 54 24|~24 54 58 08 07", "4": "48 40 06 56", "5": "50 00 04|~04 03 53 58 08 07",
        "6": "~40 10 03 06|@03 53 58 08", "7": "00 50 18", "8": "@00 50 54 04|@04 54 58 08",
        "9": "@00 50 55 05|~52 55 48 18",
        "A": "08 30 68|15 55", "B": "00 08|00 20|~20 50 54 24|04 24|~24 64 68 28|28 08",
        "C": "~62 60 00 08 68 66", "D": "00 08|00 20|~20 60 68 28|28 08", "E": "50 00 08 58|04 44",
        "F": "50 00 08|04 44", "G": "~62 60 00 08 68 65|65 45", "H": "00 08|60 68|04 64", "I": "00 08",
        "J": "40 45|~45 48 08 06", "K": "00 08|50 05|23 58", "L": "00 08 58", "M": "08 00 36 60 68",
        "N": "08 00 68 60", "O": "@00 70 78 08", "P": "00 08|00 20|~20 60 64 24|24 04",
        "Q": "@00 70 78 08|46 79", "R": "00 08|00 20|~20 60 64 24|24 04|34 68",
        "S": "~52 50 00 04 54 58 08 06", "T": "00 60|30 38", "U": "00 05|~05 08 68 65|65 60",
        "V": "00 38 60", "W": "00 28 41 68 80", "X": "00 68|60 08", "Y": "00 34 60|34 38", "Z": "00 60 08 68",
        "a": "@02 52 58 08|52 58", "b": "00 08|@02 52 58 08", "c": "~53 52 02 08 58 57",
        "d": "50 58|@02 52 58 08", "e": "05 55|~55 52 02 08 48 57", "f": "~30 10 13|13 18|02 32",
        "g": "@02 52 58 08|52 58|~58 5b 0b 0a", "h": "00 08|~05 02 52 55|55 58", "i": "02 08|00 00",
        "j": "22 28|~28 2b 0b|20 20", "k": "00 08|42 06|24 48", "l": "00 06|~06 08 28",
        "m": "02 08|~05 02 42 45|45 48|~45 42 82 85|85 88", "n": "02 08|~05 02 52 55|55 58",
        "o": "@02 52 58 08", "p": "02 0b|@02 52 58 08", "q": "52 5b|@02 52 58 08", "r": "02 08|~05 02 32",
        "s": "~43 42 02 05 45 48 08 07", "t": "10 16|~16 18 38|02 32", "u": "02 05|~05 08 58 55|52 58",
        "v": "02 28 42", "w": "02 28 42 68 82", "x": "02 48|42 08", "y": "02 28|42 1b", "z": "02 42 08 48",
        ".": "07 17 18 08 07", ",": "18 0a", ":": "02 12 13 03 02|07 17 18 08 07", ";": "13 13|18 0a", "'": "00 02", "!": "00 05|08 08",
        "-": "05 35", "\N{MINUS SIGN}": "05 45", "_": "09 59", "+": "05 45|23 27", "=": "04 44|06 46",
        "<": "42 05 48", ">": "02 45 08", "/": "09 40", "\\": "00 49",
        "(": "~20 03 06 29", ")": "~00 23 26 09", "[": "20 00 09 29", "]": "00 20 29 09",
        "%": "@00 30 33 03|@45 75 78 48|60 18", "\N{DEGREE SIGN}": "@00 30 33 03",
        "*": "02 46|42 06", "#": "20 18|50 48|03 63|05 65", "&": "~68 00 40 08 48 65", "?": "~01 00 40 44 26|28 28",
    }
)  # fmt: skip

UNKNOWN = "00 40 48 08 00"
"""A box, for what the font has not."""


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
        down = _coverage(top, bottom, rows)
        self._blend(rows, columns, down[:, np.newaxis] * _coverage(left, right, columns), color)

    def line(self, points: npt.ArrayLike, color: Color, width: float = 1.5) -> None:
        """Draw a line from point to point, with round ends."""
        self.lines([np.asarray(points, np.float64)], color, width)

    def dot(self, x: float, y: float, color: Color, radius: float) -> None:
        """Draw a dot."""
        self.line([(x, y)], color, 2.0 * radius)

    def lines(self, parts: Iterable[Points], color: Color, width: float) -> None:
        """Draw several lines as one shape, which is not darker where they cross."""
        pieces = [piece for points in parts for piece in _pieces(points)]
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
        for letter, begin, scale, up in _set(text):
            unit = size / CAPITAL
            for points in () if letter.isspace() else strokes_of(letter):
                place = points * (unit * scale)
                place += (x + begin * unit, y - size * scale - up * size)
                parts.append(place)
        self.lines(parts, color, max(1.1, _STROKE * size))

    def _between(self, places: Points, reach: float, axis: int) -> slice:
        """Return the rows or columns that hold places and their surroundings."""
        count = self.pixels.shape[axis]
        low, high = float(places.min()) - reach, float(places.max()) + reach + 1.0
        return slice(int(min(max(low, 0.0), count)), int(min(max(high, 0.0), count)))

    def _blend(
        self, rows: slice, columns: slice, share: npt.NDArray[np.floating], color: Color
    ) -> None:
        part = self.pixels[rows, columns]
        part += (np.array(color, np.float32) - part) * share.astype(np.float32)[..., np.newaxis]


def text_width(text: str, size: float) -> float:
    """Return the width of a text in pixels.

    Examples
    --------
    >>> from noise_core.pictures.charts.canvas import text_width
    >>> text_width("wide", 20.0) > text_width("i", 20.0)
    True
    """
    width = 0.0
    for letter, x, scale, _ in _set(text):
        width = x + (width_of(letter) - GAP) * scale
    return width * size / CAPITAL


def _set(text: str) -> Iterator[tuple[str, float, float, float]]:
    """Yield letters, how far right each begins, its scale, and how far it is raised."""
    x, is_raised = 0.0, False
    for letter in text:
        if letter == RAISE:
            is_raised = True
            continue
        is_raised = is_raised and (letter.isdigit() or letter in "-\N{MINUS SIGN}")
        scale = _SMALLER if is_raised else 1.0
        yield letter, x, scale, _RAISED if is_raised else 0.0
        x += width_of(letter) * scale


def _pieces(points: Points) -> Iterator[tuple[Points, Points]]:
    """Yield the segments between points, some at a time: where they begin, and where they end.

    A single point is a segment.
    """
    starts, ends = (points, points) if len(points) == 1 else (points[:-1], points[1:])
    for first in range(0, len(starts), _AT_ONCE):
        yield starts[first : first + _AT_ONCE], ends[first : first + _AT_ONCE]


def _shift(part: slice, start: int) -> slice:
    return slice(part.start - start, part.stop - start)


def _coverage(low: float, high: float, part: slice) -> Points:
    """Return how much of each pixel of a row lies between two places."""
    begin = np.arange(part.start, part.stop, dtype=np.intp).astype(np.float64)
    covered: Points = np.clip(np.minimum(begin + 1.0, high) - np.maximum(begin, low), 0.0, 1.0)
    return covered


def _distance(columns: slice, rows: slice, start: Points, end: Points) -> Points:
    """Return the distance of pixels to the nearest of some segments."""
    x = np.arange(columns.start, columns.stop, dtype=np.intp) + 0.5
    y = np.arange(rows.start, rows.stop, dtype=np.intp)[:, np.newaxis] + 0.5
    (left, top), (along, down) = (
        coordinates.T[:, :, np.newaxis, np.newaxis] for coordinates in (start, end - start)
    )
    right, below = x - left, y - top
    square = np.maximum(along * along + down * down, _TINY)
    share = np.clip((right * along + below * down) / square, 0.0, 1.0)
    distance: Points = np.hypot(right - share * along, below - share * down).min(axis=0)
    return distance


@functools.cache
def strokes_of(letter: str) -> tuple[Points, ...]:
    """Return the strokes of a letter; of a letter with an accent those without it."""
    plain = letter if letter in GLYPHS else unicodedata.normalize("NFKD", letter)[:1]
    return tuple(_points_of(stroke) for stroke in GLYPHS.get(plain, UNKNOWN).split("|"))


def width_of(letter: str) -> float:
    """Return how wide a letter is, with the gap that follows it."""
    if letter.isspace():
        return SPACE + GAP
    return max(float(points[:, 0].max()) for points in strokes_of(letter)) + GAP


def _points_of(stroke: str) -> Points:
    """Return the points of a stroke, curves as lines."""
    names = stroke.lstrip("~@").split()
    corners = np.array([[int(name[0], 16), int(name[1], 16)] for name in names], np.float64)
    if stroke.startswith("@"):
        middles = (corners + np.roll(corners, 1, axis=0)) / 2.0
        pieces = zip(middles, corners, np.roll(middles, -1, axis=0))
        return np.concatenate([_curve(*piece) for piece in pieces])
    if stroke.startswith("~"):
        inner = corners[1:-1]
        middles = (inner[1:] + inner[:-1]) / 2.0
        joints = np.concatenate((corners[:1], middles, corners[-1:]))
        return np.concatenate([_curve(*piece) for piece in zip(joints, inner, joints[1:])])
    return corners


def _curve(start: Points, control: Points, end: Points) -> Points:
    """Return points on a parabola from one point to another, with its tangents towards a third."""
    share = np.linspace(0.0, 1.0, STEPS + 1)[:, np.newaxis]
    complement = 1.0 - share
    curve: Points = (
        complement * complement * start + 2.0 * complement * share * control + share * share * end
    )
    return curve
