# SPDX-License-Identifier: GPL-3.0-or-later
"""Remap: a Map Range node."""

from __future__ import annotations

from typing import Any

from .....noise_core.noises.remap import Remap
from ..domain import Domain
from ..graph import Graph
from ..translators import EXACT, translates


@translates("remap", EXACT, "")
def write(noise: Remap, graph: Graph, domain: Domain) -> Any:
    """Write the source and move its range."""
    node = graph.add("ShaderNodeMapRange", clamp=noise.clamp)
    graph.put(node.inputs["Value"], graph.noise(noise.source, domain))
    node.inputs["From Min"].default_value = noise.from_minimum
    node.inputs["From Max"].default_value = noise.from_maximum
    node.inputs["To Min"].default_value = noise.to_minimum
    node.inputs["To Max"].default_value = noise.to_maximum
    return node.outputs["Result"]
