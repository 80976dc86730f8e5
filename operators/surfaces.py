# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that make textures of a surface, as images or files."""

from __future__ import annotations

import bpy

from ..noise_core.base.errors import TerraneError
from .bridge.datablocks import images
from .bridge.interface.messages import Message, report
from .bridge.nodetree import surface_material
from .bridge.schema import state
from .bridge.tasks.steps import Steps
from .bridge.textures import image_files, surface_baking, surface_product, surface_settings
from .options import name_property, overwrite_property, redo_layout, text_property
from .surface_operator import SurfaceOperator, surface_keywords

BAKED, FILES = (
    tuple(parameter.name for parameter in parameters)
    for parameters in (surface_settings.BAKED, surface_settings.FILES)
)


class TERRANE_OT_images_bake(SurfaceOperator, bpy.types.Operator):
    """Bake the textures of a surface as images, packed into this file"""

    bl_idname = "terrane.images_bake"
    bl_label = "Bake Images"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Baking Images")

    __annotations__ = {
        **surface_keywords(
            *surface_settings.BAKED, maps=surface_settings.SAVED, description="Maps to bake"
        ),
        "name": name_property("Prefix of the image names; the surface's name if empty"),
    }

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Make the images, and show the first unless one of them is shown."""
        request = self.request(context)
        self.take_options(context, *BAKED)
        maps = self.chosen_maps(context)
        product = surface_product.SurfaceImages(self.name or request.surface().label)
        textures = surface_product.TextureRequest(request, maps, self.storage, self.normal)
        yield from product.run(context.scene, textures)
        baked = [surface_baking.find_image(product.name, name) for name in maps]
        baked = [image for image in baked if image is not None]
        if images.active(context) not in baked:
            images.show(context, baked[0])
        images.redraw(context)
        if self.from_panel:
            getattr(context.scene, state.PROPERTY).image_options.kind = "surface"
        names = ", ".join(image.name for image in baked)
        report(self, {"INFO"}, "Baked {} images: {}", len(baked), names)
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        self.draw_surface(redo_layout(self), *BAKED, "name")


class TERRANE_OT_images_save(SurfaceOperator, bpy.types.Operator):
    """Save seamless textures of a surface as files, such as granite_normal.png"""

    bl_idname = "terrane.images_save"
    bl_label = "Save Images"
    bl_options = {"REGISTER", "PRESET"}
    doing = Message("Saving Images")

    __annotations__ = {
        **surface_keywords(
            *surface_settings.FILES, maps=surface_settings.SAVED, description="Maps to save"
        ),
        "material": text_property("Material", "Terrane material whose surface is saved, with its settings"),
        "directory": surface_settings.directory_property(frozenset({"SKIP_SAVE"})),
        "name": name_property("Prefix of the file names; the material's or surface's name if empty"),
        "overwrite": overwrite_property(),
    }  # fmt: skip

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Read the settings of the material or of the keywords, write the files, and report their names."""
        material = bpy.data.materials.get(self.material)
        request = None if material is None else surface_material.request_of(material)
        if self.material and request is None:
            raise TerraneError("material must name one that Terrane made", got=repr(self.material))
        request = request or self.request(context)
        self.take_options(context, *FILES, "directory", "overwrite")
        maps = surface_baking.choose_files(self.chosen_maps(context), self.packing)
        ends = surface_baking.file_ends(maps)
        further = surface_baking.material_suffixes(self.material_file)
        files = image_files.requested_files(self, self.material or request.key, ends, further)
        written = yield surface_baking.bake_files(
            request, maps, self.normal, files,
            overwrite=self.overwrite, material=self.material_file,
        )  # fmt: skip
        names = ", ".join(path.name for path in written)
        report(self, {"INFO"}, "Wrote {} images to {}: {}", len(maps), written[0].parent, names)
        return {"FINISHED"}
