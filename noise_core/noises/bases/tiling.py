# SPDX-License-Identifier: GPL-3.0-or-later
"""Base of bricks, hexagons and other tilings: outputs made from the distance to a tile's border.

A type that derives from `TilePattern` locates points in tiles and gives the distance to the border. The
outputs are common to all: faces with joints and bevels, plain distances, one random number for each
tile, and the position within it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from ...base.arrays import Field, Index, Points
from ...base.declared import declared_type
from ...base.params import choice, number
from ...lattice import fades
from ...lattice.hash import hash_indices
from .pattern import Pattern, spread

if TYPE_CHECKING:
    from ...base.torus import Torus

_MIN_BEVEL = 1e-4
"""A bevel narrower than this is a step: float32 could not tell what lies on it."""

_FACES = ("face",)
_SAME_PLACES: dict[str, object] = {
    "output": "edge", "joint": 0.0, "bevel": 0.0, "unevenness": 0.0, "rounding": 0.0,
}  # fmt: skip
"""What `TilePattern` itself declares has nothing to do with where points lie."""

_UNEVEN = 0x71
"""Tells how high a tile stands from the number it has."""


class Tiles(NamedTuple):
    """Positions of points in their tiles.

    Attributes
    ----------
    x, y : ndarray, float32
        Place within the tile, from -1 at one side to 1 at the other.
    indices : sequence of ndarrays, int32
        Of the tile; the same for tiles that a torus makes one.
    inside : ndarray, float32, optional
        Result of `TilePattern.inside`, from a type that knows it already.
    number : ndarray, float32, optional
        The tile's random value, in [-1, 1), from a type that knows it already.
    """

    x: Field
    y: Field
    indices: Sequence[Index]
    inside: Field | None = None
    number: Field | None = None


@declared_type
class TilePattern(Pattern):
    """Base of noises that part the plane into tiles; a type writes `tiles`, `inside` and `finest`."""

    output: str = choice(
        "face",
        help="Pattern of the tiles",
        options={
            "face": "-1 in the joints, up a bevel to faces at 1",
            "edge": "Distance to the tile's border: -1 there, 1 in the middle",
            "value": "One random value for each tile",
            "x": "Position in the tile from left to right",
            "y": "Position in the tile from bottom to top",
        },
    )
    joint: float = number(
        0.08,
        help="Width of the joints, relative to the tile's short side",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("output", _FACES),
    )
    bevel: float = number(
        0.1,
        help="Width of the beveled rim, relative to half the short side",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("output", _FACES),
    )
    rounding: float = number(
        0.1,
        help="Radius of the corners, relative to half the short side",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("output", ("face", "edge")),
    )
    unevenness: float = number(
        0.1,
        help="Random height differences of the faces",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("output", _FACES),
    )

    def layout(self) -> TilePattern:
        """See `Pattern.layout`: without parameters that only decide the use of the places."""
        return cast("TilePattern", self.with_values(**_SAME_PLACES))

    def tiles(self, points: Points, seed: int, torus: Torus | None) -> Tiles:
        """Return the positions of points in tiles; see `Noise.values`.

        Implementations use only arithmetic that `derivatives.Dual` supports.
        """
        raise NotImplementedError(f"{type(self).__name__} has no tiles()")

    def inside(self, x: Field, y: Field) -> Field:
        """Return the distance from the border, from 0 to 1 in the middle of the short side.

        Parameters
        ----------
        x, y : ndarray, float32
            See `Tiles`. Not to be written to.
        """
        raise NotImplementedError(f"{type(self).__name__} has no inside()")

    def output_of(self, tiles: Tiles, shape: tuple[int, ...], seed: int) -> Field:
        """Return the output for positions in tiles.

        Parameters
        ----------
        tiles : Tiles
            Result of `tiles` for this seed. Not written to.
        shape : tuple of int
            Of the points.
        seed : int
        """
        field: Field
        if self.output == "value":
            field = self._number(tiles, seed)
        elif self.output == "face":
            field = self._face(tiles, seed)
        elif self.output == "edge":
            field = self._inside(tiles) * np.float32(2.0) - np.float32(1.0)
        else:
            field = (tiles.x if self.output == "x" else tiles.y) * np.float32(1.0)
        return spread(field, shape)

    def _inside(self, tiles: Tiles) -> Field:
        return self.inside(tiles.x, tiles.y) if tiles.inside is None else tiles.inside

    def _number(self, tiles: Tiles, seed: int) -> Field:
        return random_number(tiles.indices, seed) if tiles.number is None else tiles.number.copy()

    def _face(self, tiles: Tiles, seed: int) -> Field:
        rise = self._inside(tiles) - np.float32(self.joint)
        if self.bevel < _MIN_BEVEL:
            share = np.greater(rise, 0.0).astype(np.float32)
        else:
            rise = rise * np.float32(1.0 / self.bevel)
            share = fades.cubic(np.clip(rise, np.float32(0.0), np.float32(1.0)))
        top = self._number(tiles, seed ^ _UNEVEN)
        # From 2 less the unevenness to 2: the way from a joint up to a face.
        top *= np.float32(0.5 * self.unevenness)
        top += np.float32(2.0 - 0.5 * self.unevenness)
        face: Field = share * top - np.float32(1.0)
        return face


def random_number(indices: Sequence[Index], seed: int) -> Field:
    """Return a random number in [-1, 1) for the indices of each tile."""
    signed = hash_indices(indices, seed).view(np.int32) >> np.int32(8)
    numbers: Field = signed.astype(np.float32)
    numbers *= np.float32(2.0**-23)
    return numbers
