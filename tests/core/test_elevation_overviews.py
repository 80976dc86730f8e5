# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are larger than the memory: read from their overviews, or in parts of rows."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import ParameterError
from noise_core.io.elevation_reading import probe_elevation, read_elevation
from tests.core import elevation_files as files
from tests.core.elevation_files import holes_of, land, valid, write


def halved(field):
    return field.reshape(field.shape[0] // 2, 2, field.shape[1] // 2, 2).mean(axis=(1, 3))


@pytest.mark.parametrize("is_beside", [False, True])
@pytest.mark.parametrize("is_masked", [False, True])
@pytest.mark.parametrize("samples", [40, 20, 11, 3])
def test_large_files_are_read_from_their_overviews(
    tmp_path, monkeypatch, is_beside, is_masked, samples
):
    levels = [np.arange(32.0 * 40).reshape(32, 40).astype("f4")]
    levels += [halved(levels[0]), halved(halved(levels[0]))]
    levels = [field + 1000.0 * at for at, field in enumerate(levels)]  # so that it can be seen
    images = [
        {"samples": field.astype("f4"), "extra": {254: ("I", [int(at > 0)])}, "tile": (16, 16)}
        for at, field in enumerate(levels)
    ]
    masks = [
        files.mask(np.arange(field.shape[1]) * 2**at > 3 + 0 * field, kind=4 + (at > 0))
        for at, field in enumerate(levels)
    ]
    masks = masks if is_masked else []
    if is_beside:
        path = write(tmp_path, "a.tif", files.chained(images[0], *masks[:1]))
        write(tmp_path, "a.tif.OVR", files.chained(*images[1:], *masks[1:]))
    else:
        path = write(tmp_path, "a.tif", files.chained(*images, *masks))
    plain = read_elevation(path, samples=samples)
    assert plain.heights.max() < 1400.0 and not any("overview" in one for one in plain.lines)
    monkeypatch.setattr("noise_core.io.elevation_reading.reduction.MOST_SAMPLES", 100)
    found = read_elevation(path, samples=samples)
    level = 2 if samples <= 10 else 1 if samples <= 20 else 0
    assert any("Read from its overview of" in one for one in found.lines) == (level > 0)
    expected = plain.heights + 1000.0 * level
    known = ~holes_of(plain)
    np.testing.assert_allclose(found.heights[known], expected[known], rtol=1e-6, atol=25.0)
    assert found.heights.shape == plain.heights.shape and found.spacing == plain.spacing


def test_more_samples_than_fit_are_refused_before_they_are_read(tmp_path):
    side = 1 << 17
    tags = {
        256: ("I", [side]),
        257: ("I", [side]),
        322: ("I", [1 << 14]),
        323: ("I", [1 << 14]),
        324: ("I", [0] * 64),
        325: ("I", [0] * 64),
    }
    path = write(tmp_path, "a.tif", files.tiff(land("u1"), tile=(16, 16), extra=tags))
    assert probe_elevation(path).rows == side
    message = r"^a.tif: rows times columns must be in \[1, 536870912\]; got 131072 x 131072"
    with pytest.raises(ParameterError, match=message):
        read_elevation(path)


def test_tall_tiles_of_wide_files_are_read_in_parts(tmp_path, monkeypatch):
    field, known = land("f4", (70, 90)), valid((70, 90))
    images = ({"samples": field, "tile": (32, 16)}, files.mask(known, tile=(16, 32)))
    for matrix in ([2.0, 0, 0, 1, 0, -3.0, 0, 5], [-2.0, 0, 0, 1, 0, 3.0, 0, 5]):
        image = {**images[0], "extra": {34264: ("d", [*matrix, 0, 0, 0, 0, 0, 0, 0, 1.0])}}
        path = write(tmp_path, "a.tif", files.chained(image, images[1]))
        whole = read_elevation(path, samples=13)
        with monkeypatch.context() as patch:
            patch.setattr("noise_core.io.elevation_reading.reduction._SAMPLES_AT_ONCE", 1)
            patch.setattr("noise_core.io.elevation_reading.reduction._SAMPLES_PER_BAND", 1)
            parts = read_elevation(path, samples=13)
        np.testing.assert_allclose(parts.heights, whole.heights, rtol=1e-6)
        np.testing.assert_array_equal(holes_of(parts), holes_of(whole))


def test_tiles_are_read_in_parts(tmp_path, monkeypatch):
    field = land("f4", (40, 74))
    paths = []
    for at, (tie, part) in enumerate(
        (((500.0, 900.0), field[:, :37]), ((1610.0, 900.0), field[:, 37:]))
    ):
        data = files.tiff(part, extra=files.geo_tags(tie=tie), tile=(16, 16))
        paths.append(write(tmp_path, f"{at}.tif", data))
    whole = read_elevation(paths, samples=9)
    np.testing.assert_array_equal(read_elevation(paths).heights, field[::-1])
    monkeypatch.setattr("noise_core.io.elevation_reading.reduction._SAMPLES_AT_ONCE", 1)
    monkeypatch.setattr("noise_core.io.elevation_reading.reduction._SAMPLES_PER_BAND", 1)
    parts = read_elevation(paths, samples=9)
    np.testing.assert_allclose(parts.heights, whole.heights, rtol=1e-6)
