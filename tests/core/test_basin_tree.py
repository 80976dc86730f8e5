# SPDX-License-Identifier: GPL-3.0-or-later
"""The tree of basins, against one that is built pass by pass (Kruskal 1956)."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core.flow_routing.basin_tree import (
    OUTSIDE,
    BasinTree,
    Spillways,
    drop_higher,
    spanning_tree,
)


def meshed(count: int, more: int, seed: int, heights: int) -> Spillways:
    """Return spillways that connect all basins, of few heights so that many are equal, and many beside each."""
    random = np.random.default_rng(seed)
    before = np.array([random.integers(max(0, number - 3), number) for number in range(1, count)])
    first = np.concatenate((before, random.integers(0, count, more)))
    second = np.concatenate((np.arange(1, count), random.integers(0, count, more)))
    differ = np.flatnonzero(first != second)
    first, second = (np.repeat(one[differ], 7).astype(np.int32) for one in (first, second))
    top = random.integers(-heights, heights, len(first)).astype(np.float32)
    lower = top - random.integers(0, 3, len(first)).astype(np.float32)
    swapped = random.random(len(first)) < 0.5
    ends = np.where(swapped, second, first), np.where(swapped, first, second)
    codes = np.arange(len(first), dtype=np.int32)
    order = random.permutation(len(first))
    parts = (*ends, top, lower, codes)
    return Spillways(*(part[order] for part in parts), (1 << 15, 1 << 15))


def kruskal(spillways: Spillways, count: int) -> set[int]:
    """Return the passes of the minimum spanning tree; of equal ones the first."""
    group = list(range(count))

    def root(basin: int) -> int:
        while group[basin] != basin:
            group[basin] = basin = group[group[basin]]
        return basin

    chosen = set()
    places = range(len(spillways.heights))
    for place in sorted(places, key=lambda one: (spillways.heights[one], spillways.lower[one])):
        one, other = root(int(spillways.first[place])), root(int(spillways.second[place]))
        if one != other:
            group[one] = other
            chosen.add(place)
    return chosen


@pytest.mark.parametrize(
    ("count", "more", "heights"), [(2, 0, 5), (3, 1, 1), (60, 300, 4), (900, 2000, 1 << 20)]
)
def test_passes_and_parents_are_those_of_a_tree_built_pass_by_pass(
    count: int, more: int, heights: int
) -> None:
    spillways = meshed(count, more, seed=count, heights=heights)
    expected = kruskal(spillways, count)
    assert set(spanning_tree(spillways, count).tolist()) == expected
    tree = BasinTree.span(spillways, count)
    neighbors: dict[int, list[tuple[int, int]]] = {basin: [] for basin in range(count)}
    for place in expected:
        one, other = int(spillways.first[place]), int(spillways.second[place])
        neighbors[one].append((other, place))
        neighbors[other].append((one, place))
    parents, waiting = {OUTSIDE: OUTSIDE}, [OUTSIDE]
    levels = {OUTSIDE: -np.inf}
    for basin in waiting:
        for other, place in neighbors[basin]:
            if other not in parents:
                parents[other] = basin
                levels[other] = max(levels[basin], float(spillways.heights[place]))
                assert tree.exits[other] == place
                waiting.append(other)
    assert tree.parents.tolist() == [parents[basin] for basin in range(count)]
    assert tree.levels.tolist() == [levels[basin] for basin in range(count)]


@pytest.mark.parametrize("height", [0.0, -3e38, 3e38, 1e-45])
def test_passes_of_any_height_may_be_equally_high(height: float) -> None:
    spillways = meshed(40, 100, seed=1, heights=1)
    level = np.full_like(spillways.heights, height)
    equal = Spillways(
        spillways.first, spillways.second, level, level, spillways.codes, spillways.rim_shape
    )
    assert set(spanning_tree(equal, 40).tolist()) == kruskal(equal, 40)


def test_zeros_of_both_signs_are_as_high() -> None:
    for far in ([], [100.0]):
        heights = np.array([0.0, -0.0, *far], np.float32)
        lower = np.array([-2.0, -1.0, *far], np.float32)
        first = np.array([0, 0, *(1 for _ in far)], np.int32)
        passes = np.arange(len(heights), dtype=np.int32)
        spillways = Spillways(first, first + np.int32(1), heights, lower, passes, (3, 3))
        assert 0 in spanning_tree(spillways, 2 + len(far))


def test_a_chain_of_many_basins_drains_from_end_to_end() -> None:
    count = 70_000  # more than 16 bits number
    first = np.arange(count - 1, dtype=np.int32)
    heights = np.linspace(-5.0, 9.0, count - 1, dtype=np.float32)
    chain = Spillways(first, first + np.int32(1), heights, heights, first, (300, 300))
    tree = BasinTree.span(chain, count)
    np.testing.assert_array_equal(tree.parents, np.maximum(np.arange(count) - 1, 0))
    np.testing.assert_array_equal(tree.exits[1:], first)


@pytest.mark.parametrize("count", [2, 9, 300])
def test_the_lowest_passes_of_pairs_stay(count: int) -> None:
    chance, passes = np.random.default_rng(count), 5000
    first, second = chance.integers(0, count, (2, passes), np.int32)
    heights = chance.integers(0, 50, passes).astype(np.float32)
    spillways = Spillways(first, second, heights, heights, np.arange(passes), (1, passes))
    kept = drop_higher(spillways, count)
    pairs = np.minimum(first, second) * count + np.maximum(first, second)
    lowest = np.full(count * count, np.inf, np.float32)
    np.minimum.at(lowest, pairs, heights)
    is_lowest = heights == lowest[pairs]
    assert np.isin(np.flatnonzero(is_lowest), kept).all()
    assert np.array_equal(kept, np.sort(kept))
    if count < 300:
        assert len(kept) < passes // 2
