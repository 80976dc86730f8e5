# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user can do; every operator reads settings, asks the core and writes datablocks."""

from __future__ import annotations


def register() -> None:
    """Tell Blender about the settings and the operators."""
    import bpy

    from .bridge.recipes import user_presets
    from .bridge.surfaces import user_surfaces

    user_surfaces.find()  # before the operators are made, which list all surfaces
    user_presets.find()

    from . import registration
    from .bridge import live_switch, state, thumbnails
    from .bridge.live import live_update
    from .bridge.nodes import node_settings
    from .bridge.pictures import painted_images
    from .bridge.previews import recipe_preview
    from .bridge.surfaces import surface_settings
    from .bridge.terrain import erosion_settings
    from .bridge.terrain_material import terrain_material_settings

    thumbnails.register()
    state.register()
    erosion_settings.register()
    surface_settings.register()
    node_settings.register()
    terrain_material_settings.register()
    live_switch.register()
    for cls in registration.CLASSES:
        bpy.utils.register_class(cls)
    painted_images.register()
    live_update.register()
    recipe_preview.register()


def unregister() -> None:
    """Undo `register`, in reverse."""
    import bpy

    from . import registration
    from .bridge import live_switch, state, thumbnails
    from .bridge.live import live_update
    from .bridge.nodes import node_settings
    from .bridge.pictures import painted_images
    from .bridge.previews import recipe_preview
    from .bridge.surfaces import surface_settings
    from .bridge.terrain import erosion_settings
    from .bridge.terrain_material import terrain_material_settings
    from .bridge.work import aside, jobs

    recipe_preview.unregister()
    live_update.unregister()
    painted_images.unregister()
    aside.clear()
    jobs.end_all()
    for cls in reversed(registration.CLASSES):
        bpy.utils.unregister_class(cls)
    live_switch.unregister()
    terrain_material_settings.unregister()
    node_settings.unregister()
    surface_settings.unregister()
    erosion_settings.unregister()
    state.unregister()
    thumbnails.unregister()
