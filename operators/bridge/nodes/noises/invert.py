# SPDX-License-Identifier: GPL-3.0-or-later
"""Invert: a Math node."""

from __future__ import annotations

from typing import Any

from .....noise_core.noises.invert import Invert
from ..domain import Domain
from ..graph import Graph
from ..translators import EXACT, translates


@translates("invert", EXACT, "")
def write(noise: Invert, graph: Graph, domain: Domain) -> Any:
    """Write the source and change its sign."""
    return graph.math("MULTIPLY", graph.noise(noise.source, domain), -1.0)
