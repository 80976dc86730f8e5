# SPDX-License-Identifier: GPL-3.0-or-later
"""Choice of presets, as lists and as pictures: the shipped ones and the user's own.

A user may save and delete presets at any time, so that the lists are built whenever they are shown.
"""

from __future__ import annotations

import functools
from typing import Any

import bpy
from bpy.props import EnumProperty

from ....noise_core.base.errors import Message, ParameterError
from ....noise_core.preset_library import PLAIN, broken_presets, own_names, preset, preset_names
from ..interface import thumbnails
from . import settings
from .properties import enum_number

AS_IT_IS = "AS_IT_IS"
"""Item for the present settings; choosing it changes nothing. Names of presets are lower case."""

PICTURE = "preset_picture"
"""Name of the property of settings that shows and chooses a preset by its picture."""


def existing_name(name: str) -> str:
    """Return the name of a preset, or that of the plain one if the preset no longer exists."""
    return name if name in preset_names() and name not in find_problems() else PLAIN


def find_problems() -> dict[str, Message]:
    """Return why some of the user's own presets cannot be chosen, by name."""
    found: dict[str, Message] = dict(broken_presets())
    for name in own_names():
        try:
            settings.check_measures(preset(name).recipe)
        except ParameterError as error:
            found[name] = error.message
    return found


def items(owner: Any = None, context: Any = None) -> list[Any]:
    """Return the enum items of all presets that can be chosen."""
    missing = find_problems()
    names = (PLAIN, *(name for name in preset_names() if name not in missing))
    return _enum_items(
        tuple((name, preset(name).label, preset(name).description) for name in names)
    )


def picture_items(owner: Any = None, context: Any = None) -> list[Any]:
    """Return the same items with pictures, after one for the present settings.

    They are numbered by their place in the list: Blender keeps a button's value as a 32-bit float,
    which cannot hold hashes of names. These numbers are not stored.
    """
    now = _present_icon(context)
    pictured = (
        (name, label, text, thumbnails.preset_icon(name)) for name, label, text, *_ in items()
    )
    return _enum_items_with_icons(
        ((AS_IT_IS, "Current", "The settings as they are", now), *pictured)
    )


def picture_property() -> Any:
    """Return the property of settings that shows all presets as pictures; setting it loads one."""
    return EnumProperty(
        name="Preset",
        description="Pictures of all presets: a click on one replaces the settings",
        items=picture_items,
        get=_shown_place,
        set=_choose,
        options={"SKIP_SAVE"},
    )


# Blender does not keep the texts of enum items that functions return: Python has to.
@functools.lru_cache(maxsize=8)
def _enum_items(entries: tuple[tuple[str, str, str], ...]) -> list[Any]:
    return [(*entry, "NONE", enum_number(entry[0])) for entry in entries]


@functools.lru_cache(maxsize=8)
def _enum_items_with_icons(entries: tuple[tuple[str, str, str, int], ...]) -> list[Any]:
    return [(*entry, place) for place, entry in enumerate(entries)]


def _present_icon(context: Any) -> int:
    """Return the icon with the picture of the settings in the current editor."""
    area = getattr(context, "area", None)
    return thumbnails.NO_ICON if area is None else thumbnails.settings_icon(area.type)


def _shown_place(group: Any) -> int:
    """Return the place of the present settings, or of their preset if they have no picture."""
    if _present_icon(bpy.context) != thumbnails.NO_ICON:
        return 0
    return 1 + [item[0] for item in items()].index(existing_name(group.preset))


def _choose(group: Any, place: int) -> None:
    if place:
        settings.write_preset(group, items()[place - 1][0])
