# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrain objects: measures, grids, requests and stored settings."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from typing import Any

import bpy
import numpy as np
from bpy_extras.object_utils import object_data_add

from ....noise_core.base.arrays import Field
from ....noise_core.base.errors import ParameterError, RecipeError, TerraneError
from ....noise_core.base.grid import Grid
from ....noise_core.landscapes.look import Look
from ....noise_core.landscapes.preset_library import preset
from ....noise_core.recipes.recipe import Recipe
from ..datablocks import ground, meshes, vertex_places
from ..schema import layer_list, layers, settings, state
from ..schema.exact_numbers import number
from ..schema.keywords import keywords
from ..schema.layers import LayerState
from ..schema.values import read_values, write_values
from ..tasks import installed_memory
from . import mesh_record, regrid
from .user_mesh.grid import UserMeshGrid


@dataclass(frozen=True)
class Measures:
    """Measures of a terrain, as declared in `keywords`; the recipe has the width and the depth."""

    resolution: int
    seamless: bool = False
    tile: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def of(cls, group: Any) -> Measures:
        """Return the measures in a group of settings."""
        return cls(**read_values(group, [keywords()[name] for name in MEASURES]))

    def grid(self, recipe: Recipe) -> Grid:
        """Return the grid on which a recipe is evaluated; `vertex_grid` returns that of the vertices.

        A seamless terrain is the same in every tile.
        """
        extent = {"size": recipe.size, "depth": recipe.depth_ratio}
        for name, value in {**extent, **vars(self)}.items():
            keywords()[name].check(value, "Terrain")
        rows, columns = recipe.grid(self.resolution).shape
        installed_memory.require("Terrain", rows * columns, installed_memory.PER_VERTEX)
        if self.seamless:
            return recipe.grid((rows - 1, columns - 1), wrap=True)
        across, along = self.tile
        depth = (rows - 1) / (columns - 1)
        return recipe.grid((rows, columns), origin=(across, along * depth))


MEASURES = tuple(field.name for field in fields(Measures))


def home(context: bpy.types.Context) -> bpy.types.LayerCollection | None:
    """Return the collection for a new object: the active one, or the nearest parent that can take it.

    None if the scene itself is linked from another file.
    """
    if not context.scene.is_editable:
        return None
    active = context.layer_collection or context.view_layer.active_layer_collection
    if _takes_objects(active):  # fast path: the panel calls this with every redraw
        return active
    return next(
        filter(_takes_objects, _parent_chain(context.view_layer.layer_collection, active)), None
    )


def _parent_chain(
    outer: bpy.types.LayerCollection, inner: bpy.types.LayerCollection
) -> list[bpy.types.LayerCollection]:
    """Return a collection of the view layer and its parents, the outermost last."""
    if outer == inner:
        return [outer]
    chains = (_parent_chain(child, inner) for child in outer.children)
    return next(([*chain, outer] for chain in chains if chain[0] == inner), [outer])


def _takes_objects(layer: bpy.types.LayerCollection) -> bool:
    return layer.collection.is_editable and layer.collection.override_library is None


def add_object(context: bpy.types.Context, mesh: bpy.types.Mesh) -> bpy.types.Object:
    """Add an object with a mesh at the 3D cursor; it becomes the active and only selected object."""
    override: Any = context.temp_override(layer_collection=home(context))
    with override:
        return object_data_add(context, mesh, name=mesh.name)


def built_grid(terrain: bpy.types.Object) -> regrid.Built:
    """Return the grid that a terrain's mesh was last made on.

    The record on the mesh has priority: undo may restore the object's settings but not the mesh.
    """
    if (record := mesh_record.of(meshes.mesh_of(terrain))) is not None:
        return mesh_record.grid_of(record)
    group = getattr(terrain, state.PROPERTY)
    return regrid.Built(group.built_rows, group.built_columns, number(group.built_size))


