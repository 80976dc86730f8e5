# SPDX-License-Identifier: GPL-3.0-or-later
"""Where Blender's versions differ: one function per difference, named for its purpose."""

from __future__ import annotations

from typing import Any

import bpy


def positions_changed(mesh: bpy.types.Mesh) -> None:
    """Tell Blender that vertices have moved: normals, bounds and whatever depends on the mesh.

    Before 5.0 `Mesh.update` leaves the bounding box as it was after writing through the attribute
    layer; setting one vertex the slow way, to where it is, makes it anew.
    """
    if len(mesh.vertices):
        first = mesh.vertices[0]
        first.co = first.co
    mesh.update()


def node_tree(owner: bpy.types.Material) -> bpy.types.NodeTree:
    """Return a material's nodes.

    Before 5.0 there are none until they are switched on; since then they are always there, and
    even to read the switch is deprecated.
    """
    if bpy.app.version < (5, 0, 0) and not owner.use_nodes:
        owner.use_nodes = True
    return owner.node_tree


def relative_path_options() -> set[Any]:
    """Return the options of a path property that may begin with "//": since 4.5 it must say so."""
    return {"PATH_SUPPORTS_BLEND_RELATIVE"} if bpy.app.version >= (4, 5, 0) else set()


def modifier_texts(modifier: Any) -> list[str]:
    """Return the texts that are typed into the inputs of a nodes modifier: names of attributes too.

    Up to 5.1 these are custom properties of the modifier; then each input is a group of its own.
    """
    properties = getattr(modifier, "properties", None)
    if properties is None:
        return [one for _, one in modifier.items() if isinstance(one, str)]
    inputs = [getattr(properties.inputs, one.identifier) for one in _pointers(properties.inputs)]
    held = [getattr(one, name, "") for one in inputs for name in ("value", "attribute_name")]
    return [one for one in held if isinstance(one, str)]


def _pointers(group: Any) -> list[Any]:
    known = group.bl_rna.properties
    return [one for one in known if one.type == "POINTER" and one.identifier != "rna_type"]
