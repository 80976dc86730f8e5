# SPDX-License-Identifier: GPL-3.0-or-later
"""GeoTIFF files as GDAL's own programs read them: Debian's package gdal-bin."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

from lopsided_land import lopsided_land  # noqa: E402

from noise_core.io.heightmaps import export_heightmap  # noqa: E402
from noise_core.io.targets import GeoTiff  # noqa: E402

LAND = lopsided_land()
ROWS, COLUMNS = 97, 129
TARGETS = [
    GeoTiff(latitude=47.0, longitude=11.0),
    GeoTiff(system="meters", epsg=32632, east=650_000.0, north=5_200_000.0),
]


def run(*command, text=""):
    if shutil.which(command[0]) is None:
        pytest.skip(f"NOT COMPARED: {command[0]} is not installed (gdal-bin)")
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(params=TARGETS, ids=lambda target: target.system)
def written(request, tmp_path):
    report = export_heightmap(
        LAND, tmp_path / "land", target=request.param, samples=(ROWS, COLUMNS)
    )
    return request.param, tmp_path / "land.tif", dict(report.fields)


def test_gdalinfo_names_the_place(written):
    target, path, fields = written
    says = json.loads(run("gdalinfo", "-json", "-stats", str(path)))
    assert says["size"] == [COLUMNS, ROWS] and says["bands"][0]["type"] == "Float32"
    assert says["metadata"][""]["AREA_OR_POINT"] == "Point"
    west, step_x, _, north, _, step_y = says["geoTransform"]
    assert (step_x, -step_y) == pytest.approx((fields["Step X"], fields["Step Y"]))
    # The corner of the first pixel, whose middle the first sample is.
    assert west + 0.5 * step_x == pytest.approx(fields["First Sample X"])
    assert north + 0.5 * step_y == pytest.approx(fields["First Sample Y"])
    assert f'ID["EPSG",{fields["EPSG"]}]' in says["coordinateSystem"]["wkt"]
    height = LAND.evaluate(LAND.grid((ROWS, COLUMNS))).height
    assert says["bands"][0]["minimum"] == pytest.approx(float(height.min()), abs=1e-2)
    assert says["bands"][0]["maximum"] == pytest.approx(float(height.max()), abs=1e-2)


def test_gdallocationinfo_finds_samples_by_their_place(written):
    target, path, fields = written
    height = LAND.evaluate(LAND.grid((ROWS, COLUMNS))).height
    chance = np.random.default_rng(7)
    rows, columns = chance.integers(0, ROWS, 200), chance.integers(0, COLUMNS, 200)
    x = fields["First Sample X"] + columns * fields["Step X"]
    y = fields["First Sample Y"] - (ROWS - 1 - rows) * fields["Step Y"]
    lines = "".join(f"{a!r} {b!r}\n" for a, b in zip(x.tolist(), y.tolist()))
    result = run("gdallocationinfo", "-geoloc", "-valonly", str(path), text=lines)
    np.testing.assert_allclose(
        [float(line) for line in result.split()], height[rows, columns], atol=1e-4
    )
