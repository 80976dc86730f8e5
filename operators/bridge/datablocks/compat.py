# SPDX-License-Identifier: GPL-3.0-or-later
"""Differences between Blender's versions: one function each, named for its purpose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy
from bpy.props import StringProperty


def update_positions(mesh: bpy.types.Mesh) -> None:
    """Update normals, bounds and dependents of a mesh after its vertices have moved.

    Before 5.0 `Mesh.update` does not update the bounding box after writes through the attribute
    layer; setting one vertex through `vertices`, to its own position, does.
    """
    if len(mesh.vertices):
        first = mesh.vertices[0]
        first.co = first.co
    mesh.update()


def is_hidden(attribute: Any) -> bool:
    """Return whether an attribute is for Blender's internal use, such as the selection.

    Seams of UV maps belong to the user; up to 4.3 they have a hidden name.
    """
    has_hidden_name = attribute.is_internal or attribute.name.startswith(".")
    return bool(has_hidden_name and attribute.name != ".uv_seam")


def node_tree(owner: bpy.types.Material | bpy.types.World) -> bpy.types.NodeTree:
    """Return the nodes of a material or a world.

    Before 5.0 there are none until `use_nodes` is set; since then there always are, and reading
    `use_nodes` is deprecated.
    """
    if bpy.app.version < (5, 0, 0) and not owner.use_nodes:
        owner.use_nodes = True
    return owner.node_tree


def relative_path_options() -> set[Any]:
    """Return the options of a path property that may begin with "//", which 4.5 and later require."""
    return {"PATH_SUPPORTS_BLEND_RELATIVE"} if bpy.app.version >= (4, 5, 0) else set()


def proxy_text_property(
    key: str, shown: Callable[[Any, str], str], follow: Callable[[Any, str], None], **declared: Any
) -> Any:
    """Return a text property that shows another text than the one that is stored.

    Before 5.0 a property with `get` and `set` stores nothing, so they write the custom property of the
    same name, `key`. Since 5.0 transform functions convert the stored text. Files are the same.
    `shown` receives the owner and the stored text; `follow` the owner and the text before it is stored.
    """

    def store(owner: Any, text: str) -> None:
        follow(owner, text)
        owner[key] = text

    def between(owner: Any, text: str, current: str, is_set: bool) -> str:
        follow(owner, text)
        return text

    functions: dict[str, Any]
    if bpy.app.version < (5, 0, 0):
        functions = {"get": lambda owner: shown(owner, owner.get(key, "")), "set": store}
    else:
        functions = {
            "get_transform": lambda owner, stored, is_set: shown(owner, stored),
            "set_transform": between,
        }
    return StringProperty(**functions, **declared)


def modifier_texts(modifier: Any) -> list[str]:
    """Return the texts in the inputs of a nodes modifier, including names of attributes."""
    return [value for value in _modifier_values(modifier) if isinstance(value, str)]


def modifier_objects(modifier: Any) -> list[bpy.types.Object]:
    """Return the objects in the inputs of a nodes modifier."""
    return [value for value in _modifier_values(modifier) if isinstance(value, bpy.types.Object)]


def _modifier_values(modifier: Any) -> list[Any]:
    """Return the values in the inputs of a nodes modifier.

    Up to 5.1 these are custom properties of the modifier; since then each input is a property group.
    """
    properties = getattr(modifier, "properties", None)
    if properties is None:
        return [value for _, value in modifier.items()]
    declared = properties.inputs.bl_rna.properties
    pointers = (
        rna_property.identifier for rna_property in declared if rna_property.type == "POINTER"
    )
    inputs = [getattr(properties.inputs, name) for name in pointers if name != "rna_type"]
    return [getattr(item, name, None) for item in inputs for name in ("value", "attribute_name")]


def modifier_inputs(modifier: Any) -> dict[str, str]:
    """Return the identifiers of a nodes modifier's inputs by their names."""
    items = modifier.node_group.interface.items_tree
    sockets = (item for item in items if item.item_type == "SOCKET" and item.in_out == "INPUT")
    return {str(socket.name): str(socket.identifier) for socket in sockets}


def set_modifier_input(modifier: Any, name: str, value: Any) -> None:
    """Set an input of a nodes modifier by its name; see `_modifier_values`."""
    identifier = modifier_inputs(modifier)[name]
    if hasattr(modifier, "properties"):
        getattr(modifier.properties.inputs, identifier).value = value
    else:
        modifier[identifier] = value


def modifier_input(modifier: Any, name: str) -> Any:
    """Return the value of an input of a nodes modifier by its name."""
    identifier = modifier_inputs(modifier)[name]
    if hasattr(modifier, "properties"):
        return getattr(modifier.properties.inputs, identifier).value
    return modifier[identifier]


def import_handlers() -> list[str]:
    """Return the name of the handlers for appended and linked data, which exist since 4.3."""
    return [name for name in ("blend_import_post",) if hasattr(bpy.app.handlers, name)]


def sky_texture(dust: float) -> dict[str, Any]:
    """Return the properties of a Sky Texture node that models scattered light, with so much dust.

    Up to 4.5 the model is Nishita's; 5.0 replaced it by one with multiple scattering.
    """
    if bpy.app.version < (5, 0, 0):
        return {"sky_type": "NISHITA", "dust_density": dust}
    return {"sky_type": "MULTIPLE_SCATTERING", "aerosol_density": dust}


def write_still_images(settings: Any) -> None:
    """Let the image settings of a render write images: from 5.0 on they ask for the medium first."""
    if hasattr(settings, "media_type"):
        settings.media_type = "IMAGE"


def file_version() -> str:
    """Return the version of the files that this Blender writes, without the number of its corrections."""
    major, minor, _ = bpy.app.version
    return f"{major}.{minor}"


def append_from(library: Any) -> None:
    """Let an asset library append what is taken from it, so that it can be changed: 5.0 and later would link it.

    Before 5.0 the usual way is to append data once, which has a name of its own.
    """
    library.import_method = "APPEND_REUSE" if bpy.app.version < (5, 0, 0) else "APPEND"


def engine_name(part: str) -> str:
    """Return the name of the render engine that contains a word such as "EEVEE": it differs between versions."""
    engine_property: Any = bpy.types.RenderSettings.bl_rna.properties["engine"]
    # Cycles is an add-on, and so not among Blender's own.
    engines = [*(item.identifier for item in engine_property.enum_items), "CYCLES"]
    return next(engine for engine in engines if part in engine)


def working_space() -> str:
    """Return the name of the color space in which shaders work; before 5.0 it is one for good, without a name."""
    return str(getattr(getattr(bpy.data, "colorspace", None), "working_space", ""))


def action_curves(holder: Any) -> list[Any]:
    """Return the lists of F-curves by which an action moves a datablock, given its animation data or an NLA strip.

    Since 4.4 an action has them in slots; 5.0 removed the list of the action itself.
    """
    action, slot = holder.action, getattr(holder, "action_slot", None)
    if action is None:
        return []
    if not hasattr(action, "layers"):
        return [action.fcurves]
    bags = (
        strip.channelbag(slot)
        for layer in action.layers
        for strip in layer.strips
        if slot is not None
    )
    return [bag.fcurves for bag in bags if bag is not None]
