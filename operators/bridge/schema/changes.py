# SPDX-License-Identifier: GPL-3.0-or-later
"""Notifications of changed settings.

Every property of a group of settings calls `on_change`, or `on_number_change` (see
`properties.group_class`); what has to follow subscribes. So the declarations know no listener.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import bpy

Listener = Callable[[bpy.types.ID], None]
"""Gets the scene, object or image whose settings have changed."""

NUMBERS = ("seed", "height")
"""Properties of a recipe that call `on_number_change`: what is known of its layers stays true."""

_listeners: dict[Listener, bool] = {}
"""Whether each ignores numbers."""
_is_paused = False


def subscribe(listener: Listener, *, ignores_numbers: bool = False) -> None:
    """Call a listener after every change from now on; once only, however often it subscribes.

    Parameters
    ----------
    listener : callable
    ignores_numbers : bool
        Leave out changes of seed and height.
    """
    _listeners[listener] = ignores_numbers


def unsubscribe(listener: Listener) -> None:
    """Call it no longer."""
    _listeners.pop(listener, None)


@contextmanager
def pause() -> Iterator[None]:
    """Call no listener within the block: what is written is another form of the same settings."""
    global _is_paused
    before, _is_paused = _is_paused, True
    try:
        yield
    finally:
        _is_paused = before


def on_change(group: Any, context: bpy.types.Context) -> None:
    """Notify all listeners; Blender calls this when a property has been set, to any value."""
    _notify(group, is_number=False)


def on_number_change(group: Any, context: bpy.types.Context) -> None:
    """Notify listeners that only a recipe's seed or height has been set."""
    _notify(group, is_number=True)


def _notify(group: Any, *, is_number: bool) -> None:
    owner = group.id_data
    if owner is None or _is_paused:  # an operator's own settings belong to nothing
        return
    for listener, ignores_numbers in tuple(_listeners.items()):
        if not (is_number and ignores_numbers):
            listener(owner)
