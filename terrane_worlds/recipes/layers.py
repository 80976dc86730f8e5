# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers of a recipe in tiles: the land that they make.

Layers that need no neighbors are computed where they are read (`sources`). Modifiers, and masks that read the
ground, are done by the functions of `modifiers/` and `maps/` for their types.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from pathlib import Path

from noise_core.maps.bases.map import Map, map_types
from noise_core.modifiers.bases.layer import Layer
from noise_core.modifiers.bases.modifier import Modifier
from noise_core.recipes.layered_land import LayeredLand
from noise_core.recipes.layers import BlendedLayer, number_layers
from noise_core.recipes.recipe import Recipe

from .. import maps, modifiers
from ..base.tiling import Window
from ..tiles.fields import TiledField, remove_unused
from ..tiles.land import Land
from ..tiles.sources import Added, EvaluatedTiles, LaidOver, Mixed, Place, Source, fields_of
from .masks import LayerType, ground_maps, with_fields

Ground = LayeredLand[Source]
"""A land as far as it is made; its fields are read in windows."""


@dataclasses.dataclass(frozen=True)
class _Keep:
    """Write the values of a source into a field, tile by tile."""

    source: Source
    field: TiledField

    def __call__(self, tile: Window) -> None:
        self.field.write(tile, self.source.read(tile))


def build_ground(recipe: Recipe, land: Land) -> Ground:
    """Return the land of a recipe; each layer that needs neighbors is done now, the others when read.

    Fields that no later layer reads are removed on the way, and so are maps that the land does not want.

    Parameters
    ----------
    recipe : Recipe
        One that `refusals.check_recipe` has let pass.
    land : Land

    Raises
    ------
    TerraneError
        If files cannot be written, or workers die.
    """
    rows = list(number_layers(recipe.layers))
    active = [place for place, (_, layer) in enumerate(rows) if not layer.muted]
    begin = next((place for place in active if rows[place][1].needs_neighbors), len(rows))
    ground = Ground(EvaluatedTiles(Place(_mute_from(recipe, begin), land.grid)))
    place = Place(recipe, land.grid)
    finished: list[Path] = []
    for number, layer in (rows[index] for index in active if index >= begin):
        part = land.enter(f"{number}_{layer.key}")
        add = functools.partial(_finish_layer, ground, layer, number, place, part)
        ground = land.engine.remember(f"{number}_{layer.key}", add)
        finished.append(part.folder)
        _remove_stale(finished, ground)
    return ground


def read_maps(names: Sequence[str], ground: Ground, land: Land) -> dict[str, Source]:
    """Return maps by their names: those that modifiers made, or those of types, read off the ground.

    Raises
    ------
    TerraneError
        See `build_ground`.
    """
    sources: dict[str, Source] = {}
    for name in names:
        if name in ground.maps:
            sources[name] = ground.maps[name]
        else:
            height = keep(ground.height, land.enter("maps"))
            sources[name] = _read_map(map_types()[name](), land.enter(f"map_{name}"), height)
    return sources


def keep(source: Source, land: Land) -> TiledField:
    """Return a field with the values of a source, or the source itself if it is a field."""
    if isinstance(source, TiledField):
        return source
    field = land.new_field("ground", "float32")
    land.engine.derive("ground", _Keep(source, field), [field])
    return field


def _mute_from(recipe: Recipe, place: int) -> Recipe:
    """Return a recipe without its layers from a place on; masks may still name them."""
    muted = tuple(dataclasses.replace(layer, muted=True) for layer in recipe.layers[place:])
    return dataclasses.replace(recipe, layers=(*recipe.layers[:place], *muted))


def _finish_layer(ground: Ground, layer: Layer, number: int, place: Place, land: Land) -> Ground:
    """Return the ground with one more layer, whose fields are on the disk."""
    result = _add_layer(ground, layer, number, place, land)
    for field in fields_of(result) - fields_of(ground):
        field.flush()
    return result


def _add_layer(ground: Ground, layer: Layer, number: int, place: Place, land: Land) -> Ground:
    """Return the ground with one more layer."""
    if isinstance(layer, BlendedLayer):
        lower = keep(ground.height, land) if layer.needs_neighbors else ground.height
        over = LaidOver(place, lower, _with_maps(layer, lower, land), number)
        return dataclasses.replace(ground, height=over)
    assert isinstance(layer, Modifier)
    ground_height = keep(ground.height, land)
    make = modifiers.REGISTRY.find(layer, "Recipe.layers")
    changed, made = make(
        layer, land.enter("relief"), ground_height, layer.seed_in(place.recipe.seed)
    )
    layer_maps = {name: field for name, field in made.items() if land.wants(name)}
    height: Source = changed
    new: dict[str, Source] = dict(layer_maps)
    if layer.mask is not None or layer.opacity != 1.0:
        readable = _with_maps(layer, ground_height, land)
        height = Mixed(place, readable, ground_height, changed)
        for name in layer_maps.keys() & layer.amounts:
            new[name] = Mixed(place, readable, ground_height, changed, {name: layer_maps[name]})
    return ground.after(layer, height, new, Added)


def _with_maps(layer: LayerType, ground: Source, land: Land) -> LayerType:
    """Return a layer whose masks read maps that were made of the ground, each once."""
    fields: dict[Map, TiledField] = {}
    for number, relief_map in enumerate(dict.fromkeys(ground_maps(layer))):
        assert isinstance(ground, TiledField)
        fields[relief_map] = _read_map(relief_map, land.enter(f"mask_{number}"), ground)
    return with_fields(layer, fields.__getitem__) if fields else layer


def _read_map(relief_map: Map, land: Land, height: TiledField) -> TiledField:
    return maps.REGISTRY.find(relief_map, "maps")(relief_map, land, height)


def _remove_stale(finished: Sequence[Path], ground: Ground) -> None:
    """Remove the fields of finished layers that a ground does not read."""
    used = {field.folder for field in fields_of(ground)}
    for layer in finished:
        remove_unused(layer, used)
