# SPDX-License-Identifier: GPL-3.0-or-later
"""Flow tree peeled from its leaves: a few rounds remove most cells without sorting them.

More than half of all cells receive nothing. What depends on the order along the tree has to be
worked out for the few that remain, the main cells; everything else is one step over whole arrays.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.blocks import checkpoint
from .directions import Cells, Directions, Mask, add_rim, neighbor, receivers

ROUNDS = 6
"""Each costs two passes over the bytes of the directions and halves what is left (measured)."""


@dataclass(frozen=True)
class LeafLayers:
    """A flow tree in layers of leaves.

    Attributes
    ----------
    receivers : ndarray of shape (cells,), intp
        Where each cell drains to; an end drains to itself.
    layers : list of ndarray, intp
        Cells that drain, outermost first: all that drains to a cell of one layer lies in an
        earlier layer.
    is_main : ndarray of shape (cells,), bool
        Which cells lie in no layer.
    main_cells : ndarray of shape (main cells,), intp
        These, ends included; none of them drains to a layer.
    parents : ndarray of shape (main cells,), intp
        Places in `main_cells` that its cells drain to.
    """

    receivers: Cells
    layers: list[Cells]
    is_main: Mask
    main_cells: Cells
    parents: Cells


def peel_leaves(directions: Directions, wrap: bool) -> LeafLayers:
    """Peel the leaves of a tree of flow directions in rounds."""
    ends = np.equal(directions, 0)
    is_left, left = np.ones(directions.shape, np.bool_), directions
    layers: list[Cells] = []
    for _ in range(ROUNDS):
        checkpoint()
        stays = _find_donors(left, wrap)
        stays |= ends
        checkpoint()
        layers.append(np.flatnonzero(is_left > stays))
        is_left = stays
        if not len(layers[-1]):
            break
        left = directions * is_left.view(np.uint8)
    return _with_main_cells(receivers(directions, wrap), layers, is_left.reshape(-1))


def redirect_cells(tree: LeafLayers, cells: Cells, to: Cells) -> LeafLayers:
    """Return the tree with other receivers for some cells.

    Only these cells and those downstream become main cells; all others keep their layer. The receivers
    of `tree` are changed in place.
    """
    down, is_main = tree.receivers, tree.is_main.copy()
    down[cells] = to
    moved = np.concatenate((cells, to))
    while len(moved):
        checkpoint()
        moved = moved[~is_main[moved]]
        is_main[moved] = True
        moved = down[moved]
    layers = []
    for layer in tree.layers:
        checkpoint()
        stays = np.flatnonzero(~is_main.take(layer, mode="clip"))
        layers.append(layer.take(stays, mode="wrap"))
    return _with_main_cells(down, layers, is_main)


def _with_main_cells(down: Cells, layers: list[Cells], is_main: Mask) -> LeafLayers:
    checkpoint()
    main_cells = np.flatnonzero(is_main)
    checkpoint()
    place = np.empty(len(down), np.intp)
    place[main_cells] = np.arange(len(main_cells), dtype=np.intp)
    checkpoint()
    parents = place.take(down.take(main_cells, mode="wrap"), mode="wrap")
    return LeafLayers(down, layers, is_main, main_cells, parents)


def _find_donors(directions: Directions, wrap: bool) -> Mask:
    """Return the mask of cells to which a neighbor drains."""
    rim = add_rim(directions, wrap, 0)
    found = np.zeros(directions.shape, np.bool_)
    is_donor = np.empty_like(found)
    for direction in range(1, 9):
        np.equal(neighbor(rim, direction, 0, len(found)), np.uint8(9 - direction), out=is_donor)
        np.logical_or(found, is_donor, out=found)
    return found
