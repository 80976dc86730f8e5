# SPDX-License-Identifier: GPL-3.0-or-later
"""Curve: a Float Curve node."""

from __future__ import annotations

from typing import Any

import numpy as np

from .....noise_core.noises.curve import Curve
from ..domain import Domain
from ..graph import Graph
from ..translators import EXACT, translates

_PARTS = 8
"""Pieces that a smooth segment is drawn with: Blender's own curves take another way between points."""

_JUMP = 1e-4
"""How far apart the two points of a jump stand, as a share of the curve: it draws no upright line."""


@translates("curve", EXACT, "a Float Curve is read from a table of 257 entries.")
def write(noise: Curve, graph: Graph, domain: Domain) -> Any:
    """Write the source and send it through the curve."""
    value = graph.noise(noise.source, domain)
    node = graph.add("ShaderNodeFloatCurve")
    graph.put(node.inputs["Value"], value)
    node.inputs["Factor"].default_value = 1.0
    mapping = node.mapping
    mapping.use_clip = False
    mapping.extend = "HORIZONTAL"
    points = _points(noise)
    (curve,) = mapping.curves
    while len(curve.points) < len(points):
        curve.points.new(0.0, 0.0)
    for point, place in zip(curve.points, points):
        point.location, point.handle_type = place, "VECTOR"
    low, high = np.array(points).min(axis=0), np.array(points).max(axis=0)
    mapping.clip_min_x, mapping.clip_min_y = low
    mapping.clip_max_x, mapping.clip_max_y = high
    mapping.update()
    mapping.reset_view()
    return node.outputs["Value"]


def _points(noise: Curve) -> list[tuple[float, float]]:
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
