# SPDX-License-Identifier: GPL-3.0-or-later
"""Evolution: one more dimension of the textures."""

from __future__ import annotations

import dataclasses
from typing import Any

from .....noise_core.errors import Message
from .....noise_core.noises.evolution import Evolution
from ..domain import Domain
from ..graph import Graph
from ..translators import EXACT, translates


def _refusal(noise: Evolution, dimension: int) -> str:
    if dimension < 4:
        return ""
    return Message(
        "textures have four dimensions at most; use fewer Evolutions, or UV instead of object mapping"
    )


@translates("evolution", EXACT, "", refusal=_refusal, further_dimensions=1)
def write(noise: Evolution, graph: Graph, domain: Domain) -> Any:
    """Write the source one dimension higher."""
    if domain.evolution is None:
        place: Any = noise.position
    else:
        place = graph.affine(domain.evolution, 1.0, noise.position, "Position")
    if domain.dimension == 2:
        x, y, _ = graph.separated(domain.vector)
        raised = dataclasses.replace(domain, vector=graph.combined(x, y, place), dimension=3)
    else:
        if not hasattr(place, "node"):
            place = graph.math("ADD", place, 0.0, label="Position")
        raised = dataclasses.replace(domain, w=place, dimension=4)
    return graph.noise(noise.source, raised)
