# SPDX-License-Identifier: GPL-3.0-or-later
"""Color ramps: mappings of numbers to colors, and named ones for terrain and for plain numbers."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from ...base import gathering
from ...base.arrays import Field, to_float
from ...base.elementary import smooth_step
from ...base.errors import ParameterError, format_value
from ...base.json_texts import json_value
from .spaces import Color, Numbers, linear_to_oklab, oklab_to_linear, to_linear

INTERPOLATIONS = {
    "constant": "Each color up to the next stop",
    "linear": "Straight from stop to stop",
    "smooth": "Level at every stop: no bands of Mach at them",
}
SPACES = {
    "linear": "As light mixes",
    "oklab": "As the eye sees: even steps, no gray or dark zone in between",
}

_PARTS = 4096
"""Exact colors between the first and the last stop. Between two of them colors are mixed in
linear light: no more than 0.001 from the ramp itself, and that only beside a stop."""

_ENTRIES = 1 << 16
"""Entries of the table in which the nearest is looked up: as many as 16 bits can tell apart."""


@dataclass(frozen=True)
class Ramp:
    """Colors at stops along a line, interpolated between them.

    Parameters
    ----------
    stops : sequence of pairs (place, color)
        Places rise, two at the same place make an edge. A color is three linear numbers or
        "#rrggbb", kept as linear numbers. Before the first and beyond the last stop the color
        stays the same.
    interpolation : {"constant", "linear", "smooth"}
    space : {"linear", "oklab"}
        Space in which colors are mixed.

    Raises
    ------
    ParameterError
        If a value is not allowed.

    References
    ----------
    Björn Ottosson (2020). A perceptual color space for image processing.

    Examples
    --------
    >>> from noise_core.materials.colors.ramp import Ramp

    From the color of deep water over a beach to grass:

    >>> shore = Ramp(((0.0, "#0b3d5c"), (0.5, "#d8c690"), (0.6, "#5c7a3a")))
    >>> shore.places
    (0.0, 0.5, 0.6)
    >>> shore.colors([0.0, 0.5, 1.0]).shape
    (3, 3)
    """

    stops: tuple[tuple[float, Color], ...]
    interpolation: str = "linear"
    space: str = "oklab"

    def __post_init__(self) -> None:
        for name, options in (("interpolation", INTERPOLATIONS), ("space", SPACES)):
            value = getattr(self, name)
            if not isinstance(value, str) or value not in options:
                allowed = ", ".join(map(repr, options))
                raise ParameterError(
                    "Ramp.{} must be one of {}", name, allowed, got=format_value(value)
                )
        object.__setattr__(self, "stops", _check_stops(self.stops))

    @classmethod
    def from_json(cls, text: str) -> Ramp:
        """Return the ramp that text describes.

        It is ``[[0, "#102040"], [1, "#ffffff"]]``, places with colors, or an object with ``"stops"``,
        ``"interpolation"`` and ``"space"``.

        Parameters
        ----------
        text : str

        Raises
        ------
        ParameterError
            If it describes none.

        Examples
        --------
        >>> from noise_core.materials.colors.ramp import Ramp
        >>> Ramp.from_json('[[0, "#000000"], [1, "#ffffff"]]').places
        (0.0, 1.0)
        """
        try:
            plain = json_value(text)
        except ValueError as error:
            raise ParameterError("ramp must be JSON; {}", error, got=repr(text)) from error
        values = plain if isinstance(plain, dict) else {"stops": plain}
        unknown = sorted(set(values) - {"stops", "interpolation", "space"})
        if unknown or "stops" not in values:
            raise ParameterError(
                "ramp must have stops, and may have interpolation and space", got=repr(text)
            )
        if not all(isinstance(values.get(name, ""), str) for name in ("interpolation", "space")):
            raise ParameterError("ramp: interpolation and space must be text", got=repr(text))
        return cls(**values)

    @property
    def places(self) -> tuple[float, ...]:
        """Positions of the stops."""
        return tuple(place for place, _ in self.stops)

    def colors(self, values: npt.ArrayLike) -> Field:
        """Return the colors at values of shape (...), as an array of shape (3, ...), float32.

        Channels come first, so that each of them lies together in memory.

        Parameters
        ----------
        values : array_like of shape (...)
            In the unit of the stops' places.

        Examples
        --------
        >>> import numpy as np
        >>> from noise_core.materials.colors.ramp import Ramp
        >>> gray = Ramp(((0.0, (0.0, 0.0, 0.0)), (1.0, (1.0, 1.0, 1.0))), space="linear")
        >>> print(gray.colors(np.float32([0.0, 0.25, 1.0])).round(2))
        [[0.   0.25 1.  ]
         [0.   0.25 1.  ]
         [0.   0.25 1.  ]]
        """
        shape = np.shape(values)
        field = np.atleast_1d(np.asarray(values, np.float32))
        out = np.empty((3, *field.shape), np.float32)
        if self.interpolation == "constant" or len(self.stops) == 1:
            place = np.zeros(field.shape, np.intp)
            for stop in self.places[1:]:
                place += field >= np.float32(stop)
            self._take(self._colors, place, out)
            return out.reshape(3, *shape)
        first, last = self.places[0], self.places[-1]
        scale = _ENTRIES / (last - first)
        along = field * np.float32(scale)
        along += np.float32(0.5 - first * scale)
        # What is no number becomes the first entry.
        np.fmax(along, np.float32(0.0), out=along)
        np.fmin(along, np.float32(_ENTRIES), out=along)
        self._take(self._table, along.astype(np.intp), out)
        return out.reshape(3, *shape)

    @staticmethod
    def _take(table: Field, entry: npt.NDArray[np.intp], out: Field) -> None:
        """Write the entries of a table of three columns."""
        for column, channel in zip(table, out):
            gathering.gather(column, entry, out=channel)

    @functools.cached_property
    def _colors(self) -> Field:
        """The colors of the stops, shape (3, stops)."""
        return np.ascontiguousarray(np.array([color for _, color in self.stops], np.float32).T)

    @functools.cached_property
    def _table(self) -> Field:
        """The colors at even steps, shape (3, entries + 1)."""
        first, last = self.places[0], self.places[-1]
        places = first + (last - first) * np.arange(_PARTS + 1, dtype=np.intp) / _PARTS
        colors = self._interpolate(places).T.astype(np.float32)
        share = np.arange(_ENTRIES // _PARTS, dtype=np.float32) * np.float32(_PARTS / _ENTRIES)
        mixed = np.diff(colors)[..., np.newaxis] * share
        mixed += colors[:, :-1, np.newaxis]
        return np.concatenate((mixed.reshape(3, _ENTRIES), colors[:, -1:]), axis=1)

    def _interpolate(self, places: Numbers) -> Numbers:
        """Return the exact colors, shape (n, 3), float64."""
        colors = np.array([color for _, color in self.stops], np.float64)
        if self.space == "oklab":
            colors = linear_to_oklab(colors)
        stops = np.array(self.places, np.float64)
        upper = np.clip(np.searchsorted(stops, places, "right"), 1, len(stops) - 1)
        width = np.maximum(stops[upper] - stops[upper - 1], 1e-12)
        share = np.clip((places - stops[upper - 1]) / width, 0.0, 1.0)
        if self.interpolation == "smooth":
            share = smooth_step(share)
        mixed: Numbers = colors[upper - 1] + (colors[upper] - colors[upper - 1]) * share[:, None]
        if self.space == "oklab":
            mixed = np.clip(oklab_to_linear(mixed), 0.0, 1.0)
        return mixed


def _check_stops(stops: object) -> tuple[tuple[float, Color], ...]:
    is_row = isinstance(stops, (tuple, list)) and len(stops) > 0
    pairs: Sequence[object] = stops if is_row else ()  # type: ignore[assignment]
    checked: list[tuple[float, Color]] = []
    for pair in pairs:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise ParameterError("Ramp.stops must be pairs (place, color)", got=format_value(pair))
        place = to_float(pair[0])
        if not abs(place) <= 1e6:
            raise ParameterError(
                "Ramp.stops must stand at numbers in [-1e+06, 1e+06]", got=format_value(pair[0])
            )
        checked.append((place, to_linear(pair[1], "Ramp.stops: a color")))
    places = [place for place, _ in checked]
    if not checked or places != sorted(places) or (len(checked) > 1 and places[0] == places[-1]):
        raise ParameterError("Ramp.stops must be pairs whose places rise", got=format_value(stops))
    return tuple(checked)


def _even(*colors: str) -> Ramp:
    """Return a ramp with stops at equal distances from 0 to 1."""
    last = len(colors) - 1
    return Ramp(tuple((place / last, color) for place, color in enumerate(colors)))  # type: ignore[misc]


PALETTES: Mapping[str, Ramp] = MappingProxyType(
    {
        "gray": Ramp(((0.0, (0.0, 0.0, 0.0)), (1.0, (1.0, 1.0, 1.0))), space="linear"),
        "alpine": _even("#4f6b3a", "#76804a", "#8d8466", "#8e8a84", "#c9cbce", "#f6f8fb"),
        "desert": _even("#7a4a2b", "#a8693c", "#c98d55", "#dcb27a", "#ecd3a4"),
        "volcanic": _even("#14110f", "#2b2523", "#4a3f3a", "#6d5a4e", "#8f7a66"),
        "arctic": _even("#1d3b4f", "#5d8196", "#a9c3cf", "#dde8ed", "#ffffff"),
        "tropical": _even("#d8c58d", "#4d7a34", "#2c5a2b", "#5b6f3f", "#8a8467"),
        "mars": _even("#3a1d14", "#73351f", "#a4522d", "#c67c4b", "#dda679"),
        "moon": _even("#2a2a2c", "#565656", "#7d7b79", "#a5a29d", "#cfccc6"),
        "temperate": _even("#55752f", "#7d8a44", "#99925f", "#a89a78", "#c3b8a0"),
        "badlands": _even("#8f7357", "#b58a67", "#cba585", "#b98563", "#dcc6aa"),
        "sea": _even("#04182f", "#0a3a5c", "#14668a", "#43a0ac", "#a6d8c9"),
        "heat": _even("#000004", "#57106e", "#bc3754", "#f98e09", "#fcffa4"),
    }
)
"""By name."""
