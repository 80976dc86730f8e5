# SPDX-License-Identifier: GPL-3.0-or-later
"""User actions: every operator reads settings, asks the core and writes datablocks."""

from __future__ import annotations

from typing import Any

PARTS = (
    *("bridge.thumbnails", "bridge.state", "bridge.terrain.erosion_settings"),
    *("bridge.surfaces.surface_settings", "bridge.nodes.node_settings"),
    *("bridge.terrain_material.terrain_material_settings", "bridge.live_switch", "registration"),
    *("bridge.work.jobs", "bridge.work.aside", "bridge.pictures.painted_images"),
    *("bridge.live.live_update", "bridge.previews.recipe_preview"),
)
"""Modules with `register` and `unregister`, in the order of registration."""


def register() -> None:
    """Register the settings and the operators."""
    from .bridge.recipes import user_presets
    from .bridge.surfaces import user_surfaces

    user_surfaces.find()  # before the operators are made, which list all surfaces
    user_presets.find()
    _parts().register()


def unregister() -> None:
    """Undo `register`, in reverse."""
    _parts().unregister()


def _parts() -> Any:
    from .bridge.registering import modules

    return modules(__package__, PARTS)
