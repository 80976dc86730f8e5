# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation files of any coordinate system, spelling, mask and unit agree with GDAL and PROJ, or are refused.

The draw is 500 files in a deep run: see `tests.drawing`. The cases are drawn by `elevation_cases`, written
by `elevation_writing`, and `elevation_truth` knows their meaning.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from noise_core.base.errors import ParameterError
from noise_core.io.elevation_reading import read_elevation
from tests import drawing

pytest.importorskip(
    "rasterio", reason="NOT COMPARED: rasterio is not installed", exc_type=ImportError
)
pytest.importorskip("pyproj", reason="NOT COMPARED: pyproj is not installed", exc_type=ImportError)

from tests.clients import elevation_cases, elevation_truth, elevation_writing

CASES, PARTS = 500, 10

MOST_REFUSED = 0.05
"""Share of the codes drawn, those of rare methods, of other bodies and with depths left out."""

DEPTHS = "heights must be counted upward"
"""Words of the refusal of depths, which only systems that have them may meet."""


def judge(path, truth):
    """Return the error of the elevation in a file, ("refused", why), ("depths", why), or nothing."""
    try:
        elevation = read_elevation(path)
    except ParameterError as error:
        is_line = "\n" not in str(error) and len(str(error)) > 20
        if is_line and DEPTHS in str(error):
            return ("depths" if truth.has_depths else "no depths", str(error))
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


@pytest.fixture(scope="module")
def tally():
    """Verdicts of the parts that have run."""
    return {}


@pytest.mark.parametrize("part", range(PARTS))
def test_files_mean_what_gdal_and_proj_say_or_are_refused(tmp_path, tally, part):
    generator = drawing.generator(f"elevation meaning {part}")
    verdicts, wrong = [], []
    for at in range(drawing.count_of(CASES // PARTS)):
        case = elevation_cases.draw(generator)
        folder = tmp_path / str(at)
        folder.mkdir()
        path = elevation_writing.write(case, folder)
        truth = elevation_truth.read_truth(path, case.system)
        verdict = judge(path, truth)
        verdicts.append((case.kind, *verdict))
        if verdict:
            print(f"{verdict[0].upper()}: {case}\n    {verdict[1]}")
        if verdict and verdict[0] not in ("refused", "depths"):
            wrong.append(f"{verdict[0]}: {case}\n    {verdict[1]}\n    GDAL: {truth.system or 'no system'}")  # fmt: skip
    tally[part] = verdicts
    assert not wrong, f"{len(wrong)} of {len(verdicts)} silently wrong:\n" + "\n".join(wrong)


def test_few_systems_are_refused(tally):
    if len(tally) < PARTS:
        pytest.skip("only some of the parts have run")
    common = [
        verdict
        for verdicts in tally.values()
        for verdict in verdicts
        if verdict[0] not in elevation_cases.OUT_OF_SHARE
    ]
    refused = [one[2] for one in common if one[1:2] == ("refused",)]
    print(*refused, sep="\n")
    assert len(refused) <= max(MOST_REFUSED * len(common), 2), f"of {len(common)}"


def test_the_judge_sees_what_is_wrong(tmp_path):
    bands, place = ((1.0, 0.0, ""),), (9.0, 47.0)
    case = elevation_cases.Case("projected", "EPSG:32632", "geotiff 1.1", "turned", "nodata", place, (30, 30), bands, 5)  # fmt: skip
    path = elevation_writing.write(case, tmp_path)
    truth = elevation_truth.read_truth(path, case.system)
    assert judge(path, truth) == ()
    spacings = tuple((x * 1.01, y) for x, y in truth.spacings)
    assert judge(path, dataclasses.replace(truth, spacings=spacings))[0] == "size"
    assert judge(path, dataclasses.replace(truth, holes=truth.holes[::-1]))[0] == "holes"
    heights = tuple(height * 1.01 for height in truth.heights)
    assert judge(path, dataclasses.replace(truth, heights=heights))[0] == "heights"
    assert judge(path, dataclasses.replace(truth, has_depths=True))[0] == "heights"
    path.write_bytes(path.read_bytes()[:200])
    assert judge(path, truth)[0] == "refused"
