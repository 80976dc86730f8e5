# SPDX-License-Identifier: GPL-3.0-or-later
"""Mix-ins of operators on the parts of a landscape."""

from __future__ import annotations

from typing import Any, TypeVar

import bpy

from ..noise_core.base.params import Declared
from .bridge.interface.messages import Message
from .bridge.scene import settings
from .bridge.schema import state
from .bridge.schema.values import read_given, values_of
from .long_operator import WaitingOperator
from .options import draw_declared, from_panel_property, redo_layout
from .recipe_keywords import declared_keywords

AnyDeclared = TypeVar("AnyDeclared", bound=Declared)


def why_no_readable_terrain(context: bpy.types.Context) -> str:
    """Return why there is no active terrain whose heights can be read, "" if there is one."""
    terrain = state.active_terrain(context)
    if terrain is None:
        return state.why_no_terrain(context)
    if "EDIT_MESH" in (context.mode, f"{terrain.mode}_MESH"):
        return Message("Switch to Object Mode first")
    return ""


class TerrainOperator(WaitingOperator):
    """Mix-in of operators on the active terrain and its parts."""

    writes = (state.scene,)
    why_not = staticmethod(why_no_readable_terrain)


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
        for name in ("view", "replace"):
            if name in self.__annotations__:
                layout.prop(self, name)


def part_keywords(declared: type[Declared], **more: Any) -> dict[str, Any]:
    """Return the annotations of the keywords of a `PartOperator`: those declared, and others."""
    return {**declared_keywords(declared.parameters()), **more, "from_panel": from_panel_property()}
