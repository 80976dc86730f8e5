# SPDX-License-Identifier: GPL-3.0-or-later
"""Places in space on the ellipsoid WGS 84, and what hides behind its horizon.

References
----------
National Geospatial-Intelligence Agency (2014). Department of Defense World Geodetic System 1984.
Kevin Ring (2013). Horizon culling; Computing the horizon occlusion point. Cesium.
"""

from __future__ import annotations

import numpy as np

from ...types.pyramid import Numbers

RADIUS = 6_378_137.0
"""Of the equator, in meters."""

FLATTENING = 1.0 / 298.257223563

_RADII = np.array([RADIUS, RADIUS, RADIUS * (1.0 - FLATTENING)])

_FARTHEST = 1e3
"""Radii of the Earth at which an occlusion point lies at most: what covers half the Earth has none."""


def to_space(longitude: Numbers, latitude: Numbers, height: Numbers) -> Numbers:
    """Return places in space, in meters from the middle of the Earth.

    Parameters
    ----------
    longitude, latitude : ndarray of shape (n,), float64
        In degrees.
    height : ndarray of shape (n,), float64
        In meters above the ellipsoid.

    Returns
    -------
    ndarray of shape (n, 3), float64
        x through longitude 0, z through the north pole.
    """
    x, y = np.radians(longitude), np.radians(latitude)
    squared = FLATTENING * (2.0 - FLATTENING)
    normal = RADIUS / np.sqrt(1.0 - squared * np.sin(y) ** 2)
    across = (normal + height) * np.cos(y)
    up = (normal * (1.0 - squared) + height) * np.sin(y)
    return np.stack([across * np.cos(x), across * np.sin(x), up], axis=-1)


def bounding_sphere(places: Numbers) -> tuple[Numbers, float]:
    """Return the middle and the radius of a sphere around places in space, shape (n, 3)."""
    middle = 0.5 * (places.min(axis=0) + places.max(axis=0))
    return middle, float(np.sqrt(((places - middle) ** 2).sum(axis=1).max()))


def occlusion_point(places: Numbers, middle: Numbers) -> Numbers:
    """Return the point that is hidden by the Earth only where all places are.

    Parameters
    ----------
    places : ndarray of shape (n, 3), float64
        In space.
    middle : ndarray of shape (3,), float64
        The point lies in its direction from the middle of the Earth.

    Returns
    -------
    ndarray of shape (3,), float64
        In radii of the ellipsoid.
    """
    toward = middle / _RADII
    toward /= np.linalg.norm(toward) or 1.0
    scaled = places / _RADII
    distance = np.linalg.norm(scaled, axis=1)
    direction = scaled / distance[:, np.newaxis]
    distance = np.maximum(distance, 1.0)
    cos_alpha = (direction * toward).sum(axis=1)
    sin_alpha = np.linalg.norm(np.cross(direction, toward), axis=1)
    cos_beta = 1.0 / distance
    sin_beta = np.sqrt(distance * distance - 1.0) * cos_beta
    # Where it is not above 0, no point in that direction sees the place.
    share = cos_alpha * cos_beta - sin_alpha * sin_beta
    return np.asarray(toward / max(float(share.min()), 1.0 / _FARTHEST))
