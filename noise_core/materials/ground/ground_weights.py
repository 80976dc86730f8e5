# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights of the layers of the ground at every sample, as engines blend their materials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...base import blocks
from ...base.arrays import Field
from ...base.blocks import Progress
from ...base.grid import Grid
from .land_rows import LandRows
from .layers import cover_share
from .plan import GroundPlan

Bytes = npt.NDArray[np.uint8]

WHOLE = 255
"""What all weights of a sample are together."""

WEIGHTS = ("weights", "weights_2")
"""Names of images with the weights of four layers each."""

CHANNELS = 4
"""Of an image, or of a color of a vertex."""


@dataclass(frozen=True, eq=False)
class GroundWeights:
    """Weights of layers on samples of a land.

    Attributes
    ----------
    names : tuple of str
        Of the layers, the lowest first.
    images : tuple of ndarrays of shape (rows, columns, 4), uint8
        Of four layers each; those beyond the last one are 0.
    """

    names: tuple[str, ...]
    images: tuple[Bytes, ...]

    def window(self, rows: slice, columns: slice) -> tuple[Bytes, ...]:
        """Return the images of a part."""
        return tuple(image[rows, columns] for image in self.images)

    def channels(self, image: int) -> tuple[Bytes, ...]:
        """Return an image's channels, in shares of `WHOLE`."""
        return tuple(self.images[image][..., channel] for channel in range(CHANNELS))


def ground_weights(
    height: Field,
    grid: Grid,
    plan: GroundPlan,
    maps: Mapping[str, Field],
    most: int,
    *,
    progress: Progress | None = None,
) -> GroundWeights:
    """Return the weights of the layers of a land, of at most so many: the rarest ones join the layer below them.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    grid : Grid
        Of the same shape.
    plan : GroundPlan
        With at least one layer.
    maps : mapping of str to ndarray of that shape
        Traces of water by name; see `colors.ground_colors`.
    most : int
        A multiple of `CHANNELS`.
    progress : callable, optional
        See `blocks.Progress`.

    Raises
    ------
    Cancelled
        If the job is cancelled.
    """
    plan = plan.covered_by(maps)
    land = LandRows.of(height, grid, plan, maps)
    weights = np.zeros((len(plan.layers), *grid.shape), np.uint8)

    def fill(start: int, stop: int) -> None:
        blocks.checkpoint()
        rows = slice(start, stop)
        ground = land.ground(rows, has_wet=False)
        # From the top: what is left for the layers below, and the weight of all so far, rounded once.
        left, above = np.ones_like(ground.height), np.zeros(ground.height.shape, np.uint8)
        for at in range(len(plan.layers) - 1, 0, -1):
            name = plan.layers[at]
            share = cover_share(plan.landscape.layers[name], name, ground)
            if not share.any():
                continue
            left *= np.float32(1.0) - share
            so_far = np.rint((np.float32(1.0) - left) * np.float32(WHOLE)).astype(np.uint8)
            weights[at, rows] = so_far - above
            above = so_far
        weights[0, rows] = np.uint8(WHOLE) - above

    blocks.run(fill, grid.rows, land.strip, progress=blocks.heard(progress))
    kept = _most_seen(weights, most)
    images = [np.zeros((*grid.shape, CHANNELS), np.uint8) for _ in range(most // CHANNELS)]
    ends = (*kept[1:], len(weights))
    for channel, end in enumerate(ends):
        joined = weights[kept[channel] if channel else 0 : end]
        for layer in joined[1:]:  # side by side, as it is faster than in every fourth byte
            joined[0] += layer
        images[channel // CHANNELS][..., channel % CHANNELS] = joined[0]
    return GroundWeights(tuple(plan.layers[at] for at in kept), tuple(images))


def _most_seen(weights: Bytes, most: int) -> Sequence[int]:
    """Return the numbers of the layers with the largest weights, rising."""
    sums = [int(layer.sum(dtype=np.int64)) for layer in weights]
    ranked = sorted(range(len(sums)), key=lambda at: (-sums[at], at))
    return sorted(ranked[:most])
