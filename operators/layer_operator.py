# SPDX-License-Identifier: GPL-3.0-or-later
"""Mix-ins of the operators that change the settings in the panel, and the list of layers in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import IntProperty

from .bridge.interface.core import ParameterError
from .bridge.interface.messages import Message, translate
from .bridge.schema import layer_list, settings, state
from .recipe_keywords import reports_errors


class SettingsOperator:
    """Mix-in: allows an operator where the settings that the panel shows can be changed."""

    if TYPE_CHECKING:
        # The rest is Blender's, and is only known where the two meet.
        def __getattr__(self, name: str) -> Any: ...
        @classmethod
        def poll_message_set(cls, message: str) -> None:
            """See Blender."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it unless there is a reason not to, and say that."""
        reason = cls.why_not(state.active_settings(context))
        if reason:
            cls.poll_message_set(translate(reason))
        return not reason

    @classmethod
    def why_not(cls, group: Any) -> str:
        """Return why it cannot change a group of settings now; nothing if it can."""
        return state.why_not_change(group)


class LayerOperator(SettingsOperator):
    """Mix-in: finds the settings that the panel shows, and changes their layers."""

    needs_layer = True
    """Whether it changes the active layer, so that there has to be one."""

    @classmethod
    def why_not(cls, group: Any) -> str:
        """Ask for a layer too, if it needs one."""
        reason = super().why_not(group)
        if not reason and cls.needs_layer and group.is_filled and not layer_list.entries(group):
            reason = Message("Add a layer first")
        return reason

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Change the layers."""
        group = state.active_settings(context)
        settings.fill(group)
        if self.needs_layer and layer_list.active_entry(group) is None:
            layer_list.choose(group, 0)  # a script has left it outside
        return self.change(context, group)

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Change the layers of a group of settings, which are all there."""
        raise NotImplementedError


ACTIVE = -1
"""Of places: that of the active layer."""


def place_property() -> dict[str, Any]:
    """Return the annotation of a place in the list."""
    return {
        "place": IntProperty(
            name="Place",
            description="In the list, from 0; -1 is the active layer",
            min=ACTIVE,
            default=ACTIVE,
            options={"SKIP_SAVE"},
        )
    }


class PlaceOperator(LayerOperator):
    """Mix-in of those that change the layer at a place, which stays or becomes the active one.

    Their annotations have a `place_property`.
    """

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Select the layer, and change it."""
        group = state.active_settings(context)
        settings.fill(group)
        count = len(layer_list.entries(group))
        if self.place != ACTIVE:
            if not 0 <= self.place < count:
                raise ParameterError(
                    "place must be in [{}, {}]; got {}", ACTIVE, count - 1, self.place
                )
            layer_list.choose(group, self.place)
        return super().execute(context)
