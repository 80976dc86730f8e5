# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrane: procedural terrain and materials for Blender.

Nothing is imported at module level, so that tools may import this package without Blender.
"""

from __future__ import annotations


def register() -> None:
    """Tell Blender about every class, property and menu entry."""
    from . import operators, translations, ui
    from .ui import preferences

    preferences.register()  # first, for defaults come from there
    operators.register()
    ui.register()
    translations.register()


def unregister() -> None:
    """Undo `register`, in reverse."""
    from . import operators, translations, ui
    from .ui import preferences

    translations.unregister()
    ui.unregister()
    operators.unregister()
    preferences.unregister()
