# SPDX-License-Identifier: GPL-3.0-or-later
"""Stamps on terrains: their sources as layers, and the empties that place them.

`followed_sources.py` follows the empties together with curves.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ....noise_core.base.blocks import Cancel, Progress
from ....noise_core.base.errors import Message, TerraneError
from ....noise_core.erosion.earthworks.placement import Placement
from ....noise_core.modifiers.stamp import Stamp
from ....noise_core.recipes.layers import free_seed_offset
from ..datablocks import meshes
from ..schema import curve_slots, layer_list, layer_values, layers, state, stored_heights
from ..schema.exact_numbers import number
from ..schema.stored_heights import StoredHeights
from . import terrains

if TYPE_CHECKING:
    from pathlib import Path

    from ....noise_core.base.arrays import Field
    from ....noise_core.recipes.recipe import Recipe
    from ..datablocks.curve_objects import Table
    from ..datablocks.images import Content
    from ..tasks.jobs import Work
    from .tile_frame import TileFrame

SAMPLES = 257
"""Samples along the longer side of a preset that becomes a stamp."""

MOST_SAMPLES = 1025
"""The same of a file, at most."""

REMOVED = Message("{} was removed: the stamp keeps its last place")
NO_OBJECT = Message("No empty is chosen: the stamp has a place of its own")

_LEANS = 1e-3
"""Share by which axes may lean before an object counts as tilted."""

_LARGEST = 0.5
"""Widest new stamp in widths of the terrain, if no size is given."""

_PIXELS = "pixels"
"""Path of the image of a stamp; see `type_choice.Extras`."""


# Places


def placement(matrix: Table, frame: TileFrame, name: str) -> Placement:
    """Return the placement of an object by its transform in a terrain's own space.

    Raises a TerraneError that begins with its name if it does not stand upright.
    """
    axes = matrix[:3, :3]
    lengths = np.sqrt((axes * axes).sum(axis=0))
    if not lengths.all():
        raise TerraneError("{} must have a scale other than 0", name)
    angles = axes / lengths
    leans = (angles[2, 0], angles[2, 1], angles[0, 2], angles[1, 2], angles[:, 0] @ angles[:, 1])
    if max(abs(float(lean)) for lean in leans) > _LEANS:
        raise TerraneError("{} is tilted or sheared: turn it about Z alone", name)
    x, y, z = frame.tiles(matrix[:3, 3]).tolist()
    turn = math.degrees(math.atan2(axes[1, 0], axes[0, 0]))
    mirrored = math.copysign(1.0, axes[0, 0] * axes[1, 1] - axes[1, 0] * axes[0, 1])
    scale = (lengths[0], mirrored * lengths[1], math.copysign(lengths[2], axes[2, 2]))
    return Placement(
        at=(number(x), number(y)),
        z=number(z),
        rotation=number(turn),
        scale=(number(scale[0]), number(scale[1]), number(scale[2])),
    )


def add_empty(
    context: bpy.types.Context,
    terrain: bpy.types.Object,
    frame: TileFrame,
    stamp: Stamp,
    place: Placement,
) -> bpy.types.Object:
    """Add the empty of a placement as a child of a terrain, as wide as the stamp; return it."""
    obj = bpy.data.objects.new(stamp.name or stamp.label, None)
    obj.empty_display_type = "ARROWS"
    obj.empty_display_size = 0.5 * (stamp.size or frame.size * 0.25)
    obj.show_in_front = True
    homes = terrain.users_collection
    (homes[0] if homes else context.scene.collection).objects.link(obj)
    obj.parent = terrain
    obj.location = frame.units(np.array((*place.at, place.z))).tolist()
    obj.rotation_euler.z = math.radians(place.rotation)
    obj.scale = place.scale
    return obj


def add_place(
    context: bpy.types.Context,
    terrain: bpy.types.Object,
    frame: TileFrame,
    entry: Any,
    place: Placement,
) -> bpy.types.Object:
    """Add one more empty of a stamp's layer, which follows it; return it."""
    stamp: Any = layer_values.read_entry(entry)
    slot = entry.placements.add()
    obj = add_empty(context, terrain, frame, stamp, place)
    follow(slot, obj, place)
    context.view_layer.update()
    return obj


def tiles_of(terrain: bpy.types.Object, frame: TileFrame, place: Any) -> tuple[float, float]:
    """Return a place of the world in tiles."""
    local = np.array(terrain.matrix_world.inverted_safe() @ place.to_3d(), np.float64)
    x, y = frame.tiles(local)[:2].tolist()
    return number(x), number(y)


def is_over(terrain: bpy.types.Object, frame: TileFrame, at: tuple[float, float]) -> bool:
    """Return whether a place in tiles lies on a terrain."""
    return _vertex(terrain, frame, at) is not None


