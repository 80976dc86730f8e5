# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of textures that look like an example."""

from __future__ import annotations

from ....noise_core.materials.by_example.settings import ByExample
from ..schema.declared_settings import DeclaredSettings, declare
from ..schema.picture_options import PIXELS, SEAMLESS

BY_EXAMPLE = (
    *PIXELS,
    declare("seed", 0, "Seed: each value gives a different texture", (-0x80000000, 0x7FFFFFFF),
            label="Texture Seed"),
    *ByExample.parameters(),
    SEAMLESS,
)  # fmt: skip
"""Parameters of a texture that looks like an example."""

_group = DeclaredSettings(
    *("terrane_by_example", "Terrane by Example", "TERRANE_PG_example", "Textures by example"),
    BY_EXAMPLE,
)
register, unregister, of = _group.register, _group.unregister, _group.of