def grid_points(terrain: bpy.types.Object) -> tuple[regrid.Built, meshes.Positions]:
    """Return the grid of a terrain's mesh, and its vertices, shape (rows, columns, 3).

    Raises a TerraneError if vertices were added or removed by hand, or lie nowhere, or are those of a user's
    mesh that do not lie as Terrane's do.
    """
    built, mesh = built_grid(terrain), meshes.mesh_of(terrain)
    mesh_grid = UserMeshGrid.of(mesh)
    if mesh_grid is not None and not (mesh_grid.is_plain and vertex_places.read(mesh) is None):
        raise TerraneError(
            "Apply rotation and scale of {} first: it needs square cells along X and Y",
            terrain.name,
        )
    if not built.fits(mesh):
        raise TerraneError("{} is no longer the grid that was built: press Update", terrain.name)
    points = meshes.finite_positions_of(terrain)
    return built, points.reshape(built.rows, built.columns, 3)


@dataclass(frozen=True)
class Request:
    """Request for a terrain or an image.

    `preset` names the one that the recipe began with; `states` are those of its layers that the recipe
    does not store: painted masks and solo switches.
    """

    recipe: Recipe
    measures: Measures
    preset: str
    states: tuple[LayerState, ...] = ()

    def grid(self) -> Grid:
        """Return the grid on which the recipe is evaluated; see `Measures.grid`."""
        return self.measures.grid(self.recipe)

    @cached_property
    def text(self) -> str:
        """What identifies the recipe, without the pixels of images; an update reads it several times."""
        return layers.text_of(self.recipe, self.states)

    @property
    def acting(self) -> Recipe:
        """The recipe without the layers that solo switches leave out."""
        return layers.acting(self.recipe, self.states)


LOOK = "terrane_look"
"""Custom property of a terrain: a preset whose look it has got, and the one that it had begun with by then."""


def look_of(obj: bpy.types.Object) -> Look:
    """Return the look of a terrain: by default that of the preset that it began with; the usual one for other objects."""
    if not state.is_terrain(obj):
        return Look()
    try:
        return preset(look_name(obj)).look
    except RecipeError:  # a preset of the user's that is gone
        return Look()


def look_name(terrain: bpy.types.Object) -> str:
    """Return the name of the preset whose look a terrain has."""
    began_with: str = getattr(terrain, state.PROPERTY).preset
    chosen: Any = terrain.get(LOOK, {})
    return str(chosen.get(began_with, began_with))


def give_look(terrain: bpy.types.Object, name: str) -> None:
    """Give a terrain the look of another preset, until its own is changed."""
    began_with = getattr(terrain, state.PROPERTY).preset
    terrain.pop(LOOK, None)
    if name != began_with:
        terrain[LOOK] = {began_with: name}


def present_request(terrain: bpy.types.Object) -> Request:
    """Return the request in a terrain's settings; raise a TerraneError if they cannot be read.

    A user's mesh that became a terrain has its own measures.
    """
    group = getattr(terrain, state.PROPERTY)
    recipe, measures = settings.read(group), Measures.of(group)
    request = Request(recipe, measures, group.preset, settings.states(group))
    return fit_to_mesh(terrain, request)


FIXED = ("size", "depth", *MEASURES)
"""Keywords of the measures that a user's mesh keeps when it becomes a terrain."""


def fit_to_mesh(
    terrain: bpy.types.Object, request: Request, names: Collection[str] = ()
) -> Request:
    """Return a request with the measures of a terrain that was a user's mesh; of others as it is.

    Raises a ParameterError if one of the measures `names` differs from the mesh's.
    """
    mesh_grid = UserMeshGrid.of(meshes.mesh_of(terrain))
    if mesh_grid is None:
        return request
    recipe = mesh_grid.resize(request.recipe)
    fitting = replace(
        request, recipe=recipe, measures=replace(request.measures, **mesh_grid.measures)
    )
    old, new = (
        {
            "size": candidate.recipe.size,
            "depth": candidate.recipe.depth_ratio,
            **vars(candidate.measures),
        }
        for candidate in (request, fitting)
    )
    for name in names:
        if old[name] != new[name] and not _are_close(old[name], new[name]):
            raise ParameterError(
                "Terrain.{} must be {}, as {} keeps its vertices",
                name,
                new[name],
                terrain.name,
                got=old[name],
            )
    return fitting


