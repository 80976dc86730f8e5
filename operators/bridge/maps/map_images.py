# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps become images: their values are brought to 0 to 1, as for vertex groups."""

from __future__ import annotations

import math
from collections.abc import Sequence

import bpy
import numpy as np

from ....noise_core.arrays import Field
from ....noise_core.errors import ParameterError
from .. import images
from ..images import Content
from . import catalogue

MARK = "terrane_map"
"""Custom property of the images that are ours: only these are written again."""

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
    low, high = given or catalogue.entries()[name].limits
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
        raise ParameterError(f"maps.low must be at most maps.high; got {low:g} and {high:g}")
    return (low, high) if low < high else None


def content(values: Field) -> Content:
    """Return a map as it is packed; any thread may do it.

    Parameters
    ----------
    values : ndarray of shape (rows, columns) or (rows, columns, channels), float32
        From 0 to 1; one channel, three or four.
    """
    return images.content(values, float_buffer=True)


def write_image(owner: str, label: str, packed: Content) -> bpy.types.Image:
    """Make an image of a map, or write the one that was made of it before.

    Parameters
    ----------
    owner, label : str
        Of what it is a map, and which.
    packed : Content
        See `content`.
    """
    name = f"{owner} {label}"
    image = bpy.data.images.get(name)
    if image is not None and image.get(MARK) == label and images.can_be_packed(image):
        images.write_content(image, packed)
    else:
        image = images.new_packed(name, packed, alpha=True)
        image.use_fake_user = True
        image[MARK] = label
    # The fourth channel is a map like the others, and must not darken them.
    image.alpha_mode = "CHANNEL_PACKED"
    return image


def splat(channels: Sequence[Field | None]) -> Field:
    """Return up to four maps from 0 to 1 as the channels of one field; where there is none it is 0.

    Raises
    ------
    ParameterError
        If there are more, or none at all.
    """
    present = [field for field in channels if field is not None]
    if not present or len(channels) > CHANNELS:
        raise ParameterError(f"a splat map has 1 to {CHANNELS} maps; got {len(present)}")
    result = np.zeros((*present[0].shape, CHANNELS), np.float32)
    for channel, field in enumerate(channels):
        if field is not None:
            result[..., channel] = field
    return result
