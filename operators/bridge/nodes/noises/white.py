# SPDX-License-Identifier: GPL-3.0-or-later
"""White noise: the White Noise Texture, once per cell."""

from __future__ import annotations

from typing import Any

from .....noise_core.noises.white import White
from ..domain import Domain
from ..graph import Graph
from ..translators import ALIKE, translates


@translates("white", ALIKE, "another hash, so other values for the same seed; no tiling.")
def write(noise: White, graph: Graph, domain: Domain) -> Any:
    """Write the value of each cell."""
    place = graph.cells(domain, noise.frequency)
    cell = graph.vector_math("FLOOR", place.vector, label="Cell")
    w = None if place.w is None else graph.math("FLOOR", place.w)
    return graph.to_signed(graph.white(cell, domain.dimensions, w))
