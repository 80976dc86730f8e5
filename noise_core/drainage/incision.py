# SPDX-License-Identifier: GPL-3.0-or-later
"""One implicit step of stream-power erosion along a flow tree, hillslopes and lake floors included."""

from __future__ import annotations

import numpy as np

from ..arrays import Field
from ..blocks import checkpoint
from ..pyramid import Level
from .directions import distances
from .tree import FlowTree

_LEVELS_PER_CHECK = 64


def incised(
    height: Field,
    tree: FlowTree,
    level: Level,
    rate: Field,
    *,
    steepest: Field | float,
    gentlest: float,
) -> Field:
    """Return the height after rivers have cut down for one step, however long.

    Solves ``h = (h_before + f h_receiver) / (1 + f)`` with ``f = rate / distance`` from the
    outlets up, so that it is stable for any rate (Braun & Willett 2013, "A very efficient O(n),
    implicit and parallel method to solve the stream power equation"), and in the same pass keeps
    every slope between the gentlest, which fills lakes, and the steepest, which is the law of
    screes. Ends of the tree keep their height.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In metres, uplift and sediment of this step included.
    tree : FlowTree
        Of that height.
    level : Level
    rate : ndarray of shape (rows, columns), float32
        Erodibility times duration times a power of the drainage area, in metres; from 0 up.
    steepest, gentlest : ndarray of that shape, or float
        Limits of the slope towards the receiver, as rise over run.

    Returns
    -------
    ndarray of shape (rows, columns), float32
        Every cell that drains is higher than its receiver by the gentlest slope.
    """
    run = np.array([1.0, *distances(level)], np.float32).take(tree.directions)
    # h = a + b h_receiver, with b = f / (1 + f) and a = h_before (1 - b).
    share = rate / (rate + run)
    share[tree.ends] = 0.0
    own = height - height * share
    most = run * np.asarray(steepest, np.float32)
    run *= np.float32(gentlest)
    return _solved(own, share, run, most, tree)


def _solved(own: Field, share: Field, least: Field, most: Field, tree: FlowTree) -> Field:
    """Return own + share h_receiver, at least `least` and at most `most` above the receiver."""
    flat = [one.reshape(-1) for one in (own, share, least, most)]
    result = np.empty_like(flat[0])
    trunk = tree.trunk
    result[trunk.cells] = _along_trunk(*(one[trunk.cells] for one in flat), tree=tree)
    for layer in reversed(tree.peeled.layers):
        below = result[tree.receivers[layer]]
        new = flat[1][layer]
        new *= below
        new += flat[0][layer]
        np.maximum(new, below + flat[2][layer], out=new)
        below += flat[3][layer]
        result[layer] = np.minimum(new, below, out=new)
    return result.reshape(own.shape)


def _along_trunk(own: Field, share: Field, least: Field, most: Field, *, tree: FlowTree) -> Field:
    starts, parents = tree.trunk.starts.tolist(), tree.trunk.parents
    result = own.copy()
    for step, (start, stop) in enumerate(zip(starts[1:-1], starts[2:])):
        if not step % _LEVELS_PER_CHECK:
            checkpoint()
        below = result[parents[start:stop]]
        new = result[start:stop]
        new += share[start:stop] * below
        np.maximum(new, below + least[start:stop], out=new)
        below += most[start:stop]
        np.minimum(new, below, out=new)
    return result
