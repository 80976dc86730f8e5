# SPDX-License-Identifier: GPL-3.0-or-later
"""Declare a parameter once: default, limits, slider limits, unit and help.

The functions below stand where a dataclass has a default. Their declarations are read by
`Declared.parameters()`, and from there come validation, JSON, Blender's properties, the
panel, the reference page and the tests. Nothing about a parameter is written twice.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack, cast

from .checks import CurvePoints
from .declared import (
    Condition,
    Declared,
    Kind,
    Parameter,
    Unit,
    declare,
    declare_within,
    title_of,
)

__all__ = [
    "Condition",
    "Declared",
    "Kind",
    "Parameter",
    "Shared",
    "Unit",
    "bearing",
    "boolean",
    "cells_per_tile",
    "chain",
    "choice",
    "curve",
    "filters",
    "land_curves",
    "integer",
    "layer_list",
    "noise",
    "number",
    "number_or_noise",
    "optional_mask",
    "pixels",
    "placements",
    "relief_map",
    "text",
    "title_of",
    "vector",
]

if TYPE_CHECKING:
    from .arrays import Field

Child = TypeVar("Child")
"""A noise or a map; the modules that define them import this one."""


class Shared(TypedDict, total=False):
    """Keywords of most declarations; see `Parameter`."""

    label: str
    visible_when: Condition | None
    advanced: bool
    automatic: str | tuple[float, str]


def number(
    default: float,
    *,
    help: str,
    minimum: float = -math.inf,
    maximum: float = math.inf,
    soft_minimum: float | None = None,
    soft_maximum: float | None = None,
    unit: Unit = "none",
    **shared: Unpack[Shared],
) -> float:
    """Declare a float within [minimum, maximum]; the soft limits are the slider's.

    Parameters
    ----------
    default : float
        Within the limits.
    help : str
        One line for tooltips and pages, without a full stop; it names the unit.
    minimum, maximum : float
        Hard limits; a value outside raises a `ParameterError`.
    soft_minimum, soft_maximum : float, optional
        Limits of the slider; the hard ones if not given.
    unit : {"none", "length", "width", "angle", "factor", "frequency", "color", "display_color"}
        How it is shown: angles in degrees, lengths in meters or tiles.
    **shared
        See `Shared`.

    Examples
    --------
    >>> import dataclasses
    >>> from noise_core.base.params import Declared, number
    >>> @dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
    ... class Dune(Declared):
    ...     key, label = "dune", "Dune"
    ...     height: float = number(
    ...         5.0, help="Height of the crest, in meters", minimum=0.0, maximum=500.0, unit="length"
    ...     )
    >>> Dune().height, Dune(height=20).height
    (5.0, 20.0)
    >>> Dune.parameters()[0].maximum
    500.0
    """
    parameter = Parameter("number", float(default), help, unit=unit, **shared)
    return cast(float, declare_within(parameter, (minimum, maximum, soft_minimum, soft_maximum)))


def integer(
    default: int,
    *,
    help: str,
    minimum: int,
    maximum: int,
    soft_minimum: int | None = None,
    soft_maximum: int | None = None,
    **shared: Unpack[Shared],
) -> int:
    """Declare an int within [minimum, maximum]; the soft limits are the slider's.

    Parameters
    ----------
    default : int
        Within the limits.
    help : str
        One line for tooltips and pages, without a full stop.
    minimum, maximum : int
        Hard limits; a value outside raises a `ParameterError`.
    soft_minimum, soft_maximum : int, optional
        Limits of the slider; the hard ones if not given.
    **shared
        See `Shared`.

    Examples
    --------
    >>> import dataclasses
    >>> from noise_core.base.params import Declared, integer
    >>> @dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
    ... class Stairs(Declared):
    ...     key, label = "stairs", "Stairs"
    ...     steps: int = integer(8, help="Number of steps", minimum=1, maximum=1024, soft_maximum=32)
    >>> Stairs(steps=12).steps
    12
    """
    parameter = Parameter("integer", int(default), help, **shared)
    return cast(int, declare_within(parameter, (minimum, maximum, soft_minimum, soft_maximum)))


def cells_per_tile(
    default: float = 8.0,
    *,
    soft_minimum: float = 0.5,
    soft_maximum: float = 64.0,
) -> float:
    """Declare the frequency of a noise with cells.

    Parameters
    ----------
    default : float
        Cells per tile.
    soft_minimum, soft_maximum : float
        Limits of the slider; the hard ones are 1e-4 and 1e6.
    """
    return number(
        default,
        help="Cells per tile; whole numbers tile without being rounded",
        minimum=1e-4,
        maximum=1e6,
        soft_minimum=soft_minimum,
        soft_maximum=soft_maximum,
        unit="frequency",
    )


def bearing(
    default: float,
    *,
    help: str,
    **shared: Unpack[Shared],
) -> float:
    """Declare a direction on the map; the sentence of the help is completed with its unit.

    Parameters
    ----------
    default : float
        In degrees counterclockwise from the x axis, in [-360, 360].
    help : str
        Names the wind, slope or wave that goes there, without the unit.
    **shared
        See `Shared`.
    """
    return number(
        default,
        help=f"{help}, in degrees counterclockwise from the X axis",
        minimum=-360.0,
        maximum=360.0,
        unit="angle",
        **shared,
    )


def boolean(
    default: bool,
    *,
    help: str,
    **shared: Unpack[Shared],
) -> bool:
    """Declare a switch.

    Parameters
    ----------
    default : bool
    help : str
        One line for tooltips and pages, without a full stop.
    **shared
        See `Shared`.

    Examples
    --------
    >>> import dataclasses
    >>> from noise_core.base.params import Declared, boolean
    >>> @dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
    ... class Sea(Declared):
    ...     key, label = "sea", "Sea"
    ...     waves: bool = boolean(True, help="Let waves wear the shore")
    >>> Sea().waves
    True
    """
    return cast(bool, declare(Parameter("boolean", default, help, **shared)))


def choice(
    default: str,
    *,
    help: str,
    options: Mapping[str, str],
    classic: tuple[str, ...] = (),
    **shared: Unpack[Shared],
) -> str:
    """Declare one of several keys; `options` maps each key to its one-line help.

    Parameters
    ----------
    default : str
        One of the keys.
    help : str
        One line for tooltips and pages, without a full stop.
    options : mapping of str to str
        The keys, which stand in saved files, each with one line of help.
    classic : tuple of str
        See `Parameter.classic`.
    **shared
        See `Shared`.

    Examples
    --------
    >>> import dataclasses
    >>> from noise_core.base.params import Declared, choice
    >>> @dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
    ... class Roof(Declared):
    ...     key, label = "roof", "Roof"
    ...     shape: str = choice("gable", help="Form", options={"gable": "Two sides", "hip": "Four"})
    >>> Roof(shape="hip").shape, list(Roof.parameters()[0].options)
    ('hip', ['gable', 'hip'])
    """
    parameter = Parameter("choice", default, help, options=options, classic=classic, **shared)
    return cast(str, declare(parameter))


def vector(
    default: tuple[float, ...],
    *,
    help: str,
    minimum: float = -math.inf,
    maximum: float = math.inf,
    unit: Unit = "none",
    **shared: Unpack[Shared],
) -> tuple[float, ...]:
    """Declare as many floats as the default has, each within [minimum, maximum].

    Parameters
    ----------
    default : tuple of float
        Its length is that of all values.
    help : str
        One line for tooltips and pages, without a full stop; it names the unit.
    minimum, maximum : float
        Hard limits of each number.
    unit : str
        See `number`; "color" for three linear channels in [0, 1].
    **shared
        See `Shared`.

    Examples
    --------
    >>> import dataclasses
    >>> from noise_core.base.params import Declared, vector
    >>> @dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
    ... class Lamp(Declared):
    ...     key, label = "lamp", "Lamp"
    ...     place: tuple[float, ...] = vector((0.0, 0.0), help="Position in tiles, x and y")
    >>> Lamp(place=(0.5, 0.25)).place
    (0.5, 0.25)
    """
    parameter = Parameter("vector", default, help, unit=unit, size=len(default), **shared)
    return cast("tuple[float, ...]", declare_within(parameter, (minimum, maximum, None, None)))


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


def text(default: str, *, help: str) -> str:
    """Declare a line of text; see `checks.LONGEST_TEXT`.

    Parameters
    ----------
    default : str
    help : str
        One line for tooltips and pages, without a full stop.

    Examples
    --------
    >>> from noise_core.masks import LayerMask
    >>> LayerMask(layer="Island").layer
    'Island'
    """
    return cast(str, declare(Parameter("text", default, help)))


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


def land_curves(default: Callable[[], tuple[Any, ...]], *, help: str) -> tuple[Any, ...]:
    """Declare curves on the land: curves themselves, or names of those of the recipe.

    Parameters
    ----------
    default : callable
        Makes the default curves.
    help : str
        One line for tooltips and pages, without a full stop.

    Examples
    --------
    >>> from noise_core.modifiers import Path
    >>> Path(curves=["Pass road"]).curves
    ('Pass road',)
    """
    return cast("tuple[Any, ...]", declare(Parameter("curves", default, help)))


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
