# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights kept as a layer: a raster, whose pixels a packed image holds as painted heights are held.

Imported land, sculpted changes and meshes that became terrains are kept so. The image survives saving, undo and
presets, and the heights stay where they were at any resolution.
"""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ..datablocks import images
from ..datablocks.ref import Ref
from ..schema.layers import LayerState
from ..schema.painting import BASIS_PIXELS


@dataclass(frozen=True)
class StoredHeights:
    """Heights as pixels from 0 to 1, shape (rows, columns), float32; 0.5 is a height of 0."""

    pixels: Field

    @classmethod
    def of(cls, heights: Field, scale: float) -> StoredHeights:
        """Return heights in meters as pixels; `scale` is the height in meters of a white pixel."""
        values = heights * np.float32(0.5 / scale) + np.float32(0.5)
        return cls(np.clip(values, np.float32(0.0), np.float32(1.0)))

    @property
    def noise_values(self) -> Field:
        """Values of the raster, from -1 to 1: those that the image gives back, to the bit."""
        return self.pixels * np.float32(2.0) - np.float32(1.0)

    def content(self) -> images.Content:
        """Return the encoded image; any thread may call this."""
        return images.content(self.pixels, float_buffer=True)


def new_state(
    name: str, packed: images.Content, *, path: str = BASIS_PIXELS, is_solo: bool = False
) -> LayerState:
    """Pack heights into a new image of a name; return the state of the layer whose pixels, at a path, it has."""
    image: bpy.types.Image = images.create_packed_image(name, packed)
    return LayerState(pictures=((path, Ref.of(image).uid),), is_solo=is_solo)
