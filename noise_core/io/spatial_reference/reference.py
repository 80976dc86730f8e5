# SPDX-License-Identifier: GPL-3.0-or-later
"""Coordinate system of a file, and the unit of its heights."""

from __future__ import annotations

import dataclasses
from typing import TypeVar

from ...base.errors import Message, ParameterError, TerraneError
from ...base.georeference import GEOGRAPHIC, LOCAL, SpatialSystem
from . import guesses
from .units import LENGTH, unit_of

Part = TypeVar("Part")

_BEYOND = 1.0
"""Degrees beyond a pole that a grid of samples of a degree may reach."""


_MOST_DOUBT = 0.005
"""Share by which the size of land may be another one in other programs."""


class DepthError(ParameterError):
    """Numbers count downward; another unit does not turn them around."""


@dataclasses.dataclass(frozen=True)
class SpatialReference:
    """Coordinate system across and unit up, each as far as a file says it.

    A part that is not understood is an error, which is raised where that part is needed: the caller may know
    more than the file.

    Attributes
    ----------
    system : SpatialSystem or ParameterError, optional
        None if the file does not say.
    height_unit : float or ParameterError, optional
        Meters in a unit of height; None if the file does not say.
    notes : tuple of Message
        On the system.
    """

    system: SpatialSystem | ParameterError | None = None
    height_unit: float | ParameterError | None = None
    notes: tuple[Message, ...] = ()

    def or_else(self, fallback: SpatialReference) -> SpatialReference:
        """Return the reference, completed by another one; depths of that stay depths."""
        system, notes = self.system, self.notes
        if system is None:
            system, notes = fallback.system, fallback.notes
        unit = self.height_unit
        if unit is None or isinstance(fallback.height_unit, DepthError):
            unit = fallback.height_unit
        return SpatialReference(system, unit, notes)


UNSAID = SpatialReference()
"""Reference of a file that says nothing."""


@dataclasses.dataclass(frozen=True)
class SpatialOptions:
    """System and unit that the caller gives instead of the file.

    Attributes
    ----------
    system : SpatialSystem, optional
        See `SpatialReference`.
    height_unit : float, optional
    """

    system: SpatialSystem | None = None
    height_unit: float | None = None


AS_THE_FILE_SAYS = SpatialOptions()


@dataclasses.dataclass(frozen=True)
class Extent:
    """Coordinates of the samples of a file.

    Attributes
    ----------
    origin : tuple of two floats
        Smallest x and y.
    step : tuple of two floats
        From sample to sample along x and y; positive.
    rows, columns : int
    """

    origin: tuple[float, float]
    step: tuple[float, float]
    rows: int
    columns: int


def settle_system(
    reference: SpatialReference, options: SpatialOptions, extent: Extent, name: str
) -> tuple[SpatialSystem, tuple[Message, ...]]:
    """Return the coordinate system of a file, and notes on guesses.

    Parameters
    ----------
    reference : SpatialReference
    options : SpatialOptions
    extent : Extent
    name : str
        Of the file.

    Raises
    ------
    ParameterError
        If the file's system is not understood and none is given, or its coordinates cannot be of it.
    """
    notes: tuple[Message, ...] = ()
    if options.system is not None:
        system = options.system
        notes = (Message("Coordinate system as given, not by the file"),)
    elif reference.system is not None:
        system, notes = _value_of(reference.system), reference.notes
    elif guesses.is_degrees(extent.origin, extent.step, extent.rows, extent.columns):
        system = SpatialSystem(GEOGRAPHIC)
        notes = (Message("Coordinates are taken for degrees: the file does not say"),)
    else:
        system = SpatialSystem(LOCAL)
        notes = (Message("Coordinates are taken for meters: the file does not say"),)
    _check_latitudes(system, extent, name)
    if options.system is None:
        _check_agreement(system, extent, name)
    return system, notes


def read_height_unit(text: str, name: str) -> SpatialReference:
    """Return the reference of a file that names the unit of its heights alone."""
    unit = unit_of(text)
    if unit is None or unit.kind != LENGTH:
        return SpatialReference(
            None,
            ParameterError(
                "{}: the unit of heights must be a length that is known; got {!r}: give unit",
                *(name, text),
            ),
        )
    return SpatialReference(None, unit.size)


def settle_height_unit(reference: SpatialReference, options: SpatialOptions) -> float | None:
    """Return meters in a unit of height; None if it is unknown.

    Raises
    ------
    ParameterError
        If the file's unit is not understood and none is given.
    """
    if options.height_unit is not None:
        return options.height_unit
    return None if reference.height_unit is None else _value_of(reference.height_unit)


def _value_of(part: Part | ParameterError) -> Part:
    if isinstance(part, TerraneError):
        raise part
    return part


def _check_agreement(system: SpatialSystem, extent: Extent, name: str) -> None:
    """Raise a ParameterError if programs do not agree on the size of the land."""
    middle = extent.origin[1] + extent.step[1] * (extent.rows - 1) / 2.0
    if system.cylinder is None:
        return
    if not system.cylinder.doubt(system.ellipsoid, middle * system.unit) <= _MOST_DOUBT:
        raise ParameterError(
            "{}: programs must agree on the size of terrain; on its equirectangular map they differ by "
            "more than 1 % at y {:.6g}: give system, such as 'local' for its meters as they are",
            *(name, middle),
        )


def _check_latitudes(system: SpatialSystem, extent: Extent, name: str) -> None:
    """Raise a ParameterError if samples of a map of the globe lie beyond a pole by more than rounding."""
    south = extent.origin[1]
    north = south + extent.step[1] * (extent.rows - 1)
    low, high = system.limits
    if system.is_geographic:
        low, high = low - _BEYOND / system.unit, high + _BEYOND / system.unit
    if not (low <= south and north <= high):
        raise ParameterError(
            "{}: y must be in [{:.6g}, {:.6g}] in its system, {}; got {:.6g} to {:.6g}: give system",
            *(name, low, high, system, south, north),
        )
