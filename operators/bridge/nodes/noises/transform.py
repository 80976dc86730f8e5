# SPDX-License-Identifier: GPL-3.0-or-later
"""Transform: the points are turned, scaled and moved."""

from __future__ import annotations

import math
from typing import Any

from .....noise_core.noises.transform import Transform
from ..domain import Domain
from ..graph import Graph
from ..translators import EXACT, translates


@translates("transform", EXACT, "")
def write(noise: Transform, graph: Graph, domain: Domain) -> Any:
    """Write what happens to the points, then the source."""
    vector = domain.vector
    if noise.rotation:
        turn = graph.add("ShaderNodeVectorRotate", rotation_type="Z_AXIS")
        graph.put(turn.inputs["Vector"], vector)
        turn.inputs["Angle"].default_value = math.radians(noise.rotation)
        vector = turn.outputs[0]
    if noise.scale != (1.0, 1.0, 1.0) or any(noise.offset):
        vector = graph.vector_math(
            "MULTIPLY_ADD", vector, noise.scale, noise.offset, label="Scale, then move"
        )
    return graph.noise(noise.source, domain.at(vector))
