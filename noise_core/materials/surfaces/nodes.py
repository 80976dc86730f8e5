# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields of a surface, by name, each computed from others.

============  =============================================================================
in JSON       meaning
============  =============================================================================
"a * b"       `FormulaField`: arithmetic with other fields
{"type": }    `NoiseField`: a noise, in [-1, 1] as its type says
{"read": }    `MapField`: a map read off the finished height: slope, cavity, curvature ...
{"stops": }   `RampField`: a ramp that a formula is looked up in
"#8a6f55"     `FormulaField` of one color
============  =============================================================================
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Union

import numpy as np

from ...base.arrays import Field
from ...base.errors import ParameterError, format_value
from ...lattice.hash import child_seed
from ...maps.bases.map import Map
from ...noises.bases.noise import Noise
from ...noises.bases.pattern import Pattern
from ..colors.ramp import Ramp
from .expressions import Expression
from .terms import Ask, Lookup, Result, Value, read_only

Settings = Mapping[str, Value]
"""What exposed parameters are set to, as formulas see them."""


@dataclass(frozen=True)
class FormulaField:
    """A formula of other fields, or a color."""

    expression: Expression | None
    color: Field | None = None

    @property
    def needs(self) -> frozenset[str]:
        """The fields that must be there first."""
        return self.expression.names if self.expression else frozenset()

    @property
    def counts(self) -> Mapping[str, int]:
        """How often it asks for each of them."""
        return self.expression.counts if self.expression else {}

    def value(self, lookup: Lookup) -> Value:
        """Return a block of the field."""
        return self.result(read_only(lookup))[0]

    def result(self, ask: Ask) -> Result:
        """Return a block of the field, and whether it may be overwritten: see `Expression.result`."""
        if self.expression is None:
            assert self.color is not None
            return self.color, False
        return self.expression.result(ask)

    def simplify(self, constants: Settings) -> FormulaField:
        """Return the field with constants in place of known names."""
        return (
            self if self.expression is None else FormulaField(self.expression.simplify(constants))
        )


@dataclass(frozen=True)
class RampField:
    """A color ramp of a formula."""

    ramp: Ramp
    by: Expression

    @property
    def needs(self) -> frozenset[str]:
        """The fields that must be there first."""
        return self.by.names

    @property
    def counts(self) -> Mapping[str, int]:
        """How often it asks for each of them."""
        return self.by.counts

    def value(self, lookup: Lookup) -> Value:
        """Return a block of the field, shape (3, rows, columns)."""
        return self.result(read_only(lookup))[0]

    def result(self, ask: Ask) -> Result:
        """Return a block of the field, and whether it may be overwritten: see `Expression.result`."""
        where, _ = self.by.result(ask)
        if np.ndim(where) == 3:
            raise ParameterError(
                "Surface: what a ramp is looked up by must be a number; got colors"
            )
        colors = self.ramp.colors(where)
        return colors if colors.ndim == 3 else colors.reshape(3, 1, 1), True

    def simplify(self, constants: Settings) -> RampField:
        """Return the field with constants in place of known names."""
        return RampField(self.ramp, self.by.simplify(constants))


@dataclass(frozen=True)
class NoiseField:
    """A noise, at the samples or at displaced points.

    Attributes
    ----------
    noise : Noise
    seed_name : str
        Noises with the same name share a seed, so that several outputs of one pattern match.
    moves : tuple of two Expressions, or None
        Displacement of each sample along x and y, in tiles.
    way : str
        Evaluation of a displaced noise: see `WAYS`.
    """

    noise: Noise
    seed_name: str
    moves: tuple[Expression, Expression] | None = None
    way: str = "moved"

    @property
    def needs(self) -> frozenset[str]:
        """The fields that must be there first."""
        return self.moves[0].names | self.moves[1].names if self.moves else frozenset()

    @property
    def pattern(self) -> Pattern | None:
        """The layout that all outputs of a pattern share; None if the noise is no pattern."""
        return self.noise.layout() if isinstance(self.noise, Pattern) else None

    def seed(self, seed: int) -> int:
        """Return the noise's seed, which depends on its name alone."""
        return child_seed(seed, zlib.crc32(self.seed_name.encode()))

    def shifts(
        self, lookup: Lookup, shape: tuple[int, int], factors: tuple[float, float] = (1.0, 1.0)
    ) -> Field:
        """Return the displacements of a block of samples along x and y, in tiles, times factors.

        Returns
        -------
        ndarray of shape (2, rows, columns), float32
        """
        assert self.moves is not None
        shifts = np.empty((2, *shape), np.float32)
        for axis, move, factor in zip(shifts, self.moves, factors):
            np.multiply(move.value(lookup), np.float32(factor), out=axis)
            if not np.abs(axis).max() <= _MAX_SHIFT * abs(factor):  # nor for nan
                raise ParameterError(
                    "Surface: what moves {} must be at most {:g} tiles; got more",
                    format_value(self.seed_name),
                    _MAX_SHIFT,
                )
        return shifts

    def simplify(self, constants: Settings) -> NoiseField:
        """Return the field with constants in place of known names."""
        if self.moves is None:
            return self
        x, y = (move.simplify(constants) for move in self.moves)
        return replace(self, moves=(x, y))


@dataclass(frozen=True)
class MapField:
    """A map of the finished height, or a mask of that map."""

    map: Map
    limits: tuple[float, float, float] | None
    needs: frozenset[str] = frozenset()

    def mask(self, values: Field) -> Field:
        """Return the mask of the map's values, or the values themselves without limits."""
        return values if self.limits is None else self.map.mask_values(values, *self.limits)

    def simplify(self, constants: Settings) -> MapField:
        """Return the field itself, because it depends on the height alone."""
        return self


WAYS = {
    "moved": "Exactly, point by point",
    "looked_up": "Rendered once, looked up between samples: for fractals that are bent smoothly",
    "snapped": "Rendered once, looked up at the nearest sample: for what jumps, such as the numbers "
    "of cells, and for moves that are the same all over a tile of a pattern",
}
"""How a noise may be moved. The last two are much faster, and used on wrapping grids only."""

_MAX_SHIFT = 1000.0
"""Tiles that a noise may be moved by: beyond, float32 tells few places of a tile apart."""

Node = Union[FormulaField, RampField, NoiseField, MapField]
