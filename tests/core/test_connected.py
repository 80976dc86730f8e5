# SPDX-License-Identifier: GPL-3.0-or-later
"""Each connected component gets one label."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core.rasters.connected import label_components


def flooded(mask: np.ndarray, wrap: bool) -> tuple[np.ndarray, int]:
    """Number parts one by one, by walking through each."""
    rows, columns = mask.shape
    labels = np.full(mask.shape, -1)
    count = 0
    for start in zip(*np.nonzero(mask)):
        if labels[start] >= 0:
            continue
        waiting = [start]
        while waiting:
            row, column = waiting.pop()
            if wrap:
                row, column = row % rows, column % columns
            elif not (0 <= row < rows and 0 <= column < columns):
                continue
            if mask[row, column] and labels[row, column] < 0:
                labels[row, column] = count
                waiting += [(row + i, column + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        count += 1
    labels[~mask] = count
    return labels, count


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 0.5, 0.7, 1.0])
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (2, 2), (40, 37)])
def test_equals_a_walk(shape, share, wrap):
    mask = np.random.default_rng(3).random(shape) < share
    labels, count = label_components(mask, wrap)
    expected, parts = flooded(mask, wrap)
    assert count == parts
    assert len(set(zip(labels.ravel().tolist(), expected.ravel().tolist()))) == len(
        set(labels.ravel().tolist())
    )
    assert (labels[~mask] == count).all()
    assert set(labels[mask].tolist()) == set(range(count))


@pytest.mark.parametrize("wrap", [False, True])
def test_a_spiral_is_one(wrap):
    mask = np.zeros((41, 41), bool)
    row, column, dr, dc = 20, 20, 0, 1
    for arm in range(1, 18):
        for _ in range(2 * ((arm + 1) // 2)):
            mask[row, column] = True
            row, column = row + dr, column + dc
        dr, dc = dc, -dr
    assert label_components(mask, wrap)[1] == 1
