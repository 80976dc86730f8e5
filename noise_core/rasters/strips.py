# SPDX-License-Identifier: GPL-3.0-or-later
"""Strips of triangles between two lines of vertices, each with any number of them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.intp]

Places = npt.NDArray[np.float64]


def strip_order(inner: Places, outer: Places) -> tuple[npt.NDArray[np.bool_], Numbers, Numbers]:
    """Return on which edge each triangle of a strip stands, one after the other.

    A triangle stands on each edge of both lines. The edge whose middle comes next is taken, so that
    triangles are about as wide as high.

    Parameters
    ----------
    inner, outer : ndarray of shape (edges of a line,), float64
        Middles of the edges, rising.

    Returns
    -------
    is_inner : ndarray of shape (triangles,), bool
        Whether it stands on an edge of the inner line.
    near, far : ndarray of that shape
        Vertices of the inner and of the outer line at which it begins; it ends one further on its own line.
    """
    order = np.argsort(np.concatenate((inner, outer)), kind="stable")
    is_inner = order < len(inner)
    near = np.cumsum(is_inner, dtype=np.intp) - is_inner
    far = np.cumsum(~is_inner, dtype=np.intp) - ~is_inner
    return is_inner, near, far
