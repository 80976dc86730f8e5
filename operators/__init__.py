# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user can do; every operator reads settings, asks the core and writes datablocks."""

from __future__ import annotations

from typing import Any


def register() -> None:
    """Tell Blender about the settings and the operators."""
    from .bridge.recipes import user_presets
    from .bridge.textures import user_surfaces

    user_surfaces.find()  # before the operators are made, which list all surfaces
    user_presets.find()
    _parts().register()


def unregister() -> None:
    """Undo `register`, in reverse."""
    _parts().unregister()


def _parts() -> Any:
    from . import registration
    from .bridge import live_switch, state, thumbnails
    from .bridge.nodetree.noise_nodes import settings as node_settings
    from .bridge.nodetree.terrain_material import settings as terrain_material_settings
    from .bridge.nodetree.terrain_material import water
    from .bridge.pictures import image_task, painted_images
    from .bridge.previews import recipe_preview
    from .bridge.registering import AtEnd, Parts
    from .bridge.tasks import live, pictures
    from .bridge.terrain import erosion_settings, terrain_task
    from .bridge.textures import surface_settings
    from .bridge.work import jobs

    terrain_task.followers[:] = [lambda terrain: water.refresh(terrain)]
    return Parts(
        thumbnails,
        state,
        erosion_settings,
        surface_settings,
        node_settings,
        terrain_material_settings,
        live_switch,
        registration,
        AtEnd(jobs.end_all),
        AtEnd(pictures.clear),
        painted_images,
        terrain_task,
        image_task,
        live,
        recipe_preview,
    )
