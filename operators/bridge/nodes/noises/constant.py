# SPDX-License-Identifier: GPL-3.0-or-later
"""Constant: a Value node."""

from __future__ import annotations

from typing import Any

from .....noise_core.noises.constant import Constant
from ..domain import Domain
from ..graph import Graph
from ..translators import EXACT, translates


@translates("constant", EXACT, "")
def write(noise: Constant, graph: Graph, domain: Domain) -> Any:
    """Write the value."""
    node = graph.add("ShaderNodeValue")
    node.outputs[0].default_value = noise.value
    return node.outputs[0]
