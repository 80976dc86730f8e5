# SPDX-License-Identifier: GPL-3.0-or-later
"""Raster: an Image Texture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ......noise_core.base.arrays import Field
from ......noise_core.noises.raster import Raster
from ..domain import Domain
from ..noise_graph import INNER, MARK, NoiseGraph
from ..registry import ALIKE, node_writer

_EXTENSIONS = {"repeat": "REPEAT", "clamp": "EXTEND", "mirror": "MIRROR"}


@dataclass(frozen=True, eq=False)
class Pixels:
    """Values of an image as they are, below 0 too, packed into the file."""

    field: Field

    def write(self, node: Any, owner: str) -> None:
        """See `node_graph.NodeContent`."""
        rows, columns = self.field.shape
        image: Any = bpy.data.images.new(
            f"{owner} Raster", columns, rows, alpha=False, float_buffer=True, is_data=True
        )
        values = np.ones((rows, columns, 4), np.float32)
        values[..., :3] = self.field[..., np.newaxis]
        image.pixels.foreach_set(values.ravel())
        image.pack()
        image[MARK] = INNER
        node.image = image


@node_writer(
    "raster",
    ALIKE,
    "an Image Texture of the same pixels, packed into this file; between them straight lines instead of a spline; a mirror doubles the pixels at the edge.",
)
def write(noise: Raster, graph: NoiseGraph, domain: Domain) -> Any:
    """Write the image and its place."""
    rows, columns = noise.pixels.shape
    # Pixel k of n lies at k / n, or at k / (n - 1) if nothing follows; Blender's at (k + 1/2) / n.
    across = columns if noise.edge == "repeat" else max(columns - 1, 1)
    vector = graph.vector_math(
        "MULTIPLY_ADD",
        domain.vector,
        (across / columns, across / rows, 1.0),
        (0.5 / columns, 0.5 / rows, 0.0),
        label="Pixels",
    )
    image = graph.node(
        "ShaderNodeTexImage",
        {"Vector": vector},
        content=Pixels(noise.pixels),
        interpolation="Linear",
        extension=_EXTENSIONS[noise.edge],
    )
    return graph.first_channel(image["Color"])
