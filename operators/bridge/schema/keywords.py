# SPDX-License-Identifier: GPL-3.0-or-later
"""Keywords that operators and panels offer for any recipe: its first chain and its measures.

Limits, defaults and help come from the noise that each belongs to, so that nothing is declared twice.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

from ....noise_core.base.params import Parameter
from ....noise_core.noises.fractal import Fractal
from ....noise_core.noises.perlin import Perlin
from ....noise_core.noises.warp import Warp
from ....noise_core.recipes import chain_keywords, chains
from .declared_settings import declare
from .enum_items import summary

NOISE_KEYWORDS = ("noise", "fractal", "seed", "octaves", "frequency", "persistence", "lacunarity", "warp")  # fmt: skip
"""Keywords of every operator that makes noise, in addition to a preset."""

TERRAIN_KEYWORDS = ("size", "depth", "height", "resolution", "seamless", "tile")
"""Keywords of a terrain's measures."""

MEASURES = (
    declare("seed", 0, "Random seed: each value gives a different terrain", (-0x80000000, 0x7FFFFFFF)),
    declare("size", 100.0, "Width in meters", (1e-3, 1e7), (1.0, 50000.0), unit="length", usual=12000.0),
    declare("depth", 1.0, "Depth relative to the width; 1 is a square",
            (0.01, 100.0), (0.25, 4.0), label="Depth Ratio"),
    declare("height", 20.0, "Height of a noise of 1 in meters; the ground reaches as far above 0 as below",
            (-1e6, 1e6), (0.0, 10000.0), label="Height Scale", unit="length", usual=2000.0),
    declare("resolution", 512, "Vertices along the longer side", (2, 16384), (16, 4096), usual=512.0),
    declare("seamless", False, "Opposite edges meet, erosion included, so that copies side by side join"),
    declare("tile", (0.0, 0.0), "Tile coordinates in an endless terrain; eroded tiles do not match at borders",
            (-1e5, 1e5), (-10.0, 10.0)),
)  # fmt: skip


@functools.cache
def keywords() -> Mapping[str, Parameter]:
    """Return the declarations of all keywords by name."""
    fractal, warp, perlin = (
        {parameter.name: parameter for parameter in cls.parameters()}
        for cls in (Fractal, Warp, Perlin)
    )
    kind = fractal["kind"]
    no_fractal = {chain_keywords.NONE: "No octaves"}
    declared = (
        declare("noise", Perlin.key, "Base noise",
                options={key: summary(cls) for key, cls in chains.basis_types().items()}),
        perlin["frequency"],
        kind._replace(name="fractal", options={**no_fractal, **kind.options}),
        *(fractal[name] for name in ("octaves", "persistence", "lacunarity")),
        warp["strength"]._replace(
            name="warp", default=0.0, help="Strength of the domain warp; 0 has none"
        ),
        *MEASURES,
    )  # fmt: skip
    return {parameter.name: parameter for parameter in declared}
