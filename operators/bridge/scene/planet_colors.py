# SPDX-License-Identifier: GPL-3.0-or-later
"""Colors of a planet as an attribute of its mesh; see `ground_colors`.

An operator makes them. The planet's own update makes them anew where they are: they are part of its arrays then.
"""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress
from ....noise_core.base.errors import Message, TerraneError
from ....noise_core.landscapes.planets.colors import planet_colors
from ....noise_core.landscapes.planets.cube_sphere import CubeSphere
from ....noise_core.landscapes.planets.planet import PlanetHeights
from ....noise_core.materials.ground.measures import USUAL
from ..datablocks import meshes
from ..nodetree.terrain_material import plan
from ..tasks.jobs import Work
from ..tasks.product import Product
from . import ground_colors
from .planets import RAYS


class PlanetColors(Product):
    """The colors of a planet, as those of its ground material or its palette."""

    key = "colors"
    is_of = staticmethod(lambda obj: plan.planet_of(obj) is not None)

    def refusal(self, owner: bpy.types.Object) -> str:
        """Return why a planet cannot be colored: its vertices are no longer those of one, or a name is taken."""
        if _cells_of(owner) is None:
            return Message("{} is no longer the sphere that was made", owner.name)
        return ground_colors.why_not(owner)

    def request(self, owner: bpy.types.Object) -> str | None:
        """Return the plan of the colors; None without them."""
        stored = ground_colors.read(meshes.mesh_of(owner))
        return None if stored is None else ground_colors.plan_text(owner)

    def work(self, owner: bpy.types.Object, request: str, side: int | None = None) -> Work:
        """Return the work that gives the color of each vertex."""
        cells, about = _cells_of(owner), plan.planet_of(owner)
        if cells is None or about is None:
            raise TerraneError(self.refusal(owner))
        height = meshes.lengths_of(meshes.finite_positions_of(owner)) - np.float32(about.radius)
        ground_plan = plan.ground_plan(request)
        rays = meshes.read_attribute(meshes.mesh_of(owner), RAYS)
        rays = None if rays is None else rays * np.float32(1.0 / USUAL)

        def color(progress: Progress, cancel: Cancel) -> Field:
            sphere = CubeSphere(cells)
            heights = PlanetHeights(sphere, sphere.directions(), height, None, rays)
            colors = planet_colors(
                heights, about, "", asked=ground_plan, progress=progress, cancel=cancel
            )
            return ground_colors.as_texels(colors[0])

        return color

    def write(
        self, owner: bpy.types.Object, request: Any, result: Any, *, is_preview: bool = False
    ) -> str:
        """Store the colors; make them the active ones if there are no others."""
        ground_colors.store(meshes.mesh_of(owner), result)
        return ""


COLORS = PlanetColors()


def _cells_of(obj: bpy.types.Object) -> int | None:
    """Return the cells along an edge of a planet's cube sphere; None if its vertices are no longer those of one."""
    vertices = len(meshes.mesh_of(obj).vertices)
    cells = round((max(0, vertices - 2) / 6) ** 0.5)
    return cells if cells >= 1 and CubeSphere(cells).vertices == vertices else None
