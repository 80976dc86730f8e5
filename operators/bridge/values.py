# SPDX-License-Identifier: GPL-3.0-or-later
"""The values of properties become those of the core, and back, without losing a bit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ...noise_core.errors import ParameterError, RecipeError
from ...noise_core.json_texts import json_value
from ...noise_core.noise import Noise
from ...noise_core.params import Parameter
from .datablocks import images


def json_parameters(text: str) -> dict[str, Any]:
    """Return the values that JSON text gives by the names of parameters, none of them checked yet.

    Raises
    ------
    ParameterError
        If it is no JSON object.
    """
    try:
        plain = json_value(text)
    except ValueError as error:
        raise ParameterError("parameters must be JSON; {}; got {!r}", error, text) from error
    if not isinstance(plain, dict):
        raise ParameterError("parameters must be a JSON object; got {!r}", text)
    return plain


def read_values(
    group: Any, parameters: Iterable[Parameter], base: Mapping[str, object]
) -> dict[str, object]:
    """Return the values of those parameters that have a property."""
    known = group.bl_rna.properties
    return {
        one.name: _value(one, getattr(group, one.name), base[one.name])
        for one in parameters
        if one.name in known
    }


def assign(group: Any, plain: Mapping[str, Any]) -> None:
    """Set a group's properties; what has no property, or a noise in its place, is left out."""
    known = group.bl_rna.properties
    for name, value in plain.items():
        if isinstance(value, Mapping):
            assign(getattr(group, name), value)
        elif name in known and not isinstance(value, (Noise, np.ndarray)):
            setattr(group, name, value)


def number(stored: float, base: float | None = None) -> float:
    """Return the number that Blender's 32-bit float was made from.

    Parameters
    ----------
    stored : float
        As read from Blender: 0.1 reads as 0.10000000149.
    base : float, optional
        What it was before; returned as it is if `stored` is just that, rounded.
    """
    single = np.float32(stored)
    if base is not None and np.float32(base) == single:
        return base
    return float(str(single))


def _value(parameter: Parameter, stored: Any, base: Any) -> object:
    if isinstance(base, Noise):
        return base  # a noise stands in for this number; it is in the recipe's text
    if parameter.kind in ("number", "number_or_noise"):
        return number(stored, base)
    if parameter.kind == "vector":
        return tuple(number(one, old) for one, old in zip(stored, base))
    if parameter.kind == "pixels":
        return base if stored is None else images.signed_pixels(stored)
    if parameter.kind == "choice" and stored not in parameter.options:
        raise RecipeError("{}: this file's choice is not known to this Terrane", parameter.name)
    return stored
