# SPDX-License-Identifier: GPL-3.0-or-later
"""Editing of the layer list: adding, moving, grouping, naming, muting and solo.

A place is an index in the flat list. An entry is moved, copied and removed with all that it holds.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Collection, Sequence
from typing import Any

from ....noise_core.modifiers.bases.layer import Layer
from ....noise_core.modifiers.bases.modifier import modifier_types
from ....noise_core.noises.bases.noise import noise_types
from ....noise_core.noises.fractal import Fractal
from ....noise_core.recipes.layers import Group, NoiseLayer, free_seed_offset
from . import animation, layer_values, layers, mask_settings
from .layers import ACTIVE, GROUP, LAYERS, LayerState

_NEW_OPACITY = 0.25
"""Opacity of a new noise layer: visible, but not dominant."""

_WITH_OCTAVES = "basic"
"""Family of noises that get a fractal by default."""


# Display


def entries(group: Any) -> Any:
    """Return the list of a group of settings."""
    return getattr(group, LAYERS)


def active_place(group: Any) -> int:
    """Return the place of the layer that the panel shows, -1 if there is none."""
    place = int(getattr(group, ACTIVE))
    return place if 0 <= place < len(entries(group)) else -1


def active_entry(group: Any) -> Any | None:
    """Return the layer that the panel shows, None if there is none."""
    place = active_place(group)
    return None if place < 0 else entries(group)[place]


def choose(group: Any, place: int) -> None:
    """Make the layer at a place the active one, or the nearest one."""
    setattr(group, ACTIVE, max(0, min(place, len(entries(group)) - 1)))


def built_end(group: Any) -> int | None:
    """Return the place after the layer that Build to Here builds to, and its contents; None if that is off.

    Only terrains and images are built so: nothing else keeps what was left out.
    """
    place = active_place(group)
    if place < 0 or not (group.build_to_here and is_built(group)):
        return None
    return layers.end_of(entries(group), place)


def is_built(group: Any) -> bool:
    """Return whether settings are those of a terrain or an image, not of what is made next."""
    return bool(group.is_terrain or group.is_picture)


def is_partial(group: Any) -> bool:
    """Return whether Build to Here leaves out layers that would act."""
    end = built_end(group)
    return end is not None and any(not entry.muted for entry in entries(group)[end:])


def is_masked(entry: Any) -> bool:
    """Return whether a mask limits a layer."""
    return bool(entry.painted_mask) or entry.mask.source != mask_settings.EVERYWHERE


def hidden_places(group: Any) -> set[int]:
    """Return the places of the layers in groups that are folded."""
    collection = entries(group)
    hidden: set[int] = set()
    for place, parent in enumerate(layers.parents(collection)):
        if parent >= 0 and (parent in hidden or collection[parent].is_folded):
            hidden.add(place)
    return hidden


def shown_order(depths: Sequence[int]) -> list[int]:
    """Return the places of layers as the panel lists them: the last to act on top, groups above their layers.

    `depths` are those of the layers from first to last.
    """
    order: list[int] = []
    starts = [place for place, depth in enumerate(depths) if depth == depths[0]]
    for start, stop in reversed(list(zip(starts, [*starts[1:], len(depths)]))):
        members = shown_order(depths[start + 1 : stop])
        order += [start, *(start + 1 + place for place in members)]
    return order


def has_no_ground(group: Any, place: int) -> bool:
    """Return whether a modifier that needs ground has no layer below it that acts."""
    entry = entries(group)[place]
    if not layers.is_modifier(entry) or entry.muted:
        return False
    return all(below.muted for below in entries(group)[:place])


# Names


def names(group: Any) -> list[str]:
    """Return the names of all layers."""
    return [entry.name for entry in entries(group)]


def free_name(preferred_name: str, taken: Collection[str]) -> str:
    """Return an unused name, numbered like Blender's: Hills, Hills.001 and so on."""
    head, dot, digits = preferred_name.rpartition(".")
    stem = head if dot and digits.isdigit() else preferred_name
    counted = (f"{stem}.{count:03d}" for count in itertools.count(1))
    return next(name for name in itertools.chain((preferred_name,), counted) if name not in taken)


