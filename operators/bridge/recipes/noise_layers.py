# SPDX-License-Identifier: GPL-3.0-or-later
"""A new layer of noise that suits the list that it is added to."""

from __future__ import annotations

from typing import Any

from ....noise_core import spine
from ....noise_core.modifiers.noise_layer import NoiseLayer
from ....noise_core.noise import Noise, noise_types
from ..values import number
from . import layer_list, stack

_SHARE = 0.25
"""Of the height of the recipe's own noise: seen, and not in the way."""

_WITH_OCTAVES = "basic"
"""The family of noises that a fractal does well."""


def new_layer(group: Any, key: str) -> NoiseLayer:
    """Return a layer to be added to a group's list.

    Its name and its seed offset are not those of any other layer there; its height is a part of
    that of the recipe's own noise.

    Parameters
    ----------
    group : PropertyGroup
        The settings whose entries are all there.
    key : str
        Of a type of noise that stands at the end of a spine.
    """
    return NoiseLayer(
        name=layer_list.free_name(group, noise_types()[key].label),
        noise=_noise(key),
        height=float(f"{_SHARE * abs(number(group.height)):.2g}") or NoiseLayer().height,
        seed_offset=_free_offset(group),
    )


def _noise(key: str) -> Noise:
    """Return octaves of a noise, or the noise alone where they would do it no good."""
    if noise_types()[key].family == _WITH_OCTAVES:
        return spine.with_knobs(NoiseLayer().noise, spine.Knobs(noise=key))
    return spine.leaf_types()[key]()


def _free_offset(group: Any) -> int:
    """Return the least seed offset from 1 that no layer of a group has."""
    name = stack.modifier_group(NoiseLayer.key)
    entries = getattr(group, stack.ENTRIES)
    taken = {getattr(one, name).seed_offset for one in entries if one.type == NoiseLayer.key}
    return next(offset for offset in range(1, len(taken) + 2) if offset not in taken)
