# SPDX-License-Identifier: GPL-3.0-or-later
"""Gullies drawn along the steepest way down, point by point: no water has to run.

`octaves` says what is to be drawn, `cells` keeps what neighbouring points share, `stripes` draws
one octave, `carving` adds the octaves up, on rows of a grid or at any points. `surface` is the
smooth ground that a height field offers them.

References
----------
Rune Skovbo Johansen (2026). Fast and gorgeous erosion filter. (the idea: stripes across the slope,
octave by octave, that fade to the crests and creases of the coarser ones; after Clay John, 2018,
and Felix Westin, 2023)
"""
