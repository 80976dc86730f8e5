# SPDX-License-Identifier: GPL-3.0-or-later
"""Gullies along the steepest descent, computed point by point without simulating water.

`octaves` defines the gullies of each size. `phases` synchronizes the waves of neighboring cells, for
sets of `cells`. `stripes` draws one octave and `carving` adds all octaves, for rows of a grid
(`on_grid`) or for any points (`at_points`), with the same bits. A noise gives its own slope;
`erosion.gullies` computes that of a height field.

References
----------
Rune Skovbo Johansen (2026). Fast and gorgeous erosion filter.
https://blog.runevision.com/2026/03/fast-and-gorgeous-erosion-filter.html (the idea: stripes across the
slope, octave by octave, that fade to the crests and creases of the coarser ones; after Clay John, 2018,
and Felix Westin, 2023. The synchronized phases and the sum of waves are new.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.late_modules import late_modules

if TYPE_CHECKING:
    from . import at_points as at_points
    from . import carving as carving
    from . import octaves as octaves
    from . import on_grid as on_grid
    from . import phases as phases
else:
    __getattr__ = late_modules(__name__)
