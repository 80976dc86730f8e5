# SPDX-License-Identifier: GPL-3.0-or-later
"""Declare parameters that are more than a number, a switch or a text: noises, masks, layers, curves and pictures.

`params` offers them beside the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from .checks import CurvePoints
from .declared import Parameter, Unit, declare, declare_within

if TYPE_CHECKING:
    from .arrays import Field

Child = TypeVar("Child")
"""A noise or a map; the modules that define them import this one."""


def curve(default: CurvePoints, *, help: str) -> CurvePoints:
    """Declare control points (x, y) of a curve; at least two, x strictly rising.

    Parameters
    ----------
    default : sequence of pairs of float
        Points (x, y).
    help : str
        One line for tooltips and pages, without a full stop.

    Examples
    --------
    >>> import dataclasses
    >>> from noise_core.base.params import Declared, curve
    >>> @dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
    ... class Profile(Declared):
    ...     key, label = "profile", "Profile"
    ...     points: tuple[tuple[float, float], ...] = curve(
    ...         ((0.0, 0.0), (1.0, 1.0)), help="Height along a section"
    ...     )
    >>> len(Profile(points=((0.0, 0.0), (0.5, 0.8), (1.0, 1.0))).points)
    3
    """
    return cast(CurvePoints, declare(Parameter("curve", default, help)))


def noise(default: Callable[[], Child], *, help: str, advanced: bool = False) -> Child:
    """Declare a child noise; `default` makes it, so that importing a type imports no other.

    Parameters
    ----------
    default : callable
        Makes the default noise; a type serves as well.
    help : str
        One line for tooltips and pages, without a full stop.
    advanced : bool
        Whether panels show it in a part that is closed at first.

    Examples
    --------
    >>> import dataclasses
    >>> from noise_core import Noise
    >>> from noise_core.base.params import Declared, noise
    >>> from noise_core.noises import Perlin
    >>> @dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
    ... class Roughness(Declared):
    ...     key, label = "roughness", "Roughness"
    ...     source: Noise = noise(Perlin, help="The noise that roughens")
    >>> Roughness().source == Perlin()
    True
    """
    return cast("Child", declare(Parameter("noise", default, help, advanced=advanced)))


def number_or_noise(
    default: float,
    *,
    help: str,
    minimum: float = -math.inf,
    maximum: float = math.inf,
    unit: Unit = "none",
) -> Any:
    """Declare a float that a noise may stand in for.

    Parameters
    ----------
    default : float
        Within the limits.
    help : str
        One line for tooltips and pages, without a full stop.
    minimum, maximum : float
        Hard limits of a number; a noise in its place is not checked against them.
    unit : str
        See `number`.

    Examples
    --------
    >>> from noise_core.noises import Blend, Perlin

    The factor of a blend is a number, or a noise that differs from place to place:

    >>> Blend(factor=0.25).factor, Blend(factor=Perlin()).factor == Perlin()
    (0.25, True)
    """
    parameter = Parameter("number_or_noise", float(default), help, unit=unit)
    return declare_within(parameter, (minimum, maximum, None, None))


def pixels(default: Callable[[], Field], *, help: str) -> Field:
    """Declare a stored array of shape (rows, columns), kept as read-only float32.

    Parameters
    ----------
    default : callable
        Makes the default array, of shape (rows, columns).
    help : str
        One line for tooltips and pages, without a full stop.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.noises import Raster

    Stored as read-only float32:

    >>> stored = Raster(pixels=np.eye(2)).pixels
    >>> str(stored.dtype), stored.flags.writeable
    ('float32', False)
    """
    return cast("Field", declare(Parameter("pixels", default, help)))


def relief_map(default: Callable[[], Child], *, help: str) -> Child:
    """Declare a map with one number per sample; `default` makes it.

    Parameters
    ----------
    default : callable
        Makes the default map; a type serves as well.
    help : str
        One line for tooltips and pages, without a full stop.

    Examples
    --------
    >>> from noise_core.maps import Curvature
    >>> from noise_core.masks import MapMask
    >>> MapMask(map=Curvature(radius=50.0)).map.radius
    50.0
    """
    return cast("Child", declare(Parameter("map", default, help)))


def optional_mask(*, help: str) -> Any:
    """Declare a mask, or none.

    Parameters
    ----------
    help : str
        One line for tooltips and pages, without a full stop.

    Examples
    --------
    >>> from noise_core.masks import MapMask
    >>> from noise_core.modifiers import Blur
    >>> Blur().mask is None, Blur(mask=MapMask(low=30.0)).mask.low
    (True, 30.0)
    """
    return declare(Parameter("mask", None, help))


def chain(default: Callable[[], Child], *, help: str) -> Child:
    """Declare a noise that files and panels show as a chain; see `chains`."""
    return cast("Child", declare(Parameter("chain", default, help)))


def filters(*, help: str) -> tuple[Any, ...]:
    """Declare filters in the order in which they are applied, none by default; see `chains`."""
    return cast("tuple[Any, ...]", declare(Parameter("filters", (), help)))


def layer_list(*, help: str) -> tuple[Any, ...]:
    """Declare noise layers and groups from bottom to top, none by default."""
    return cast("tuple[Any, ...]", declare(Parameter("layers", (), help)))


def land_curves(
    default: Callable[[], tuple[Any, ...]], *, help: str, exclusive: bool = False
) -> tuple[Any, ...]:
    """Declare curves on the land: curves themselves, or names of those of the recipe.

    Parameters
    ----------
    default : callable
        Makes the default curves.
    help : str
        One line for tooltips and pages, without a full stop.
    exclusive : bool
        See `Parameter.exclusive`.

    Examples
    --------
    >>> from noise_core.modifiers import Path
    >>> Path(curves=["Pass road"]).curves
    ('Pass road',)
    """
    parameter = Parameter("curves", default, help, exclusive=exclusive)
    return cast("tuple[Any, ...]", declare(parameter))


def placements(default: Callable[[], tuple[Any, ...]], *, help: str) -> tuple[Any, ...]:
    """Declare places of something on the land, as those of objects.

    Parameters
    ----------
    default : callable
        Makes the default placements.
    help : str
        One line for tooltips and pages, without a full stop.

    Examples
    --------
    >>> from noise_core import Placement
    >>> from noise_core.modifiers import Stamp
    >>> len(Stamp(placements=[Placement(at=(0.2, 0.3)), Placement(at=(0.6, 0.7))]).placements)
    2
    """
    return cast("tuple[Any, ...]", declare(Parameter("placements", default, help)))
