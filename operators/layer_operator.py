# SPDX-License-Identifier: GPL-3.0-or-later
"""Mix-ins of operators that change the settings in the panel and their list of layers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import bpy
from bpy.app.translations import pgettext_tip
from bpy.props import EnumProperty, IntProperty

from .bridge.interface.messages import Message
from .bridge.schema import layer_list, layers, settings, state
from .bridge.schema.enum_items import enum_items
from .guarded_operator import Find, GuardedOperator
from .options import choice_property
from .recipe_keywords import reports_errors

OPTIONS: Any = {"REGISTER", "UNDO", "INTERNAL"}
"""Options of operators that only the panel offers."""


ACTIVE = -1
"""Place that means the active layer, or the active element of its chain."""


_PARTS = {
    "LAYER": "The layer itself",
    "MASK": "Its mask",
    "FIRST": "The first of two masks",
    "SECOND": "The second of two masks",
}


def _items(texts: Mapping[str, str]) -> list[Any]:
    """Return the items of a choice, labeled by their keys."""
    return enum_items(texts, {key: key.title() for key in texts})


class SettingsOperator(GuardedOperator):
    """Mix-in of operators that change the settings in the panel."""

    writes: tuple[Find, ...] = (state.settings_owner,)


class LayerOperator(SettingsOperator):
    """Mix-in of operators that change the layers of the settings in the panel."""

    needs_layer = True
    """Whether the operator needs an active layer."""

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Return why the active layer cannot be changed; an empty text if it can."""
        group = state.active_settings(context)
        if cls.needs_layer and group.is_filled and not layer_list.entries(group):
            return Message("Add a layer first")
        entry = layer_list.active_entry(group)
        return "" if entry is None else cls.why_not_layer(entry)

    @classmethod
    def why_not_layer(cls, entry: Any) -> str:
        """Return why the operator does not suit the active layer; an empty text if it does."""
        return ""

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Change the layers."""
        group = state.active_settings(context)
        settings.fill(group)
        self.choose_layer(group)
        if self.needs_layer and layer_list.active_entry(group) is None:
            layer_list.choose(group, 0)  # a script may set it out of range
        return {"CANCELLED"} if self.change(context, group) is False else {"FINISHED"}

    def choose_layer(self, group: Any) -> None:
        """Make the layer to change the active one."""

    def change(self, context: bpy.types.Context, group: Any) -> bool | None:
        """Change the layers of a group of settings that is complete; return False if nothing could change."""
        raise NotImplementedError


class AddOperator(LayerOperator):
    """Mix-in of operators that add something of a type."""

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Return the description of the chosen type."""
        item = properties.bl_rna.properties["type"].enum_items.get(properties.type)
        return str(pgettext_tip(str(cls.__doc__) if item is None else item.description))


class MoveOperator(LayerOperator):
    """Mix-in of operators that move something within a list."""

    __annotations__ = {
        "direction": EnumProperty(
            name="Direction",
            description="Direction of the move",
            items=_items({"UP": "Up in the list", "DOWN": "Down in the list"}),
        )
    }

    def step(self) -> int:
        """Return the number of places to move by."""
        return -1 if self.direction == "UP" else 1


def place_property(description: str) -> dict[str, Any]:
    """Return the annotation of a place in a list."""
    options: Any = {"SKIP_SAVE"}
    return {
        "place": IntProperty(
            name="Place", description=description, min=ACTIVE, default=ACTIVE, options=options
        )
    }


PARTS = {"LAYER": layers.OWN, "MASK": "mask", "FIRST": "mask.first", "SECOND": "mask.second"}
"""Parts of a layer that can have a chain, with their paths; see `layers.chain_holders`."""


def part_property(default: str = "LAYER") -> dict[str, Any]:
    """Return the annotation of the part of a layer that an operator changes."""
    return {
        "part": choice_property(
            "Part", "The layer itself, or its mask", _items(_PARTS), default=default
        )
    }
