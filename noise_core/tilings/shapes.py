# SPDX-License-Identifier: GPL-3.0-or-later
"""Outlines of scattered shapes: how far inside a place lies, 1 in the middle, 0 at the border.

Each takes the place along and across the shape, from -1 to 1, and may write to both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from ..base.arrays import Field

Outline = Callable[[Field, Field, Sequence[Field], float, float], Field]
"""Takes along, across, slabs (for stones), width over length, and rounding."""

_ONE = np.float32(1.0)

_BASE = np.float32(6.0)
"""How steeply a blade's lower end is rounded."""


def _radius(along: Field, across: Field) -> Field:
    along *= along
    across *= across
    along += across
    result: Field = np.sqrt(along, out=along)
    return result


def _ellipse(
    along: Field, across: Field, slabs: Sequence[Field], width: float, rounding: float
) -> Field:
    radius = _radius(along, across)
    return np.subtract(_ONE, radius, out=radius)


def _box(
    along: Field, across: Field, slabs: Sequence[Field], width: float, rounding: float
) -> Field:
    # Measured in halves of the width; see Quilez (2020) for the corners.
    np.abs(along, out=along)
    along *= np.float32(1.0 / width)
    along -= np.float32(1.0 / width - rounding)
    np.abs(across, out=across)
    across -= np.float32(1.0 - rounding)
    side: Field = np.maximum(along, across)
    np.minimum(side, np.float32(0.0), out=side)
    np.maximum(along, np.float32(0.0), out=along)
    np.maximum(across, np.float32(0.0), out=across)
    side += _radius(along, across)
    return np.subtract(np.float32(rounding), side, out=side)


def _leaf(
    along: Field, across: Field, slabs: Sequence[Field], width: float, rounding: float
) -> Field:
    along *= along
    np.abs(across, out=across)
    along += across
    return np.subtract(_ONE, along, out=along)


def _blade(
    along: Field, across: Field, slabs: Sequence[Field], width: float, rounding: float
) -> Field:
    foot: Field = along + _ONE
    foot *= _BASE
    np.subtract(_ONE, along, out=along)
    along *= np.float32(0.5)
    np.minimum(along, foot, out=along)
    np.abs(across, out=across)
    along -= across
    return along


def _stone(
    along: Field, across: Field, slabs: Sequence[Field], width: float, rounding: float
) -> Field:
    radius = _radius(along, across)
    cut = across
    np.abs(slabs[0], out=cut)
    for slab in slabs[1:]:
        np.maximum(cut, np.abs(slab, out=slab), out=cut)
    np.maximum(cut, radius, out=cut)
    if rounding:
        radius -= cut
        radius *= np.float32(rounding)
        cut += radius
    return np.subtract(_ONE, cut, out=cut)


OUTLINES: Mapping[str, Outline] = MappingProxyType(
    {"ellipse": _ellipse, "box": _box, "leaf": _leaf, "blade": _blade, "stone": _stone}
)
"""By name."""

SHAPES = {
    "ellipse": "Round or long: pebbles, drops, scales",
    "box": "A rectangle with round corners: chips, planks, straw",
    "leaf": "Pointed at both ends",
    "blade": "Wide at its foot, pointed at its tip: grass, needles",
    "stone": "Cut by straight sides; rounding wears them down to an ellipse",
}
"""What menus say."""
