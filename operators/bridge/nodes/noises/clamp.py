# SPDX-License-Identifier: GPL-3.0-or-later
"""Clamp: the node of that name."""

from __future__ import annotations

from typing import Any

from .....noise_core.noises.clamp import Clamp
from ..domain import Domain
from ..graph import Graph
from ..translators import EXACT, translates


@translates("clamp", EXACT, "")
def write(noise: Clamp, graph: Graph, domain: Domain) -> Any:
    """Write the source and cut it off."""
    node = graph.add("ShaderNodeClamp", clamp_type="RANGE")
    graph.put(node.inputs["Value"], graph.noise(noise.source, domain))
    node.inputs["Min"].default_value = noise.minimum
    node.inputs["Max"].default_value = noise.maximum
    return node.outputs[0]
