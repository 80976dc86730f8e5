# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of surface materials and textures: the surface, its exposed parameters, size and mapping.

There is one group of properties per surface, made from the parameters that its file exposes: panels show
the group of the chosen surface. Operators have the same groups, and take values as JSON too.

A user's own surfaces are JSON files in the folder that Blender gives an extension for its user's data.
They are read when Terrane is enabled. Files that cannot be read are left out and logged.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, PointerProperty, StringProperty

from ....noise_core.base.errors import Message
from ....noise_core.base.params import Parameter
from ....noise_core.materials.surfaces import (
    MAPS,
    STANDARD,
    broken_surfaces,
    look_again,
    surface,
    surface_names,
)
from ..datablocks import compat
from ..interface import user_files
from ..interface.registering import Settings
from ..schema import preferences
from ..schema.declared_settings import declare
from ..schema.enum_items import enum_items, grouped_items
from ..schema.keywords import keywords
from ..schema.picture_options import PIXELS
from ..schema.properties import blender_property, declared_properties, new_group
from ..schema.type_choice import TypeChoice
from . import surface_browser

PROPERTY = "terrane_material"
"""Name of the group on a scene."""

SAVED_GROUP = "saved_maps"

SAVED = frozenset(STANDARD)
"""The maps that are written as files by default."""

PREFERRED = "granite"
"""The default surface, if it exists."""

IN_MATERIAL = frozenset(
    {"base_color", "roughness", "metallic", "normal", "height", "emission", "opacity"}
)
"""The maps that a material needs; ambient occlusion is added when it is to darken the color."""

IMAGE = (
    *PIXELS,
    declare("size", 0.0, "Width of the ground in meters",
            (0.0, 1e6), (0.0, 100.0), label="Tile Size", unit="length",
            automatic="the surface's own"),
    declare("depth", 0.0, "Height from lowest to highest in meters",
            (0.0, 1e6), (0.0, 1.0), unit="length",
            automatic="the surface's own"),
    declare("seamless", True, "Opposite edges meet without a seam"),
)  # fmt: skip
"""The measures of a set of textures."""

MATERIAL = (
    declare("mapping", "uv", "Coordinates of the textures on the object", options={
        "uv": "Active UV map, repeated by the tile; on a terrain the tile's size is in meters",
        "object": "The object's axes in meters, from all sides; needs no UV map",
    }),
    declare("scale", 1.0, "Repetitions of the textures: 2 makes everything half as large",
            (1e-4, 1e6), (0.1, 20.0), label="Repeat"),
    declare("occlusion", 0.0, "Darkening of the base color by ambient occlusion", (0.0, 1.0), unit="factor"),
    declare("displacement", True, "Displace the mesh too, as far as its vertices allow"),
    declare("storage", "mixed", "Number format of the images", label="Precision", options={
        "mixed": "Height and normals as 32-bit floats, everything else in 8 bits",
        "float": "Everything as 32-bit floats, colors linear",
    }),
)  # fmt: skip
"""Use of the textures in a material."""

FILES = (
    declare("file_format", "png", "File format", label="Format", options={
        "png": "PNG, compressed without loss: 8 or 16 bits",
        "tiff": "TIFF, compressed without loss: 8 or 16 bits",
        "exr": "OpenEXR: floats of 16 or 32 bits, colors linear",
    }),
    declare("bits", "16", "Bits a channel", options={
        "8": "256 steps: enough for colors",
        "16": "65536 steps, or half floats: for heights and normals",
        "32": "Floats, exact; OpenEXR only",
    }),
    declare("normal", "opengl", "Direction of green in normal maps", label="Normals", options={
        "opengl": "Green is up in the image: Blender, Unity, Godot",
        "directx": "Green is down in the image: Unreal",
    }),
    declare("packing", "single", "Maps that share a file", options={
        "single": "One file per map",
        "orm": "Occlusion, roughness, metallic as red, green, blue: glTF, Godot, Unreal",
    }),
    declare("material_file", "none", "Material beside the images that shows them", options={
        "none": "Images alone",
        "materialx": "MaterialX 1.39 (.mtlx): an OpenPBR surface",
        "usd": "USD (.usda): an OpenPBR surface, and UsdPreviewSurface for all others",
    }),
)  # fmt: skip
"""Format of files."""

FORMATS = tuple(parameter for parameter in FILES if parameter.name in ("file_format", "bits"))
"""Format of files that have no maps: frames of a sequence."""

