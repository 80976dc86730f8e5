# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings that hang on scenes, for what a panel remembers besides recipes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import bpy
from bpy.props import PointerProperty

from ..interface.registering import Registrations, undo_on_failure


class SceneSettings:
    """A group of properties that every scene has, and the groups in it.

    Parameters
    ----------
    name : str
        Of the scenes' property.
    label : str
        What Blender shows for it.
    groups : callable
        Returns the groups: each after those that it holds, the scenes' own last.
    """

    def __init__(self, name: str, label: str, groups: Callable[[], Iterable[type]]) -> None:
        self._name, self._label, self._groups = name, label, groups
        self._registered = Registrations()

    def register(self) -> None:
        """Make the groups and hang the last on scenes."""
        with undo_on_failure(self.unregister):
            for cls in self._groups():
                group = self._registered.add_class(cls)
            own = PointerProperty(type=group, name=self._label)
            self._registered.add_property(bpy.types.Scene, self._name, own)

    def unregister(self) -> None:
        """Take it all away again."""
        self._registered.unregister()

    def of(self, context: bpy.types.Context) -> Any:
        """Return the settings of the scene at hand."""
        return getattr(context.scene, self._name)
