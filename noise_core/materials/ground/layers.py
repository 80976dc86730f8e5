# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers of the ground at many samples: the same sums as the nodes of a terrain material, in NumPy.

The group *Terrane Layer* of the material and this module change together; a test compares them.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ..colors import ASPHALT, GroundLayer, Landscape
from ..colors.spaces import Color
from .noises import ramp
from .shader_noise import shader_fractal

CROWNS = (0.80, 0.71, 0.71)
"""What the crowns of trees multiply the color of woods by, on average: measured in the group *Terrane
Crowns*."""

BROAD_LAYERS = ("woods",)
"""Layers in patches without fine noise: woods are closed, and trees thin out at their edges."""

ROAD_TONES = 0.16
"""How much darker the dark tone of a road is than its bright one."""

TURNED = 2.5
"""Contrast of the noise by which the two colors of a layer take turns."""

DRY_EDGES = 0.35
"""How much of the relief an edge counts as: as dry as ground so much higher."""

DAMP = (-0.42, -0.46, -0.38)
"""By which share wet ground is darker: water between its grains leads light onwards (Angstrom, 1925)."""

_TILT = 0.014
"""How steeply strata lie, as the group *Terrane Strata* has it."""

Channels = Sequence[Field]
"""Red, green and blue."""


@dataclass(frozen=True)
class GroundRows:
    """Fields that layers read at some samples, all of one shape.

    Attributes
    ----------
    height : Field
        From 0 (the lowest) to 1 (the highest).
    above : Field
        Meters above the sea.
    slope : Field
        In degrees.
    bend : Field
        -1 in crevices, 1 on edges.
    patches, broad, push, turns : Field
        See `GroundNoises`.
    traces : mapping of str to Field
        Of water, from 0 to 1, by name: flow, bed, wear, deposit, scree. Thicknesses of covers too, if the land
        has their maps.
    wet : Field or None
        1 under water and where waves reach, less on beds of rivers; None if all is dry.
    """

    height: Field
    above: Field
    slope: Field
    bend: Field
    patches: Field
    broad: Field
    push: Field
    turns: Field
    traces: Mapping[str, Field]
    wet: Field | None = None


def cover_share(layer: GroundLayer, name: str, ground: GroundRows) -> Field:
    """Return the share of the ground that a layer covers; its edges fade where they are broken."""
    if layer.cover and layer.cover in ground.traces:
        return _thick_share(layer, ground)
    place = ground.above if layer.is_shore else ground.height
    share = _band(place, layer.lowest, layer.highest, layer.fade, layer.ragged, ground.push)
    steepest: Field | float = layer.steepest
    if layer.steeper:
        steepest = place * np.float32(layer.steeper) + np.float32(layer.steepest)
    if share.any():
        share *= _band(
            ground.slope, layer.flattest, steepest, layer.slope_fade, layer.ragged, ground.push
        )
    if share.any():
        share *= _patches(layer, name, ground)
    return share


def layer_color(layer: GroundLayer, ground: GroundRows) -> list[Field]:
    """Return the color of a layer, in patches of its two colors."""
    place = ground.above if layer.is_shore else ground.height
    turns = ground.turns * np.float32(TURNED)
    turns += np.float32(0.5 - 0.5 * TURNED - 0.35 * layer.tint)
    if layer.tint:
        turns += (ground.bend * np.float32(DRY_EDGES) + place) * np.float32(layer.tint)
    np.clip(turns, np.float32(0.0), np.float32(1.0), out=turns)
    return [
        turns * np.float32(second - first) + np.float32(first)
        for first, second in zip(layer.color, layer.second)
    ]


def rock_color(
    landscape: Landscape, ground: GroundRows, places: Channels, thickness: float
) -> list[Field]:
    """Return the color of rock in strata; `places` are x, y and z in meters."""
    rock, strata = landscape.layers["rock"], landscape.strata
    x, y, z = places
    level = ground.turns * np.float32(1.6)
    level += ground.push * np.float32(0.15)
    level -= np.float32(0.8)
    level *= np.float32(1.1)
    level += (z + (x - y * np.float32(0.6)) * np.float32(_TILT)) * np.float32(1.0 / thickness)
    thick, thin = _strata(level)
    shade = ramp(thick * np.float32(0.75) + thin * np.float32(0.25), 0.12, 0.88)
    shade *= np.float32(strata.strength * (0.62 + 0.55))
    shade += np.float32(1.0 - 0.62 * strata.strength)
    pale = smooth_ramp(thick, 0.66, 0.80)
    pale *= np.float32(0.75 * strata.strength)
    found = layer_color(rock, ground)
    for channel, part in zip(found, strata.color):
        channel *= shade
        blend(channel, part, pale)
    return found


