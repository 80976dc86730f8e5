# SPDX-License-Identifier: GPL-3.0-or-later
"""Derivatives of noises: automatic differentiation, and central differences where no rule exists.

A `Dual` replaces a field wherever fields are added, multiplied, folded or clipped: NumPy's
functions pass it to `__array_ufunc__`, which applies the rule of each. So the formula of a noise
gives its derivatives too.

References
----------
R. E. Wengert (1964). A simple automatic derivative evaluation program. Communications of the ACM.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union, cast

import numpy as np
import numpy.typing as npt

from . import blocks
from .arrays import Coordinates, Field, Points
from .elementary import power
from .torus import Torus

Slopes = tuple[Field, ...]
"""The derivatives of a noise per tile, float32, one array per axis."""

Partial = Union[npt.NDArray[Any], np.floating[Any], float, None]
"""The derivative of a function by one of its arguments; None if it is zero everywhere."""

_ONE = 1.0
"""A partial derivative that need not be multiplied with."""

_SMALLEST = 1e-10
"""Keeps the slope of a root finite where it is vertical; its square is still a float32."""


class Dual(np.lib.mixins.NDArrayOperatorsMixin):
    """A field and its derivatives.

    Arithmetic makes new arrays and never writes into its operands; operations in place
    replace the arrays of this object.

    Parameters
    ----------
    value : ndarray, float32 or float64
    slopes : mapping of int to ndarray
        The derivative along each axis, broadcasting to the value; zero along an axis that is
        missing.
    """

    def __init__(self, value: Coordinates, slopes: Mapping[int, Coordinates]) -> None:
        self.value = value
        self.slopes = dict(slopes)

    @classmethod
    def from_slopes(cls, value: Field, slopes: Sequence[Field]) -> Dual:
        """Return the value and slopes of `Noise.slopes` as one object."""
        return cls(value, dict(enumerate(slopes)))

    @property
    def field(self) -> Field:
        """The object itself, typed as the field that functions take it for."""
        return cast(Field, self)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the value."""
        return self.value.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the value."""
        return self.value.dtype

    def copy(self) -> Dual:
        """Return an independent copy."""
        return Dual(self.value, self.slopes)

    def astype(self, dtype: npt.DTypeLike, copy: bool = True) -> Dual:
        """Return value and derivatives as another type."""
        slopes = {axis: slope.astype(dtype, copy=False) for axis, slope in self.slopes.items()}
        return Dual(self.value.astype(dtype, copy=False), slopes)

    def clip(self, low: float, high: float, out: Dual | None = None) -> Dual:
        """Return this clipped below and above; `np.clip` calls it."""
        # At a limit it is the level side of the kink that counts.
        is_inside = ((self.value > low) & (self.value < high)).astype(np.float32)
        value: Coordinates = self.value.clip(low, high)
        clipped = _apply_chain_rule(value, [(self, is_inside)])
        return clipped if out is None else out._assign(clipped)

    def power(self, exponent: float) -> Dual:
        """Return this raised to a power above 0; see `elementary.power`."""
        value = power(self.value.astype(np.float32, copy=False), exponent)
        slope = np.float32(exponent) * value / np.maximum(self.value, np.float32(_SMALLEST**2))
        return _apply_chain_rule(value, [(self, slope)])

    def __array__(self, *_: object, **__: object) -> npt.NDArray[Any]:
        """Raise an error, because the derivatives would be lost."""
        raise TypeError("a Dual is no array; a function without a rule was asked for")

    def __setitem__(self, place: object, values: Dual | Field) -> None:
        if place is not Ellipsis:
            raise TypeError(f"a Dual is set as a whole; got {place!r}")
        self._assign(values if isinstance(values, Dual) else Dual(values, {}))

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: object, out: tuple[object, ...] = ()
    ) -> object:
        """Apply a NumPy function by its differentiation rule."""
        if method != "__call__":
            return NotImplemented
        values = [operand.value if isinstance(operand, Dual) else operand for operand in inputs]
        result = ufunc(*values)
        if ufunc in _FLAT:
            return result
        if ufunc not in _PARTIALS:
            return NotImplemented
        partials = _PARTIALS[ufunc](*values, result)
        pairs = [
            (operand, part) for operand, part in zip(inputs, partials) if isinstance(operand, Dual)
        ]
        chained = _apply_chain_rule(result, pairs)
        # Where a plain array was to take the result, the caller goes on with what is returned.
        return out[0]._assign(chained) if out and isinstance(out[0], Dual) else chained

    def _assign(self, source: Dual) -> Dual:
        self.value, self.slopes = source.value, source.slopes
        return self


def differentiate(function: Callable[[Points], Field], points: Points) -> tuple[Field, Slopes]:
    """Return a function of position and its derivatives, by automatic differentiation.

    Parameters
    ----------
    function : callable
        Returns a value per point; uses the points in arithmetic alone.
    points : tuple of d arrays of one shape (or broadcasting)
        Coordinates in tiles.

    Returns
    -------
    value : ndarray, float32
    slopes : tuple of d ndarrays of its shape, float32
    """
    duals = [
        Dual(axis, {place: np.ones((1,) * axis.ndim, axis.dtype)})
        for place, axis in enumerate(points)
    ]
    return split_parts(function(cast(Points, tuple(duals))), len(points))


def split_parts(result: Dual | Field, dimension: int) -> tuple[Field, Slopes]:
    """Return the result of arithmetic with duals as plain arrays.

    Parameters
    ----------
    result : Dual or ndarray
        The latter if it depends on none of them.
    dimension : int
        How many axes there are.

    Returns
    -------
    value : ndarray, float32
    slopes : tuple of `dimension` ndarrays of its shape, float32
    """
    if not isinstance(result, Dual):
        result = result.astype(np.float32, copy=False)
        return result, tuple(np.zeros(result.shape, np.float32) for _ in range(dimension))
    value = result.value.astype(np.float32, copy=False)
    slopes = [result.slopes.get(axis) for axis in range(dimension)]
    return value, tuple(_fill(slope, value.shape) for slope in slopes)


def _apply_chain_rule(value: Coordinates, pairs: Sequence[tuple[Dual, Partial]]) -> Dual:
    """Return a function's value with the sum of its arguments' slopes times their partials."""
    total: dict[int, Coordinates] = {}
    for argument, partial in pairs:
        if partial is None:
            continue
        for axis, slope in argument.slopes.items():
            part = slope if partial is _ONE else slope * partial
            total[axis] = total[axis] + part if axis in total else part
    return Dual(value, total)


def _fill(slope: Coordinates | None, shape: tuple[int, ...]) -> Field:
    """Return a slope as a float32 array of the whole shape."""
    if slope is None:
        return np.zeros(shape, np.float32)
    if slope.shape == shape:
        return slope.astype(np.float32, copy=False)
    return np.array(np.broadcast_to(slope, shape), np.float32)


def _sign(value: Any) -> Any:
    # One side of the kink at zero, not the middle between the two.
    return np.copysign(np.float32(1.0), value)


def _is_first(first: Any, second: Any, result: Any) -> tuple[Partial, Partial]:
    """Return which of two arguments is the result: 1 and 0, or 0 and 1."""
    share = np.equal(first, result).astype(np.float32)
    return share, np.float32(1.0) - share


_FLAT = {np.floor, np.rint, np.greater, np.greater_equal, np.less, np.less_equal}
"""Functions that change in jumps alone, or give no numbers."""

_PARTIALS: Mapping[np.ufunc, Callable[..., tuple[Partial, ...]]] = {
    np.add: lambda a, b, result: (_ONE, _ONE),
    np.subtract: lambda a, b, result: (_ONE, np.float32(-1.0)),
    np.multiply: lambda a, b, result: (b, a),
    np.true_divide: lambda a, b, result: (np.float32(1.0) / b, -result / b),
    np.negative: lambda a, result: (np.float32(-1.0),),
    np.absolute: lambda a, result: (_sign(a),),
    np.square: lambda a, result: (np.float32(2.0) * a,),
    np.sqrt: lambda a, result: (np.float32(0.5) / np.maximum(result, np.float32(_SMALLEST)),),
    np.copysign: lambda a, b, result: (_sign(a) * _sign(b), None),
    np.minimum: _is_first,
    np.maximum: _is_first,
}
"""The derivatives of each function by its arguments, from these and from its result."""


_CELL_PART = 2.0**-9
"""Step of a difference, in cells. The error of a difference over h to either side is h^2 / 6 of
the third derivative, up to about 100 in cells, plus 1e-7 / h of what float32 rounds away; here
both are about 5e-5 for slopes of about 3."""


def difference_step(finest: float, torus: Torus | None) -> float:
    """Return how far to either side a difference is taken, in tiles: a power of two.

    Parameters
    ----------
    finest : float
        How many of the finest cells lie along a tile.
    torus : Torus or None
        Periods, if the noise repeats. At least one cell lies along each of them, and a lattice that closes
        on a skewed one may be as skewed.
    """
    if torus is not None:
        (a, b), (c, d) = torus.periods
        first, second = math.hypot(a, c), math.hypot(b, d)
        skew = first * second / abs(a * d - b * c)
        finest = max(finest, 1.0 / first, 1.0 / second) * skew
    share, exponent = math.frexp(max(finest, 1.0))
    return math.ldexp(_CELL_PART, int(share == 0.5) - exponent)


def central_differences(evaluate: Callable[[Points], Field], points: Points, step: float) -> Slopes:
    """Return the derivatives of a function of position by central differences.

    Parameters
    ----------
    evaluate : callable
        Returns the function at points.
    points : tuple of d arrays of one shape
        Coordinates in tiles. The differences are taken in float64.
    step : float
        How far to either side.

    Returns
    -------
    tuple of d ndarrays of that shape, float32
    """
    wide = tuple(axis.astype(np.float64, copy=False) for axis in points)

    def beside(place: int, distance: float) -> Field:
        moved: Coordinates = wide[place] + distance
        return evaluate((*wide[:place], moved, *wide[place + 1 :]))

    slopes = []
    for place in range(len(wide)):
        blocks.checkpoint()
        slope = beside(place, step)
        slope -= beside(place, -step)
        slope *= np.float32(0.5 / step)
        slopes.append(slope)
    return tuple(slopes)