def on_ground(terrain: bpy.types.Object, frame: TileFrame, place: Placement) -> Placement:
    """Return a placement at the height of the ground, 0 beyond the terrain."""
    vertex = _vertex(terrain, frame, place.at)
    mesh = meshes.mesh_of(terrain)
    if vertex is None or vertex >= len(mesh.vertices):
        return dataclasses.replace(place, z=0.0)
    return dataclasses.replace(place, z=number(mesh.vertices[vertex].co.z))


def _vertex(terrain: bpy.types.Object, frame: TileFrame, at: tuple[float, float]) -> int | None:
    """Return the number of the vertex nearest to a place in tiles, None beyond the terrain."""
    built = terrains.built_grid(terrain)
    x, y = frame.units(np.array((*at, 0.0)))[:2] / frame.size * (built.columns - 1)
    column, row = round(x + 0.5 * (built.columns - 1)), round(y + 0.5 * (built.rows - 1))
    is_inside = 0 <= row < built.rows and 0 <= column < built.columns
    return row * built.columns + column if is_inside else None


# Sources


@dataclass(frozen=True)
class StampSource:
    """Landform that becomes a stamp, with its pixels encoded."""

    stamp: Stamp
    packed: Content


def work_of_preset(recipe: Recipe) -> Work:
    """Return the work that makes the source of a preset's recipe."""

    def evaluate(progress: Progress, cancel: Cancel) -> StampSource:
        relief = recipe.evaluate(recipe.grid(SAMPLES), progress=progress, cancel=cancel)
        return _source(relief.height, recipe.size)

    return evaluate


def work_of_file(path: Path) -> Work:
    """Return the work that makes the source of an elevation file."""
    from ....noise_core.io.elevation_reading import measured_land, read_elevation

    def read(progress: Progress, cancel: Cancel) -> StampSource:
        elevation = read_elevation(path, samples=MOST_SAMPLES, progress=progress, cancel=cancel)
        land = measured_land(elevation)
        return _source(land.recipe.evaluate(land.grid()).height, land.recipe.size)

    return read


def work_of_selection(terrain: bpy.types.Object) -> Work:
    """Return the work that makes the source of the selected vertices of a terrain: of the rectangle around them."""
    built, mesh = terrains.built_grid(terrain), meshes.mesh_of(terrain)
    if not built.fits(mesh):
        raise TerraneError("{} is no longer the grid that Terrane made", terrain.name)
    terrain.update_from_editmode()
    selected = np.empty(len(mesh.vertices), bool)
    mesh.vertices.foreach_get("select", selected)
    rows, columns = np.nonzero(selected.reshape(built.rows, built.columns))
    if not len(rows) or np.ptp(rows) < 2 or np.ptp(columns) < 2:
        raise TerraneError("Select vertices of the terrain first, three rows and columns or more")
    heights = meshes.positions_of(mesh)[:, 2].reshape(built.rows, built.columns)
    part = heights[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1].copy()
    width = built.size * (part.shape[1] - 1) / (built.columns - 1)
    return lambda progress, cancel: _source(part, width)


def _source(heights: Field, size: float) -> StampSource:
    stamp = Stamp.of_heights(heights, size)
    return StampSource(stamp, StoredHeights.of(stamp.pixels, 1.0).content())


def fit(stamp: Stamp, size: float, width: float) -> Stamp:
    """Return a stamp of a width in meters, as steep as before; for 0 at most half as wide as a terrain."""
    size = size or min(stamp.size, _LARGEST * width)
    return dataclasses.replace(stamp, size=size, height=stamp.height * size / stamp.size)


# Layers


def add_layer(terrain: bpy.types.Object, stamp: Stamp, packed: Content, *, is_last: bool) -> Any:
    """Add a stamp to a terrain, above the noise unless it is the last of all; return its entry."""
    group: Any = getattr(terrain, state.PROPERTY)
    entries = layer_list.entries(group)
    stamp = dataclasses.replace(stamp, seed_offset=free_seed_offset(entries))
    title = f"{terrain.name} {stamp.name}"
    held = stored_heights.new_state(title, packed, path=_PIXELS)
    place = len(entries) if is_last else _above_noise(entries)
    layer_list.insert(group, place, 0, stamp, held)
    layer_list.choose(group, place)
    return layer_list.active_entry(group)


def _above_noise(entries: Any) -> int:
    """Return the place before the first modifier that is no stamp, so that erosion acts on what is added there."""
    places = enumerate(entries)
    later = (
        place for place, entry in places if layers.is_modifier(entry) and entry.type != Stamp.key
    )
    return next(later, len(entries))


def follow(slot: Any, obj: bpy.types.Object, place: Placement) -> None:
    """Let a slot follow an empty at a place."""
    slot.points = curve_slots.text_of((place,))
    slot.object, slot.known_name = obj, obj.name
