# SPDX-License-Identifier: GPL-3.0-or-later
"""Property groups on scenes, objects and images, and access to the active settings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ....noise_core.base.errors import Message
from ....noise_core.modifiers.bases.modifier import modifier_types
from ..datablocks import editing, images, meshes
from ..interface.icons import modifier_icon
from ..interface.messages import redraw_status
from ..interface.registering import Settings
from . import (
    changes,
    displace_settings,
    layer_groups,
    layers,
    noise_fields,
    picture_settings,
    preferences,
    presets,
    settings,
)
from .enum_items import type_items
from .keywords import TERRAIN_KEYWORDS, keywords
from .properties import group_class

PROPERTY = "terrane"
"""Name of the settings on a scene, on an object and on an image."""

PART = "terrane_part"
"""Custom property of an object: the part of a landscape that it is."""

WORLD = "terrane_world"
"""Custom property of an object that shows exported land: the mesh of all of it at low detail."""

PLANET = "terrane_planet"
"""Custom property of an object that is a planet: the attributes of its `PlanetGround`."""

REGION = "terrane_region"
"""Custom property of a mesh with a region at full detail: its first row and column, its rows and columns."""

DISPLACE_GROUP = "displace_options"
IMAGE_GROUP = "image_options"

_HIDDEN: Any = {"options": {"HIDDEN"}}


def _on_build(group: Any, context: bpy.types.Context) -> None:
    """Tell of another layer to build to, which the status bar names."""
    changes.on_change(group, context)
    if group.is_terrain or group.is_picture:
        redraw_status(context)


def _groups() -> Iterator[type]:
    """Yield all property groups, that of the settings last."""
    for layer in layer_groups.classes():
        yield layer
    displace = displace_settings.group()
    yield displace
    yield from picture_settings.COLORINGS.groups
    image = picture_settings.image_group()
    yield image
    default = settings.default_preset()
    resolution = preferences.terrain_resolution(default.look.resolution)
    recipe = settings.scale_to_preferred_size(default.recipe)
    defaults = settings.measures(recipe) | {"resolution": resolution}
    declared = [keywords()[name] for name in ("seed", *TERRAIN_KEYWORDS)]
    yield group_class(
        "TERRANE_PG_settings",
        [
            parameter._replace(default=defaults.get(parameter.name, parameter.default))
            for parameter in declared
        ],
        description="A recipe and the measures of what is made of it",
        extra={
            **noise_fields.properties(),
            DISPLACE_GROUP: PointerProperty(type=displace),
            IMAGE_GROUP: PointerProperty(type=image),
            layers.LAYERS: CollectionProperty(
                type=layer, name="Layers", description="Noise and modifiers, from bottom to top"
            ),
            "preset": StringProperty(default=settings.DEFAULT_PRESET, **_HIDDEN),
            presets.PICTURE: presets.picture_property(),
            "is_filled": BoolProperty(**_HIDDEN),  # whether the layers were written, even if none
            "digits": StringProperty(**_HIDDEN),  # measures that a 32-bit float cannot hold
            layers.ACTIVE: IntProperty(
                name="Active Layer",
                description="The layer whose parameters the panel shows",
                update=_on_build,
                **_HIDDEN,
            ),
            "build_to_here": BoolProperty(
                name="Build to Here",
                description="Leave out the layers that act after the selected one",
                update=_on_build,
            ),
            "is_terrain": BoolProperty(**_HIDDEN),
            "is_picture": BoolProperty(**_HIDDEN),
            "built_rows": IntProperty(**_HIDDEN),
            "built_columns": IntProperty(**_HIDDEN),
            "built_size": FloatProperty(**_HIDDEN),
        },
        numbers=changes.NUMBERS,
        animated=("height", "tile"),
    )


_own = Settings(PROPERTY, "Terrane", _groups, (bpy.types.Scene, bpy.types.Object, bpy.types.Image))
register, unregister = _own.register, _own.unregister


def active_settings(context: bpy.types.Context) -> Any:
    """Return the settings that the panel shows: the active terrain's or planet's, or else the scene's.

    The Image Editor shows those of its image if Terrane made that, or else the scene's.
    """
    owner: bpy.types.ID | None
    if context.area is not None and context.area.type == "IMAGE_EDITOR":
        owner = active_picture(context)
    else:
        owner = active_terrain(context) or active_planet(context)
    return getattr(context.scene if owner is None else owner, PROPERTY)


def settings_owner(context: bpy.types.Context) -> bpy.types.ID:
    """Return the datablock with the settings that the panel shows.

    Those of an override can be set, but without effect: the mesh belongs to another file, and Blender
    adds no entries to its lists.
    """
    owner: bpy.types.ID = active_settings(context).id_data
    return owner


def scene(context: bpy.types.Context) -> bpy.types.Scene:
    """Return the current scene."""
    return context.scene


def active_mesh(context: bpy.types.Context) -> bpy.types.Mesh | None:
    """Return the mesh of `active_object`, None without one."""
    active = active_object(context)
    return None if active is None or active.type != "MESH" else meshes.mesh_of(active)


def terrain_mesh(context: bpy.types.Context) -> bpy.types.Mesh | None:
    """Return the mesh of the active terrain, None without one."""
    terrain = active_terrain(context)
    return None if terrain is None else meshes.mesh_of(terrain)


def active_picture(context: bpy.types.Context) -> bpy.types.Image | None:
    """Return the image in the current Image Editor if Terrane made it, None otherwise."""
    image = images.active(context)
    return image if image is not None and is_picture(image) else None


def is_picture(image: bpy.types.Image) -> bool:
    """Return whether an image was made from a recipe or a coloring, and can be updated."""
    return bool(getattr(image, PROPERTY).is_picture)


def active_terrain(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the active terrain, or that of the active part of a landscape; None without one."""
    active = active_object(context)
    return active if active is not None and is_terrain(active) else None


