# SPDX-License-Identifier: GPL-3.0-or-later
"""Units in well-known text: of coordinates, of heights, of parameters.

References
----------
ISO 19162 (2019). Geographic information: well-known text representation of coordinate reference systems.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from ...base.errors import ParameterError
from .methods import plain_name
from .reference import DepthError
from .units import ANGLE, LENGTH, Unit, unit_of
from .wkt_text import WktNode

UNITS = ("UNIT", "LENGTHUNIT", "ANGLEUNIT", "SCALEUNIT")
"""Keywords of units."""

_DEPTHS = frozenset({"down", "soundings"})
_MEAN = 1e-5
"""Share by which the size of a unit may differ from what its name says: survey feet do by 2e-6."""


def unit_across(node: WktNode, name: str, kind: str, axes: Iterable[WktNode] | None = None) -> Unit:
    """Return the unit of x and y, which has to be the same.

    Raises
    ------
    ParameterError
        If there is none, it is not known, or they differ.
    """
    units_found = {
        read_unit(unit, name, kind)
        for axis in list(node.all("AXIS") if axes is None else axes)[:2]
        if (unit := axis.first(*UNITS)) is not None
    }
    if not units_found:
        units = node.all("UNIT", "LENGTHUNIT" if kind == LENGTH else "ANGLEUNIT")
        if not units:
            raise ParameterError(
                "{}: its coordinate system must have a unit: give system, such as 'local ft'", name
            )
        units_found = {read_unit(units[0], name, kind)}
    if len(units_found) > 1:
        raise ParameterError("{}: x and y must have the same unit: give system", name)
    return next(iter(units_found))


def read_third_axis(node: WktNode, name: str) -> float | ParameterError | None:
    """Return meters in a unit of a third axis, such as of ellipsoidal height; None without one."""
    axes = node.all("AXIS")
    unit = node.first("LINUNIT")
    if unit is None and len(axes) > 2:
        unit = axes[2].first(*UNITS) or node.first("LENGTHUNIT", "UNIT")
    if unit is None:
        return None
    try:
        if len(axes) > 2:
            _check_upward(axes[2], name)
        return read_unit(unit, name, LENGTH).size
    except ParameterError as error:
        return error


def read_vertical(node: WktNode, name: str) -> float:
    """Return meters in a unit of height of a vertical system."""
    for axis in node.all("AXIS"):
        _check_upward(axis, name)
    for parameter in node.all("PARAMETER"):
        if plain_name(parameter.name) == "direction" and (parameter.number(1) or 1.0) < 0.0:
            raise _depths(name)
    return unit_across(node, name, LENGTH).size


def _check_upward(axis: WktNode, name: str) -> None:
    if any(isinstance(value, str) and value.lower() in _DEPTHS for value in axis.values[1:]):
        raise _depths(name)


def _depths(name: str) -> DepthError:
    return DepthError(
        "{}: heights must be counted upward; its vertical system has depths: give unit, such as "
        "'m' for heights",
        name,
    )


def read_unit(node: WktNode, name: str, kind: str) -> Unit:
    """Return a unit by its size, or by its name if it has none.

    Raises
    ------
    ParameterError
        If it is not known, no length or angle as it must be, or its name and its size contradict.
    """
    unit, size = unit_of(node.name), node.number(1)
    if size is not None and kind == ANGLE:
        size = _round_degrees(math.degrees(size))
    stated = Unit(kind, size) if size is not None and 0.0 < size < 1e9 else None
    if stated is None and size is None:
        stated = unit
    is_clear = unit is None or (
        stated is not None and unit.kind == kind and abs(unit.size / stated.size - 1.0) < _MEAN
    )
    if stated is None or stated.kind != kind or not is_clear:
        raise ParameterError(
            "{}: the unit must be a {} that is known; got {!r} of {}: give system or unit",
            *(name, kind, node.name, size if size is not None else "no size"),
        )
    return stated


def _round_degrees(size: float) -> float:
    """Return degrees without the rounding of radians that a text has."""
    for tolerance in (1.0, 0.9):
        if abs(size / tolerance - 1.0) < 1e-9:
            return tolerance
    return size
