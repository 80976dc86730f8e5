# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of fractals written out slowly, one sample at a time, from the literature's formulas."""

from __future__ import annotations

import itertools
import math

from noise_core.fractals.sums import Mix, amplitudes


def mix(
    octaves=4.0, persistence=0.6, *, present=None, offset=0.9, gain=1.7, strength=0.0, folds=2.5
):
    parts = amplitudes(octaves, persistence)
    return Mix(parts, present or (1.0,) * len(parts), offset, gain, strength, folds)


def clip01(value):
    return min(max(value, 0.0), 1.0)


def triangle(value, folds):
    """Return a wave that starts from -1 at -1 and goes up or down `folds` times per unit."""
    phase = ((value + 1.0) * folds) % 2.0
    return 2.0 * (phase if phase < 1.0 else 2.0 - phase) - 1.0


def slow_plain(n, m, shape):
    total, share = 0.0, 1.0
    for value, amplitude, present in zip(n, m.amplitudes, m.present):
        part = shape(value)
        total += part * share * amplitude * present
        if m.weighted_strength:
            share *= 1.0 - m.weighted_strength + m.weighted_strength * clip01(part / 2.0 + 0.5)
    return total / sum(m.amplitudes)


def slow_ridged(n, m):
    total, weight = 0.0, 1.0
    for value, amplitude, present in zip(n, m.amplitudes, m.present):
        signal = (m.offset - (abs(value) * present + (1.0 - present) / 4.0)) ** 2 * weight
        total += signal * amplitude
        weight = clip01(signal * m.gain)
    largest = max(m.offset**2, (1.0 - m.offset) ** 2) * sum(m.amplitudes)
    return 2.0 * total / largest - 1.0


def rescaled(value, corners):
    """Return a value after the linear map that takes the least and largest corner to -1 and 1."""
    return 2.0 * (value - min(corners)) / (max(corners) - min(corners)) - 1.0


def raw_multifractal(n, m):
    return math.prod(
        m.offset + a * present * value for value, a, present in zip(n, m.amplitudes, m.present)
    )


def raw_heterogeneous(n, m):
    total = n[0] * m.present[0] + m.offset
    for value, a, present in zip(n[1:], m.amplitudes[1:], m.present[1:]):
        total += (value * present + m.offset) * a * total
    return total


def raw_hybrid(n, m):
    total = weight = None
    for value, a, present in zip(n, m.amplitudes, m.present):
        signal = (value * present + m.offset) * a
        if total is None:
            total, weight = signal, clip01(signal * m.gain)
            continue
        total += weight * signal
        weight = clip01(weight * m.gain * signal)
    return total


def corners(m):
    return itertools.product((-1.0, 1.0), repeat=len(m.amplitudes))


def all_present(m):
    return Mix(m.amplitudes, (1.0,) * len(m.amplitudes), m.offset, m.gain, 0.0, m.folds)


def slow(kind, n, m):
    if kind == "fbm":
        return slow_plain(n, m, lambda value: value)
    if kind == "billow":
        return slow_plain(n, m, lambda value: 2.0 * abs(value) - 1.0)
    if kind == "turbulence":
        return slow_plain(n, m, abs)
    if kind == "ping_pong":
        return slow_plain(n, m, lambda value: triangle(value, m.folds))
    if kind == "ridged":
        return slow_ridged(n, m)
    if kind == "multifractal":
        full = all_present(m)
        return rescaled(raw_multifractal(n, m), [raw_multifractal(c, full) for c in corners(m)])
    if kind == "heterogeneous_terrain":
        full = all_present(m)
        return rescaled(raw_heterogeneous(n, m), [raw_heterogeneous(c, full) for c in corners(m)])
    # The weights of the hybrid are in [0, 1] whatever the gain, so its interval takes them as 1.
    low, high = m.offset - 1.0, m.offset + 1.0
    rest = sum(m.amplitudes[1:])
    return rescaled(raw_hybrid(n, m), (low + min(low, 0.0) * rest, high + max(high, 0.0) * rest))
