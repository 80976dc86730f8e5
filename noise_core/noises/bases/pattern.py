# SPDX-License-Identifier: GPL-3.0-or-later
"""Base of regular patterns, tiles and threads alike: points are placed once for all outputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ...base.arrays import Field, Points
from ...base.declared import declared_type
from ...base.grid import Axes
from ...base.plans import run_in_blocks
from .noise import Noise

if TYPE_CHECKING:
    from ...base.plans import RowPlan
    from ...base.torus import Torus


@declared_type
class Pattern(Noise):
    """Base of noises that first locate a point in a pattern and then derive an output.

    A type implements `tiles`, which locates points, and `output_of`, which derives one of several
    outputs. Only x and y count; along further axes the pattern stays the same.
    """

    dimensions: ClassVar[tuple[int, ...]] = (2, 3, 4)
    is_arithmetic = True

    @property
    def is_random(self) -> bool:
        """Whether the seed changes positions, not only random values."""
        return False

    def layout(self) -> Pattern:
        """Return a pattern that is equal for all patterns with the same layout."""
        return self

    def tiles(self, points: Points, seed: int, torus: Torus | None) -> Any:
        """Return the positions of points in the pattern; see `Noise.values`.

        Implementations use only arithmetic that `derivatives.Dual` supports.
        """
        raise NotImplementedError(f"{type(self).__name__} has no tiles()")

    def output_of(self, tiles: Any, shape: tuple[int, ...], seed: int) -> Field:
        """Return the output for positions in the pattern.

        Parameters
        ----------
        tiles
            Result of `tiles` for this seed. Not written to.
        shape : tuple of int
            Of the points.
        seed : int

        Returns
        -------
        ndarray of that shape, float32
            A new array, which the caller may write to.
        """
        raise NotImplementedError(f"{type(self).__name__} has no made_of()")

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        shape = np.broadcast_shapes(*(axis.shape for axis in points))
        return self.output_of(self.tiles(points[:2], seed, torus), shape, seed)

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`: from one coordinate per row and per column."""
        x, y = axes.x[np.newaxis, :], axes.y[:, np.newaxis]

        def rows(start: int, stop: int, out: Field) -> None:
            def work(part: slice) -> None:
                height = y[start + part.start : start + part.stop]
                out[part] = self.values((x, height), seed, axes.torus)

            run_in_blocks(len(out), out.shape[1], work)

        return rows


def spread(field: Field, shape: tuple[int, ...]) -> Field:
    """Broadcast a field that may depend on x or y alone to all points."""
    return field if field.shape == shape else field + np.zeros(shape, np.float32)
