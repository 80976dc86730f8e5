# SPDX-License-Identifier: GPL-3.0-or-later
"""The look of a preset's picture: its colors, its water, and its surroundings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType

from ..base.errors import ParameterError, RecipeError, format_value
from ..base.params import Declared
from ..materials.colors import LANDSCAPES, LAYER_LIMITS
from .plants import Plants
from .scene import RIVERS, SURROUNDINGS, Camera, Cliffs, Render, Sky, Water

_FINEST = 16384
"""Largest resolution of a terrain."""


def _check_limits(limits: object) -> None:
    """Raise an error if these are not numbers by the names of `LAYER_LIMITS`."""
    if not isinstance(limits, Mapping) or not set(limits) <= set(LAYER_LIMITS):
        raise RecipeError(
            "look.limits must be an object of {}",
            ", ".join(LAYER_LIMITS),
            got=format_value(limits),
        )
    for name, value in limits.items():
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not (is_number and math.isfinite(value)):
            raise RecipeError("look.limits.{} must be a number", name, got=format_value(value))


def _check_share(rivers: object) -> None:
    """Raise an error if the share of the smallest river is no number from 0 to 1."""
    is_number = isinstance(rivers, (int, float)) and not isinstance(rivers, bool)
    if not (is_number and 0.0 <= rivers <= 1.0):  # type: ignore[operator]
        raise RecipeError("look.rivers must be a number from 0 to 1", got=format_value(rivers))


@dataclass(frozen=True)
class Look:
    """Look of a preset's pictures: colors, water, surroundings, sky and camera.

    Attributes
    ----------
    palette : str
        One of `LANDSCAPES`.
    sea : float or None
        Height of the sea in meters, at the preset's own size; None if there is none.
    has_lakes : bool
        Whether water stands in the lakes that erosion has left.
    rivers : float
        Share of the terrain that the smallest river drains; 0 for none.
    is_flat : bool
        Whether it is a texture, drawn in grays without light.
    limits : mapping of str to float
        Limits of the palette's layers where they differ from it, by their names in `LAYER_LIMITS`.
    surroundings : str
        One of `SURROUNDINGS`.
    sky : Sky
    camera : Camera
    plants : Plants or None
        None if nothing grows or lies about.
    cliffs : Cliffs or None
        None if steep ground gets no mesh of its own.
    render : Render
    resolution : int
        Samples along the longer side of a landscape that is added with this look, unless told.

    Examples
    --------
    >>> from noise_core.landscapes.look import Look
    >>> coast = Look(palette="temperate", sea=0.0)
    >>> coast.water.sea, coast.to_plain()
    (True, {'palette': 'temperate', 'sea': 0.0})
    """

    palette: str = "alpine"
    sea: float | None = None
    has_lakes: bool = True
    rivers: float = RIVERS
    is_flat: bool = False
    limits: Mapping[str, float] = field(default_factory=dict)
    surroundings: str = "land"
    sky: Sky = Sky()
    camera: Camera = Camera()
    plants: Plants | None = None
    cliffs: Cliffs | None = None
    render: Render = Render()
    resolution: int = 512

    @property
    def water(self) -> Water:
        """The sea and the rivers, as settings of their own."""
        return Water(sea=self.sea is not None, level=float(self.sea or 0.0), rivers=self.rivers)

    @classmethod
    def from_plain(cls, plain: object) -> Look:
        """Return the look of a JSON object; missing entries have their defaults.

        Parameters
        ----------
        plain : object
            A dictionary of JSON.

        Raises
        ------
        RecipeError
            If it describes none.

        Examples
        --------
        >>> from noise_core.landscapes.look import Look
        >>> Look.from_plain({"palette": "alpine", "sea": 10.0}).sea
        10.0
        """
        known = {one.name for one in fields(cls)}
        if not isinstance(plain, dict) or not set(plain) <= known:
            raise RecipeError(
                "look must be an object of {}",
                ", ".join(sorted(known)),
                got=format_value(plain),
            )
        parts = {name: _part(part, plain[name]) for name, part in _PARTS.items() if name in plain}
        return cls(**{**plain, **parts})

    def to_plain(self) -> dict[str, object]:
        """Return the JSON object of the look: the values that differ from the defaults."""
        usual = Look()
        return {
            one.name: _plain(getattr(self, one.name))
            for one in fields(self)
            if getattr(self, one.name) != getattr(usual, one.name)
        }

    def __post_init__(self) -> None:
        if self.surroundings not in SURROUNDINGS:
            raise RecipeError(
                "look.surroundings must be one of {}",
                ", ".join(SURROUNDINGS),
                got=format_value(self.surroundings),
            )
        _check_limits(self.limits)
        if not isinstance(self.palette, str) or self.palette not in LANDSCAPES:
            allowed = ", ".join(LANDSCAPES)
            raise RecipeError(
                "look.palette must be one of {}", allowed, got=format_value(self.palette)
            )
        is_number = isinstance(self.sea, (int, float)) and not isinstance(self.sea, bool)
        if self.sea is not None and not (is_number and math.isfinite(self.sea)):
            raise RecipeError(
                "look.sea must be a number of meters or null", got=format_value(self.sea)
            )
        _check_share(self.rivers)
        if type(self.resolution) is not int or not 2 <= self.resolution <= _FINEST:
            raise RecipeError(
                "look.resolution must be a whole number from 2 to {}",
                _FINEST,
                got=format_value(self.resolution),
            )
        for name in ("has_lakes", "is_flat"):
            value = getattr(self, name)
            if not isinstance(value, bool):
                raise RecipeError("look.{} must be true or false", name, got=format_value(value))


_PARTS: Mapping[str, type[Declared]] = MappingProxyType(
    {"sky": Sky, "camera": Camera, "plants": Plants, "cliffs": Cliffs, "render": Render}
)


def _part(cls: type[Declared], plain: object) -> Declared:
    """Return a part of a look from a file; missing entries have their defaults."""
    known = {one.name for one in cls.parameters()}
    if not isinstance(plain, dict) or not set(plain) <= known:
        raise RecipeError(
            "look.{} must be an object of {}",
            cls.key,
            ", ".join(sorted(known)),
            got=format_value(plain),
        )
    try:
        return cls(**plain)
    except ParameterError as error:
        raise RecipeError("look.{}: {}", cls.key, error) from error


def _plain(value: object) -> object:
    """Return a value of a look as JSON holds it: of its parts the values that differ from the defaults."""
    if not isinstance(value, Declared):
        return dict(value) if isinstance(value, Mapping) else value
    usual = type(value)()
    return {
        one.name: getattr(value, one.name)
        for one in value.parameters()
        if getattr(value, one.name) != getattr(usual, one.name)
    }
