# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps that are chosen in the panel, stored with the scene."""

from __future__ import annotations

import functools
from typing import Any

import bpy
from bpy.props import BoolProperty

from ..interface.registering import Settings
from ..schema.properties import new_group
from . import catalog

PROPERTY = "terrane_maps"
"""Name of the group on a scene."""


def chosen_maps(group: Any) -> set[str]:
    """Return the names of the maps enabled in the scene's settings."""
    return {name for name in catalog.entries() if getattr(group, name)}


@functools.cache
def _classes() -> tuple[type[bpy.types.PropertyGroup], ...]:
    """Return the group: a switch per map, as names stay valid in files, the bits of an enum do not."""
    switches = {
        name: BoolProperty(
            name=entry.label, description=entry.help.rstrip("."), default=entry.is_made
        )
        for name, entry in catalog.entries().items()
    }
    return (new_group("TERRANE_PG_maps", "Which maps are made", switches),)


_settings = Settings(PROPERTY, "Maps", _classes)
register, unregister, of = _settings.register, _settings.unregister, _settings.of
