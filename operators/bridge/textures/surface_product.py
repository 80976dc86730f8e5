# SPDX-License-Identifier: GPL-3.0-or-later
"""Images of a surface's textures as a product."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import bpy

from ....noise_core.materials.surfaces import MAPS
from ..datablocks.images import Content
from ..tasks.jobs import Work
from ..tasks.product import Product
from . import surface_baking
from .surface_baking import SurfaceRequest


@dataclass(frozen=True)
class TextureRequest:
    """A surface, its maps, and how they are stored: see `surface_settings.BAKED`."""

    surface: SurfaceRequest
    maps: tuple[str, ...]
    storage: str
    normal: str


class SurfaceImages(Product):
    """Images of the maps of a surface, whose names begin with one name; an operator makes them for a scene."""

    key, owners, collection = "surface", bpy.types.Scene, "scenes"

    def __init__(self, name: str) -> None:
        self.name = name

    def work(
        self, owner: bpy.types.Scene, request: TextureRequest, side: int | None = None
    ) -> Work:
        """Return the work that bakes the maps."""
        bake = surface_baking.bake_images
        return bake(request.surface, request.maps, request.storage, request.normal)

    def write(
        self,
        owner: bpy.types.Scene,
        request: TextureRequest,
        result: Mapping[str, Content],
        *,
        is_preview: bool = False,
    ) -> str:
        """Create the images, or write new pixels into existing ones."""
        surface_baking.write_images(self.name, result)
        return ""

    def holders(self, owner: bpy.types.Scene) -> list[bpy.types.Image]:
        """Return the images that are there, in the order of the maps."""
        candidates = (surface_baking.find_image(self.name, name) for name in MAPS)
        return [image for image in candidates if image is not None]