BAKED = tuple(
    parameter for parameter in (*MATERIAL, *FILES) if parameter.name in ("storage", "normal")
)
"""Format of images that are kept in the Blender file."""

_LABELS = {
    "uv": "UV Map",
    "tiff": "TIFF",
    "exr": "OpenEXR",
    "opengl": "OpenGL",
    "directx": "DirectX",
    "single": "Single Maps",
    "orm": "ORM",
    "materialx": "MaterialX",
    "usd": "USD",
}
"""Labels of choices that do not follow from their keys."""


def find_surfaces() -> None:
    """Let the core read all surfaces again, the user's own too, and log which were left out, and why."""
    user_folder = user_files.user_folder("surfaces")
    look_again(*([] if user_folder is None else [user_folder]))
    preferences.log_left_out("surface", broken_surfaces())


def left_out() -> Mapping[str, Message]:
    """Return the reasons why files could not be read, by their names."""
    return broken_surfaces()


SURFACES = TypeChoice(
    "surface",
    lambda: {key: (surface(key).label, surface(key).parameters) for key in surface_names()},
    prefix="surface_",
    is_strict=False,
)
"""Groups of the parameters that surfaces expose, in settings and operators."""


def surface_properties(options: frozenset[Any] = frozenset()) -> dict[str, Any]:
    """Return the properties of the surface's key, its seed and its parameters."""
    surfaces = {key: surface(key) for key in surface_names()}
    items = enum_items(
        {key: entry.description.rstrip(".") for key, entry in surfaces.items()},
        {key: entry.label for key, entry in surfaces.items()},
    )
    return {
        "surface": EnumProperty(
            name="Surface",
            description="Surface of the material",
            items=grouped_items(items, lambda key: surfaces[key].category.title()),
            default=PREFERRED if PREFERRED in surfaces else next(iter(surfaces)),
            options=set(options),
        ),
        "seed": blender_property(keywords()["seed"], is_strict=False, options=options),
        **SURFACES.properties(options),
    }


def option_properties(
    parameters: tuple[Parameter, ...], options: frozenset[Any] = frozenset()
) -> dict[str, Any]:
    """Return the properties of options; the core checks their values."""
    properties = declared_properties(parameters, options)
    for parameter in parameters:
        if parameter.kind == "choice":
            items = enum_items(parameter.options, _LABELS)
            properties[parameter.name] = blender_property(parameter, items=items, options=options)
    return properties


def describe_size(key: str) -> str:
    """Return the size and depth of a surface as text."""
    entry = surface(key)
    return f"A tile of {entry.size:g} m, {1000.0 * entry.depth:g} mm deep"


def saved_maps(group: Any) -> set[str]:
    """Return the names of the maps that are ticked for saving."""
    ticks = getattr(group, SAVED_GROUP)
    return {name for name in MAPS if getattr(ticks, name)}


def is_known(key: str) -> bool:
    """Return whether a surface exists: a saved file may name a deleted one."""
    return key in surface_names()


@functools.cache
def _scene_groups() -> tuple[type[bpy.types.PropertyGroup], ...]:
    """Return the group of switches, one per map by name, unlike the bits of an enum, and the group of scenes."""
    ticks = {
        name: BoolProperty(name=kind.label, description=kind.help, default=name in SAVED)
        for name, kind in MAPS.items()
    }
    saved = new_group("TERRANE_PG_saved_maps", "Which maps are saved", ticks)
    properties = {
        **surface_properties(),
        surface_browser.PICTURE: surface_browser.picture_property(),
        **option_properties((*IMAGE, *MATERIAL, *FILES)),
        SAVED_GROUP: PointerProperty(type=saved),
        "directory": directory_property(),
        "overwrite": BoolProperty(name="Overwrite", description="Overwrite existing files"),
    }
    return saved, new_group("TERRANE_PG_material", "How materials are made and saved", properties)


def directory_property(options: frozenset[Any] = frozenset()) -> Any:
    """Return the property that names a folder."""
    return StringProperty(
        name="Folder",
        description="Folder of the files, created if missing; empty: that of the preferences",
        subtype="DIR_PATH",
        options=set(options) | compat.relative_path_options(),
    )


_settings = Settings(PROPERTY, "Surface Material", lambda: (*SURFACES.groups, *_scene_groups()))
register, unregister, of = _settings.register, _settings.unregister, _settings.of
