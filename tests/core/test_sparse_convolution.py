# SPDX-License-Identifier: GPL-3.0-or-later
"""Sparse convolution noise: its deviation everywhere, and its spectrum beside that of its kernels."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid, ParameterError
from noise_core.noises import SparseConvolution

KERNELS = pytest.mark.parametrize("kernel", ["bell", "hat"])


@KERNELS
@pytest.mark.parametrize("rest", [(), (0.3,)])
def test_deviation_is_as_stated_at_every_place_of_a_cell(kernel, rest):
    noise = SparseConvolution(frequency=32.0, kernel=kernel)
    fields = np.array(
        [noise.sample_grid(Grid(128, 128, wrap=True), seed, evolution=rest) for seed in range(4)]
    )
    assert fields.std() == pytest.approx(0.3, rel=0.1)
    # Four samples a cell: no row or column of a cell differs from the others.
    places = fields.reshape(4, 32, 4, 32, 4).std(axis=(0, 1, 3))
    assert places.max() / places.min() < 1.12


@KERNELS
def test_spectrum_is_that_of_the_kernel(kernel):
    fields = [
        SparseConvolution(frequency=16.0, kernel=kernel).sample_grid(
            Grid(128, 128, wrap=True), seed
        )
        for seed in range(4)
    ]
    energy = np.mean(np.abs(np.fft.fft2(fields)) ** 2, axis=0)
    energy[0, 0] = 0.0
    along = np.fft.fftfreq(128, 1.0 / 128)
    waves = np.hypot(along[:, np.newaxis], along) / 16.0
    energy /= energy.sum()
    coarse, fine = energy[waves < 0.25].sum(), energy[waves > 1.6].sum()
    assert fine < 0.01
    assert coarse < 0.02 if kernel == "hat" else coarse > 0.1


def test_bad_values_are_refused():
    with pytest.raises(ParameterError, match=r"^SparseConvolution\.kernel must "):
        SparseConvolution(kernel="cone")
    with pytest.raises(ParameterError, match="points must have 2, 3 coordinates; got 4"):
        SparseConvolution().sample(np.zeros((1, 4)))
