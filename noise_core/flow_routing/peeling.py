# SPDX-License-Identifier: GPL-3.0-or-later
"""Flow tree peeled from its leaves: a few rounds remove most cells without sorting them.

More than half of all cells receive nothing. What depends on the order along the tree has to be
worked out for the few that remain, the main cells; everything else is one step over whole arrays.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..base.blocks import checkpoint
from .directions import Cells, Directions, Mask, add_rim, neighbor, receivers

ROUNDS = 6
"""Each costs two passes over the bytes of the directions and halves what is left (measured)."""

_LAYER_MARK = 128
"""Marks from here on tell in which layer a cell lies; smaller ones are directions."""


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
    marks : ndarray of shape (cells,), uint8
        At least `_LAYER_MARK` in the layers, less in the main cells.
    main_cells : ndarray of shape (main cells,), intp
        The remaining cells, ends included; none of them drains to a layer.
    parents : ndarray of shape (main cells,), intp
        Places in `main_cells` that its cells drain to.
    """

    receivers: Cells
    layers: list[Cells]
    marks: npt.NDArray[np.uint8]
    main_cells: Cells
    parents: Cells


def peel_leaves(directions: Directions, wrap: bool) -> LeafLayers:
    """Peel the leaves of a tree of flow directions in rounds."""
    marks = directions.copy()
    has_donor = np.empty(directions.shape, np.bool_)
    layers: list[Cells] = []
    for number in range(ROUNDS):
        checkpoint()
        _find_donors(marks, wrap, has_donor)
        checkpoint()
        # Leaves drain, and nothing drains to them: 1 to 8, without a donor.
        is_leaf = np.subtract(marks, np.uint8(1)) < np.uint8(8)
        np.greater(is_leaf, has_donor, out=is_leaf)
        layers.append(np.flatnonzero(is_leaf))
        if not len(layers[-1]):
            break
        np.maximum(marks, is_leaf.view(np.uint8) * np.uint8(_LAYER_MARK + number), out=marks)
    return _with_main_cells(receivers(directions, wrap), layers, marks.reshape(-1))


def redirect_cells(tree: LeafLayers, cells: Cells, to: Cells) -> LeafLayers:
    """Return the tree with other receivers for some cells.

    Only these cells and those downstream become main cells; all others keep their layer. The receivers
    of `tree` are changed in place.
    """
    down, marks = tree.receivers, tree.marks.copy()
    down[cells] = to
    moved = np.concatenate((cells, to))
    while len(moved):
        checkpoint()
        moved = moved[marks[moved] >= _LAYER_MARK]
        marks[moved] = 0
        moved = down[moved]
    layers = []
    for layer in tree.layers:
        checkpoint()
        layers.append(layer[marks[layer] >= _LAYER_MARK])
    return _with_main_cells(down, layers, marks)


def _with_main_cells(down: Cells, layers: list[Cells], marks: npt.NDArray[np.uint8]) -> LeafLayers:
    checkpoint()
    main_cells = np.flatnonzero(marks < np.uint8(_LAYER_MARK))
    checkpoint()
    place = np.empty(len(down), np.intp)
    place[main_cells] = np.arange(len(main_cells), dtype=np.intp)
    checkpoint()
    return LeafLayers(down, layers, marks, main_cells, place[down[main_cells]])


def _find_donors(directions: Directions, wrap: bool, out: Mask) -> None:
    """Write the mask of cells to which a neighbor drains."""
    rim = add_rim(directions, wrap, 0)
    is_donor = np.empty_like(out)
    out.fill(False)
    for direction in range(1, 9):
        np.equal(neighbor(rim, direction, 0, len(out)), np.uint8(9 - direction), out=is_donor)
        np.logical_or(out, is_donor, out=out)