def why_no_terrain(context: bpy.types.Context) -> str:
    """Return the step that the user has to take to get an active terrain; an empty text if there is one."""
    if active_terrain(context) is None:
        return Message("Select a terrain that was added with Terrane")
    return ""


def active_object(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the object that panels show and operators change: the active one, or the terrain that it is a part of."""
    active = getattr(context, "active_object", None)
    if active is None or is_terrain(active):
        return active
    is_followed = active.type in ("CURVE", "EMPTY")  # drawn on it, or the place of a stamp
    if is_followed and active.parent is not None and is_terrain(active.parent):
        return active.parent
    return _terrain_of(context, active) or active if active.get(PART) else active


def _terrain_of(context: bpy.types.Context, part: bpy.types.Object) -> bpy.types.Object | None:
    """Return the terrain that a part of a landscape belongs to, if it is in the view layer.

    Camera and sun have no parent: theirs is the one that all other parts belong to.
    """
    parts = [part]
    if part.type != "MESH":
        homes = (
            collection
            for collection in context.scene.collection.children_recursive
            if collection.get(PART)
        )
        parts = [obj for home in homes for obj in home.objects if obj.get(PART)]
    owners = {obj.parent for obj in parts if obj.parent is not None and is_terrain(obj.parent)}
    # Users of a deleted terrain keep it in the file.
    present = [owner for owner in owners if _is_in_view(context, owner)]
    return present[0] if len(present) == 1 else None


def _is_in_view(context: bpy.types.Context, obj: bpy.types.Object) -> bool:
    """Return whether an object is in the view layer; one of a library may have the name of another."""
    objects: Any = context.view_layer.objects
    named = objects.get(obj.name)
    return bool(named == obj or (named is not None and obj in objects[:]))


def why_not_change_object(context: bpy.types.Context) -> str:
    """Return why operators cannot change the mesh of `active_object` now, "" if they can."""
    obj = active_object(context)
    if obj is None or obj.type != "MESH":
        return Message("Select a mesh first")
    return (
        editing.why_not_object(obj)
        or why_not_through_part(context)
        or (editing.why_not_mode(obj) if obj.mode == "EDIT" else "")
    )


def why_not_through_part(context: bpy.types.Context) -> str:
    """Return why the terrain of the active part cannot be changed now, "" if it can, or if none is active.

    Blender changes the mode of the active object.
    """
    active, obj = context.active_object, active_object(context)
    if active == obj or active is None or obj is None:
        return ""
    return "" if active.mode == obj.mode == "OBJECT" else Message("Switch to Object Mode first")


def is_terrain(obj: bpy.types.Object) -> bool:
    """Return whether an object was made by Terrane."""
    return obj.type == "MESH" and getattr(obj, PROPERTY).is_terrain


def is_planet(obj: Any) -> bool:
    """Return whether an object is a planet."""
    return obj is not None and obj.type == "MESH" and PLANET in obj


def active_planet(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the active planet, or that of the active shell, None without one."""
    obj: Any = getattr(context, "active_object", None)
    if obj is not None and not is_planet(obj):
        obj = obj.parent
    return obj if is_planet(obj) else None


def why_no_planet(context: bpy.types.Context) -> str:
    """Return why no planet is active that can be updated, "" if one is."""
    if active_planet(context) is None:
        return Message("Select a planet that was added with Terrane")
    return ""


def is_world(obj: bpy.types.Object | None) -> bool:
    """Return whether an object shows exported land; see `exchange.open_worlds`."""
    mesh_object: Any = obj
    return mesh_object is not None and mesh_object.type == "MESH" and WORLD in mesh_object


def has_region(world: bpy.types.Object) -> bool:
    """Return whether an object that shows exported land shows a region at full detail."""
    shown: Any = world.data
    return REGION in shown


def modifier_items() -> list[Any]:
    """Return the enum items of all modifier types."""
    return type_items(modifier_types(), modifier_icon)
