# SPDX-License-Identifier: GPL-3.0-or-later
"""Waves go through every cell that drains, each before its receiver, in bands and beyond them."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core.flow_routing.peeling import peel_leaves
from noise_core.flow_routing.routing import route
from noise_core.flow_routing.tree import FlowTree
from noise_core.rasters.level import Level
from terrane_worlds.flow import waves as waves_module
from terrane_worlds.flow.waves import add_up, waves


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
