# SPDX-License-Identifier: GPL-3.0-or-later
"""Gullies drawn along the steepest way down, point by point: no water has to run.

`octaves` says what is to be drawn. `phases` brings neighboring cells into step, for sets of `cells`.
`stripes` draws one octave and `carving` adds them up, for rows of a grid (`on_grid`) or for any points
(`at_points`), with the same bits. A noise knows its own slope; for a height field `guide` finds it on
a smooth `spline`.

References
----------
Rune Skovbo Johansen (2026). Fast and gorgeous erosion filter.
https://blog.runevision.com/2026/03/fast-and-gorgeous-erosion-filter.html (the idea: stripes across the
slope, octave by octave, that fade to the crests and creases of the coarser ones; after Clay John, 2018,
and Felix Westin, 2023. Phases in step and how waves are summed are our own.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...late_modules import late_modules

if not TYPE_CHECKING:  # a checker sees the modules themselves
    __getattr__ = late_modules(__name__)
