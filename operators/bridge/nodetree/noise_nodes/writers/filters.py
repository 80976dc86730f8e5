# SPDX-License-Identifier: GPL-3.0-or-later
"""Noises that change the values of a source: Math, Clamp, Map Range and Float Curve nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ......noise_core.noises.abs import Absolute
from ......noise_core.noises.clamp import Clamp
from ......noise_core.noises.curve import Curve
from ......noise_core.noises.invert import Invert
from ......noise_core.noises.power import Power
from ......noise_core.noises.remap import Remap
from ......noise_core.noises.terrace import Terrace
from ....schema.enum_items import enum_label
from ..noise_graph import NoiseGraph
from ..registry import filter_writer

_PARTS = 8
"""Pieces that a smooth segment is drawn with: Blender's own curves take another way between points."""

_JUMP = 1e-4
"""Distance of the two points of a jump, as a share of the curve, which cannot be vertical."""


@filter_writer("abs")
def write_abs(noise: Absolute, graph: NoiseGraph, value: Any) -> Any:
    """Return the absolute value."""
    return graph.math("ABSOLUTE", value)


@filter_writer("invert")
def write_invert(noise: Invert, graph: NoiseGraph, value: Any) -> Any:
    """Return the value with another sign."""
    return value * -1.0


@filter_writer("clamp")
def write_clamp(noise: Clamp, graph: NoiseGraph, value: Any) -> Any:
    """Return the value within limits."""
    return graph.clamp(value, noise.minimum, noise.maximum)


@filter_writer("remap")
def write_remap(noise: Remap, graph: NoiseGraph, value: Any) -> Any:
    """Return the value moved from one range to another."""
    limits = noise.from_minimum, noise.from_maximum, noise.to_minimum, noise.to_maximum
    return graph.map_range(value, *limits, clamp=noise.clamp)


@filter_writer("power")
def write_power(noise: Power, graph: NoiseGraph, value: Any) -> Any:
    """Return a power of the height, or of the value without its sign."""
    graph.set_title(f"{noise.label}: {enum_label(noise.mode)}")
    if noise.mode == "height":
        return graph.to_signed_unit(graph.math("POWER", graph.to_unit(value), noise.exponent))
    height = graph.math("MINIMUM", graph.math("ABSOLUTE", value), 1.0)
    return graph.math("POWER", height, noise.exponent) * graph.math("SIGN", value)


@filter_writer("terrace")
def write_terrace(noise: Terrace, graph: NoiseGraph, value: Any) -> Any:
    """Return the value pulled towards levels by the gain curve of Schlick."""
    if noise.sharpness == 0.0:
        return value
    steps = noise.steps / 2.0
    height = graph.math("MULTIPLY_ADD", value, steps, steps, label="In steps")
    level = graph.math("FLOOR", height, label="Level")
    beside = graph.math("SUBTRACT", graph.math("FRACT", height), 0.5, label="From the riser")
    side = graph.math("SIGN", beside)
    distance = graph.math("ABSOLUTE", beside)
    steep: Any = 0.5
    if noise.sharpness < 1.0:
        tread = 0.5 - distance
        steepness = 2.0 * noise.sharpness / (1.0 - noise.sharpness)
        flat = graph.math("DIVIDE", tread, graph.math("MULTIPLY_ADD", distance, steepness, 1.0))
        steep = graph.math("SUBTRACT", 0.5, flat, label="Gain")
    above = graph.math("MULTIPLY_ADD", steep, side, level)
    return graph.affine(above, 1.0 / steps, 0.5 / steps - 1.0, "Back to -1 … 1")


@filter_writer("curve", "a Float Curve is read from a table of 257 entries.")
def write_curve(noise: Curve, graph: NoiseGraph, value: Any) -> Any:
    """Return the value of a curve."""
    is_automatic = noise.interpolation == "automatic"
    points = noise.points if is_automatic else _points(noise)
    handle = "AUTO" if is_automatic else "VECTOR"  # Blender's own curve, or straight lines

    def draw(node: Any, owner: str) -> None:
        mapping = node.mapping
        mapping.use_clip = False
        mapping.extend = "HORIZONTAL"
        (curve,) = mapping.curves
        while len(curve.points) < len(points):
            curve.points.new(0.0, 0.0)
        for point, place in zip(curve.points, points):
            point.location, point.handle_type = place, handle
        low, high = np.array(points).min(axis=0), np.array(points).max(axis=0)
        mapping.clip_min_x, mapping.clip_min_y = low
        mapping.clip_max_x, mapping.clip_max_y = high
        mapping.update()
        mapping.reset_view()

    return graph.node("ShaderNodeFloatCurve", {"Value": value, "Factor": 1.0}, content=draw)


def _points(noise: Curve) -> Sequence[tuple[float, float]]:
    """Return the points to draw straight lines between."""
    places = np.array([x for x, _ in noise.points])
    if noise.interpolation == "smooth":
        steps = np.arange(len(places) * _PARTS - _PARTS + 1, dtype=np.intp) / _PARTS
        places = np.interp(steps, np.arange(len(places), dtype=np.intp), places)
    apart = _JUMP * (places[-1] - places[0])
    places = np.unique(np.concatenate((places, places[1:][np.diff(places) < apart] + apart)))
    heights = places.astype(np.float32)
    noise.change(heights)
    return list(zip(places.tolist(), heights.tolist()))
