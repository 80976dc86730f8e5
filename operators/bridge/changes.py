# SPDX-License-Identifier: GPL-3.0-or-later
"""Who wants to know that a setting has changed.

Every property of a group of settings calls `changed` (see `properties.group_class`); what has to
follow subscribes. So the declarations need not know who that is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import bpy

Listener = Callable[[bpy.types.ID], None]
"""Gets the scene, object or image whose settings have changed."""

_listeners: list[Listener] = []
_is_paused = False


def subscribe(listener: Listener) -> None:
    """Call a listener after every change from now on; once only, however often it subscribes."""
    if listener not in _listeners:
        _listeners.append(listener)


def unsubscribe(listener: Listener) -> None:
    """Call it no longer."""
    if listener in _listeners:
        _listeners.remove(listener)


@contextmanager
def paused() -> Iterator[None]:
    """Call no listener within the block: what is written is another form of the same settings."""
    global _is_paused
    before, _is_paused = _is_paused, True
    try:
        yield
    finally:
        _is_paused = before


def changed(group: Any, context: bpy.types.Context) -> None:
    """Tell everybody; Blender calls this whenever somebody has set a property, to whatever value."""
    owner = group.id_data
    if owner is not None and not _is_paused:  # an operator's own settings belong to nothing
        for listener in tuple(_listeners):
            listener(owner)