def rename(group: Any, entry: Any, name: str) -> None:
    """Rename a layer; an empty name stands for that of its type."""
    entry.name = name or layers.label(entry)
    is_needed = any(
        getattr(*reference) == entry.name
        for layer in entries(group)
        for reference in mask_settings.layer_references(layer.mask)
    )
    entry.is_named = bool(name) or is_needed


def maskable(group: Any) -> list[Any]:
    """Return the layers and groups by whose noise the active layer can be masked.

    The first layer has no name in masks, and no layer is masked by a group that it is part of.
    """
    collection, active = entries(group), active_place(group)
    return [
        entry
        for place, entry in enumerate(collection)
        if place
        and layers.has_chain(entry)
        and not place <= active < layers.end_of(collection, place)
    ]


def make_referable(group: Any, name: str) -> str:
    """Return a name by which a mask can refer to a layer: stored in the layer, and unique.

    A layer that only shows the name of its type gets that name.
    """
    for entry in entries(group)[1:]:
        if entry.name == name and layers.has_chain(entry):
            if not entry.is_named:
                is_shared = sum(label == name for label in names(group)) > 1
                layers.set_name(entry, free_name(name, names(group)) if is_shared else name)
                entry.is_named = True
            return str(entry.name)
    return name


# Adding and removing


def new_layer(group: Any, key: str) -> Layer:
    """Return a new layer of a type: a group, a noise layer by its basis, or a modifier.

    Its seed offset is unique. A noise layer has a fractal if that suits its basis, and a low
    opacity unless it is the first.
    """
    offset = free_seed_offset(entries(group))
    if key == GROUP:
        return Group(name=free_name("Group", names(group)), layers=(), seed_offset=offset)
    if key in modifier_types():
        return modifier_types()[key](seed_offset=offset)
    cls = noise_types()[key]
    is_first = not len(entries(group))
    return NoiseLayer(
        name=free_name(cls.label, names(group)),
        noise=Fractal(source=cls()) if cls.family == _WITH_OCTAVES else cls(),
        mode="add",
        opacity=1.0 if is_first else _NEW_OPACITY,
        seed_offset=0 if is_first else offset,
    )


def add(group: Any, layer: Layer) -> None:
    """Add a layer and make it the active one.

    It is inserted after the active layer, in the same group; at the end of the list if the first
    layer is active; into the active group if that is unfolded. Modifiers are never in a group.
    """
    place, depth = _place_for(group, layer)
    insert(group, place, depth, layer, LayerState())
    choose(group, place)


def add_last(group: Any, layer: Layer) -> Any:
    """Add a layer that acts after all others, make it the active one, and return its entry."""
    place = len(entries(group))
    entry = insert(group, place, 0, layer, LayerState())
    choose(group, place)
    return entry


def insert(group: Any, place: int, depth: int, layer: Layer, state: LayerState) -> Any:
    """Insert a layer before a place; return its entry."""
    collection = entries(group)
    entry = collection.add()
    layer_values.write_entry(entry, layer, state)
    entry.depth = depth
    animation.move(collection, len(collection) - 1, place)
    return collection[place]


def _place_for(group: Any, layer: Layer) -> tuple[int, int]:
    """Return the place and the depth for a new layer."""
    collection = entries(group)
    active = active_place(group)
    if active <= 0 and (not collection or collection[0].type != GROUP):
        return len(collection), 0
    depths = layers.depths(collection)
    if layer.key in modifier_types():
        while depths[active]:
            active = layers.parents(collection)[active]
        return layers.end_of(collection, active), 0
    if collection[active].type == GROUP and not collection[active].is_folded:
        return layers.end_of(collection, active), depths[active] + 1
    return layers.end_of(collection, active), depths[active]


def remove(group: Any) -> None:
    """Remove the active layer with its contents; the one before it becomes active."""
    collection, place = entries(group), active_place(group)
    for _ in range(layers.end_of(collection, place) - place):
        animation.remove(collection, place)
    choose(group, place - 1)


