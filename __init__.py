# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrane: procedural terrain and materials for Blender.

Nothing is imported at module level, so that tools may import this package without Blender.
"""

from __future__ import annotations

_is_registered = False


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


def refresh_types() -> None:
    """Show types of noises and modifiers that another add-on has registered in `noise_core`.

    Panels and settings are made of the types that there are when Terrane is enabled, so it is registered anew.
    Nothing is done while it is disabled: it finds them when it is enabled. Settings in scenes stay.
    """
    import sys

    if not _is_registered:
        return
    unregister()
    made_of_types = tuple(
        f"{__package__}.{folder}" for folder in ("operators", "ui", "translations")
    )
    for name in [name for name in sys.modules if name.startswith(made_of_types)]:
        del sys.modules[name]
    register()


def _tell_blender(*, is_enabled: bool) -> None:
    from .operators.bridge.interface.registering import modules

    # Preferences first, for defaults come from there.
    parts = modules(__package__, ("ui.preferences", "operators", "ui", "translations"))
    global _is_registered
    _is_registered = is_enabled
    if is_enabled:
        parts.register()
    else:
        parts.unregister()
