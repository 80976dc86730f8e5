# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrane: procedural terrain and materials for Blender.

Nothing is imported at module level, so that tools may import this package without Blender.
"""

from __future__ import annotations


def __getattr__(name: str) -> object:
    """Return what Blender's glTF exporter looks for in each add-on."""
    if name == "glTF2ExportUserExtension":
        from .operators.gltf_export import MotionHint

        return MotionHint
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def register() -> None:
    """Tell Blender about every class, property and menu entry; after a failure about none of them."""
    _tell_blender(is_enabled=True)


def unregister() -> None:
    """Undo `register`, in reverse."""
    _tell_blender(is_enabled=False)


def _tell_blender(*, is_enabled: bool) -> None:
    from .operators.bridge.interface.registering import modules

    # Preferences first, for defaults come from there.
    parts = modules(__package__, ("ui.preferences", "operators", "ui", "translations"))
    if is_enabled:
        parts.register()
    else:
        parts.unregister()
