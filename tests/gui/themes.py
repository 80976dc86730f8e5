# SPDX-License-Identifier: GPL-3.0-or-later
"""The themes that Blender ships."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import bpy


def use_light_theme() -> bool:
    """Turn to the light theme; return whether there is one."""
    for folder in map(Path, bpy.utils.preset_paths("interface_theme")):
        for theme in sorted(folder.glob("*ight*.xml")):
            menu = "USERPREF_MT_interface_theme_presets"
            bpy.ops.script.execute_preset(filepath=str(theme), menu_idname=menu)
            return True
    return False


def dark_and_light() -> Iterator[str]:
    """Turn to the dark and then to the light theme, if there is one, and back in the end."""
    yield "dark"
    if use_light_theme():
        yield "light"
        bpy.ops.preferences.reset_default_theme()
