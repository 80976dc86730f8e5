# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps as plain functions: ``slope(height, grid)`` and ``slope_mask(height, grid, 30, 90, 5)``.

They are generated from the types, with the types' parameters and texts.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable

import numpy.typing as npt

from ...base.arrays import Field
from ...base.grid import Grid
from ...base.params import Parameter
from ...base.registry import ROOT
from .map import Map

_TYPES: dict[str, object] = {
    "boolean": bool,
    "choice": str,
    "integer": int,
    "number": float,
    "vector": tuple[float, ...],
}
"""Of the kinds of parameters, for signatures."""


def values_function(cls: type[Map]) -> Callable[..., Field]:
    """Return the plain function that computes a map from its parameters."""

    def function(height: npt.ArrayLike, grid: Grid, **parameters: object) -> Field:
        return cls(**parameters).values(height, grid)

    return _set_signature(function, cls, cls.key, _VALUES_TEXT, ())


def mask_function(cls: type[Map]) -> Callable[..., Field]:
    """Return the plain function that computes the mask of a map from its parameters."""

    def function(
        height: npt.ArrayLike,
        grid: Grid,
        low: float = -math.inf,
        high: float = math.inf,
        falloff: float = 0.0,
        **parameters: object,
    ) -> Field:
        return cls(**parameters).mask(height, grid, low, high, falloff)

    return _set_signature(function, cls, f"{cls.key}_mask", _MASK_TEXT, ("low", "high", "falloff"))


_VALUES_TEXT = """{summary}

Parameters
----------
height : array_like of shape (rows, columns)
    In meters.
grid : Grid
    Of the same shape.
{parameters}
Returns
-------
ndarray of shape {shape}, float32
    {unit}

Raises
------
ParameterError
    If the shape differs from the grid's, a height is not finite or beyond 1e12, a parameter is not allowed,
    or the map needs meters and the grid has no size.

Examples
--------
>>> from noise_core import Grid
>>> from noise_core.maps import {key}
>>> from noise_core.noises import Perlin
>>> grid = Grid(33, 33, size=500.0)
>>> hills = 100.0 * Perlin().sample_grid(grid, seed=1)
>>> {key}(hills, grid).shape
{example_shape}
"""

_MASK_TEXT = """Return 1 where `{key}` is in [low, high], 0 far from there, and a smooth ramp between.

Parameters
----------
height : array_like of shape (rows, columns)
    In meters.
grid : Grid
    Of the same shape.
low, high : float
    Limits of the map. {unit} Infinite where there is none.
falloff : float
    How far outside the limits the ramp ends; 0 is a hard edge.
{parameters}
Returns
-------
ndarray of shape (rows, columns), float32
    In [0, 1].

Raises
------
ParameterError
    As `{key}`; if low > high or falloff < 0.

Examples
--------
>>> from noise_core import Grid
>>> from noise_core.maps import {key}_mask
>>> from noise_core.noises import Perlin
>>> grid = Grid(33, 33, size=500.0)
>>> hills = 100.0 * Perlin().sample_grid(grid, seed=1)
>>> mask = {key}_mask(hills, grid, low=0.2, high=0.8, falloff=0.1)
>>> mask.shape, bool(mask.min() >= 0.0), bool(mask.max() <= 1.0)
((33, 33), True, True)
"""


def _set_signature(
    function: Callable[..., Field], cls: type[Map], name: str, text: str, limits: tuple[str, ...]
) -> Callable[..., Field]:
    """Set a function's name, signature and docstring."""
    function.__name__ = function.__qualname__ = name
    function.__module__ = f"{ROOT}.maps"
    function.__doc__ = text.format(
        key=cls.key,
        summary=inspect.cleandoc(cls.__doc__ or "").splitlines()[0],
        unit=f"In {cls.unit}." if cls.unit else "A plain number.",
        shape="(rows, columns)" if cls.channels == 1 else f"(rows, columns, {cls.channels})",
        example_shape="(33, 33)" if cls.channels == 1 else f"(33, 33, {cls.channels})",
        parameters="".join(f"{_describe(parameter)}\n" for parameter in cls.parameters()),
    )
    common = list(inspect.signature(function).parameters.values())[: 2 + len(limits)]
    keywords = [
        inspect.Parameter(
            parameter.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=parameter.default,
            annotation=_TYPES.get(parameter.kind, object),
        )
        for parameter in cls.parameters()
    ]
    function.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [*common, *keywords], return_annotation=Field
    )
    return function


def _describe(parameter: Parameter) -> str:
    allowed = (
        f"{{{', '.join(map(repr, parameter.options))}}}" if parameter.options else parameter.kind
    )
    return f"{parameter.name} : {allowed}, optional\n    {parameter.full_help}; {parameter.default!r} if not given."


@functools.cache
def find_function(name: str) -> Callable[..., Field] | None:
    """Return the plain function of that name, None if there is none."""
    from .map import map_types

    types = map_types()
    if name in types:
        return values_function(types[name])
    key = name.removesuffix("_mask")
    if key != name and key in types and types[key].channels == 1:
        return mask_function(types[key])
    return None
