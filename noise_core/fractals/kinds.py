# SPDX-License-Identifier: GPL-3.0-or-later
"""Every kind of fractal by its key."""

from __future__ import annotations

from collections.abc import Mapping

from .multifractals import HeterogeneousTerrain, HybridMultifractal, Multifractal, Ridged
from .sums import Billow, Fbm, Kind, PingPong, Turbulence

KINDS: Mapping[str, Kind] = {
    "fbm": Fbm(),
    "billow": Billow(),
    "ridged": Ridged(),
    "ping_pong": PingPong(),
    "turbulence": Turbulence(),
    "multifractal": Multifractal(),
    "hybrid_multifractal": HybridMultifractal(),
    "heterogeneous_terrain": HeterogeneousTerrain(),
}
