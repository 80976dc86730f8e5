# SPDX-License-Identifier: GPL-3.0-or-later
"""Images of maps, with values from 0 to 1, as in vertex groups, and of the geomorphic figures of a mesh.

Objects and images reference the images of their maps, so renaming does not separate them. (If images
referenced their objects, they would keep them in the file and bring them along when appended.) A
duplicate references the images of the original until its own maps are made.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, cancellable
from ....noise_core.base.errors import Message, ParameterError
from ....noise_core.pictures.relief_figures import labels, measuring, picture
from ....noise_core.rasters.level import Level
from ..datablocks import editing, images, meshes, ownership
from ..datablocks.ground import Ground
from ..datablocks.images import Content
from ..datablocks.linked import is_writable
from ..schema import settings, state
from ..tasks.jobs import Work
from . import catalog

MARK = "terrane_map"
"""Custom property of Terrane's images: no others are overwritten."""

IMAGES = "terrane_map_images"
"""Custom property of objects and images with maps: a group of their images, by label."""

CHANNELS = 4

Limits = tuple[float, float]

FIGURES = "figures"
"""Of the image, among those of a mesh."""

_MEASURING = 0.8
"""Share of the work that measuring takes."""


def unit_values(name: str, field: Field, limits: Limits | None) -> Field:
    """Return a map scaled to the range from 0 to 1 and clipped.

    `limits` are the values that become 0 and 1: by default the limits of the map; for a map without
    limits, its lowest and highest value.
    """
    low, high = limits or catalog.entries()[name].limits
    low = low if math.isfinite(low) else float(field.min())
    high = high if math.isfinite(high) else float(field.max())
    scale = 1.0 / (high - low) if high > low else 0.0
    values = (field - np.float32(low)) * np.float32(scale)
    return np.clip(values, 0.0, 1.0, out=values)


def limits(low: float, high: float) -> Limits | None:
    """Return two numbers as limits, None if they are equal; raise a ParameterError if the first is higher."""
    if low > high:
        raise ParameterError(
            "Maps.low must be at most Maps.high", got=Message("{:g} and {:g}", low, high)
        )
    return (low, high) if low < high else None


def content(values: Field) -> Content:
    """Return a map from 0 to 1, of one channel, three or four, as the content of a packed image.

    Any thread may call this.
    """
    return images.content(values, float_buffer=True)


def write_image(owner: bpy.types.ID, label: str, packed: Content) -> bpy.types.Image:
    """Make an image of a map of an object or an image, or overwrite the existing one."""
    image = _find_image(owner, label)
    if image is not None:
        images.write_content(image, packed)
    else:
        image = images.create_packed_image(_name(owner, label), packed, alpha=True)
        image.use_fake_user = True
        image[MARK] = label
    ownership.note(image, _name(owner, label))
    if is_writable(owner) and _referenced_image(owner, label) != image:
        if not hasattr(owner.get(IMAGES), "keys"):
            owner[IMAGES] = {}
        owner[IMAGES][label] = image
    # The fourth channel is a map, not transparency: it must not darken the others.
    image.alpha_mode = "CHANNEL_PACKED"
    return image


def _name(owner: bpy.types.ID, label: str) -> str:
    return f"{owner.name} {label}"


def _find_image(owner: bpy.types.ID, label: str) -> bpy.types.Image | None:
    """Return the existing image of a map, None if there is none."""

    def is_ours(image: bpy.types.Image) -> bool:
        return image.get(MARK) == label and images.can_be_packed(image)

    image = _referenced_image(owner, label)
    if image is not None and is_ours(image) and not ownership.is_set_aside(image):
        if _whose(image, label) == owner:
            return image
    # The object that referenced an image may be gone.
    unused: bpy.types.Image | None = ownership.find(
        bpy.data.images,
        _name(owner, label),
        lambda image: is_ours(image) and _whose(image, label) is None,
    )
    return unused


def _whose(image: bpy.types.Image, label: str) -> bpy.types.ID | None:
    """Return the owner of an image of a map; all others that reference it are duplicates.

    The owner has the name for which the image was last made, or else the shortest name.
    """
    owners: tuple[bpy.types.ID, ...] = (*bpy.data.objects, *bpy.data.images)
    requested_name = image.get(ownership.ASKED)
    return min(
        (owner for owner in owners if _referenced_image(owner, label) == image),
        key=lambda owner: (_name(owner, label) != requested_name, len(owner.name), owner.name),
        default=None,
    )


def _referenced_image(owner: bpy.types.ID, label: str) -> bpy.types.Image | None:
    """Return the image of a map that an owner references, None if there is none."""
    references: Any = owner.get(IMAGES)
    image = references.get(label) if hasattr(references, "keys") else None
    return image if isinstance(image, bpy.types.Image) else None


def splat(channels: Sequence[Field | None]) -> Field:
    """Return up to four maps from 0 to 1 as the channels of one field; missing channels are 0."""
    present = {place: field for place, field in enumerate(channels) if field is not None}
    if not present or len(channels) > CHANNELS:
        raise ParameterError("a splat map has 1 to {} maps", CHANNELS, got=len(present))
    result = np.zeros((*next(iter(present.values())).shape, CHANNELS), np.float32)
    for channel, field in present.items():
        result[..., channel] = field
    return result


def figures_work(obj: bpy.types.Object) -> Work:
    """Return the work that measures a mesh as it is, and gives the `Content` of the picture."""
    with editing.object_mode(bpy.context, obj):
        positions = meshes.present_positions(obj)
        recognize = Ground.read(obj, positions)
    name, sea = obj.name, _sea_of(obj)

    def draw(progress: Progress, cancel: Cancel) -> Content:
        with cancellable(cancel):
            land = recognize()
            height = land.heights(np.ascontiguousarray(positions[:, 2]))
            level = Level.from_grid(land.cells.grid)
            figures = measuring.measure(height, level, sea)
        progress(_MEASURING)
        pixels = picture.draw_figures(figures, name, labels.samples_of(level))
        return images.content(pixels[::-1], float_buffer=False, is_color=True)

    return draw


def _sea_of(obj: bpy.types.Object) -> float:
    """Return the level of the sea that a terrain's rivers end in, in meters; -inf if there is none."""
    if not state.is_terrain(obj):
        return -math.inf
    return measuring.sea_of(settings.acting(getattr(obj, state.PROPERTY)))
