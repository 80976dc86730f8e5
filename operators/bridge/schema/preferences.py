# SPDX-License-Identifier: GPL-3.0-or-later
"""Preferences of the extension, with defaults where Blender stores none.

Preferences belong to an installed extension. Elsewhere, as with `--addons` or in a script that
registers it, all have their declared defaults.

They affect interactive use only: the result of a script depends on its keywords alone, so that it is
the same on every machine. The exceptions are the number of threads and the default folder of files.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

import bpy
from bpy.props import StringProperty

from ....noise_core.base.errors import Message
from ..datablocks import compat
from ..interface.user_files import PACKAGE
from .declared_settings import declare
from .exact_numbers import number
from .properties import blender_property, shown_properties

_LOG = logging.getLogger(__package__)

DIRECTORY = "directory"
"""Name of the property with the folder; empty stands for `BESIDE`."""

ASSETS = "assets"
"""Name of the property with the folder of assets; empty stands for one of the extension's own."""

BESIDE = "//textures/"
"""Default folder of files: beside the Blender file."""

ALL = (
    declare("threads", 0, "Number of threads", (0, 1024), (0, 64), label="CPU Threads",
            automatic="all processors but one of four or more"),
    declare("live", True, "Start new files with live update: terrain follows sliders while they are dragged",
            label="Live Update"),
    declare("preview_cap", 256, "Maximum vertices along the longer side while a slider is dragged",
            (16, 4096), (64, 1024), label="Preview Resolution"),
    declare("size", 0.0, "Width of new terrains in meters, with heights in proportion",
            (0.0, 1e7), (0.0, 20000.0), unit="length", automatic="the preset's"),
    declare("resolution", 0, "Vertices along the longer side of new terrains",
            (0, 16384), (0, 4096), automatic="the preset's"),
)  # fmt: skip
"""Declared preferences; the folder has a property of Blender's."""

_DEFAULTS = {DIRECTORY: "", ASSETS: "", **{parameter.name: parameter.default for parameter in ALL}}

PAGE = (
    (Message("Performance"), ("threads", "live", "preview_cap")),
    (Message("New Terrains"), ("size", "resolution")),
    (Message("Files"), (DIRECTORY,)),
    (Message("Asset Library"), (ASSETS,)),
)
"""Headings of the page, each with its preferences."""


def properties() -> dict[str, Any]:
    """Return the properties of the preferences by name."""
    return {
        **{parameter.name: blender_property(parameter) for parameter in ALL},
        **shown_properties(ALL),
        DIRECTORY: StringProperty(
            name="Folder",
            description="Folder of images and recipes; empty uses a folder beside the Blender file",
            subtype="DIR_PATH",
            options=compat.relative_path_options(),
        ),
        ASSETS: StringProperty(
            name="Folder",
            description="Folder of the asset library; empty uses one of Blender's folders for extensions",
            subtype="DIR_PATH",
        ),
    }


def preview_cap() -> int:
    """Return the largest number of vertices along the longer side of a preview."""
    return int(value("preview_cap"))


def terrain_size(preset_size: float) -> float:
    """Return the width of a new terrain in meters, given that of its preset."""
    return number(value("size")) or preset_size


def terrain_resolution(preset_resolution: int) -> int:
    """Return the vertices along the longer side of a new terrain, given those of its preset's look."""
    chosen = int(value("resolution"))
    return max(chosen, 2) if chosen else preset_resolution


def directory() -> str:
    """Return the default folder of files; may begin with "//"."""
    return value(DIRECTORY) or BESIDE


def is_directory_chosen() -> bool:
    """Return whether the user has set the folder of files."""
    return bool(value(DIRECTORY))


def log_left_out(kind: str, reasons: Mapping[str, object]) -> None:
    """Log which of the user's own files were left out, and why."""
    for name, reason in reasons.items():
        _LOG.warning("Terrane: the %s %s was left out: %s", kind, name, reason)


def value(name: str) -> Any:
    """Return the value of one of `ALL`, or of a folder, by name."""
    addon = bpy.context.preferences.addons.get(PACKAGE)
    # While Blender starts, values may be read before the preferences are registered.
    return getattr(None if addon is None else addon.preferences, name, _DEFAULTS[name])
