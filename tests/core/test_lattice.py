# SPDX-License-Identifier: GPL-3.0-or-later
"""Quality of the hash: uniform, independent, free of patterns."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from noise_core.lattice import hash as lattice

SEEDS = (0, 1, 2, 0x80000000, 0xFFFFFFFF, 20260)
SIDE = 128


def plane(seed, *further, start=0):
    """Hash a square of lattice points."""
    axis = np.arange(start, start + SIDE, dtype=np.int32)
    rest = [np.array([[value]], np.int32) for value in further]
    return lattice.hash_indices((axis[None, :], axis[:, None], *rest), seed)


def bits(hashes):
    """Return the 32 bits of each hash: shape (count, 32)."""
    return (hashes.ravel()[:, None] >> np.arange(32, dtype=np.uint32)) & np.uint32(1)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_bit_is_set_half_the_time(seed):
    for start in (0, -64, 1_000_000, -2_000_000_000):
        share = bits(plane(seed, start=start)).mean(axis=0)
        # Five standard deviations of a fair coin thrown 16384 times.
        assert np.abs(share - 0.5).max() < 2.5 / SIDE


@pytest.mark.parametrize("seed", SEEDS)
def test_no_two_bits_go_together(seed):
    signs = bits(plane(seed)).astype(np.float64) * 2.0 - 1.0
    together = signs.T @ signs / len(signs) - np.eye(32)
    assert np.abs(together).max() < 6.0 / SIDE


@pytest.mark.parametrize("seed", SEEDS)
def test_values_are_evenly_spread(seed):
    counts = np.bincount((plane(seed) >> np.uint32(24)).ravel(), minlength=256)
    expected = SIDE * SIDE / 256
    chi_squared = float(((counts - expected) ** 2 / expected).sum())
    # 255 degrees of freedom: mean 255, standard deviation 22.6.
    assert 150.0 < chi_squared < 370.0


def test_points_of_a_plane_collide_no_more_than_chance():
    hashes = plane(7)
    # 16384 draws from 2^32 collide 0.03 times on average.
    assert len(np.unique(hashes)) >= hashes.size - 2


@pytest.mark.parametrize("axis", range(4))
def test_one_step_along_any_axis_turns_half_of_the_bits(axis):
    generator = np.random.default_rng(axis)
    points = [generator.integers(-1000, 1000, 4000, dtype=np.int32) for _ in range(4)]
    moved = [index + np.int32(own == axis) for own, index in enumerate(points)]
    turned = bits(lattice.hash_indices(points, 3) ^ lattice.hash_indices(moved, 3)).mean(axis=0)
    # The last multiplication leaves a little slack in the lowest and highest bits.
    assert np.abs(turned - 0.5).max() < 0.06


def test_one_bit_of_the_seed_turns_half_of_the_bits():
    base = plane(12345)
    for bit in range(32):
        turned = bits(base ^ plane(12345 ^ (1 << bit))).mean()
        assert abs(turned - 0.5) < 0.02, bit


@pytest.mark.parametrize(
    "shift", [s for s in itertools.product(range(-8, 9), range(9)) if s > (0, 0)]
)
def test_no_small_shift_maps_the_plane_onto_itself(shift):
    unit = plane(0) / 2.0**32 - 0.5
    across, along = shift
    one = unit[along:, max(across, 0) :][:, : SIDE - abs(across)]
    other = unit[: SIDE - along, max(-across, 0) :][:, : SIDE - abs(across)]
    correlation = float((one * other).mean() / unit.var())
    assert abs(correlation) < 5.0 / SIDE


def test_seeds_are_no_shifts_of_one_another():
    # A seed that is merely added to an index would turn up as a moved copy.
    base = plane(1).ravel()
    for seed in (0, 2, 3, 4, 256):
        other = plane(seed, start=-SIDE // 2).ravel()
        assert np.isin(base, other).mean() < 0.01


def test_axes_are_not_interchangeable():
    square = plane(5)
    off_diagonal = ~np.eye(SIDE, dtype=bool)
    assert (square == square.T)[off_diagonal].mean() < 0.001
    mirrored = lattice.hash_indices((-np.arange(1, 9, dtype=np.int32), np.zeros(8, np.int32)), 5)
    assert not np.isin(mirrored, plane(5)[0, 1:9]).any()


def turns_and_reflections(dimension):
    """Return every way to send the axes to one another and turn them round, but for doing nothing."""
    orders = itertools.permutations(range(dimension))
    signs = itertools.product((1, -1), repeat=dimension)
    return list(itertools.product(orders, signs))[1:]


@pytest.mark.parametrize("dimension", (1, 2, 3, 4))
@pytest.mark.parametrize("middle", (0, 1))
def test_no_turn_or_reflection_about_the_origin_maps_space_onto_itself(dimension, middle):
    axis = np.arange(-5, 6, dtype=np.int32)
    points = [index.ravel() for index in np.meshgrid(*[axis] * dimension)]
    base = lattice.hash_indices(points, 3)
    for order, signs in turns_and_reflections(dimension):
        # Reflected about a point of the lattice, or about the middle between two.
        moved = [points[own] * sign - middle * (sign < 0) for own, sign in zip(order, signs)]
        stay = np.all([a == b for a, b in zip(points, moved)], axis=0)
        same = (lattice.hash_indices([index.astype(np.int32) for index in moved], 3) == base)[~stay]
        assert same.mean() < 0.001, (order, signs)


def test_fewer_axes_are_the_plane_at_zero_and_further_ones_change_it():
    np.testing.assert_array_equal(plane(9), plane(9, 0, 0))
    assert (plane(9, 1) != plane(9)).mean() > 0.99
    assert (plane(9, 0, 1) != plane(9, 1, 0)).mean() > 0.99


def test_the_hash_has_no_period_of_256():
    axis = np.arange(256, dtype=np.int32)
    zero = np.zeros(256, np.int32)
    assert (
        lattice.hash_indices((axis, zero), 0) != lattice.hash_indices((axis + 256, zero), 0)
    ).mean() > 0.99


def test_the_hash_is_what_it_has_always_been():
    # A changed bit here changes every saved terrain.
    points = ([0, 1, -1, 2147483647], [0, 0, 5, -2147483648], [0, 7, 0, 1], [0, 0, 0, -1])
    columns = [np.array(index, np.int64).astype(np.int32) for index in points]
    for dimension in (1, 2, 3, 4):
        for place in range(4):
            expected = slow_hash([index[place] for index in points[:dimension]], 42)
            assert int(lattice.hash_indices(columns[:dimension], 42)[place]) == expected


def slow_hash(indices, seed):
    """The same in Python's whole numbers, as it stands in the documentation."""
    primes = (0x9E3779B1, 0x6A09E667, 0xBB67AE85, 0x3C6EF373)
    value = slow_mix(seed)
    for index, prime in zip(indices, primes):
        multiple = (index & 0xFFFFFFFF) * prime & 0xFFFFFFFF
        bent = multiple ^ (multiple >> 16)
        value = value ^ bent if prime == primes[0] else (value + bent) & 0xFFFFFFFF
    return slow_mix(value)


