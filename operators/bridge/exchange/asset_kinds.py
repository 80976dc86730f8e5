# SPDX-License-Identifier: GPL-3.0-or-later
"""The assets of each kind: surfaces as materials, plants, skies, stamps and node groups."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import bpy

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress
from ....noise_core.base.errors import Cancelled
from ....noise_core.landscapes import preset_library
from ....noise_core.landscapes.plant_shapes.shape import PlantShape
from ....noise_core.landscapes.plants import KINDS as KINDS_OF_PLANTS
from ....noise_core.landscapes.plants import Plants
from ....noise_core.landscapes.scene import Sky
from ....noise_core.materials.surfaces import picture_of, surface, surface_names
from ....noise_core.pictures.model_picture import model_picture
from ..nodetree import surface_material
from ..scene import cloud_images, plant_models, stamp_nodes, terrain_fields
from ..scene import skies as scene_skies
from ..tasks.jobs import Work
from ..terrain import placed_stamps
from ..textures import surface_baking, surface_settings
from ..textures.disk_cache import DiskCache
from . import asset_library
from .asset_library import NAME, Asset

_LOOK = surface_material.SurfaceLook("object", 1.0, 0.0, False, "mixed")
"""Textures from all sides: any mesh can have such a material, without a UV map."""


def surfaces(pixels: int) -> Iterator[Asset]:
    """Yield the surfaces, the user's own too."""
    for name in surface_names():
        found = surface(name)
        request = surface_baking.SurfaceRequest(name, {}, 0, pixels, pixels, 0.0, 0.0)
        yield Asset(
            path=f"surfaces/{name}.blend",
            catalog=f"{NAME}/Surfaces/{found.category.title()}",
            description=found.description,
            names=(found.label,),
            tags=("surface", found.category),
            picture=picture_of(name),
            made_of=request.to_json() + found.to_json(),
            work=partial(_surface_work, request),
            write=partial(_write_surface, found.label, request),
        )


def _surface_work(request: surface_baking.SurfaceRequest) -> Any:
    return surface_baking.bake(
        request, _LOOK.required_maps(surface_settings.IN_MATERIAL), _LOOK.storage
    )


def _write_surface(label: str, request: Any, context: bpy.types.Context, baked: Any) -> list[Any]:
    return [surface_material.write_material(label, request, baked, _LOOK)]


def nodes(pixels: int) -> Iterator[Asset]:
    """Yield the node groups."""
    yield Asset(
        path="nodes/terrane_field.blend",
        catalog=f"{NAME}/Nodes",
        description="Height, normal, slope and maps of a terrain at any position",
        names=(terrain_fields.NAME,),
        tags=("geometry nodes", "terrain"),
        made_of=str(terrain_fields.VERSION),
        picture=preset_library.picture_of("alps"),
        write=lambda context, result: [terrain_fields.new_group()],
    )


def stamps(pixels: int) -> Iterator[Asset]:
    """Yield a stamp of each landform: a modifier of nodes that raises any mesh by it."""
    for shipped in _landforms():
        title = f"{shipped.label} Stamp"
        yield Asset(
            path=f"stamps/{shipped.name}.blend",
            catalog=f"{NAME}/Stamps",
            description=f"{shipped.description}, on any mesh",
            names=(title,),
            tags=("stamp", "landform", "geometry nodes"),
            picture=preset_library.picture_of(shipped.name),
            made_of=shipped.recipe.to_json(),
            work=partial(placed_stamps.work_of_preset, shipped.recipe),
            write=partial(_write_stamp, title),
        )


def _landforms() -> Iterator[preset_library.Preset]:
    for name in preset_library.shipped_names():
        shipped = preset_library.preset(name)
        if shipped.group == "landforms":
            yield shipped


def _write_stamp(title: str, context: bpy.types.Context, source: Any) -> list[Any]:
    return [stamp_nodes.new_group(title, source.stamp)]


def skies(pixels: int) -> Iterator[Asset]:
    """Yield the sky of each landscape: a world, and the lamp of its sun."""
    for shipped in _landforms():
        title, sky = f"{shipped.label} Sky", shipped.look.sky
        yield Asset(
            path=f"skies/{shipped.name}.blend",
            catalog=f"{NAME}/Skies",
            description=f"Sky and sun of the landscape {shipped.label}",
            names=(title, f"{shipped.label} Sun"),
            tags=("sky", "sun", "world"),
            picture=preset_library.picture_of(shipped.name),
            made_of=repr(sky),
            work=partial(cloud_images.work, None, sky),
            write=partial(_write_sky, shipped.label, sky),
        )


def _write_sky(label: str, sky: Sky, context: bpy.types.Context, clouds: Any) -> list[Any]:
    world = scene_skies.new_world(f"{label} Sky", sky, clouds)
    return [world, scene_skies.new_sun(f"{label} Sun", sky)]


_PALETTE = "alpine"
"""Colors of plants."""


def plants(pixels: int) -> Iterator[Asset]:
    """Yield the plants and stones of each kind, as they stand in woods."""
    for kind, label in KINDS_OF_PLANTS.items():
        yield Asset(
            path=f"plants/{kind}.blend",
            catalog=f"{NAME}/Plants/{label}",
            description=f"{label} of landscapes, as high as they grow",
            names=("Terrane ",),
            tags=("plant", kind),
            work=partial(_plant_work, kind, DiskCache.open()),
            write=partial(_write_plants, kind),
        )


def _plant_work(kind: str, cache: DiskCache) -> Work:
    colors = [color[:3] for color in plant_models.solid_colors(kind, _PALETTE)]

    def draw(progress: Progress, cancel: Cancel) -> list[tuple[PlantShape, Field]]:
        drawn = []
        for shape in plant_models.draw_all(cache)[kind]:
            if cancel():
                raise Cancelled("Plants")
            picture = model_picture(shape.points, shape.triangles, shape.materials, colors)
            drawn.append((shape, picture))
        return drawn

    return draw


def _write_plants(kind: str, context: bpy.types.Context, drawn: Any) -> list[Any]:
    size = float(getattr(Plants(), f"{kind}_size"))
    shapes = [shape for shape, _ in drawn]
    objects = plant_models.new_models(context, kind, shapes, _PALETTE, size)
    for obj, (_, picture) in zip(objects, drawn):
        asset_library.set_picture(obj, picture)
    return list(objects)


def assets_of(kind: str, pixels: int) -> Iterator[Asset]:
    """Yield the assets of a kind, the name of a function above, for textures of so many pixels."""
    makers = {one.__name__: one for one in (surfaces, plants, skies, stamps, nodes)}
    return makers[kind](pixels)
