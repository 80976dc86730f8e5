# SPDX-License-Identifier: GPL-3.0-or-later
"""The ground of a landscape: the material that Terrane makes for terrains, seen through the air."""

from __future__ import annotations

import bpy
from _air import finish_in_air
from _looks import Look
from _nodes import Nodes, tree_of
from _surroundings import Land

_FINEST = 1024
"""Pixels along a side of the tiles of its details at most, whatever the picture has."""


def color_ground(land: Land, look: Look, pixels: int) -> None:
    """Give a terrain its material, with details as fine as a picture that is so many pixels wide."""
    settings = {"detail_pixels": min(_FINEST, pixels), **look.settings}
    # Lakes have surfaces of their own here. The sea has too, and leaves beaches around it.
    water = "sea" if look.has_sea else "none"
    with bpy.context.temp_override(object=land.thing, active_object=land.thing):
        bpy.ops.terrane.terrain_material(palette=look.palette, water=water, **settings)
    material = land.thing.active_material
    nodes = Nodes(tree_of(material), is_new=False)
    (shader,) = (one for one in nodes.tree.nodes if one.type == "BSDF_PRINCIPLED")
    for output in [one for one in nodes.tree.nodes if one.type == "OUTPUT_MATERIAL"]:
        nodes.tree.nodes.remove(output)
    plain = tuple(material.diffuse_color)[:3]
    finish_in_air(material, look.air, (shader, "BSDF"), land.width, land.low, plain=plain)
