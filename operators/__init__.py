# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators: they read settings, call the core and write datablocks."""

from __future__ import annotations

from typing import Any

PARTS = (
    *("bridge.interface.thumbnails", "bridge.schema.state", "bridge.terrain.catalog"),
    "bridge.textures.surface_settings",
    *("bridge.textures.node_settings", "bridge.textures.image_erosion"),
    *("bridge.nodetree.terrain_material.settings", "bridge.schema.filling"),
    *("bridge.scene.settings", "bridge.terrain.brush_settings"),
    "bridge.exchange.target_settings",
    *("bridge.schema.curve_editor", "bridge.schema.live_switch", "registration"),
    *(
        "bridge.terrain.terrain_events",
        "bridge.terrain.followers",
        "bridge.textures.image_product",
    ),
    "bridge.scene.planet_product",
    *("bridge.tasks.live", "bridge.terrain.moving_exports", "bridge.terrain.motion"),
    *("bridge.textures.recipe_preview", "bridge.textures.surface_browser"),
)
"""Modules with `register` and `unregister`, in the order of registration."""


def register() -> None:
    """Register the settings and the operators."""
    from .bridge.schema import presets
    from .bridge.textures import surface_settings

    surface_settings.find_surfaces()  # before the operators are defined, which list all surfaces
    presets.find()
    _parts().register()


def unregister() -> None:
    """Undo `register`, in reverse."""
    _parts().unregister()


def _parts() -> Any:
    from .bridge.interface.registering import modules
    from .bridge.nodetree.terrain_material import water
    from .bridge.scene import (
        bases,
        cameras,
        cliffs,
        ground_colors,
        hazes,
        lands,
        patches,
        plants,
        waters,
    )
    from .bridge.terrain import followers, terrain_product

    terrain_product.refreshers[:] = [lambda terrain: water.refresh(terrain)]
    followers.followers[:] = [
        lambda: waters.WATER,
        lambda: ground_colors.COLORS,
        lambda: patches.PATCH,
        lambda: cliffs.CLIFFS,  # after the patch, whose ground they leave
        lambda: bases.BASE,
        lambda: lands.LAND,  # after the colors, which go on in it
        lambda: plants.PLANTS,
        lambda: cameras.CAMERA,
        lambda: hazes.HAZE,
    ]
    followers.part_listeners[:] = [lambda scene: plants.refresh(scene)]
    return modules(__package__, PARTS)