def slow_mix(value):
    value ^= value >> 16
    value = value * 0x7FEB352D & 0xFFFFFFFF
    value ^= value >> 15
    value = value * 0x846CA68B & 0xFFFFFFFF
    return value ^ (value >> 16)


def test_mixing_loses_nothing():
    assert len({lattice.mix_bits(value) for value in range(20000)}) == 20000
    assert lattice.mix_bits(0xDEADBEEF) == slow_mix(0xDEADBEEF)


def test_inputs_are_not_written():
    i, j = np.arange(9, dtype=np.int32), np.arange(9, dtype=np.int32)
    lattice.hash_indices((i, j), 3)
    lattice.permute_indices((i, j), 3)
    np.testing.assert_array_equal(i, np.arange(9))
    np.testing.assert_array_equal(j, np.arange(9))


def test_children_have_seeds_of_their_own():
    for seed in SEEDS:
        assert lattice.child_seed(seed, 0) == seed
        children = [lattice.child_seed(seed, child) for child in range(1000)]
        assert len(set(children)) == 1000
        assert all(0 <= child <= 0xFFFFFFFF for child in children)
    # A child of one seed is not a grandchild of another by simple arithmetic.
    first = {lattice.child_seed(seed, child) for seed in range(50) for child in range(1, 20)}
    assert len(first) == 50 * 19


def test_perlins_permutation_is_his():
    table = lattice.permutation(0)
    assert table.shape == (512,)
    assert sorted(table[:256].tolist()) == list(range(256))
    np.testing.assert_array_equal(table[:256], table[256:])
    assert table[:8].tolist() == [151, 160, 137, 91, 90, 15, 131, 13]
    assert table[252:256].tolist() == [66, 215, 61, 156, 180][1:]
    assert not table.flags.writeable


def test_other_seeds_shuffle_the_permutation():
    tables = {seed: lattice.permutation(seed)[:256] for seed in range(60)}
    for table in tables.values():
        assert sorted(table.tolist()) == list(range(256))
    for one, other in itertools.combinations(tables, 2):
        # Two shuffles agree in one place on average.
        assert (tables[one] == tables[other]).sum() < 12
    # Every value comes to every region: no element is stuck.
    places = np.array([np.flatnonzero(table == 151)[0] for table in tables.values()])
    assert places.min() < 40
    assert places.max() > 215


def test_permuted_is_the_nested_lookup():
    p = lattice.permutation(0).tolist()
    points = np.random.default_rng(0).integers(-600, 600, (4, 200)).astype(np.int32)
    for dimension in (1, 2, 3, 4):
        indices = lattice.permute_indices(list(points[:dimension]), 0)
        assert indices.dtype == np.uint32
        for place in range(200):
            value = 0
            for index in points[:dimension, place].tolist():
                value = p[value + (index & 255)]
            assert int(indices[place]) == value


def test_permuted_repeats_after_256():
    i = np.arange(-50, 50, dtype=np.int32)
    for shift in (256, -512):
        np.testing.assert_array_equal(
            lattice.permute_indices((i, i), 4), lattice.permute_indices((i + np.int32(shift), i), 4)
        )


def test_diagonals_have_the_hashes_of_their_points():
    random = np.random.default_rng(5)
    for _ in range(30):
        first, columns, count = random.integers([-(2**30), 1, 1], [2**30, 40, 20]).tolist()
        rows = random.integers(-(2**30), 2**30, count).astype(np.int32)
        seed = int(random.integers(2**32))
        starts = np.arange(first, first + count)[:, None]
        points = (starts + np.arange(columns)).astype(np.int32)
        expected = lattice.hash_indices((points, rows[:, None]), seed)
        found = lattice.hash_diagonals(first, columns, rows, seed)
        assert found.dtype == np.uint32
        assert np.array_equal(found, expected)