def duplicate(group: Any) -> None:
    """Insert a copy of the active layer and its contents after it; the copy becomes active."""
    collection, place = entries(group), active_place(group)
    stop, depths = layers.end_of(collection, place), layers.depths(collection)
    for offset in range(stop - place):
        old = collection[place + offset]
        layer, state = layer_values.read_entry(old), layers.state_of(old)
        if layer.name:
            layer = dataclasses.replace(layer, name=free_name(layer.name, names(group)))
        switches = old.is_folded, old.active_element
        entry = insert(group, stop + offset, depths[place + offset], layer, state)
        entry.is_folded, entry.active_element = switches
    choose(group, stop)


# Moving and grouping


def move(group: Any, by: int) -> bool:
    """Move the active layer with its contents past its neighbor, into a group or out of one.

    It stays active. Returns whether it could move.
    """
    target = move_target(group, by)
    if target is None:
        return False
    collection, place = entries(group), active_place(group)
    stop, (destination, depth) = layers.end_of(collection, place), target
    deeper = depth - layers.depths(collection)[place]
    for entry in collection[place:stop]:
        entry.depth += deeper
    choose(group, destination if destination <= place else destination - (stop - place))
    if destination > place:  # the same as if the layers that it passes moved up
        place, stop, destination = stop, destination, place
    for offset in range(stop - place):
        animation.move(collection, place + offset, destination + offset)
    return True


def move_target(group: Any, by: int) -> tuple[int, int] | None:
    """Return the place that the active layer would move before, and its depth; None if it cannot move.

    `by` is -1 for up and 1 for down.
    """
    collection, place = entries(group), active_place(group)
    if place < 0:
        return None
    depths, parents = layers.depths(collection), layers.parents(collection)
    depth, stop = depths[place], layers.end_of(collection, place)
    enters = collection[place].type not in modifier_types()
    if by < 0:
        if place == 0:
            return None
        if parents[place] == place - 1:  # first in its group: out of it
            return place - 1, depth - 1
        above = max(sibling for sibling in range(place) if parents[sibling] == parents[place])
        if enters and collection[above].type == GROUP and not collection[above].is_folded:
            return place, depth + 1
        return above, depth
    if stop == len(collection) or depths[stop] < depth:  # last in its group, or in the list
        return (stop, depth - 1) if depth else None
    if enters and collection[stop].type == GROUP and not collection[stop].is_folded:
        return stop + 1, depth + 1
    return layers.end_of(collection, stop), depth


def put_into_group(group: Any) -> None:
    """Put the active layer with its contents into a new group, which becomes active.

    The group takes over the mode and the opacity of the layer.
    """
    collection, place = entries(group), active_place(group)
    stop, depth = layers.end_of(collection, place), layers.depths(collection)[place]
    inner, name = collection[place], free_name("Group", names(group))
    wrapper = Group(name=name, layers=(), mode=inner.mode, opacity=inner.opacity)
    inner.mode, inner.opacity = Group().mode, 1.0
    for entry in collection[place:stop]:
        entry.depth += 1
    entry = insert(group, place, depth, wrapper, LayerState())
    animation.hand_over(collection[place + 1], entry, "opacity")
    choose(group, place)


def take_out_of_group(group: Any) -> None:
    """Remove the active group, or that of the active layer, and keep its layers."""
    collection = entries(group)
    place = active_place(group)
    if collection[place].type != GROUP:
        place = layers.parents(collection)[place]
    stop = layers.end_of(collection, place)
    for entry in collection[place + 1 : stop]:
        entry.depth -= 1
    animation.remove(collection, place)
    choose(group, place)


# Switches


def toggle_mute(group: Any, place: int) -> None:
    """Mute or unmute the layer at a place."""
    entry = entries(group)[place]
    entry.muted = not entry.muted


def toggle_solo(group: Any, place: int) -> None:
    """Make only the layer at a place solo, or none if it was."""
    collection = entries(group)
    is_solo = [index for index, entry in enumerate(collection) if entry.solo] != [place]
    for index, entry in enumerate(collection):
        if entry.solo != (is_solo and index == place):
            entry.solo = is_solo and index == place
