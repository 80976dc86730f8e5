# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user can do; every operator reads settings, asks the core and writes datablocks."""

from __future__ import annotations

from typing import Any


def register() -> None:
    """Tell Blender about the settings and the operators."""
    from .bridge.recipes import user_presets
    from .bridge.surfaces import user_surfaces

    user_surfaces.find()  # before the operators are made, which list all surfaces
    user_presets.find()
    _parts().register()


def unregister() -> None:
    """Undo `register`, in reverse."""
    _parts().unregister()


def _parts() -> Any:
    from . import registration
    from .bridge import live_switch, state, thumbnails
    from .bridge.live import live_update
    from .bridge.nodes import node_settings
    from .bridge.pictures import painted_images
    from .bridge.previews import recipe_preview
    from .bridge.registering import AtEnd, Parts
    from .bridge.schema import curve_editor, filling
    from .bridge.surfaces import surface_settings
    from .bridge.terrain import erosion_settings
    from .bridge.terrain_material import terrain_material_settings
    from .bridge.work import aside, jobs

    return Parts(
        thumbnails,
        state,
        erosion_settings,
        surface_settings,
        node_settings,
        terrain_material_settings,
        filling,
        curve_editor,
        live_switch,
        registration,
        AtEnd(jobs.end_all),
        AtEnd(aside.clear),
        painted_images,
        live_update,
        recipe_preview,
    )
