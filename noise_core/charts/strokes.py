# SPDX-License-Identifier: GPL-3.0-or-later
"""A font of strokes: digits, letters and a few signs as lines and curves, for any size.

A letter is a list of strokes, a stroke a list of points. Each point is two hexadecimal digits, how far it
lies to the right and how far down: capitals reach from 0 to 8, small letters from 2, tails down to b. A
stroke is straight from point to point, or a quadratic B-spline (``~``), which goes around its inner points,
or a closed one (``@``).
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

CAPITAL = 8.0
"""How high capitals and digits are."""

GAP = 2.0
"""Between two letters."""

SPACE = 3.0
"""Width of a space, without the gap."""

STEPS = 6
"""Lines that a piece of a curve becomes."""

Points = npt.NDArray[np.float64]
"""Shape (points, 2): right and down."""

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


def _curve(start: Points, around: Points, end: Points) -> Points:
    """Return points on a parabola from one point to another, with its tangents towards a third."""
    share = np.linspace(0.0, 1.0, STEPS + 1)[:, np.newaxis]
    rest = 1.0 - share
    curve: Points = rest * rest * start + 2.0 * rest * share * around + share * share * end
    return curve
