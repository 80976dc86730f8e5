# SPDX-License-Identifier: GPL-3.0-or-later
"""Conversion of user meshes to terrains and back; see `adopted`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ....noise_core.base.blocks import Cancel, Progress, cancellable
from ....noise_core.base.errors import Message, ParameterError, TerraneError
from ....noise_core.landscapes.preset_library import PLAIN
from ....noise_core.recipes.layers import NoiseLayer
from ....noise_core.recipes.recipe import Recipe
from ..datablocks import compat, images, meshes, ownership, vertex_places
from ..datablocks.meshes import Positions
from ..datablocks.record import forget
from ..schema import layer_list, layers, state
from ..schema.exact_numbers import number
from ..tasks.jobs import Work
from ..tasks.product import TERRAIN_KEY
from . import adopted, map_layers, stored_heights, terrains
from .adopted import AdoptedMesh
from .adoption import RECORD, Adoption
from .ground import Ground, gap
from .mesh_layer import LAYER, bottom_layer

_ATTRIBUTES = (adopted.HEIGHTS, vertex_places.ATTRIBUTE)
"""Names of the attributes that a mesh has while it is a terrain."""

LEAST_HEIGHT = 1e-3
"""Least height scale of the recipe, in meters: of a mesh that is flat."""


@dataclass(frozen=True)
class RecognizedMesh:
    """A mesh that can become a terrain.

    Attributes
    ----------
    adoption : Adoption
    heights : ndarray of shape (vertices,), float32
        In the mesh's own units, in the order of its vertices.
    places : ndarray of shape (vertices,), int64
        Of the vertices in the raveled grid.
    layer : NoiseLayer
        The bottom layer.
    packed : Content
        Of its image.
    relief : float
        From the lowest height to the highest, in meters.
    gap : float
        Former distance of opposite edges in meters, if they are made to meet.
    """

    adoption: Adoption
    heights: Any
    places: Any
    layer: NoiseLayer
    packed: images.Content
    relief: float
    gap: float


def why_not(obj: bpy.types.Object) -> str:
    """Return why a mesh object cannot become a terrain; an empty text if it can, or if only the work can tell."""
    if state.is_terrain(obj):
        return Message("This mesh is a terrain already: add layers to it")
    if obj.get(state.PLANET) or state.is_world(obj):
        return Message("Planets and worlds have layers of their own")
    if meshes.mesh_of(obj).shape_keys is not None:
        return Message("Apply or remove the shape keys first: they cannot follow the layers")
    return ""


def work(
    obj: bpy.types.Object,
    positions: Positions,
    *,
    is_seamless: bool,
    tile: tuple[float, float],
) -> Work:
    """Return the work that gives a `RecognizedMesh` of an object, which is not in Edit Mode.

    The positions are its `meshes.present_positions`. The work raises a ParameterError if the mesh is no
    regular grid seen from above.
    """
    recognize = Ground.read(obj, positions)

    def adopt(progress: Progress, cancel: Cancel) -> RecognizedMesh:
        with cancellable(cancel):
            ground = recognize()
        adoption = _adoption_of(ground, is_seamless=is_seamless, tile=tile)
        local = np.ascontiguousarray(positions[:, 2])
        mesh_form = AdoptedMesh(adoption, ground.vertex_grid.field(local))
        samples = mesh_form.samples()
        progress(0.5)
        layer, stored = bottom_layer(samples, adoption.place)
        apart = gap(mesh_form.heights) * adoption.unit if is_seamless else 0.0
        return RecognizedMesh(
            *(adoption, local, ground.vertex_grid.places, layer, stored.content()),
            relief=float(np.ptp(samples)),
            gap=apart,
        )

    return adopt


def _adoption_of(ground: Ground, *, is_seamless: bool, tile: tuple[float, float]) -> Adoption:
    """Return the record of a mesh whose grid was recognized."""
    grid, meters = ground.vertex_grid, ground.cells.grid.width
    step_x, step_y = meters / (grid.columns - 1), ground.depth * meters / (grid.rows - 1)
    width = float(np.linalg.norm(grid.across)) * (grid.columns - 1)
    return Adoption(
        *(grid.rows, grid.columns, step_x, step_y, ground.unit, width),
        is_seamless=is_seamless,
        tile=(0.0, 0.0) if is_seamless else tile,
        is_turned=grid.across[1] != 0.0,
    )


def adopt(obj: bpy.types.Object, mesh_form: RecognizedMesh) -> None:
    """Make a mesh object, which is not in Edit Mode, a terrain whose only layer is its heights.

    Raises a TerraneError if attributes or vertex groups of the user have the names that are needed.
    """
    mesh, adoption = meshes.mesh_of(obj), mesh_form.adoption
    for name in _ATTRIBUTES:
        if name in mesh.attributes or name in obj.vertex_groups:
            raise ParameterError("{}: the attribute {!r} is in the way: rename it", mesh.name, name)
    meshes.write_maps(mesh, {adopted.HEIGHTS: mesh_form.heights})
    vertex_places.store(mesh, mesh_form.places)
    adoption.store(mesh)
    map_layers.note(mesh, (), None)
    recipe = adoption.resize(
        Recipe(layers=(mesh_form.layer,), height=max(number(mesh_form.relief), LEAST_HEIGHT))
    )
    layer_state = stored_heights.new_state(f"{obj.name} {LAYER}", mesh_form.packed)
    request = terrains.Request(
        recipe, terrains.Measures(**adoption.measures), PLAIN, (layer_state,)
    )
    terrains.remember(obj, request, adoption.vertices)


def release(obj: bpy.types.Object, *, keeps_heights: bool) -> None:
    """Make an ordinary mesh again of one that became a terrain, and is not in Edit Mode.

    Its vertices return to their former heights, to the bit, and the maps go, unless the present ones are kept.
    """
    mesh = meshes.mesh_of(obj)
    if not keeps_heights:
        if AdoptedMesh.of(obj) is None:
            raise TerraneError("{} is no mesh that became a terrain", obj.name)
        positions = meshes.positions_of(mesh)
        positions[:, 2] = meshes.read_attribute(mesh, adopted.HEIGHTS)
        meshes.set_positions(mesh, positions)
        map_layers.write(mesh, {})
    _forget(mesh)
    forget(mesh, map_layers.MAPS_KEY)
    for sharing in [obj for obj in bpy.data.objects if obj.data == mesh]:
        _clear_settings(getattr(sharing, state.PROPERTY))
    compat.update_positions(mesh)


def _clear_settings(group: Any) -> None:
    """Empty the settings of an object that is no terrain any more; the image of its former heights goes."""
    pictures: list[Any] = []
    for entry in layer_list.entries(group):
        if entry.name == LAYER:
            pictures += layers.images_of(layers.state_of(entry)).values()
    group.is_terrain = group.is_filled = False
    layer_list.entries(group).clear()
    ownership.remove_unused(*pictures)


def _forget(mesh: bpy.types.Mesh) -> None:
    """Remove the records that make a mesh a terrain."""
    for name in _ATTRIBUTES:
        if (attribute := mesh.attributes.get(name)) is not None:
            mesh.attributes.remove(attribute)
    mesh.pop(RECORD, None)
    forget(mesh, TERRAIN_KEY)
