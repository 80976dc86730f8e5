# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that make textures of a surface, as images or files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy

from .bridge.datablocks import images
from .bridge.interface.core import Parameter, TerraneError
from .bridge.interface.messages import Message, report
from .bridge.nodetree import surface_material
from .bridge.schema import state
from .bridge.schema.values import assign
from .bridge.tasks.jobs import Work
from .bridge.textures import image_files, surface_baking, surface_settings
from .long_operator import LongOperator
from .maps import maps_property
from .options import (
    PanelOperator,
    checked_values,
    chosen_values,
    draw_columns,
    from_panel_property,
    json_property,
    name_property,
    overwrite_property,
    redo_layout,
    text_property,
)
from .recipe_keywords import NOT_REMEMBERED

BAKED, FILES, IMAGE = (
    tuple(one.name for one in parameters)
    for parameters in (surface_settings.BAKED, surface_settings.FILES, surface_settings.IMAGE)
)


class SurfaceOperator(PanelOperator, LongOperator):
    """Mix-in of operators that make textures of a surface; parameters that it exposes are given as JSON."""

    panel_settings = staticmethod(surface_settings.of)
    panel_maps = staticmethod(surface_settings.saved_maps)

    def request(self, context: bpy.types.Context) -> surface_baking.SurfaceRequest:
        """Return the surface that the keywords define, and show it in the redo panel."""
        self.take_options(context, "surface", "seed", *IMAGE)
        made, name = (
            surface_settings.surface(self.surface),
            surface_settings.group_name(self.surface),
        )
        own, stored = (getattr(one, name, None) for one in (self, self.stored_settings(context)))
        values = chosen_values(own, stored, made.parameters, made.settings)
        values |= surface_baking.parse_parameters(self.surface, self.parameters)
        measures = checked_values(self, surface_settings.IMAGE, "Material")
        request = surface_baking.SurfaceRequest(self.surface, values, self.seed, **measures)
        assign(own, request.surface().settings)
        self.parameters = ""
        return request

    def chosen_maps(self, context: bpy.types.Context) -> tuple[str, ...]:
        """Return the given maps; the panel's if it calls the operator and none are given."""
        self.take_maps(context)
        return surface_baking.sort_maps(self.maps)

    def draw_surface(self, layout: bpy.types.UILayout, *names: str) -> None:
        """Draw the surface, its exposed parameters, other keywords and the maps."""
        layout.prop(self, "surface")
        group = getattr(self, surface_settings.group_name(self.surface))
        column = layout.column()
        for one in surface_settings.exposed_parameters(self.surface):
            column.prop(group, one.name)
        draw_columns(layout, self, ("seed",), IMAGE, *((name,) for name in names), ("maps",))


def surface_keywords(*declared: Parameter, maps: Iterable[str], description: str) -> dict[str, Any]:
    """Return the annotations of the keywords of a `SurfaceOperator`: its own options, and its choice of maps."""
    text = "What the surface exposes as a JSON object; it wins over all else"
    return {
        **surface_settings.surface_properties(NOT_REMEMBERED),
        "parameters": json_property(text),
        **surface_settings.option_properties((*surface_settings.IMAGE, *declared), NOT_REMEMBERED),
        "maps": maps_property(maps, description, surface_settings.MAPS),
        "from_panel": from_panel_property(),
    }


class TERRANE_OT_images_bake(SurfaceOperator, bpy.types.Operator):
    """Make a set of textures of a surface as images, packed into this file; those of the same name that were baked before are replaced"""

    bl_idname = "terrane.images_bake"
    bl_label = "Bake Images"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Baking Images")

    __annotations__ = {
        **surface_keywords(
            *surface_settings.BAKED, maps=surface_settings.SAVED, description="The maps to make"
        ),
        "name": name_property("Begins the names of the images; the surface's if empty"),
    }

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings."""
        self.asked = self.request(context)
        self.take_options(context, *BAKED)
        maps = self.chosen_maps(context)
        return surface_baking.bake_images(self.asked, maps, self.storage, self.normal)

    def finish(self, context: bpy.types.Context, result: Any) -> set[str]:
        """Make the images, and show the first unless one of them is shown."""
        owner = self.name or self.asked.surface().label
        made = surface_baking.write_images(owner, result)
        if images.active(context) not in made:
            images.show(context, made[0])
        images.redraw(context)
        if self.from_panel:
            getattr(context.scene, state.PROPERTY).image_options.kind = "surface"
        names = ", ".join(one.name for one in made)
        report(self, {"INFO"}, "Baked {} images: {}", len(made), names)
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        self.draw_surface(redo_layout(self), *BAKED, "name")


class TERRANE_OT_images_save(SurfaceOperator, bpy.types.Operator):
    """Write seamless textures of a surface as files: granite_basecolor.png, granite_normal.png and others"""

    bl_idname = "terrane.images_save"
    bl_label = "Save Images"
    bl_options = {"REGISTER", "PRESET"}
    doing = Message("Saving Images")

    __annotations__ = {
        **surface_keywords(
            *surface_settings.FILES, maps=surface_settings.SAVED, description="The maps to write"
        ),
        "material": text_property("Material", "A material that Terrane made: its surface is written, with its settings; else what the other keywords say"),
        "directory": surface_settings.directory_property(frozenset({"SKIP_SAVE"})),
        "name": name_property("Begins the names of the files; that of the material or surface if empty"),
        "overwrite": overwrite_property(),
    }  # fmt: skip

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings of the material or of the keywords, and check for existing files."""
        material = bpy.data.materials.get(self.material)
        request = None if material is None else surface_material.request_of(material)
        if self.material and request is None:
            raise TerraneError("material must name one that Terrane made; got {!r}", self.material)
        request = request or self.request(context)
        self.take_options(context, *FILES, "directory", "overwrite")
        maps = surface_baking.choose_files(self.chosen_maps(context), self.packing)
        ends = surface_baking.file_ends(maps)
        files = image_files.requested(self, self.material or request.key, ends)
        return surface_baking.bake_files(
            request, maps, self.normal, files, overwrite=self.overwrite
        )

    def finish(self, context: bpy.types.Context, result: Any) -> set[str]:
        """Report the names of the files."""
        names = ", ".join(path.name for path in result)
        report(self, {"INFO"}, "Wrote {} images to {}: {}", len(result), result[0].parent, names)
        return {"FINISHED"}
