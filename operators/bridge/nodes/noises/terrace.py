# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrace: Math nodes."""

from __future__ import annotations

from typing import Any

from .....noise_core.noises.terrace import Terrace
from ..domain import Domain
from ..graph import Graph
from ..translators import EXACT, translates


@translates("terrace", EXACT, "")
def write(noise: Terrace, graph: Graph, domain: Domain) -> Any:
    """Write the source, and pull it towards levels by the gain curve of Schlick."""
    value = graph.noise(noise.source, domain)
    if noise.sharpness == 0.0:
        return value
    steps = noise.steps / 2.0
    height = graph.math("MULTIPLY_ADD", value, steps, steps, label="In steps")
    level = graph.math("FLOOR", height, label="Level")
    beside = graph.math("SUBTRACT", graph.math("FRACT", height), 0.5, label="From the riser")
    side = graph.math("SIGN", beside)
    distance = graph.math("ABSOLUTE", beside)
    if noise.sharpness == 1.0:
        steep = 0.5
    else:
        tread = graph.math("SUBTRACT", 0.5, distance)
        steepness = 2.0 * noise.sharpness / (1.0 - noise.sharpness)
        flat = graph.math("DIVIDE", tread, graph.math("MULTIPLY_ADD", distance, steepness, 1.0))
        steep = graph.math("SUBTRACT", 0.5, flat, label="Gain")
    above = graph.math("MULTIPLY_ADD", steep, side, level)
    return graph.affine(above, 1.0 / steps, 0.5 / steps - 1.0, "Back to -1 … 1")
