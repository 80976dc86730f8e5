# SPDX-License-Identifier: GPL-3.0-or-later
"""What a file says of its coordinates and of the unit of its heights."""

from __future__ import annotations

import dataclasses
from typing import TypeVar

from ...base.errors import Message, ParameterError, TerraneError
from ...base.georeference import GEOGRAPHIC, LOCAL, SpatialSystem
from . import guesses
from .units import LENGTH, unit_of

Part = TypeVar("Part")


@dataclasses.dataclass(frozen=True)
class SpatialReference:
    """Coordinate system across and unit up, each as far as a file says it.

    A part that is not understood is an error, which is raised where that part is needed: the caller may know
    what the file does not say.

    Attributes
    ----------
    system : SpatialSystem or ParameterError, optional
        None if the file does not say.
    height_unit : float or ParameterError, optional
        Meters in a unit of height; None if the file does not say.
    """

    system: SpatialSystem | ParameterError | None = None
    height_unit: float | ParameterError | None = None

    def or_else(self, other: SpatialReference) -> SpatialReference:
        """Return the reference with what it does not say from another one."""
        return SpatialReference(
            other.system if self.system is None else self.system,
            other.height_unit if self.height_unit is None else self.height_unit,
        )


UNSAID = SpatialReference()
"""Reference of a file that says nothing."""


@dataclasses.dataclass(frozen=True)
class SpatialOptions:
    """What the caller says instead of the file.

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
    """Return the coordinate system of a file, and notes on what was guessed.

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
        system = _value_of(reference.system)
    elif guesses.is_degrees(extent.origin, extent.step, extent.rows, extent.columns):
        system = SpatialSystem(GEOGRAPHIC)
        notes = (Message("Coordinates are taken for degrees: the file does not say"),)
    else:
        system = SpatialSystem(LOCAL)
        notes = (Message("Coordinates are taken for meters: the file does not say"),)
    if system.is_geographic:
        _check_latitudes(system, extent, name)
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
    """Return meters in a unit of height; None if nobody says.

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


def _check_latitudes(system: SpatialSystem, extent: Extent, name: str) -> None:
    """Raise a ParameterError if the middle of the samples lies beyond a pole, or half of them do."""
    south = extent.origin[1] * system.unit
    north = (extent.origin[1] + extent.step[1] * (extent.rows - 1)) * system.unit
    if not (-91.0 <= south and north <= 91.0):
        raise ParameterError(
            "{}: latitudes must be in [-90, 90] in its system, {}; got {:g} to {:g}: give system",
            *(name, system, south, north),
        )
