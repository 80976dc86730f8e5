# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators on single numbers of the settings in the panel: another seed, and scaling by dragging."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import FloatProperty

from .bridge.datablocks.ref import Ref
from .bridge.interface import messages
from .bridge.interface.messages import Message, translate
from .bridge.schema import state
from .bridge.schema.enum_items import enum_items
from .bridge.schema.exact_numbers import number
from .bridge.schema.keywords import MEASURES
from .layer_operator import SettingsOperator
from .options import choice_property

GROWTH = 4.0 / 3.0
"""Factor of 100 pixels to the right; as many to the left divide by it."""

FINE = 0.1
"""How many pixels one counts for while Shift is held, as in Blender's own fields."""

FIRST = 0.01
"""Where a number of 0 begins, which no factor changes: as a share of its usual size."""

_DIGITS = 3
"""Significant digits of a dragged number."""

_HELP = Message("Drag to scale | Shift: fine | Click: confirm | Esc: cancel")

SCALED = {parameter.name: parameter for parameter in MEASURES if parameter.usual}
"""Declarations of the numbers that can be scaled."""


class TERRANE_OT_seed_new(SettingsOperator, bpy.types.Operator):
    """Random seed: another terrain of the same kind"""

    bl_idname = "terrane.seed_new"
    bl_label = "New Seed"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write the seed into the settings in the panel."""
        # Five digits give enough variety, and are short enough to note.
        seed = int.from_bytes(os.urandom(4), "little") % 100_000
        state.active_settings(context).seed = seed
        return {"FINISHED"}


class TERRANE_OT_number_scale(SettingsOperator, bpy.types.Operator):
    """Drag to scale the number by a ratio; Shift is finer, Esc cancels"""

    bl_idname = "terrane.number_scale"
    bl_label = "Scale by Dragging"
    bl_options = {"UNDO", "INTERNAL", "GRAB_CURSOR", "BLOCKING"}

    __annotations__ = {
        "name": choice_property(
            "Number",
            "Number to scale",
            enum_items(
                {key: parameter.help for key, parameter in SCALED.items()},
                {key: parameter.title for key, parameter in SCALED.items()},
            ),
        ),
        "factor": FloatProperty(
            name="Factor",
            description="Factor of the number",
            default=1.0,
            options={"SKIP_SAVE"},
        ),
    }
    if TYPE_CHECKING:
        name: str
        factor: float

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Multiply the number."""
        group = state.active_settings(context)
        _scale(group, self.name, getattr(group, self.name), number(self.factor))
        return {"FINISHED"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Begin to follow the mouse."""
        group = state.active_settings(context)
        self._owner: Ref[Any] = Ref.of(group.id_data)
        self._before, self._moved, self._x = getattr(group, self.name), 0.0, event.mouse_x
        context.workspace.status_text_set(translate(_HELP))
        manager: Any = context.window_manager
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Follow the mouse until a click or Esc."""
        owner = self._owner.find()
        if owner is None:  # another script has removed it
            return self._leave(context, {"CANCELLED"})
        group = getattr(owner, state.PROPERTY)
        if event.type in {"ESC", "RIGHTMOUSE"}:
            setattr(group, self.name, self._before)
            return self._leave(context, {"CANCELLED"})
        is_click = event.type == "LEFTMOUSE" and event.value == "PRESS"
        if is_click or event.type in {"RET", "NUMPAD_ENTER"}:
            return self._leave(context, {"FINISHED"})
        if event.type == "MOUSEMOVE":
            self._moved += (event.mouse_x - self._x) * (FINE if event.shift else 1.0)
            self._x = event.mouse_x
            self.factor = GROWTH ** (self._moved / 100.0)
            _scale(group, self.name, self._before, self.factor)
            messages.redraw_panels(context)
        return {"RUNNING_MODAL"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Take the number back when Blender ends the operator, as when its window closes."""
        owner = self._owner.find()
        if owner is not None:
            setattr(getattr(owner, state.PROPERTY), self.name, self._before)

    def _leave(self, context: bpy.types.Context, status: set[str]) -> set[str]:
        if context.workspace is not None:
            context.workspace.status_text_set(None)
        messages.redraw_panels(context)
        return status


def _scale(group: Any, name: str, previous: float, factor: float) -> None:
    """Set a number to a multiple of its previous value, within its declared limits."""
    declared = SCALED[name]
    if factor == 1.0:
        scaled = previous
    else:
        scaled = float(f"{(previous or FIRST * declared.usual) * factor:.{_DIGITS}g}")
    scaled = min(max(scaled, declared.minimum), declared.maximum)
    setattr(group, name, round(scaled) if declared.kind == "integer" else scaled)
