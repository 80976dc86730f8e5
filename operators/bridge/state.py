# SPDX-License-Identifier: GPL-3.0-or-later
"""What only Blender knows: where settings are kept, and what was made of them."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty, FloatProperty, IntProperty, PointerProperty, StringProperty

from ...noise_core import spine
from ...noise_core.noise import noise_types
from . import settings
from .keywords import DISPLACE, IMAGE, keywords, noise_label
from .properties import blender_property, enum_items, group_class, grouped_items

PROPERTY = "terrane"
"""Name of the settings on a scene and on an object."""

DISPLACE_GROUP = "displace_options"
IMAGE_GROUP = "image_options"

OWNERS = (bpy.types.Scene, bpy.types.Object)

_registered: list[type] = []


def register() -> None:
    """Make the property groups from the declarations and hang them on scenes and objects."""
    defaults = settings.values(settings.default_preset().recipe)
    defaults["size"] = settings.default_preset().size
    pointers = {}
    for name, cls in _nested_groups(defaults).items():
        bpy.utils.register_class(cls)
        _registered.append(cls)
        pointers[name] = PointerProperty(type=cls)
    group = _settings_group(defaults, pointers)
    bpy.utils.register_class(group)
    _registered.append(group)
    for owner in OWNERS:
        setattr(owner, PROPERTY, PointerProperty(type=group, name="Terrane"))


def unregister() -> None:
    """Take it all away again."""
    for owner in OWNERS:
        delattr(owner, PROPERTY)
    while _registered:
        bpy.utils.unregister_class(_registered.pop())


def active_settings(context: bpy.types.Context) -> Any:
    """Return the settings that the panel shows: the active terrain's, or else the scene's.

    The Image Editor's are always the scene's.
    """
    is_about_images = context.area is not None and context.area.type == "IMAGE_EDITOR"
    terrain = None if is_about_images else active_terrain(context)
    return getattr(context.scene if terrain is None else terrain, PROPERTY)


def active_terrain(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the active object if it is a terrain."""
    active = getattr(context, "active_object", None)
    return active if active is not None and is_terrain(active) else None


def is_terrain(thing: bpy.types.Object) -> bool:
    """Return whether an object was made by Terrane."""
    return thing.type == "MESH" and getattr(thing, PROPERTY).is_terrain


def noise_items() -> list[Any]:
    """Return the enum items of all leaf types, grouped by family."""
    types = noise_types()
    options = keywords()["noise"].options
    items = enum_items(options, {key: noise_label(key) for key in options})
    return grouped_items(items, lambda key: types[key].family.title())


def _nested_groups(defaults: dict[str, Any]) -> dict[str, type]:
    """Return the groups of the leaf types, the fractal and the warp, by property name."""
    groups = {
        settings.leaf_group(key): group_class(
            f"TERRANE_PG_noise_{key}",
            settings.leaf_parameters(cls),
            description=f"The parameters of {cls.label} noise",
            defaults=defaults.get(settings.leaf_group(key)),
        )
        for key, cls in spine.leaf_types().items()
    }
    groups[settings.FRACTAL_GROUP] = group_class(
        "TERRANE_PG_fractal",
        settings.fractal_parameters(),
        description="The parameters of the fractal",
        defaults=defaults.get(settings.FRACTAL_GROUP),
    )
    groups[settings.WARP_GROUP] = group_class(
        "TERRANE_PG_warp",
        settings.warp_parameters(),
        description="The parameters of the warp",
        defaults=defaults.get(settings.WARP_GROUP),
    )
    groups[DISPLACE_GROUP] = group_class(
        "TERRANE_PG_displace",
        DISPLACE,
        description="How a mesh is displaced",
        is_metric=True,
        extra={"mask": mask_property(set())},
    )
    groups[IMAGE_GROUP] = group_class(
        "TERRANE_PG_image", IMAGE, description="What an image is like"
    )
    return groups


def mask_property(options: set[Any]) -> Any:
    """Return the property that names what limits a displacement."""
    return StringProperty(
        name="Mask",
        description="A vertex group or a float attribute: 0 stays, 1 moves",
        options=options,
    )


def _settings_group(defaults: dict[str, Any], pointers: dict[str, Any]) -> type:
    declared = keywords()
    names = ("seed", "frequency", "fractal", "warp", "size", "depth", "height", "resolution")
    noise = blender_property(declared["noise"], default=defaults["noise"], items=noise_items())
    hidden = {
        "preset": StringProperty(default=settings.DEFAULT_PRESET, options={"HIDDEN"}),
        "tree": StringProperty(options={"HIDDEN"}),
        "is_terrain": BoolProperty(options={"HIDDEN"}),
        "built_rows": IntProperty(options={"HIDDEN"}),
        "built_columns": IntProperty(options={"HIDDEN"}),
        "built_size": FloatProperty(options={"HIDDEN"}),
    }
    return group_class(
        "TERRANE_PG_settings",
        [declared[name] for name in names],
        description="A recipe and the measures of what is made of it",
        defaults=defaults,
        extra={"noise": noise, **pointers, **hidden},
        is_metric=True,
    )
