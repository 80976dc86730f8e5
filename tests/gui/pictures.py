# SPDX-License-Identifier: GPL-3.0-or-later
"""Small renders of a scenario, as arrays of light."""

from __future__ import annotations

import bpy
import numpy as np
from driver import Driver


def rendered(driver: Driver, name: str) -> np.ndarray:
    """Render a picture, and return its light as it is shown, shape (rows, columns, 3), row 0 at the bottom."""
    path = driver.folder / f"{name}.png"
    bpy.context.scene.render.filepath = str(path)
    assert bpy.ops.render.render(write_still=True) == {"FINISHED"}
    image = bpy.data.images.load(str(path))
    columns, rows = image.size
    pixels = np.empty(rows * columns * 4, np.float32)
    image.pixels.foreach_get(pixels)
    light = pixels.reshape(rows, columns, 4)[..., :3].astype(np.float64)
    assert light.std() > 0.02, f"{name}: the picture is empty"
    return light**2.2
