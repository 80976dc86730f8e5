# SPDX-License-Identifier: GPL-3.0-or-later
"""What all operators share that change the settings in the panel, and the list of layers among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import IntProperty

from .bridge import settings, state
from .bridge.core import ParameterError
from .bridge.messages import Message, translate
from .bridge.recipes import layer_list, stack
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
        return state.why_not_changed(group)


class StackOperator(SettingsOperator):
    """Mix-in: finds the settings that the panel shows, and makes their stack fit for changes."""

    needs_entry = True
    """Whether it changes the active modifier, so that there has to be one."""

    @classmethod
    def why_not(cls, group: Any) -> str:
        """Ask for an entry too, if it needs one."""
        reason = super().why_not(group)
        if not reason and cls.needs_entry and not settings.has_modifiers(group):
            reason = Message("Add a layer or a modifier first")
        return reason

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Change the stack."""
        group = state.active_settings(context)
        settings.unfold_modifiers(group)
        if self.needs_entry and stack.active_entry(group) is None:
            setattr(group, stack.ACTIVE, 0)  # a script has left it outside
        return self.change(context, group)

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Change the stack of a group of settings, whose entries are all there."""
        raise NotImplementedError


ACTIVE = -1
"""Of places: that of the active entry."""

BASE = -2
"""Of places: that of the base noise, where it counts."""


def place_property(*, has_base: bool = False) -> dict[str, Any]:
    """Return the annotation of a place in the list, to which the base noise may belong."""
    text = "In the list, from 0; -1 is the active one"
    return {
        "place": IntProperty(
            name="Place",
            description=f"{text}, -2 the base noise" if has_base else text,
            min=BASE if has_base else ACTIVE,
            default=ACTIVE,
            options={"SKIP_SAVE"},
        )
    }


class PlaceOperator(StackOperator):
    """Mix-in of those that change the entry at a place, which stays or becomes the active one.

    Their annotations have a `place_property`; if it has the base noise, they need no entry.
    """

    def wanted_place(self, group: Any) -> int:
        """Return the place that is meant."""
        if self.place == BASE:
            return stack.BASE
        return int(getattr(group, stack.ACTIVE) if self.place == ACTIVE else self.place)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Select the entry, and change it."""
        group = state.active_settings(context)
        settings.unfold_modifiers(group)
        count = len(getattr(group, stack.ENTRIES))
        if self.place != ACTIVE and not layer_list.select(group, self.wanted_place(group)):
            least = ACTIVE if self.needs_entry else BASE
            raise ParameterError("place must be in [{}, {}]; got {}", least, count - 1, self.place)
        return super().execute(context)
