# SPDX-License-Identifier: GPL-3.0-or-later
"""Colors of a terrain as an attribute of its mesh, for viewports without materials.

They are those of its terrain material, or else of its preset's picture. Blender shows one color attribute
of a mesh, the active one: if that is the user's own, it stays.
"""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress
from ....noise_core.base.errors import Message, TerraneError
from ....noise_core.base.grid import Grid
from ....noise_core.materials.ground.colors import MAPS, land_colors
from ....noise_core.materials.ground.plan import GroundPlan
from ....noise_core.pictures.shaded_relief import encode_srgb
from ..datablocks import meshes
from ..datablocks.materials import marked_material
from ..nodetree.terrain_material import plan, settings
from ..tasks.jobs import Work
from ..tasks.product import Product
from ..terrain import terrains
from ..terrain.terrain_product import TERRAIN

ATTRIBUTE = "Terrane Color"

WANTED = "terrane_colors"
"""Custom property of a terrain that has the attribute, or is to have it."""

_KIND = ("BYTE_COLOR", "POINT")
"""Four bytes a vertex: as floats they would take four times as much, and look the same."""


_ROLES = ("active_color_name", "default_color_name")
"""Attributes of a mesh's attributes with the name of the colors that viewports and renders show."""


class GroundColors(Product):
    """The colors of a terrain, made again when the heights or the material change."""

    key = "colors"
    source = TERRAIN

    def refusal(self, owner: bpy.types.Object) -> str:
        """Return why a terrain cannot be colored: other data has the name."""
        return why_not(owner)

    def request(self, terrain: bpy.types.Object) -> str | None:
        """Return the plan of the colors; None without them, also if the user has removed them."""
        return plan_text(terrain) if is_there(terrain) else None

    def work(self, terrain: bpy.types.Object, request: str, side: int | None = None) -> Work:
        """Return the work that gives the color of each vertex."""
        mesh_grid, vertices = terrains.grid_points(terrain)
        grid = Grid(mesh_grid.rows, mesh_grid.columns, size=mesh_grid.size)
        height = np.ascontiguousarray(vertices[..., 2])
        ground_plan = plan.ground_plan(request)
        mesh = meshes.mesh_of(terrain)
        names = {**dict(zip(MAPS, MAPS)), "dry": settings.DRY}
        stored = {map_name: meshes.read_attribute(mesh, name) for map_name, name in names.items()}
        maps = {
            name: values.reshape(grid.shape)
            for name, values in stored.items()
            if values is not None
        }

        def color(progress: Progress, cancel: Cancel) -> Field:
            return texels(height, grid, ground_plan, maps, progress, cancel)

        return color

    def write(
        self, terrain: bpy.types.Object, request: Any, result: Any, *, is_preview: bool = False
    ) -> str:
        """Store the colors; make them the active ones if there are no others."""
        store(meshes.mesh_of(terrain), result)
        terrain[WANTED] = 1
        return ""


COLORS = GroundColors()


def store(mesh: bpy.types.Mesh, colors: Any) -> None:
    """Store colors on a mesh; make them the active ones if there are no others."""
    names = (mesh.name, ATTRIBUTE)
    if not meshes.ensure_attribute(mesh, ATTRIBUTE, *_KIND):
        raise TerraneError("{} cannot store colors: a vertex group is named {}", *names)
    attributes: Any = mesh.attributes
    attributes[ATTRIBUTE].data.foreach_set("color_srgb", colors)
    present = {attribute.name for attribute in mesh.color_attributes}
    for role in _ROLES:
        if getattr(attributes, role) not in present:
            setattr(attributes, role, ATTRIBUTE)
    mesh.update_tag()


def read(mesh: bpy.types.Mesh) -> Field | None:
    """Return the stored colors of a mesh, red, green, blue and alpha; None without any."""
    if not _is_ours(mesh):
        return None
    attributes: Any = mesh.attributes
    values = np.empty(4 * len(mesh.vertices), np.float32)
    attributes[ATTRIBUTE].data.foreach_get("color_srgb", values)
    return values


def texels(
    height: Field,
    grid: Grid,
    ground_plan: GroundPlan,
    maps: dict[str, Field],
    progress: Progress,
    cancel: Cancel,
) -> Field:
    """Return the colors as Blender stores them: red, green, blue and alpha of each vertex, as sRGB."""
    return as_texels(land_colors(height, grid, ground_plan, maps, progress=progress, cancel=cancel))


def as_texels(color: Field) -> Field:
    """Return linear colors, shape (3, ...), as Blender stores them; see `texels`."""
    texels = np.ones((*color.shape[1:], 4), np.float32)
    for channel, field in enumerate(color):
        texels[..., channel] = encode_srgb(field)
    return meshes.flatten(texels)


def why_not(obj: bpy.types.Object) -> str:
    """Return that other data of a mesh has the name of the colors; empty if none has it."""
    mesh = meshes.mesh_of(obj)
    if ATTRIBUTE in mesh.attributes and not _is_ours(mesh):
        return Message("{} has other data of the name {}: rename it first", mesh.name, ATTRIBUTE)
    return ""


def want(terrain: bpy.types.Object) -> None:
    """Let a terrain have colors from its next update on."""
    if not _is_ours(meshes.mesh_of(terrain)):
        COLORS.forget(terrain)
    terrain[WANTED] = 1


def is_there(terrain: bpy.types.Object) -> bool:
    """Return whether a terrain has colors, or gets them soon; not if the user has removed them."""
    is_wanted = terrain.get(WANTED) is not None
    return is_wanted and (not COLORS.is_made(terrain) or _is_ours(meshes.mesh_of(terrain)))


def is_shown(terrain: bpy.types.Object) -> bool:
    """Return whether the colors are the active ones."""
    return bool(meshes.mesh_of(terrain).attributes.active_color_name == ATTRIBUTE)


def remove(terrain: bpy.types.Object) -> None:
    """Remove the colors of a terrain."""
    terrain.pop(WANTED, None)
    COLORS.forget(terrain)
    mesh = meshes.mesh_of(terrain)
    if _is_ours(mesh):
        attributes: Any = mesh.attributes
        attributes.remove(attributes[ATTRIBUTE])
        for role in _ROLES:
            if getattr(attributes, role) == ATTRIBUTE:
                setattr(attributes, role, "")


def _is_ours(mesh: bpy.types.Mesh) -> bool:
    """Return whether a mesh has the attribute, of the kind that Terrane makes."""
    attribute = mesh.attributes.get(ATTRIBUTE)
    return attribute is not None and (attribute.data_type, attribute.domain) == _KIND


def plan_text(terrain: bpy.types.Object) -> str:
    """Return the plan of the terrain's material; that of its preset's picture without one."""
    material = marked_material(terrain, settings.MARK)
    text = None if material is None else material.get(plan.PLAN)
    return text if isinstance(text, str) else plan.text_of_look(terrains.look_of(terrain))
