# SPDX-License-Identifier: GPL-3.0-or-later
"""Raster: an Image Texture of the same pixels."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from .....noise_core.noises.raster import Raster
from ..domain import Domain
from ..graph import Graph
from ..shared_groups import INNER, MARK
from ..translators import ALIKE, translates

_EXTENSIONS = {"repeat": "REPEAT", "clamp": "EXTEND", "mirror": "MIRROR"}


@translates(
    "raster",
    ALIKE,
    "an Image Texture of the same pixels, packed into this file; between them straight lines instead of a spline; a mirror doubles the pixels at the edge.",
)
def write(noise: Raster, graph: Graph, domain: Domain) -> Any:
    """Write the image and where it lies."""
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
    node = graph.add(
        "ShaderNodeTexImage",
        image=_image(graph.writing.name, noise.pixels),
        interpolation="Linear",
        extension=_EXTENSIONS[noise.edge],
    )
    graph.put(node.inputs["Vector"], vector)
    return graph.first_channel(node.outputs["Color"])


def _image(owner: str, pixels: Any) -> Any:
    """Return a packed image of values as they are, below 0 too."""
    rows, columns = pixels.shape
    image: Any = bpy.data.images.new(
        f"{owner} Raster", columns, rows, alpha=False, float_buffer=True, is_data=True
    )
    values = np.ones((rows, columns, 4), np.float32)
    values[..., :3] = pixels[..., np.newaxis]
    image.pixels.foreach_set(values.ravel())
    image.pack()
    image[MARK] = INNER
    return image
