# SPDX-License-Identifier: GPL-3.0-or-later
"""Waves go through every cell that drains, each before its receiver, in bands and beyond them."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core.flow_routing.basin_tree import Spillways
from noise_core.flow_routing.peeling import peel_leaves
from noise_core.flow_routing.routing import route
from noise_core.flow_routing.tree import FlowTree
from noise_core.types.level import Level
from worlds.flow import waves as waves_module
from worlds.flow.tile_tree import lowest_of_pairs
from worlds.flow.waves import add_up, waves


@pytest.fixture(params=[(1 << 18, 24), (100, 1), (64, 5)], ids=["one band", "short", "bands"])
def tree(request, monkeypatch) -> FlowTree:
    monkeypatch.setattr(waves_module, "_BAND", request.param[0])
    monkeypatch.setattr(waves_module, "_ROUNDS", request.param[1])
    height = np.random.default_rng(4).random((37, 53), np.float32)
    return route(height, Level(37, 53, 1.0, 1.0, wrap=False))


def test_each_cell_comes_once_and_before_its_receiver(tree):
    turn = np.full(tree.directions.size, -1)
    for number, (cells, to) in enumerate(waves(tree.directions)):
        assert (turn[cells] < 0).all()
        turn[cells] = number
        assert np.array_equal(to, tree.receivers[cells])
    drains = ~tree.ends.reshape(-1)
    assert np.array_equal(turn >= 0, drains)
    down = turn[tree.receivers[drains]]
    assert ((down > turn[drains]) | (down < 0)).all()


def test_sums_are_those_of_the_tree(tree):
    weights = np.random.default_rng(5).integers(-9, 9, tree.directions.size).astype(np.float64)
    expected = weights.copy()
    FlowTree(tree.directions, tree.filled, peel_leaves(tree.directions, wrap=False)).add_up(
        expected
    )
    add_up(tree.directions, weights)
    assert np.array_equal(weights, expected)


def test_nothing_drains():
    assert not [cells for cells, _ in waves(np.zeros((3, 4), np.uint8)) if len(cells)]


@pytest.mark.parametrize("labels", [2, 9, 300])
def test_the_lowest_spillways_of_pairs_stay(labels):
    chance, count = np.random.default_rng(labels), 5000
    first, second = chance.integers(0, labels, (2, count), np.int32)
    heights = chance.integers(0, 50, count).astype(np.float32)
    found = Spillways(first, second, heights, heights, np.arange(count), (1, count))
    kept = lowest_of_pairs(found)
    pairs = np.minimum(first, second) * labels + np.maximum(first, second)
    lowest = np.full(labels * labels, np.inf, np.float32)
    np.minimum.at(lowest, pairs, heights)
    is_lowest = heights == lowest[pairs]
    assert np.isin(np.flatnonzero(is_lowest), kept).all()
    assert np.array_equal(kept, np.sort(kept))
    if labels < 300:
        assert len(kept) < count // 2
