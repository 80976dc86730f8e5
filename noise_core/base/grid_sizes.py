# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows and columns of grids of square cells, by the proportion of the land."""

from __future__ import annotations

import numpy as np


def shape_of(resolution: int, depth: float, *, wrap: bool = False) -> tuple[int, int]:
    """Return rows and columns of a grid of square cells, one tile wide.

    Parameters
    ----------
    resolution : int
        Samples along the longer side.
    depth : float
        Extent along y, in widths, above 0. The shorter side has a whole number of cells, at least one.
    wrap : bool
        Whether the last sample lies a cell before the edge; see `Grid`.

    Examples
    --------
    >>> from noise_core.base.grid_sizes import shape_of

    Land twice as deep as wide: the longer side has 257 samples.

    >>> shape_of(257, 2.0)
    (257, 129)
    >>> shape_of(256, 2.0, wrap=True)
    (256, 128)
    """
    if depth == 1.0:
        return (resolution, resolution)
    steps = resolution if wrap else max(resolution - 1, 1)
    across = steps / max(depth, 1.0)
    rows, columns = max(1, round(across * depth)), max(1, round(across))
    return (rows, columns) if wrap else (1 + rows, 1 + columns)


def is_whole_land(steps: tuple[int, int], depth: float, off: int = 0) -> bool:
    """Return whether so many cells along y and x are land of a depth, in widths, as far as whole numbers can be.

    The shorter side may be a cell off, and as many more as `off` says.

    Examples
    --------
    >>> from noise_core.base.grid_sizes import is_whole_land
    >>> is_whole_land((256, 128), 2.0), is_whole_land((200, 128), 2.0)
    (True, False)
    """
    return abs(steps[0] - steps[1] * depth) <= (1 + off) * max(1.0, depth)


def is_whole(value: object) -> bool:
    """Return whether a value is an integer, Python's or NumPy's; True and False are none."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)
