# SPDX-License-Identifier: GPL-3.0-or-later
"""Exported heightmaps, read by the programs and libraries that they are for.

Needs no Blender: `pip install pytest numpy rasterio mujoco pybullet tifffile OpenEXR imageio`. A client that is
not installed is skipped, and the summary names it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

from lopsided_land import import_client, lopsided_land  # noqa: E402

from noise_core.io.heightmaps import ExportOptions, export_heightmap  # noqa: E402
from noise_core.io.robot_grounds import export_model  # noqa: E402
from noise_core.io.targets import GeoTiff  # noqa: E402
from noise_core.robots import (  # noqa: E402
    NarrowBeams,
    PerlinNoise,
    RandomSpread,
    SteppingStones,
    TiltedGrid,
    WavyField,
)
from noise_core.robots.bases.curriculum import Curriculum  # noqa: E402
from tests.export_keywords import sort_keywords  # noqa: E402

LAND = lopsided_land()

ROWS, COLUMNS = 97, 129
"""Not square, so that rows are not taken for columns."""

RAYS = 10_000


def export(target, folder, **keywords):
    arguments = sort_keywords(target=target, samples=(ROWS, COLUMNS), **keywords)
    report = export_heightmap(LAND, folder / "land", **arguments)
    return json.loads(report.sidecar.read_text(encoding="utf-8"))


def points(count, seed):
    """Return x and y in meters from the middle, within the land."""
    chance = np.random.default_rng(seed)
    spacing = LAND.size / (COLUMNS - 1)
    half = 0.5 * spacing * np.array([COLUMNS - 1, ROWS - 1])
    return chance.uniform(-half * 0.999, half * 0.999, (count, 2))


def nodes():
    """Return x and y of all samples but those on the border, in meters from the middle."""
    spacing = LAND.size / (COLUMNS - 1)
    x = (np.arange(1, COLUMNS - 1) - 0.5 * (COLUMNS - 1)) * spacing
    y = (np.arange(1, ROWS - 1) - 0.5 * (ROWS - 1)) * spacing
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def between(height, places):
    """Return the lowest and the highest the ground can be, whichever way its cells are cut in triangles."""
    spacing = LAND.size / (COLUMNS - 1)
    across = places / spacing + 0.5 * np.array([COLUMNS - 1, ROWS - 1])
    # A ray at a sample itself may fall on either side.
    column, row = np.minimum(np.floor(across), [COLUMNS - 2, ROWS - 2]).astype(int).T
    u, v = across[:, 0] - column, across[:, 1] - row
    a, b = height[row, column].astype(float), height[row, column + 1].astype(float)
    c, d = height[row + 1, column].astype(float), height[row + 1, column + 1].astype(float)
    rising = np.where(u >= v, a + u * (b - a) + v * (d - b), a + v * (c - a) + u * (d - c))
    falling = np.where(
        u + v <= 1.0, a + u * (b - a) + v * (c - a), d + (1.0 - u) * (c - d) + (1.0 - v) * (b - d)
    )
    return np.minimum(rising, falling), np.maximum(rising, falling)


@pytest.mark.parametrize(
    "target", [GeoTiff(latitude=47.0, longitude=11.0), GeoTiff(system="meters")]
)
def test_geotiff_in_rasterio(tmp_path, height, target):
    rasterio = import_client("rasterio")
    says = export(target, tmp_path)
    with rasterio.open(tmp_path / "land.tif") as image:
        assert image.dtypes == ("float32",) and image.count == 1
        np.testing.assert_array_equal(image.read(1)[::-1], height)
        code = 4326 if target.system == "degrees" else 32631
        assert image.crs.to_epsg() == says["fields"]["EPSG"] == code
        assert image.tags()["AREA_OR_POINT"] == "Point"
        x, y = image.xy(0, 0)  # the middle of that pixel is the sample
        assert (x, y) == pytest.approx(
            (says["fields"]["First Sample X"], says["fields"]["First Sample Y"])
        )
        middle = np.array(
            [
                0.5 * (image.bounds.left + image.bounds.right),
                0.5 * (image.bounds.bottom + image.bounds.top),
            ]
        )
        wanted = (11.0, 47.0) if target.system == "degrees" else (500_000.0, 0.0)
        assert middle == pytest.approx(wanted, abs=1e-6)
        # A place in the north-east, asked for by its coordinates.
        row, column = ROWS - 5, COLUMNS - 9
        step_x, step_y = says["fields"]["Step X"], says["fields"]["Step Y"]
        east, north = x + column * step_x, y - (ROWS - 1 - row) * step_y
        assert next(image.sample([(east, north)]))[0] == height[row, column]


def test_geotiff_in_tifffile(tmp_path, height):
    tifffile = import_client("tifffile")
    export("geotiff", tmp_path)
    with tifffile.TiffFile(tmp_path / "land.tif") as file:
        assert file.geotiff_metadata["GTRasterTypeGeoKey"] == 2
        assert file.geotiff_metadata["GeographicTypeGeoKey"] == 4326
        page = file.pages[0]
        assert page.predictor == 3 and page.compression == 8
        try:
            pixels = page.asarray()
        except ValueError as error:  # predictors of floats need imagecodecs
            pytest.skip(f"NOT TESTED: values in tifffile: {error}")
        np.testing.assert_array_equal(pixels[::-1], height)


@pytest.mark.parametrize("target", ["exr", "godot"])
def test_exr_in_openexr(tmp_path, height, target):
    exr = import_client("OpenEXR")
    export(target, tmp_path)
    with exr.File(str(tmp_path / "land.exr")) as file:
        pixels = file.channels()["Y"].pixels
    assert pixels.dtype == np.float32
    np.testing.assert_array_equal(pixels[::-1], height)


def test_png_in_imageio(tmp_path, height):
    imageio = import_client("imageio.v3")
    says = export("png16", tmp_path, maps=["slope"], normal_bits=8)
    pixels = imageio.imread(tmp_path / "land.png")
    assert pixels.dtype == np.uint16 and pixels.shape == (ROWS, COLUMNS)
    lost = np.abs(says["offset"] + says["scale"] * pixels[::-1] - height)
    assert lost.max() <= 0.51 * says["scale"]
    assert imageio.imread(tmp_path / "land_slope.png").shape == (ROWS, COLUMNS)
    assert imageio.imread(tmp_path / "land_normal.png").shape == (ROWS, COLUMNS, 3)


def test_npy_in_numpy(tmp_path, height):
    export("npy", tmp_path)
    np.testing.assert_array_equal(np.load(tmp_path / "land.npy", allow_pickle=False), height)


def test_mujoco_compiles_the_model_and_its_rays_meet_the_land(tmp_path, height):
    mujoco = import_client("mujoco")
    export("mujoco", tmp_path)
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "land.xml"))
    assert (model.hfield_nrow[0], model.hfield_ncol[0]) == (ROWS, COLUMNS)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    places = points(RAYS, 1)
    low, high = between(height, places)
    top, down, geom = float(height.max()) + 50.0, np.array([0.0, 0.0, -1.0]), np.zeros(1, np.int32)
    met = np.array([
        top - mujoco.mj_ray(model, data, np.array([*place, top]), down, None, 1, -1, geom, None)
        for place in places
    ])  # fmt: skip
    off = np.maximum(low - met, met - high)
    assert off.max() <= 1e-3, off.max()


def test_mujoco_rays_meet_the_boxes_and_fields_of_a_curriculum(tmp_path):
    mujoco = import_client("mujoco")
    kinds = (
        NarrowBeams(),
        TiltedGrid(),
        SteppingStones(),
        RandomSpread(),
        WavyField(),
        PerlinNoise(),
    )
    course = Curriculum(kinds, rows=2, seed=3, border=1.0)
    export_model(course, tmp_path / "course")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "course.xml"))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    down, geom = np.array([0.0, 0.0, -1.0]), np.zeros(1, np.int32)
    places = np.random.default_rng(1).uniform(-3.99, 3.99, (RAYS // 50, 2))
    for patch in course.patches:
        starts = [np.array([patch.x + x, patch.y + y, 10.0]) for x, y in places]
        met = np.array([
            10.0 - mujoco.mj_ray(model, data, start, down, None, 1, -1, geom, None)
            for start in starts
        ])  # fmt: skip
        off = np.abs(met - patch.ground.heights(*places.T)).max()
        assert off <= 1e-3, (patch.name, off)


def test_mujoco_shows_tiles_side_by_side(tmp_path):
    mujoco = import_client("mujoco")
    whole = LAND.evaluate(LAND.grid((65, 129))).height
    report = export_heightmap(
        LAND, tmp_path / "land", target="mujoco", samples=65, options=ExportOptions(tiles=(2, 1))
    )
    says = json.loads(report.sidecar.read_text(encoding="utf-8"))
    for file, part in zip(says["files"], (whole[:, :65], whole[:, 64:])):
        model = mujoco.MjModel.from_xml_path(str(tmp_path / file["beside"][0]))
        x, y, z = model.geom_pos[0]
        assert x == pytest.approx(-250.0 if file["tile"] == [0, 0] else 250.0) and y == 0.0
        stored = model.hfield_data.reshape(65, 65) * model.hfield_size[0][2] + z
        assert np.abs(stored - part).max() <= 1e-3


def test_pybullet_rays_meet_the_land(tmp_path, height):
    bullet = import_client("pybullet")
    fields = export("pybullet", tmp_path)["fields"]
    world = bullet.connect(bullet.DIRECT)
    try:
        shape = bullet.createCollisionShape(
            shapeType=getattr(bullet, fields["shapeType"]),
            meshScale=fields["meshScale"],
            heightfieldData=np.load(tmp_path / "land.npy").ravel().tolist(),
            numHeightfieldRows=fields["numHeightfieldRows"],
            numHeightfieldColumns=fields["numHeightfieldColumns"],
            physicsClientId=world,
        )
        bullet.createMultiBody(0, shape, basePosition=fields["basePosition"], physicsClientId=world)
        # Not on a border, which a ray may miss, nor on a sample, where it may fall between triangles.
        places = np.concatenate((points(1000, 2) * 0.99, nodes()[::13] + 1e-3))
        low, high = between(height, places)
        hits = [
            bullet.rayTest([*place, 500.0], [*place, -500.0], physicsClientId=world)[0]
            for place in places
        ]
        met = np.array([hit[3][2] for hit in hits])
        assert all(hit[0] >= 0 for hit in hits)
        off = np.maximum(low - met, met - high)
        assert off.max() <= 5e-3, off.max()
    finally:
        bullet.disconnect(world)
