# SPDX-License-Identifier: GPL-3.0-or-later
"""Views of a land beside that of its preset's picture."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

from ..base.errors import ParameterError
from .scene import Camera

_BACK, _OVER = 0.28, 0.34
"""How far behind the preset's camera an overview stands, and how high, in widths."""

_BORDER = 0.2
"""How far off the land an overview stands at most, in widths."""

_LOW = 0.004
"""Height of a camera near the ground, in widths."""

_LONG = 2.4
"""How much longer a lens is that shows the subject alone."""


def _overview(camera: Camera) -> Camera:
    """Return a camera high behind another one, over the middle of the land."""
    away = [one - other for one, other in zip(camera.eye, (0.5, 0.5))]
    far = math.hypot(*away) or 1.0
    eye = tuple(
        min(max(one + _BACK * part / far, -_BORDER), 1.0 + _BORDER)
        for one, part in zip(camera.eye, away)
    )
    return Camera(eye=eye, target=(0.5, 0.5), lift=_OVER, lens=30.0)


def _low(camera: Camera) -> Camera:
    """Return a camera near the ground at the same place, with a wide lens."""
    return dataclasses.replace(camera, lift=_LOW, aim=max(camera.aim, _LOW), lens=24.0)


def _subject(camera: Camera) -> Camera:
    """Return a camera at the same place with a long lens."""
    return dataclasses.replace(camera, lens=_LONG * camera.lens)


VIEWS: Mapping[str, str] = MappingProxyType(
    {
        "preset": "As in the preset's preview",
        "overview": "All of the terrain, from high above",
        "low": "From the same place near the ground, with a wide lens",
        "subject": "From the same place, with a long lens",
    }
)
"""Help on each view by its name."""

_OF: Mapping[str, Callable[[Camera], Camera]] = MappingProxyType(
    {
        "preset": lambda camera: camera,
        "overview": _overview,
        "low": _low,
        "subject": _subject,
    }
)


def view_of(camera: Camera, name: str) -> Camera:
    """Return the camera of a view.

    Parameters
    ----------
    camera : Camera
        That of the preset's picture.
    name : str
        One of `VIEWS`.

    Raises
    ------
    ParameterError
        If there is no such view.

    Examples
    --------
    >>> from noise_core.landscapes.scene import Camera
    >>> from noise_core.landscapes.views import view_of
    >>> view_of(Camera(lens=30.0), "subject").lens
    72.0
    """
    if name not in _OF:
        raise ParameterError("{} must be one of {}", "view", ", ".join(VIEWS), got=name)
    return _OF[name](camera)
