# SPDX-License-Identifier: GPL-3.0-or-later
"""What bricks, hexagons and other tilings share: what is made of the way to a tile's border.

A type that derives from `Tiling` says in which tile a point lies and how far inside. All else is
the same: faces with joints and bevels, plain distances, one random number for each tile, and the
place within it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from .. import fades
from ..arrays import Field, Index, Points
from ..grid import Axes
from ..lattice import hashed
from ..noise import Noise
from ..params import choice, number
from ..plans import in_blocks
from ..torus import Torus

if TYPE_CHECKING:
    from ..plans import RowPlan

_NARROWEST = 1e-4
"""A bevel narrower than this is a step: float32 could not tell what lies on it."""

_FACES = ("face",)
_UNEVEN = 0x71
"""Tells how high a tile stands from the number it has."""


class Tiles(NamedTuple):
    """Where points lie in their tiles.

    Attributes
    ----------
    x, y : ndarray, float32
        Place within the tile, from -1 at one side to 1 at the other.
    indices : sequence of ndarrays, int32
        Of the tile; the same for tiles that a torus makes one.
    """

    x: Field
    y: Field
    indices: Sequence[Index]


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Tiling(Noise):
    """Base of noises that part the plane into tiles; a type writes `tiles`, `inside` and `finest`.

    Only x and y count; along further axes the pattern stays the same.
    """

    dimensions: ClassVar[tuple[int, ...]] = (2, 3, 4)
    is_arithmetic = True

    output: str = choice(
        "face",
        help="What is made of the tiles",
        options={
            "face": "-1 in the joints, up a bevel to faces at 1",
            "edge": "Distance to the tile's border: -1 there, 1 in the middle",
            "value": "One random value for each tile",
            "x": "Place within the tile from left to right",
            "y": "Place within the tile from bottom to top",
        },
    )
    joint: float = number(
        0.08,
        help="Width of the joints, as a share of the tile's short side",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("output", _FACES),
    )
    bevel: float = number(
        0.1,
        help="Over what way the rim of a face rises, as a share of half the short side",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("output", _FACES),
    )
    rounding: float = number(
        0.1,
        help="Radius of the corners, as a share of half the short side",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )
    unevenness: float = number(
        0.1,
        help="How much lower some faces lie than others",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("output", _FACES),
    )

    @property
    def is_random(self) -> bool:
        """Whether the seed changes where tiles lie, not only what numbers they have."""
        return False

    def tiles(self, points: Points, seed: int, torus: Torus | None) -> Tiles:
        """Return where points lie; see `Noise.values`. By arithmetic that `duals` has rules for."""
        raise NotImplementedError(f"{type(self).__name__} has no tiles()")

    def inside(self, x: Field, y: Field) -> Field:
        """Return how far from the border places are, from 0 to 1 in the middle of the short side.

        Parameters
        ----------
        x, y : ndarray, float32
            See `Tiles`. Not to be written to.
        """
        raise NotImplementedError(f"{type(self).__name__} has no inside()")

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        shape = np.broadcast_shapes(*(axis.shape for axis in points))
        return self.made_of(self.tiles(points[:2], seed, torus), shape, seed)

    def made_of(self, tiles: Tiles, shape: tuple[int, ...], seed: int) -> Field:
        """Return the output from where points lie, which is the same for all outputs.

        Parameters
        ----------
        tiles : Tiles
            What `tiles` returned for this seed. Not written to.
        shape : tuple of int
            Of the points.
        seed : int
        """
        field: Field
        if self.output == "value":
            field = _number_of(tiles.indices, seed)
        elif self.output == "face":
            field = self._face(tiles, seed)
        elif self.output == "edge":
            field = self.inside(tiles.x, tiles.y) * np.float32(2.0) - np.float32(1.0)
        else:
            field = (tiles.x if self.output == "x" else tiles.y) * np.float32(1.0)
        # Some depend on x or on y alone; adding zeros spreads them over all points.
        return field if field.shape == shape else field + np.zeros(shape, np.float32)

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`: from one coordinate per row and per column."""
        x, y = axes.x[np.newaxis, :], axes.y[:, np.newaxis]

        def rows(start: int, stop: int, out: Field) -> None:
            def work(part: slice) -> None:
                height = y[start + part.start : start + part.stop]
                out[part] = self.values((x, height), seed, axes.torus)

            in_blocks(len(out), out.shape[1], work)

        return rows

    def _face(self, tiles: Tiles, seed: int) -> Field:
        rise = self.inside(tiles.x, tiles.y) - np.float32(self.joint)
        if self.bevel < _NARROWEST:
            share = np.greater(rise, 0.0).astype(np.float32)
        else:
            rise = rise * np.float32(1.0 / self.bevel)
            share = fades.cubic(np.clip(rise, np.float32(0.0), np.float32(1.0)))
        top = _number_of(tiles.indices, seed ^ _UNEVEN)
        # From 2 less the unevenness to 2: the way from a joint up to a face.
        top *= np.float32(0.5 * self.unevenness)
        top += np.float32(2.0 - 0.5 * self.unevenness)
        face: Field = share * top - np.float32(1.0)
        return face


def _number_of(indices: Sequence[Index], seed: int) -> Field:
    """Return a number in [-1, 1) for each tile."""
    signed = hashed(indices, seed).view(np.int32) >> np.int32(8)
    numbers: Field = signed.astype(np.float32)
    numbers *= np.float32(2.0**-23)
    return numbers
