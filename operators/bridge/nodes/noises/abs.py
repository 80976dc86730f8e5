# SPDX-License-Identifier: GPL-3.0-or-later
"""Absolute: a Math node."""

from __future__ import annotations

from typing import Any

from .....noise_core.noises.abs import Absolute
from ..domain import Domain
from ..graph import Graph
from ..translators import EXACT, translates


@translates("abs", EXACT, "")
def write(noise: Absolute, graph: Graph, domain: Domain) -> Any:
    """Write the source and fold it."""
    return graph.math("ABSOLUTE", graph.noise(noise.source, domain))
