# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of scenes for panels that store more than recipes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import bpy
from bpy.props import PointerProperty

from ..interface.registering import Registrations, undo_on_failure


class SceneSettings:
    """Property group of every scene, with its nested groups.

    Parameters
    ----------
    name : str
        Name of the scenes' property.
    label : str
        Label of the property.
    groups : callable
        Returns the groups: each after its nested groups, that of the scenes last.
    """

    def __init__(self, name: str, label: str, groups: Callable[[], Iterable[type]]) -> None:
        self._name, self._label, self._groups = name, label, groups
        self._registered = Registrations()

    def register(self) -> None:
        """Register the groups, and add the last one to scenes."""
        with undo_on_failure(self.unregister):
            for cls in self._groups():
                group = self._registered.add_class(cls)
            own = PointerProperty(type=group, name=self._label)
            self._registered.add_property(bpy.types.Scene, self._name, own)

    def unregister(self) -> None:
        """Undo `register`."""
        self._registered.unregister()

    def of(self, context: bpy.types.Context) -> Any:
        """Return the settings of the current scene."""
        return getattr(context.scene, self._name)
