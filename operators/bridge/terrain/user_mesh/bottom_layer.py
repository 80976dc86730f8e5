# SPDX-License-Identifier: GPL-3.0-or-later
"""Bottom layer of a mesh that became a terrain: a raster of its former heights."""

from __future__ import annotations

from .....noise_core.base.arrays import Field
from .....noise_core.io.elevation_reading.land import height_scale
from .....noise_core.noises.bases.noise import Noise
from .....noise_core.noises.raster import Raster
from .....noise_core.noises.transform import Transform
from .....noise_core.recipes.layers import NoiseLayer
from ...schema.stored_heights import StoredHeights

LAYER = "Mesh Heights"
"""Name of the layer."""


def bottom_layer(
    samples: Field, place: tuple[float, float] | None
) -> tuple[NoiseLayer, StoredHeights]:
    """Return the layer of a mesh's former heights, and the heights that its image stores.

    Parameters
    ----------
    samples : ndarray of shape (rows, columns), float32
        The heights in meters.
    place : tuple of two floats or None
        Where the first sample lies, in tiles; None if opposite edges meet.

    Raises
    ------
    ParameterError
        If the heights are beyond the range of a layer.
    """
    scale = height_scale(samples, LAYER)
    stored = StoredHeights.of(samples, scale)
    edge = "repeat" if place is None else "clamp"
    noise: Noise = Raster(pixels=stored.noise_values, edge=edge)
    if place is not None and any(place):
        noise = Transform(source=noise, offset=(-place[0], -place[1], 0.0))
    return NoiseLayer(name=LAYER, noise=noise, mode="add", height=scale), stored
