# SPDX-License-Identifier: GPL-3.0-or-later
"""Textures become a material: images, and the nodes that a person would have placed.

A material of ours is written anew in place, so that all objects that have it follow. Nodes of the
user's in it are left alone, with their links to ours, which are known by their names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import bpy

from ...noise_core.errors import Message
from .datablocks import compat, ownership
from .datablocks.editing import is_writable
from .datablocks.ref import Ref
from .surfaces import texture_images
from .surfaces.surface_baking import Baked, Request
from .surfaces.surface_nodes import Look, Tree, wire

MARK = "terrane_surface"
"""Custom property of the materials that are ours, with the request that they were made of."""

_DRAWINGS = frozenset({"GPENCIL", "GREASEPENCIL"})
"""Types of objects with materials of another kind; Blender 4.3 gave them another name."""


@dataclass(frozen=True)
class MaterialSlot:
    """Slot of an object that a material is for.

    Attributes
    ----------
    owner : Ref
        The object.
    index : int
        Of the slot.
    """

    owner: Ref[bpy.types.Object]
    index: int

    @classmethod
    def of(cls, thing: bpy.types.Object | None) -> MaterialSlot | None:
        """Return the active slot of an object, None if that can have no material."""
        if thing is None or not hasattr(thing.data, "materials"):
            return None
        return cls(Ref.of(thing), thing.active_material_index)


def why_not_apply(thing: bpy.types.Object | None) -> str:
    """Return why an object cannot be given a material; nothing if it can, or has no place for any."""
    if MaterialSlot.of(thing) is None:
        return ""
    if thing.type in _DRAWINGS:
        return Message(
            "{} is Grease Pencil, whose materials have no nodes: select another object, or do not apply",
            thing.name,
        )
    if thing.library is not None or not is_writable(thing.data):
        return Message("{} is linked from another file: make it local, or do not apply", thing.name)
    return ""


def write_material(name: str, request: Request, baked: Baked, look: Look) -> bpy.types.Material:
    """Make a material, or write the one of that name anew if it is ours."""
    material = _own_material(name)
    nodes = Tree(compat.node_tree(material))
    before = nodes.images().values()
    after = {
        one: texture_images.new_texture(material.name, one, packed)
        for one, packed in baked.contents.items()
    }
    links = ownership.boundary_links(nodes.tree, ownership.PREFIX)
    nodes.clear()
    texture_images.take_over(material, before, after)
    wire(nodes, after, baked, look)
    ownership.restore_links(nodes.tree, links)
    material[MARK] = request.to_json()
    material.displacement_method = look.displacement_method
    _show_plainly(material, baked.means)
    return material


def request_of(material: bpy.types.Material) -> Request | None:
    """Return what a material was made of, None if it is not ours.

    Raises
    ------
    RecipeError
        If that cannot be read.
    """
    text = material.get(MARK)
    return Request.from_json(text) if isinstance(text, str) else None


def apply(material: bpy.types.Material, slot: MaterialSlot) -> bool:
    """Put a material into a slot, which is made if there is none; return whether that was possible."""
    thing = slot.owner.find()
    if thing is None or why_not_apply(thing):
        return False
    slots = thing.material_slots
    if slot.index < len(slots):
        slots[slot.index].material = material
    else:
        thing.data.materials.append(material)
    return True


def has_uv_map(slot: MaterialSlot) -> bool:
    """Return whether there is a UV map where a material is put; other things than meshes have one."""
    thing = slot.owner.find()
    return thing is None or thing.type != "MESH" or len(thing.data.uv_layers) > 0


def _own_material(name: str) -> bpy.types.Material:
    """Return the material of ours that was asked for under a name, or a new one without nodes."""
    found: bpy.types.Material | None = ownership.find(
        bpy.data.materials, name, lambda one: MARK in one
    )
    if found is None:
        found = bpy.data.materials.new(name)
        ownership.note(found, name)
        compat.node_tree(found).nodes.clear()
    return found


def _show_plainly(material: Any, means: Mapping[str, tuple[float, ...]]) -> None:
    """Let Solid views show the material as it is on average."""
    if "base_color" in means:
        material.diffuse_color = (*means["base_color"], 1.0)
    if "roughness" in means:
        material.roughness = means["roughness"][0]
    if "metallic" in means:
        material.metallic = means["metallic"][0]
