# SPDX-License-Identifier: GPL-3.0-or-later
"""Make images of a surface, without a material."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import StringProperty

from .bridge import images, state
from .bridge.messages import report
from .bridge.textures import surface_files, surface_images, surface_settings
from .bridge.work.jobs import Work
from .long_operator import LongOperator, refuses
from .surface_keywords import SurfaceOperator, surface_keywords

OPTIONS = tuple(one.name for one in surface_settings.BAKED)


class TERRANE_OT_images_bake(LongOperator, SurfaceOperator, bpy.types.Operator):
    """Make a set of textures of a surface as images, packed into this file."""

    bl_idname = "terrane.images_bake"
    bl_label = "Bake Images"
    bl_description = "Make a set of textures of a surface as images, packed into this file; those of the same name that were baked before are made anew"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = "Baking Images"

    __annotations__ = {
        **surface_keywords(
            *surface_settings.BAKED, maps=surface_settings.SAVED, description="The maps to make"
        ),
        "name": StringProperty(
            name="Name",
            description="Begins the names of the images; the surface's if empty",
            options={"SKIP_SAVE"},
        ),
    }

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it while nothing else of ours is at work."""
        return not refuses(cls)

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings."""
        self.asked = self.request(context)
        self.take_options(context, *OPTIONS)
        self.take_maps(context)
        maps = surface_files.sort_maps(self.maps)
        return surface_images.bake_images(self.asked, maps, self.storage, self.normal)

    def finish(self, context: bpy.types.Context, result: Any) -> set[str]:
        """Make the images, and show the first unless one of them is shown already."""
        owner = self.name or self.asked.surface().label
        made = surface_images.write_images(owner, result)
        if images.active(context) not in made:
            images.show(context, made[0])
        images.redraw(context)
        if self.from_panel:
            state.show_kind(context, "surface")
        report(
            self,
            {"INFO"},
            f"Baked {len(made)} images: {', '.join(one.name for one in made)}",
        )
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        self.draw_surface(layout)
        for name in (*OPTIONS, "name"):
            layout.prop(self, name)
        layout.column(align=True).prop(self, "maps")
