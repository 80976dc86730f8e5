# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation files of any coordinate system, way to write it, mask and unit mean what GDAL and PROJ say, or are refused.

The draw is 500 files in a deep run: see `tests.drawing`. The cases are drawn by `elevation_cases`, and
`elevation_truth` knows what they mean.
"""

from __future__ import annotations

import collections

import numpy as np
import pytest

from noise_core.base.errors import ParameterError
from noise_core.io.elevation_reading import read_elevation
from tests import drawing

pytest.importorskip(
    "rasterio", reason="NOT COMPARED: rasterio is not installed", exc_type=ImportError
)
pytest.importorskip("pyproj", reason="NOT COMPARED: pyproj is not installed", exc_type=ImportError)

from tests.clients import elevation_cases, elevation_truth

CASES = 500

MOST_REFUSED = 0.05
"""Share of the codes drawn, those of rare methods and other bodies left out."""


def judge(path, truth):
    """Return what is wrong with the elevation in a file, or ("refused", why), or nothing."""
    try:
        elevation = read_elevation(path)
    except ParameterError as error:
        is_line = "\n" not in str(error) and len(str(error)) > 20
        return ("refused", str(error)) if is_line else ("unclear", str(error))
    for name, check in (("size", _size), ("holes", _holes), ("heights", _heights)):
        wrong = check(elevation, truth)
        if wrong:
            return name, wrong
    return ()


def _size(elevation, truth):
    if elevation.spacing is None:
        return f"no size; right: {truth.spacings}"
    limit = elevation_truth.TOLERANCE
    for right in truth.spacings:
        if all(abs(is_ - one) <= limit * one for is_, one in zip(elevation.spacing, right)):
            return ""
    return f"{elevation.spacing} m a sample; right: {truth.spacings}"


def _holes(elevation, truth):
    holes = np.zeros(truth.holes.shape, bool) if elevation.holes is None else elevation.holes
    if holes.shape != truth.holes.shape:
        return f"shape {holes.shape}; right: {truth.holes.shape}"
    if (holes != truth.holes).any():
        return f"{np.count_nonzero(holes)} holes; right: {np.count_nonzero(truth.holes)}"
    return ""


def _heights(elevation, truth):
    valid, worst = ~truth.holes, []
    for right in truth.heights:
        signs = (-1.0,) if truth.has_depths else (1.0,)
        for sign in signs:
            limit = elevation_truth.TOLERANCE * np.abs(right[valid]).max()
            worst.append(np.abs(elevation.heights[valid] - sign * right[valid]).max() / limit)
    if min(worst) <= 1.0:
        return ""
    got, right = elevation.heights[valid], truth.heights[0][valid]
    depths = " downward" if truth.has_depths else ""
    return f"{got.min():.6g} to {got.max():.6g} m; right: {right.min():.6g} to {right.max():.6g}{depths}"


def test_files_mean_what_gdal_and_proj_say_or_are_refused(tmp_path):
    generator = drawing.generator("elevation meaning")
    count = drawing.count_of(CASES)
    wrong, refused, in_share = [], collections.Counter(), 0
    for at in range(count):
        case = elevation_cases.draw(generator)
        folder = tmp_path / str(at)
        folder.mkdir()
        path = case.write(folder)
        truth = elevation_truth.read_truth(path, case.system)
        verdict = judge(path, truth)
        in_share += case.kind not in elevation_cases.OUT_OF_SHARE
        if verdict and verdict[0] == "refused":
            refused[case.kind in elevation_cases.OUT_OF_SHARE] += 1
            print(f"REFUSED {case}\n    {verdict[1]}")
        elif verdict:
            wrong.append(f"WRONG {verdict[0]}: {case}\n    {verdict[1]}\n    GDAL: {truth.system or 'no system'}")  # fmt: skip
            print(wrong[-1])
    print(f"{count} files: {len(wrong)} wrong, refused {refused[False]} of {in_share} and {refused[True]} of the rare")  # fmt: skip
    assert not wrong, f"{len(wrong)} of {count} silently wrong:\n" + "\n".join(wrong)
    assert refused[False] <= max(MOST_REFUSED * in_share, 2)
