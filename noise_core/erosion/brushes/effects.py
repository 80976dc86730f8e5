# SPDX-License-Identifier: GPL-3.0-or-later
"""Effects of brushes on the ground below one dab, on a small square of nodes.

Each effect takes heights in meters, shape (nodes, nodes), and returns those that the ground would have with a brush
of full strength everywhere. Nodes lie equally far apart, and how far depends on the brush alone.

References
----------
F. Kenton Musgrave, Craig E. Kolb, Robert S. Mace (1989). The synthesis and rendering of eroded fractal terrains.
SIGGRAPH. (slopes that slide, sediment that comes to rest)
Jean Braun, Sean D. Willett (2013). A very efficient O(n), implicit and parallel method to solve the stream power
equation. Geomorphology 180. (incision)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from ...base.arrays import Field
from ...flow_routing.descent import FlowRandomness
from ...flow_routing.incision import incise
from ...flow_routing.routing import route
from ...rasters.level import Level
from ...rasters.smoothing import smooth, smooth_twice
from ..slides import loose_layer, talus

_INCISION = 0.1
"""Erodibility times duration, per square root of the nodes that drain: of a fall of 1 m to the next node, one that drains
100 nodes loses half in a dab."""

_STEEPEST = 2.0
"""Rise over run of the walls that incision leaves."""

_THICKNESS = 0.05
"""Sediment that a dab lays down, as a share of the radius."""

_CREEP = np.float32(0.12)
"""Share of a height difference by which new sediment moves at any slope, so that hollows get most of it."""

_SETTLING = 12
"""Passes in which new sediment comes to rest."""

_SLIDING = 40
"""Passes in which steep ground slides."""

_STRIDES = [1, 2, 4]
"""Of the averages that even out bumps, in nodes: a standard deviation of a fifth of the radius."""

_RANDOMNESS = FlowRandomness(seed=0, amount=0.5)
"""Weights of the ways down: without them gullies run along the nodes."""


@dataclass(frozen=True)
class Dab:
    """Place and kind of one dab, as an effect needs them.

    Attributes
    ----------
    level : Level
        Of the nodes.
    radius : float
        Of the brush, in meters.
    steepness : float
        At which loose ground rests, as rise over run.
    plane : float
        Height to flatten to, in meters.
    """

    level: Level
    radius: float
    steepness: float
    plane: float


Effect = Callable[[Field, Dab], Field]


def erode(height: Field, dab: Dab) -> Field:
    """Let the water that falls on the nodes cut into the ground.

    Smooth ground leads it, and the cut is smoothed: bumps from node to node differ between resolutions.
    """
    ground = smooth(height, 1, wrap=False)
    tree = route(ground, dab.level, randomness=_RANDOMNESS)
    drained = np.sqrt(tree.accumulate()).astype(np.float32).reshape(height.shape)
    rate = drained * np.float32(_INCISION * dab.level.step_x)
    cut = incise(ground, tree, dab.level, rate, steepest=_STEEPEST, gentlest=0.0)
    # The implicit step fills hollows up to their brims, which no water does here.
    change = np.minimum(cut - ground, np.float32(0.0))
    return height + smooth(change, 1, wrap=False)


def deposit(height: Field, dab: Dab) -> Field:
    """Lay down loose sediment, and let it creep and slide into hollows."""
    sand = np.full_like(height, _THICKNESS * dab.radius)
    repose = dab.steepness * dab.level.step_x
    width = loose_layer.REACH
    ground = np.pad(height, width, mode="edge")
    creep = np.full_like(ground, _CREEP)
    for _ in range(_SETTLING):
        sand = loose_layer.slide(ground, np.pad(sand, width, mode="edge"), repose, creep)
    return height + sand


def even_out(height: Field, dab: Dab) -> Field:
    """Average over a fifth of the radius."""
    return smooth_twice(height, _STRIDES, wrap=False)


def flatten(height: Field, dab: Dab) -> Field:
    """Level the ground."""
    return np.full_like(height, dab.plane)


def slump(height: Field, dab: Dab) -> Field:
    """Let ground slide down slopes that are steeper than it stands."""
    params = talus.TalusParams.from_steepness(dab.level, dab.steepness)
    return talus.slide(height, dab.level, params, _SLIDING)


EFFECTS: Mapping[str, Effect] = MappingProxyType(
    {
        "erode": erode,
        "deposit": deposit,
        "smooth": even_out,
        "flatten": flatten,
        "slump": slump,
    }
)
"""Effects by the kinds of `Brush`."""

CUTTING = frozenset({"erode"})
"""Kinds that move the ground as the nodes move, with all bumps between them; others draw it to the nodes."""

SLIDING = frozenset({"slump"})
"""Kinds that draw only ground to the nodes that has moved."""

BURYING = frozenset({"deposit"})
"""Kinds that draw up what is lower than the nodes, and leave what is higher."""

_MOVED = np.float32(0.1)
"""By so much of the distance between nodes ground has moved when half of its bumps are lost."""


def lost_bumps(before: Field, after: Field, dab: Dab) -> Field:
    """Return the share of the bumps between the nodes that ground loses where it slides."""
    moved = np.abs(after - before)
    lost: Field = moved / (moved + _MOVED * np.float32(dab.level.step_x))
    return lost
