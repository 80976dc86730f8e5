# SPDX-License-Identifier: GPL-3.0-or-later
"""The operator that makes a seamless image of an example."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..noise_core.base.errors import TerraneError
from ..noise_core.base.grid import Grid
from ..noise_core.materials.by_example.settings import ByExample
from .bridge.datablocks import images
from .bridge.interface.messages import Message
from .bridge.tasks.steps import Steps
from .bridge.textures import derived_images
from .bridge.textures.node_settings import BY_EXAMPLE, EXAMPLE_SETTINGS
from .images import named_image, why_no_image
from .long_operator import LongOperator
from .options import (
    checked_values,
    draw_columns,
    from_panel_property,
    name_property,
    redo_layout,
    take_settings,
    text_property,
)
from .recipe_keywords import declared_keywords


class TERRANE_OT_image_by_example(LongOperator, bpy.types.Operator):
    """Seamless image of any size from this example; for gravel or moss, not bricks"""

    bl_idname = "terrane.image_by_example"
    bl_label = "New Image by Example"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Making the Image")

    __annotations__ = {
        **declared_keywords(BY_EXAMPLE),
        "image": text_property("Image", "Example image; that of the Image Editor if empty"),
        "name": name_property("Name of the new image; empty derives it from the example's"),
        "from_panel": from_panel_property(),
    }

    if TYPE_CHECKING:
        image: str
        name: str
        from_panel: bool

    why_not = staticmethod(why_no_image)

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Read the pixels, make a new image like them, and show it."""
        image = named_image(context, self.image)
        if image is None:
            raise TerraneError("image must name an image", got=repr(self.image))
        if not images.is_single(image):
            raise TerraneError("{} has tiles, frames or views: choose a single image", image.name)
        if self.from_panel:
            stored = EXAMPLE_SETTINGS.of(context)
            take_settings(self, stored, *(parameter.name for parameter in BY_EXAMPLE))
        self.image, kind = image.name, derived_images.ImageKind.of(image)
        values = checked_values(self, BY_EXAMPLE, "Image")
        settings = ByExample(
            **{parameter.name: values[parameter.name] for parameter in ByExample.parameters()}
        )
        grid = Grid(values["height"], values["width"], wrap=values["seamless"])
        content = yield derived_images.example_work(image, settings, values["seed"], grid)
        name = self.name or f"{self.image} by example"
        images.show(context, kind.create_image(name, content))
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        layout = redo_layout(self)
        layout.prop_search(self, "image", bpy.data, "images")
        names = tuple(parameter.name for parameter in ByExample.parameters())
        draw_columns(layout, self, ("width", "height"), ("seamless",), ("seed",), names)
