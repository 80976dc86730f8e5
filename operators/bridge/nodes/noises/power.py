# SPDX-License-Identifier: GPL-3.0-or-later
"""Power: Math nodes."""

from __future__ import annotations

from typing import Any

from .....noise_core.noises.power import Power
from ...properties import enum_label
from ..domain import Domain
from ..graph import Graph
from ..translators import EXACT, translates


@translates("power", EXACT, "")
def write(noise: Power, graph: Graph, domain: Domain) -> Any:
    """Write the source and raise it."""
    graph.title(f"{noise.label}: {enum_label(noise.mode)}")
    value = graph.noise(noise.source, domain)
    if noise.mode == "height":
        height = graph.math("MULTIPLY_ADD", value, 0.5, 0.5, clamp=True)
        return graph.to_signed(graph.math("POWER", height, noise.exponent))
    height = graph.math("MINIMUM", graph.math("ABSOLUTE", value), 1.0)
    raised = graph.math("POWER", height, noise.exponent)
    return graph.math("MULTIPLY", raised, graph.math("SIGN", value))
