# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps become images and vertex groups: for both, their values are brought to 0 to 1."""

from __future__ import annotations

import math
from collections.abc import Mapping

import bpy
import numpy as np
import numpy.typing as npt

from ...noise_core.arrays import Field
from ...noise_core.errors import ParameterError
from . import catalogue, images, meshes
from .weights import write_weights

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


def write_image(owner: str, label: str, values: Field) -> bpy.types.Image:
    """Make an image of a map, or write the one that was made of it before.

    Parameters
    ----------
    owner, label : str
        Of what it is a map, and which.
    values : ndarray of shape (rows, columns) or (rows, columns, channels), float32
        From 0 to 1; one channel, three or four.
    """
    name = f"{owner} {label}"
    packed = images.content(values, float_buffer=True)
    image = bpy.data.images.get(name)
    if image is not None and image.get(MARK) == label and image.library is None:
        images.write_content(image, packed)
    else:
        image = images.new_packed(name, packed, alpha=True)
        image.use_fake_user = True
        image[MARK] = label
    # The fourth channel is a map like the others, and must not darken them.
    image.alpha_mode = "CHANNEL_PACKED"
    return image


def splat(chosen: Mapping[str, Field]) -> Field:
    """Return up to four maps from 0 to 1 as the channels of one field; the rest is 0.

    Raises
    ------
    ParameterError
        If there are more, or one has several channels itself.
    """
    if not 1 <= len(chosen) <= CHANNELS:
        raise ParameterError(f"a splat map has 1 to {CHANNELS} maps; got {len(chosen)}")
    for name, field in chosen.items():
        if field.ndim != 2:
            raise ParameterError(f"a splat map needs maps of one channel; got {name!r}")
    result = np.zeros((*next(iter(chosen.values())).shape, CHANNELS), np.float32)
    for channel, field in enumerate(chosen.values()):
        result[..., channel] = field
    return result


def write_group(thing: bpy.types.Object, name: str, weights: npt.NDArray[np.float32]) -> None:
    """Make a vertex group of a map, or write the one of that name anew.

    Raises
    ------
    ParameterError
        If that one is locked.
    """
    group = thing.vertex_groups.get(name)
    if group is None:
        group = thing.vertex_groups.new(name=name)
    elif group.lock_weight:
        raise ParameterError(f"{thing.name}: the vertex group {name!r} is locked")
    else:
        group.remove(range(len(meshes.mesh_of(thing).vertices)))
    write_weights(group, weights)
