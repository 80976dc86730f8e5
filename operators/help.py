# SPDX-License-Identifier: GPL-3.0-or-later
"""Operator that opens the manual."""

from __future__ import annotations

import webbrowser

import bpy

from .bridge.interface import manual
from .bridge.interface.messages import report
from .options import UntypedOperator, text_property


class TERRANE_OT_manual_open(UntypedOperator, bpy.types.Operator):
    """Open the manual of this version in the web browser"""

    bl_idname = "terrane.manual_open"
    bl_label = "Terrane Manual"

    __annotations__ = {
        "page": text_property(
            "Page", "Name of the page to open, such as first_terrain", default=manual.INDEX
        )
    }

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Open the page, or report its path or how to build the manual."""
        if not manual.find(manual.INDEX):
            report(self, {"ERROR"}, "Terrane was built without its manual; `nox -s package` makes a zip with it")  # fmt: skip
            return {"CANCELLED"}
        rest = manual.find(self.page)
        if not rest:
            report(self, {"ERROR"}, "The manual has no page {!r}; the first is index", self.page)
            return {"CANCELLED"}
        address = manual.beginning() + rest
        if not webbrowser.open(address):
            report(self, {"WARNING"}, "No web browser could be started; the manual is {}", address)
            return {"CANCELLED"}
        return {"FINISHED"}
