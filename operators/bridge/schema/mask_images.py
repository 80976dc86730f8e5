# SPDX-License-Identifier: GPL-3.0-or-later
"""Images as painted masks: an entry points to its image and shows the image's present name.

A name alone would be lost when the image is renamed, and could match an unrelated image in another
file. Blender follows a pointer: appending or linking a terrain brings its image along. Vertex groups
and attributes are no datablocks, so only their names are stored; files from before the pointers have
only names, too.
"""

from __future__ import annotations

from typing import Any

import bpy

from ..datablocks import compat
from ..datablocks.meshes import mesh_of
from ..datablocks.ref import Ref

IMAGE = "mask_image"
"""Name of the property of an entry that points to its image."""


def name_property(**declared: Any) -> Any:
    """Return the property with the name of an entry's painted mask."""
    return compat.proxy_text_property("painted_mask", _display_name, _follow, **declared)


def number(entry: Any) -> int:
    """Return Blender's session number of the image that an entry points to, 0 for none."""
    image = getattr(entry, IMAGE)
    return 0 if image is None else Ref.of(image).uid


def find_image(name: str, number: int = 0) -> bpy.types.Image | None:
    """Return the image with a session number, or else with a name; None if there is none."""
    pointed = Ref("IMAGE", number, "").find() if number else None
    return pointed or bpy.data.images.get(name)


def group_names(owner: bpy.types.Object | bpy.types.Mesh) -> set[str]:
    """Return the names of a mesh's vertex groups, which only objects list."""
    if isinstance(owner, bpy.types.Object):
        return {group.name for group in owner.vertex_groups}
    sharing = [obj for obj in bpy.data.objects if obj.data is owner]
    return {group.name for obj in sharing for group in obj.vertex_groups}


def attribute_names(mesh: bpy.types.Mesh) -> list[str]:
    """Return the names of a mesh's attributes that can be masks."""
    return [
        one.name
        for one in mesh.attributes
        if one.domain == "POINT" and one.data_type == "FLOAT" and not one.name.startswith(".")
    ]


def _display_name(entry: Any, stored: str) -> str:
    image = getattr(entry, IMAGE)
    return stored if image is None else str(image.name)


def _follow(entry: Any, name: str) -> None:
    """Point an entry to the image of the name that it was given, if there is one."""
    owner = entry.id_data
    image = bpy.data.images.get(name)
    if image is not None and (image == owner or image.source == "VIEWER" or _has(owner, name)):
        image = None
    if getattr(entry, IMAGE) != image:
        setattr(entry, IMAGE, image)


def _has(owner: bpy.types.ID, name: str) -> bool:
    """Return whether a terrain has a vertex group or an attribute of a name; these take precedence."""
    if not isinstance(owner, bpy.types.Object) or owner.type != "MESH":
        return False
    return name in group_names(owner) or name in attribute_names(mesh_of(owner))
