# SPDX-License-Identifier: GPL-3.0-or-later
"""Property groups on scenes, objects and images, and access to the active settings."""

from __future__ import annotations

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
from ....noise_core.types.modifier import modifier_types
from ..datablocks import images
from ..interface.icons import modifier_icon
from ..interface.registering import Registrations, undo_on_failure
from . import (
    changes,
    layer_groups,
    layers,
    picture_settings,
    preferences,
    preset_choice,
    settings,
)
from .keywords import DISPLACE, TERRAIN_KEYWORDS, keywords, summary
from .properties import enum_number, group_class

PROPERTY = "terrane"
"""Name of the settings on a scene, on an object and on an image."""

DISPLACE_GROUP = "displace_options"
IMAGE_GROUP = "image_options"

OWNERS = (bpy.types.Scene, bpy.types.Object, bpy.types.Image)

_registered = Registrations()


def register() -> None:
    """Register the property groups, and add them to scenes, objects and images."""
    with undo_on_failure(unregister):
        _register()


def _register() -> None:
    defaults = settings.measures(settings.scale_to_preferred_size(settings.default_preset().recipe))
    defaults["resolution"] = preferences.terrain_resolution()
    *_, entry = (_registered.add_class(cls) for cls in layer_groups.classes())
    others = {
        name: PointerProperty(type=cls) for name, cls in _register_all(_option_groups()).items()
    }
    group = _registered.add_class(_settings_group(defaults, others, entry))
    for owner in OWNERS:
        _registered.add_property(owner, PROPERTY, PointerProperty(type=group, name="Terrane"))


def unregister() -> None:
    """Undo `register`."""
    _registered.unregister()


def _register_all(groups: dict[str, type]) -> dict[str, type]:
    return {name: _registered.add_class(cls) for name, cls in groups.items()}


def active_settings(context: bpy.types.Context) -> Any:
    """Return the settings that the panel shows: the active terrain's, or else the scene's.

    The Image Editor shows those of its image if Terrane made that, or else the scene's.
    """
    is_about_images = context.area is not None and context.area.type == "IMAGE_EDITOR"
    made = active_picture(context) if is_about_images else active_terrain(context)
    return getattr(context.scene if made is None else made, PROPERTY)


def why_not_change(group: Any) -> str:
    """Return why some settings cannot be changed, "" if they can.

    Those of an override can be set, but without effect: the mesh belongs to another file, and Blender
    adds no entries to its lists.
    """
    owner = group.id_data
    if owner.override_library is not None:
        return Message("These settings override those of another file: make them local first")
    if not owner.is_editable:
        return Message("These settings are linked from another file: make them local first")
    return ""


def active_picture(context: bpy.types.Context) -> bpy.types.Image | None:
    """Return the image in the current Image Editor if Terrane made it, None otherwise."""
    image = images.active(context)
    return image if image is not None and is_picture(image) else None


def show_kind(context: bpy.types.Context, kind: str) -> None:
    """Show a kind of image in the Image Editor's panel while it shows the scene's settings."""
    getattr(getattr(context.scene, PROPERTY), IMAGE_GROUP).kind = kind


def is_picture(image: bpy.types.Image) -> bool:
    """Return whether an image was made from a recipe or a coloring, and can be updated."""
    return bool(getattr(image, PROPERTY).is_picture)


def active_terrain(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the active object if it is a terrain, None otherwise."""
    active = getattr(context, "active_object", None)
    return active if active is not None and is_terrain(active) else None


def is_terrain(obj: bpy.types.Object) -> bool:
    """Return whether an object was made by Terrane."""
    return obj.type == "MESH" and getattr(obj, PROPERTY).is_terrain


def modifier_items() -> list[Any]:
    """Return the enum items of all modifier types."""
    return [
        (key, cls.label, summary(cls), modifier_icon(key), enum_number(key))
        for key, cls in modifier_types().items()
    ]


def modifier_summary(key: str) -> str:
    """Return a line about a modifier type, "" if there is no such type."""
    cls = modifier_types().get(key)
    return "" if cls is None else summary(cls)


def _option_groups() -> dict[str, type]:
    """Return the groups of the options for displacements and images, by property name."""
    groups = {}
    groups[DISPLACE_GROUP] = group_class(
        "TERRANE_PG_displace",
        DISPLACE,
        description="How a mesh is displaced",
        is_metric=True,
        extra={"mask": mask_property(set())},
    )
    for cls in picture_settings.groups().values():
        _registered.add_class(cls)
    groups[IMAGE_GROUP] = picture_settings.image_group()
    return groups


def mask_property(options: set[Any]) -> Any:
    """Return the property with the mask of a displacement."""
    return StringProperty(
        name="Mask",
        description="A vertex group or a float attribute: 0 stays, 1 moves",
        options=options,
    )


def _settings_group(defaults: dict[str, Any], own: dict[str, Any], entry: type) -> type:
    declared = keywords()
    names = ("seed", *TERRAIN_KEYWORDS)
    hidden = {
        "preset": StringProperty(default=settings.DEFAULT_PRESET, options={"HIDDEN"}),
        preset_choice.PICTURE: preset_choice.picture_property(),
        settings.FILLED: BoolProperty(options={"HIDDEN"}),
        settings.TEXT: StringProperty(options={"HIDDEN"}),
        layers.ACTIVE: IntProperty(
            name="Active Layer",
            description="The layer whose parameters the panel shows",
            options={"HIDDEN"},
        ),
        "is_terrain": BoolProperty(options={"HIDDEN"}),
        "is_picture": BoolProperty(options={"HIDDEN"}),
        "built_rows": IntProperty(options={"HIDDEN"}),
        "built_columns": IntProperty(options={"HIDDEN"}),
        "built_size": FloatProperty(options={"HIDDEN"}),
    }
    stack = CollectionProperty(
        type=entry, name="Layers", description="Noise and modifiers, one on the other"
    )
    return group_class(
        "TERRANE_PG_settings",
        [declared[name] for name in names],
        description="A recipe and the measures of what is made of it",
        defaults=defaults,
        extra={**own, layers.LAYERS: stack, **hidden},
        is_metric=True,
        numbers=changes.NUMBERS,
    )
