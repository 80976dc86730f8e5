# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of small meshes, such as plants, seen from the side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field

_LAMP = (-0.45, -0.55, 0.70)
"""Direction of the light: from the upper left, before the model."""

_AMBIENT = 0.35

_STEPS = (3, 6, 12, 24, 48, 96, 192)
"""Points along the sides of triangles: as many as the longest of them has pixels, and a few more."""


def model_picture(
    points: Field,
    triangles: npt.NDArray[np.int32],
    materials: npt.NDArray[np.int32],
    colors: Sequence[Sequence[float]],
    side: int = 128,
) -> Field:
    """Return the picture of triangles seen from the south, on a transparent ground.

    Parameters
    ----------
    points : ndarray of shape (n, 3), float32
        Z is up.
    triangles : ndarray of shape (m, 3), int32
    materials : ndarray of shape (m,), int32
        Numbers of colors.
    colors : sequence of colors
        Three channels from 0 to 1 each, as they are shown.
    side : int
        Pixels along each side.

    Returns
    -------
    ndarray of shape (side, side, 4), float32
        Row 0 at the bottom; transparency last.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.pictures.model_picture import model_picture
    >>> sail = np.array([[0, 0, 0], [1, 0, 0], [0, 0, 1]], np.float32)
    >>> picture = model_picture(sail, np.array([[0, 1, 2]]), np.array([0]), [(0.2, 0.6, 0.1)], 32)
    >>> picture.shape, float(picture[1, 2, 3]), float(picture[30, 30, 3])
    ((32, 32, 4), 1.0, 0.0)
    """
    corners = points[triangles]
    edges = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normals = np.cross(*edges)
    lengths = np.sqrt((normals * normals).sum(axis=1, keepdims=True))
    normals = normals / np.maximum(lengths, np.float32(1e-12))
    lit = np.abs((normals * np.array(_LAMP, np.float32)).sum(axis=1))  # leaves have two sides
    shade = np.float32(_AMBIENT) + np.float32(1.0 - _AMBIENT) * lit
    shown = np.asarray(colors, np.float32)[materials] * shade[:, np.newaxis]
    low, high = points.min(axis=0), points.max(axis=0)
    reach = max(float(high[2] - low[2]), float(high[0] - low[0]), 1e-6)
    scale = np.float32(0.94 * (side - 1) / reach)
    longest = np.maximum(*(np.abs(edge).max(axis=1) for edge in edges)) * scale
    level = np.minimum(np.searchsorted(_STEPS, longest), len(_STEPS) - 1)
    middle = np.float32(0.5) * (low[0] + high[0])
    pixels, depths, owners = [], [], []
    for number in np.unique(level):
        (some,) = np.nonzero(level == number)
        places = _places(corners[some, 0], edges[0][some], edges[1][some], _STEPS[number])
        column = (places[..., 0] - middle) * scale + np.float32(0.5 * (side - 1))
        row = (places[..., 2] - low[2]) * scale + np.float32(0.03 * (side - 1))
        pixels.append((np.rint(row) * side + np.rint(column)).astype(np.intp).ravel())
        depths.append(places[..., 1].ravel())
        owners.append(np.repeat(some, places.shape[1]))
    order = np.argsort(-np.concatenate(depths), kind="stable")  # the nearest come last
    pixel = np.concatenate(pixels)[order]
    picture = np.zeros((side * side, 4), np.float32)
    picture[pixel, 3] = 1.0
    picture[pixel, :3] = shown[np.concatenate(owners)[order]]
    return picture.reshape(side, side, 4)


def _places(first: Field, one: Field, other: Field, steps: int) -> Field:
    """Return points on triangles with a corner and two edges, shape (triangles, points, 3)."""
    share = np.arange(steps, dtype=np.float32) / np.float32(steps - 1)
    along, across = (part.ravel() for part in np.meshgrid(share, share))
    within = along + across <= 1.0
    along, across = along[within, np.newaxis], across[within, np.newaxis]
    start = first[:, np.newaxis]
    places: Field = start + along * one[:, np.newaxis] + across * other[:, np.newaxis]
    return places
