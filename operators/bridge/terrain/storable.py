# SPDX-License-Identifier: GPL-3.0-or-later
"""Conversion of baked maps to the forms in which they are stored, callable in any thread."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from ..datablocks.images import Content
from ..datablocks.vertex_groups import Weights
from . import catalog, map_images
from .baking import Baked
from .map_images import Limits

SPLAT = "splat"
"""Label of the image with several maps as channels."""


@dataclass(frozen=True)
class Storable:
    """Stored forms of maps.

    Attributes
    ----------
    attributes : mapping of str to ndarray
        Values of the vertices by name, in the maps' own units.
    groups : mapping of str to ndarray of shape (vertices,)
        From 0 to 1, by name.
    images : mapping of str to Content
        By label.
    """

    attributes: Mapping[str, Weights]
    groups: Mapping[str, Weights]
    images: Mapping[str, Content]


def storable_maker(
    baked: Baked,
    names: Collection[str],
    channels: Sequence[str],
    limits: Limits | None,
    *,
    has_attributes: bool,
    has_images: bool,
    has_groups: bool,
) -> Callable[[], Storable]:
    """Return a function that makes a `Storable` of maps.

    Parameters
    ----------
    baked : Baked
        The maps.
    names : collection of str
        The maps to store individually.
    channels : sequence of str
        The maps of a splat map, in the order of its channels; a map that was not made leaves its
        channel empty. No splat map is made if there are none.
    limits : tuple of two floats, optional
        See `map_images.unit_values`.
    has_attributes, has_images, has_groups : bool
        The requested forms.
    """

    def make() -> Storable:
        own = {name: field for name, field in baked.fields.items() if name in names}
        shown = own if has_images or has_groups else {}
        units = {
            name: map_images.unit_values(name, field, limits)
            for name, field in baked.fields.items()
            if name in shown or name in channels
        }
        images = {name: map_images.content(baked.texels(units[name])) for name in own if has_images}
        if channels:
            splat = map_images.splat([*map(units.get, channels)])
            images[SPLAT] = map_images.content(baked.texels(splat))
        masks = [name for name in own if has_groups and name in catalog.masks()]
        vertices = baked.ground.vertices
        return Storable(
            {name: vertices(field) for name, field in own.items() if has_attributes},
            {name: vertices(units[name]) for name in masks},
            images,
        )

    return make
