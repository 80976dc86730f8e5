# SPDX-License-Identifier: GPL-3.0-or-later
"""Declare a parameter once: default, limits, slider limits, unit and help.

The functions below stand where a dataclass has a default. Their declarations are read by
`Declared.parameters()`, and from there come validation, JSON, Blender's properties, the
panel, the reference page and the tests. Nothing about a parameter is written twice.
Those of noises, masks, layers and curves are in `composed_params`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypedDict, Unpack, cast

from .composed_params import (
    chain,
    curve,
    filters,
    land_curves,
    layer_list,
    noise,
    number_or_noise,
    optional_mask,
    pixels,
    placements,
    relief_map,
)
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
