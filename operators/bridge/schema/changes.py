# SPDX-License-Identifier: GPL-3.0-or-later
"""Notifications of changed settings.

Every property of a group of settings calls `on_change`, or `on_number_change` (see
`properties.group_class`). Listeners subscribe here, so that the declarations depend on none of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy

from ..datablocks.switch import Switch
from ..interface.registering import restore_handlers

Listener = Callable[[bpy.types.ID], None]
"""Function that receives the scene, object or image whose settings have changed."""

NUMBERS = ("seed", "height")
"""Properties of a recipe that call `on_number_change`; its layers stay as they are."""

_listeners: dict[Listener, tuple[bool, Any]] = {}
"""Listeners, and whether each ignores changes of numbers, and the types of owners it follows."""

paused = Switch()
"""Whether no listener is called: the same settings are written in another form."""


def subscribe(
    listener: Listener, *, ignores_numbers: bool = False, owners: Any = bpy.types.ID
) -> None:
    """Call a listener after every change from now on; once per change, even if it subscribes twice.

    It may ignore changes of seed and height, and of other owners than those of a type, or of several.
    """
    _listeners[listener] = ignores_numbers, owners


def unsubscribe(listener: Listener) -> None:
    """Stop calling a listener."""
    _listeners.pop(listener, None)


def on_change(group: Any, context: bpy.types.Context, *, is_number: bool = False) -> None:
    """Notify all listeners; Blender calls this whenever a property is set."""
    owner = group.id_data
    if owner is None or paused.is_on:  # settings of operators have no owner
        return
    restore_handlers()
    for listener, (ignores_numbers, owners) in tuple(_listeners.items()):
        if isinstance(owner, owners) and not (is_number and ignores_numbers):
            listener(owner)


def on_number_change(group: Any, context: bpy.types.Context) -> None:
    """Notify listeners that only a recipe's seed or height has been set."""
    on_change(group, context, is_number=True)