def road_color(layer: GroundLayer, ground: GroundRows) -> list[Field]:
    """Return the color of roads by how firm they are: earth, gravel, asphalt, in patches of two tones."""
    worn = ground.turns * np.float32(-ROAD_TONES)
    worn += np.float32(1.0)
    firm = ground.traces["road"]
    graveled, paved = ramp(firm.copy(), 1.0 / 3.0, 2.0 / 3.0), ramp(firm.copy(), 2.0 / 3.0, 1.0)
    result = []
    for earth, gravel, asphalt in zip(layer.color, layer.second, ASPHALT):
        channel = graveled * np.float32(gravel - earth) + np.float32(earth)
        blend(channel, asphalt, paved)
        channel *= worn
        result.append(channel)
    return result


def smooth_ramp(values: Field, low: float, high: float) -> Field:
    """Return 0 at `low`, 1 at `high`, a smooth step between; writes into its argument."""
    share = ramp(values, low, high)
    eased = share * np.float32(-2.0)
    eased += np.float32(3.0)
    eased *= share
    eased *= share
    return eased


def blend(below: Field, above: Field | float, share: Field) -> None:
    """Lay one value over another, in a share of it."""
    over = np.float32(above) - below if isinstance(above, float) else above - below
    over *= share
    below += over


def dim(color: Sequence[Field], factors: Color) -> None:
    """Multiply the channels of a color."""
    for channel, factor in zip(color, factors):
        channel *= np.float32(factor)


def _band(
    value: Field, low: float, high: Field | float, fade: float, ragged: float, push: Field
) -> Field:
    """Return 1 between two limits, 0 beyond, with soft and ragged edges."""
    fade = max(fade, 1e-6)
    pushed = push * np.float32(ragged * fade)
    pushed += value
    top = np.asarray(high, np.float32) - pushed
    pushed -= np.float32(low)
    inside = np.minimum(pushed, top, out=pushed)
    inside *= np.float32(1.0 / fade)
    return smooth_ramp(inside, -0.5, 0.5)


def _thick_share(layer: GroundLayer, ground: GroundRows) -> Field:
    """Return the share of the ground that a layer covers by its thickness, with ragged edges."""
    thickness = ground.push * np.float32(0.5 * layer.ragged)
    thickness += np.float32(1.0)
    thickness *= ground.traces[layer.cover]
    return smooth_ramp(thickness, 0.0, max(layer.thin, 1e-6))


def _patches(layer: GroundLayer, name: str, ground: GroundRows) -> Field:
    """Return the share of patches of a layer, where traces add to their amount."""
    traces = ground.traces
    flow = traces["bed"] if name == "river" else traces["flow"]
    deposit = traces["scree"] if name == "scree" else traces["deposit"]
    weighted = (
        (layer.flow, flow),
        (layer.wear, traces["wear"]),
        (layer.deposit, deposit),
        (layer.curvature, ground.bend),
    )
    patches = ground.broad if name in BROAD_LAYERS else ground.patches
    amount = np.full_like(patches, layer.amount)
    for weight, trace in weighted:
        if weight:
            amount += trace * np.float32(weight)
    soft = max(2.0 * layer.softness, 1e-3)
    amount -= np.float32(1.0)
    amount *= np.float32(soft + 1.0)
    amount += patches
    return smooth_ramp(amount, -soft, 0.0)


_STEPS = 64
"""Samples of the noise of strata per layer, between which it is straight."""


_TOGETHER = 64
"""Layers whose noise is worked out together."""


def _strata(level: Field) -> tuple[Field, Field]:
    """Return the noises of thick and of thin strata at levels counted in layers."""
    low = _TOGETHER * math.floor((float(level.min()) - 1.0) / _TOGETHER)
    high = _TOGETHER * math.ceil((float(level.max()) + 1.0) / _TOGETHER)
    along = (level - np.float32(low)) * np.float32(_STEPS)
    before = along.astype(np.int32)
    along -= before
    thick, thin = (
        table.take(before) + steps.take(before) * along
        for table, steps in _strata_tables(low, high)
    )
    return thick, thin


@functools.lru_cache(maxsize=8)
def _strata_tables(low: int, high: int) -> tuple[tuple[Field, Field], ...]:
    """Return the noises of thick and of thin strata between two levels, and their steps from sample to sample.

    They are asked for by every few rows of a land.
    """
    places = np.arange((high - low) * _STEPS, dtype=np.float32) / np.float32(_STEPS)
    places += np.float32(low)
    found = []
    for scale, octaves, roughness in ((1.0, 4, 0.62), (5.3, 3, 0.5)):
        weight = sum(roughness**one for one in range(octaves))
        table = shader_fractal([places], scale, range(octaves), roughness)
        table = ramp(table * np.float32(0.5 / weight) + np.float32(0.5), 0.3, 0.7)
        found.append((table, np.diff(table, append=table[-1:])))
    return tuple(found)
