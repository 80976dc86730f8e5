# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps become images: their values are brought to 0 to 1, as for vertex groups.

Whatever has such images points to them, so that they stay its own when it is renamed. An image that
pointed to its object would keep it in the file, and bring it along wherever the image goes. A duplicate
points to the images of the original, and gets its own when its maps are made.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.errors import ParameterError
from ..datablocks import images, ownership
from ..datablocks.editing import is_writable
from ..datablocks.images import Content
from . import catalog

MARK = "terrane_map"
"""Custom property of the images that are ours: only these are written again."""

IMAGES = "terrane_map_images"
"""Custom property of what has maps: a group with the images, by label."""

CHANNELS = 4

Limits = tuple[float, float]


def unit_values(name: str, field: Field, given: Limits | None) -> Field:
    """Return a map from 0 to 1, cut off there.

    Parameters
    ----------
    name : str
        Of the map.
    field : ndarray of shape (rows, columns) or (rows, columns, channels), float32
        Its values.
    given : tuple of two floats, optional
        Which values become 0 and 1. If not given, those that the map can reach at most; where it
        has no such limits, the least and the largest that are there.
    """
    low, high = given or catalog.entries()[name].limits
    low = low if math.isfinite(low) else float(field.min())
    high = high if math.isfinite(high) else float(field.max())
    scale = 1.0 / (high - low) if high > low else 0.0
    values = (field - np.float32(low)) * np.float32(scale)
    return np.clip(values, 0.0, 1.0, out=values)


def limits(low: float, high: float) -> Limits | None:
    """Return the limits that two numbers give; none if they are equal.

    Raises
    ------
    ParameterError
        If the first is higher.
    """
    if low > high:
        raise ParameterError("maps.low must be at most maps.high; got {:g} and {:g}", low, high)
    return (low, high) if low < high else None


def content(values: Field) -> Content:
    """Return a map as it is packed; any thread may do it.

    Parameters
    ----------
    values : ndarray of shape (rows, columns) or (rows, columns, channels), float32
        From 0 to 1; one channel, three or four.
    """
    return images.content(values, float_buffer=True)


def write_image(owner: bpy.types.ID, label: str, packed: Content) -> bpy.types.Image:
    """Make an image of a map, or write the one that was made of it before.

    Parameters
    ----------
    owner : Object or Image
        Of what it is a map.
    label : str
        Which.
    packed : Content
        See `content`.
    """
    image = _find_image(owner, label)
    if image is not None:
        images.write_content(image, packed)
    else:
        image = images.create_packed_image(_name(owner, label), packed, alpha=True)
        image.use_fake_user = True
        image[MARK] = label
    ownership.note(image, _name(owner, label))
    _reference(owner, label, image)
    # The fourth channel is a map like the others, and must not darken them.
    image.alpha_mode = "CHANNEL_PACKED"
    return image


def _name(owner: bpy.types.ID, label: str) -> str:
    return f"{owner.name} {label}"


def _find_image(owner: bpy.types.ID, label: str) -> bpy.types.Image | None:
    """Return the image that was made of a map before, None if there is none."""

    def is_ours(image: bpy.types.Image) -> bool:
        return image.get(MARK) == label and images.can_be_packed(image)

    own = _referenced_image(owner, label)
    if own is not None and is_ours(own) and not ownership.is_set_aside(own):
        if _whose(own, label) == owner:
            return own
    # Nothing pointed to it in files of older versions, and its object may be gone.
    found: bpy.types.Image | None = ownership.find(
        bpy.data.images,
        _name(owner, label),
        lambda image: is_ours(image) and _whose(image, label) is None,
    )
    return found


def _whose(image: bpy.types.Image, label: str) -> bpy.types.ID | None:
    """Return of what an image is a map: of those that point to it, all but one are duplicates.

    The original has the name that the image was last made under, or else the shortest.
    """
    things: tuple[bpy.types.ID, ...] = (*bpy.data.objects, *bpy.data.images)
    asked = image.get(ownership.ASKED)
    return min(
        (one for one in things if _referenced_image(one, label) == image),
        key=lambda one: (_name(one, label) != asked, len(one.name), one.name),
        default=None,
    )


def _referenced_image(owner: bpy.types.ID, label: str) -> bpy.types.Image | None:
    """Return the image of a map that something points to, None if there is none."""
    noted: Any = owner.get(IMAGES)
    image = noted.get(label) if hasattr(noted, "keys") else None
    return image if isinstance(image, bpy.types.Image) else None


def _reference(owner: bpy.types.ID, label: str, image: bpy.types.Image) -> None:
    if not is_writable(owner) or _referenced_image(owner, label) == image:
        return
    if not hasattr(owner.get(IMAGES), "keys"):
        owner[IMAGES] = {}
    owner[IMAGES][label] = image


def splat(channels: Sequence[Field | None]) -> Field:
    """Return up to four maps from 0 to 1 as the channels of one field; where there is none it is 0.

    Raises
    ------
    ParameterError
        If there are more, or none at all.
    """
    present = [field for field in channels if field is not None]
    if not present or len(channels) > CHANNELS:
        raise ParameterError("a splat map has 1 to {} maps; got {}", CHANNELS, len(present))
    result = np.zeros((*present[0].shape, CHANNELS), np.float32)
    for channel, field in enumerate(channels):
        if field is not None:
            result[..., channel] = field
    return result
