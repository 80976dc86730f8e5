# SPDX-License-Identifier: GPL-3.0-or-later
"""Picture of the geomorphic figures of a mesh beside those of measured land."""

from __future__ import annotations

import math

import bpy
import numpy as np

from ....noise_core.base.blocks import Cancel, Progress, cancellable
from ....noise_core.relief_figures import labels, measuring, picture
from ....noise_core.types.level import Level
from ..datablocks import editing, images, meshes
from ..datablocks.images import Content
from ..schema import settings, state
from ..tasks.jobs import Work
from .ground import Ground

LABEL = "figures"
"""Of the image, among those of a mesh."""

_MEASURED = 0.8
"""Share of the work that measuring takes."""


def work(thing: bpy.types.Object) -> Work:
    """Return the work that measures a mesh as it is, and gives the `Content` of the picture."""
    with editing.object_mode(bpy.context, thing):
        positions = meshes.present_positions(thing)
        recognize = Ground.read(thing, positions)
    name, sea = thing.name, _sea_of(thing)

    def draw(progress: Progress, cancel: Cancel) -> Content:
        with cancellable(cancel):
            ground = recognize()
            height = ground.heights(np.ascontiguousarray(positions[:, 2]))
            level = Level.from_grid(ground.cells.grid)
            found = measuring.measure(height, level, sea)
        progress(_MEASURED)
        pixels = picture.draw_figures(found, name, labels.samples_of(level))
        return images.content(pixels[::-1], float_buffer=False, is_color=True)

    return draw


def _sea_of(thing: bpy.types.Object) -> float:
    """Return the level of the sea that a terrain's rivers end in, in meters; -inf if there is none."""
    if not state.is_terrain(thing):
        return -math.inf
    return measuring.sea_of(settings.acting(getattr(thing, state.PROPERTY)))
