# SPDX-License-Identifier: GPL-3.0-or-later
"""Holes, heights, orientation and sizes of samples are those that GDAL reads, of files drawn at random.

Needs rasterio, whose wheels bring GDAL along. Without it the tests are skipped, and say so.
"""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import ParameterError
from noise_core.io.elevation_reading import read_elevation
from tests import drawing

pytest.importorskip(
    "rasterio", reason="NOT COMPARED: rasterio is not installed", exc_type=ImportError
)

from tests.clients import elevation_files

CASES = 2000


def test_files_mean_what_gdal_says(tmp_path):
    generator, wrong, read = drawing.generator("elevation facts"), [], 0
    for at in range(drawing.count_of(CASES)):
        case = elevation_files.draw(generator)
        folder = tmp_path / str(at)
        folder.mkdir()
        path = elevation_files.write(case, folder)
        truth = elevation_files.read(path)
        try:
            elevation = read_elevation(path)
        except ParameterError as error:
            if not np.isnan(truth.heights).all() or "holes alone" not in str(error):
                wrong.append((case, str(error)))
            continue
        read += 1
        if reason := difference(elevation, truth):
            wrong.append((case, reason))
    assert not wrong, f"{len(wrong)} of {drawing.count_of(CASES)}: {wrong[:3]}"
    assert read > drawing.count_of(CASES) // 2


def difference(found, truth):
    """Return the differences from rasterio; empty if there are none."""
    holes = np.zeros(found.heights.shape, bool) if found.holes is None else found.holes
    expected = np.isnan(truth.heights)
    if holes.shape != expected.shape or (holes != expected).any():
        return f"{holes.sum()} holes for {expected.sum()}"
    known = ~holes
    limit = 1e-5 + 2e-7 * max(truth.largest, float(np.abs(truth.heights[known]).max()))
    if not np.allclose(found.heights[known], truth.heights[known], rtol=1e-6, atol=limit):
        return f"heights {found.heights[known][:4]} for {truth.heights[known][:4]}"
    if (found.spacing is None) != (truth.spacing is None):
        return f"spacing {found.spacing} for {truth.spacing}"
    if truth.spacing is not None and not np.allclose(found.spacing, truth.spacing, rtol=0.005):
        return f"spacing {found.spacing} for {truth.spacing}"
    return ""
