# SPDX-License-Identifier: GPL-3.0-or-later
"""Each kind of fractal against a slow formula, and its bounds."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from noise_core.fractals.kinds import KINDS
from noise_core.fractals.sums import amplitudes
from tests.core.slow_octaves import mix, slow

EVERY_KIND = pytest.mark.parametrize("kind", list(KINDS))


MIXES = {
    "usual": mix(),
    "one octave": mix(1.0),
    "fraction": mix(3.4),
    "offset 0": mix(offset=0.0),
    "offset 1": mix(offset=1.0),
    "offset 2.5": mix(offset=2.5),
    "no gain": mix(gain=0.0),
    "much gain": mix(gain=9.0),
    "rough": mix(persistence=1.5),
    "no persistence": mix(persistence=0.0),
    "weighted": mix(strength=0.7),
    "fully weighted": mix(strength=1.0),
    "faded": mix(present=(1.0, 0.8, 0.3, 0.0)),
    "faded, weighted": mix(present=(1.0, 0.8, 0.3, 0.0), strength=0.5),
}
EVERY_MIX = pytest.mark.parametrize("m", MIXES.values(), ids=list(MIXES))


def random_octaves(count, samples=400):
    generator = np.random.default_rng(count)
    return generator.uniform(-1.0, 1.0, (count, samples)).astype(np.float32)


def combined(kind, octaves, m):
    return KINDS[kind].combine(iter([octave.copy() for octave in octaves]), m)


@EVERY_KIND
@EVERY_MIX
def test_a_kind_is_its_formula(kind, m):
    octaves = random_octaves(len(m.amplitudes))
    if m.weighted_strength and not KINDS[kind].has_weighted_strength:
        return
    expected = [slow(kind, n, m) for n in octaves.T.astype(np.float64).tolist()]
    field = combined(kind, octaves, m)
    assert field.dtype == np.float32
    np.testing.assert_allclose(field, expected, rtol=0, atol=2e-5)


@EVERY_KIND
def test_a_kind_may_be_given_the_same_memory_for_every_octave(kind):
    m = mix(strength=0.4 if KINDS[kind].has_weighted_strength else 0.0)
    octaves = random_octaves(len(m.amplitudes))
    buffer = np.empty_like(octaves[0])

    def reused():
        for octave in octaves:
            buffer[:] = octave
            yield buffer

    field = KINDS[kind].combine(reused(), m)
    assert field.tobytes() == combined(kind, octaves, m).tobytes()


@EVERY_KIND
@EVERY_MIX
@pytest.mark.parametrize("source", [(-1.0, 1.0), (-0.5, 0.25), (0.2, 0.9), (0.0, 0.0)])
def test_values_stay_within_bounds_at_all_extremes(kind, m, source):
    low, high = KINDS[kind].bounds(source, m)
    assert low <= high
    steps = sorted(
        {*np.linspace(*source, 5), *(v for v in (0.0, m.offset) if source[0] <= v <= source[1])}
    )
    octaves = np.array(list(itertools.product(steps, repeat=len(m.amplitudes))), np.float32).T
    if m.weighted_strength and not KINDS[kind].has_weighted_strength:
        return
    field = combined(kind, octaves, m)
    assert field.min() >= low - 2e-5
    assert field.max() <= high + 2e-5


@EVERY_KIND
def test_bounds_are_no_wider_than_needed(kind):
    m = mix(3.0, offset=1.0)
    low, high = KINDS[kind].bounds((-1.0, 1.0), m)
    steps = np.linspace(-1.0, 1.0, 21)
    octaves = np.array(list(itertools.product(steps, repeat=3)), np.float32).T
    field = combined(kind, octaves, m)
    assert field.min() <= low + 0.02 * (high - low)
    # The hybrid's interval takes its weights as 1, which a mild gain does not reach.
    assert field.max() >= high - (0.25 if kind == "hybrid_multifractal" else 0.02) * (high - low)


def test_amplitudes_fade_the_last_octave_by_the_fraction():
    assert amplitudes(3.0, 0.5) == (1.0, 0.5, 0.25)
    assert amplitudes(3.25, 0.5) == (1.0, 0.5, 0.25, 0.25 * 0.125)
    assert amplitudes(1.0, 0.0) == (1.0,)
    assert amplitudes(2.5, 1.0) == (1.0, 1.0, 0.5)
