# SPDX-License-Identifier: GPL-3.0-or-later
"""Mix-ins of operators on the parts of a landscape."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

import bpy

from ..noise_core.base.params import Declared
from ..noise_core.landscapes.scene import Surroundings
from .bridge.interface.messages import Message
from .bridge.scene import settings, surroundings
from .bridge.schema import state
from .bridge.schema.values import read_given, values_of
from .long_operator import WaitingOperator
from .options import draw_declared, from_panel_property, redo_layout
from .recipe_keywords import declared_keywords

AnyDeclared = TypeVar("AnyDeclared", bound=Declared)


class TerrainOperator(WaitingOperator):
    """Mix-in of operators on the active terrain and its parts."""

    writes = (state.scene,)

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        """Refuse it without an active terrain that can be read."""
        terrain = state.active_terrain(context)
        if terrain is None:
            return state.why_no_terrain(context)
        if "EDIT_MESH" in (context.mode, f"{terrain.mode}_MESH"):  # its heights cannot be read
            return Message("Switch to Object Mode first")
        return ""


class PartOperator(TerrainOperator):
    """Mix-in of operators that add a part of a landscape around the active terrain."""

    declared: type[Declared]

    def choose_settings(self, context: bpy.types.Context, usual: AnyDeclared) -> AnyDeclared:
        """Return the parameters by keyword; missing values come from the panel or the preset."""
        return self.read_keywords(settings.read(context, type(usual)) if self.from_panel else usual)

    def read_keywords(self, usual: AnyDeclared) -> AnyDeclared:
        """Return the parameters by keyword; missing values are those of `usual`."""
        return type(usual)(**read_given(self.properties, usual.parameters(), values_of(usual)))

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        layout = redo_layout(self)
        draw_declared(layout, self, self.declared.parameters())
        if "replace" in self.__annotations__:
            layout.prop(self, "replace")


def part_keywords(declared: type[Declared], **more: Any) -> dict[str, Any]:
    """Return the annotations of the keywords of a `PartOperator`: those declared, and others."""
    return {**declared_keywords(declared.parameters()), **more, "from_panel": from_panel_property()}


def surround(context: bpy.types.Context, terrain: bpy.types.Object, kind: str) -> None:
    """Rewrite the surroundings of a terrain after its water has changed."""
    present = settings.read(context, Surroundings)
    surroundings.write(context, terrain, dataclasses.replace(present, kind=kind))