def _are_close(first: Any, second: Any) -> bool:
    """Return whether two measures are the same in float32."""
    return bool(np.allclose(first, second, rtol=1e-6, atol=0.0))


def vertices_of(terrain: bpy.types.Object, grid: Grid) -> Grid:
    """Return the grid of a terrain's vertices from that of the samples of a request."""
    mesh_grid = UserMeshGrid.of(meshes.mesh_of(terrain))
    return ground.vertex_grid(grid) if mesh_grid is None else mesh_grid.vertices


made_requests: dict[str, Request] = {}
"""Requests that terrains were made of since the file was loaded, by digest, the newest last."""

_KEPT = 4
"""Number of these requests, each of which may hold the pixels of large images."""


def note_request(digest: str, request: Request) -> None:
    """Remember the request behind a terrain's heights; see `made_request`."""
    made_requests[digest] = request
    for old in list(made_requests)[:-_KEPT]:
        del made_requests[old]


def made_request(terrain: bpy.types.Object) -> Request | None:
    """Return the request behind the heights of a terrain; None if it was forgotten.

    The mesh has only its digest. It is known if this session made the heights, or as long as it is
    that of the present settings.
    """
    record = mesh_record.of(meshes.mesh_of(terrain))
    if record is not None and record.digest not in made_requests:
        request = present_request(terrain)
        if mesh_record.digest(request) == record.digest:
            note_request(record.digest, request)
    return None if record is None else made_requests.get(record.digest)


def is_eroded(group: Any) -> bool:
    """Return whether settings have an active modifier; layers of noise need no neighbors.

    It reads no images, because panels call it while they are drawn.
    """
    if not group.is_filled:
        return bool(layers.modifiers_of(settings.default_preset().recipe))
    entries = layer_list.entries(group)
    return any(layers.is_modifier(entry) and not entry.muted for entry in entries)


def remember(
    terrain: bpy.types.Object,
    request: Request,
    grid: Grid,
    height: Field | None = None,
) -> None:
    """Store the settings and the build record of a new terrain; passing the heights saves reading them."""
    digest = mesh_record.digest(request)
    mesh_record.remember(meshes.mesh_of(terrain), digest, grid, height)
    note_request(digest, request)
    store_settings(terrain, request)
    note_grid(terrain, grid)


def store_settings(terrain: bpy.types.Object, request: Request) -> None:
    """Store the settings of a terrain on all objects that share its mesh."""
    switch = getattr(terrain, state.PROPERTY)
    for group in _sharing_groups(terrain):
        settings.write(group, request.recipe, request.states)
        if group.build_to_here != switch.build_to_here or switch.build_to_here:
            layer_list.choose(group, switch.active_layer)
            group.build_to_here = switch.build_to_here
        group.preset = request.preset
        write_values(group, asdict(request.measures))
        if not group.is_terrain:
            group.is_terrain = True


def note_grid(terrain: bpy.types.Object, grid: Grid | regrid.Built) -> None:
    """Store the grid that a terrain's mesh has in the settings of all objects that share it."""
    for group in _sharing_groups(terrain):
        present = (group.built_rows, group.built_columns, number(group.built_size))
        if present != (grid.rows, grid.columns, grid.size):
            sizes = (grid.rows, grid.columns, grid.size)
            group.built_rows, group.built_columns, group.built_size = sizes


def _sharing_groups(terrain: bpy.types.Object) -> list[Any]:
    """Return the groups of settings of the objects that have a terrain's mesh."""
    return [getattr(obj, state.PROPERTY) for obj in bpy.data.objects if obj.data is terrain.data]
