# SPDX-License-Identifier: GPL-3.0-or-later
"""Heightmaps that Terrane has exported, read again by their sidecars."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from noise_core import Recipe
from noise_core.codecs.image_writing import image_bytes
from noise_core.io.elevation_reading import (
    LoadedHeights,
    elevation_from_samples,
    find_sidecar,
    measured_land,
    probe_elevation,
    read_elevation,
)
from noise_core.io.elevation_reading.formats.raw import Raw
from noise_core.io.heightmaps import export_heightmap
from noise_core.io.targets import Exr, Godot, Npy, Png16, PyBullet, Terrain3D, Unity, Unreal
from noise_core.noises import Fractal, Gradient, Perlin
from tests.export_keywords import sort_keywords

SHAPE = (65, 97)
"""Not square, so that nothing can be guessed."""

LAND = Recipe(
    layers=(Gradient(angle=30.0), Fractal(source=Perlin(frequency=3.0), octaves=4)),
    seed=5,
    height=120.0,
    size=960.0,
)
"""High in one corner: whatever is flipped or turned is another land."""

TARGETS = {
    "unity": (Unity(), (129, 129), ".raw"),
    "unity_mac": (Unity(byte_order="mac"), (129, 129), ".raw"),
    "unity_flipped": (Unity(flipped=not Unity().flipped), (129, 129), ".raw"),
    "unreal": (Unreal(), (505, 505), ".r16"),
    "unreal_png": (Unreal(file_format="png"), (505, 505), ".png"),
    "png16": (Png16(), SHAPE, ".png"),
    "npy": (Npy(), SHAPE, ".npy"),
    "pybullet": (PyBullet(), SHAPE, ".npy"),
    "terrain3d": (Terrain3D(file_format="r16"), (128, 128), ".r16"),
}


def export(folder, target, shape, **keywords):
    """Return the report and the sidecar of an export."""
    arguments = sort_keywords(target=target, samples=shape, **keywords)
    report = export_heightmap(LAND, folder / "land", **arguments)
    return report, json.loads(report.sidecar.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", TARGETS)
def test_land_comes_back_in_meters(tmp_path, name):
    target, shape, suffix = TARGETS[name]
    _, says = export(tmp_path, target, shape)
    elevation = read_elevation(tmp_path / f"land{suffix}")
    height = LAND.evaluate(LAND.grid(shape)).height
    step = 0.0 if elevation.info.sample_type.startswith("float") else 0.51 * says["scale"]
    np.testing.assert_allclose(elevation.heights, height, rtol=0.0, atol=step + 1e-4)
    spacing = LAND.size / (shape[1] - 1)
    assert elevation.spacing == pytest.approx((spacing, spacing))
    assert elevation.info.is_metric and f"Meters by land{suffix}.json" in [
        str(line) for line in elevation.lines
    ]


def test_the_lines_tell_the_size_that_a_mesh_of_the_samples_has(tmp_path):
    export(tmp_path, Png16(), SHAPE)
    elevation = read_elevation(tmp_path / "land.png")
    recipe = measured_land(elevation).recipe
    size = f"{recipe.size / 1000.0:.4g} x {recipe.depth / 1000.0:.4g} km"
    assert any(str(line).endswith(f" {size}") for line in elevation.lines), elevation.lines


@pytest.mark.parametrize("target", [Exr(), Godot()], ids=["exr", "godot"])
def test_an_image_that_another_program_has_loaded_gets_its_width(tmp_path, target):
    shape = (129, 129) if isinstance(target, Godot) else SHAPE
    export(tmp_path, target, shape)
    height = LAND.evaluate(LAND.grid(shape)).height
    sidecar = find_sidecar(tmp_path / "land.exr")
    elevation = elevation_from_samples(
        LoadedHeights(height, "land.exr", "OpenEXR", sidecar=sidecar)
    )
    np.testing.assert_array_equal(elevation.heights, height)
    assert elevation.spacing[0] == pytest.approx(LAND.size / (shape[1] - 1))
    # A file whose first row lies in the south, whose loader puts its last row first.
    turned = dataclasses.replace(sidecar, is_top_first=False)
    elevation = elevation_from_samples(
        LoadedHeights(height[::-1], "land.exr", "OpenEXR", sidecar=turned)
    )
    np.testing.assert_array_equal(elevation.heights, height)


def test_a_tile_is_read_by_the_sidecar_of_all(tmp_path):
    _, says = export(tmp_path, Terrain3D(file_format="r16"), (64, 64), tiles=(2, 2))
    names = [one["name"] for one in says["files"]]
    assert len(names) == 4
    whole = LAND.evaluate(LAND.grid((128, 128))).height
    parts = [read_elevation(tmp_path / name) for name in names]
    limit = 0.51 * says["scale"] + 1e-4
    for part in parts:
        corners = [whole[y : y + 64, x : x + 64] for y in (0, 64) for x in (0, 64)]
        assert min(np.abs(part.heights - corner).max() for corner in corners) < limit
        assert part.spacing[0] == pytest.approx(LAND.size / 127)


def test_what_is_given_counts(tmp_path):
    export(tmp_path, Unreal(), (505, 505))
    path = tmp_path / "land.r16"
    given = Raw(columns=5 * 505, rows=101, sample_type="uint16")
    info = probe_elevation(path, file_format=given)
    assert (info.rows, info.columns, info.is_metric) == (101, 5 * 505, False)


def test_a_file_of_another_size_is_another_file(tmp_path):
    export(tmp_path, Unreal(), (505, 505))
    np.save(tmp_path / "land.npy", np.zeros((7, 8), np.float32))
    assert read_elevation(tmp_path / "land.npy").spacing is None
    (tmp_path / "land.r16").write_bytes(bytes(2 * 33 * 33))
    with pytest.raises(ValueError, match="505 x 505 samples"):
        read_elevation(tmp_path / "land.r16")


def test_a_picture_saved_again_with_fewer_bits_is_another_file(tmp_path):
    export(tmp_path, Png16(), SHAPE)
    assert probe_elevation(tmp_path / "land.png").is_metric
    flat = np.zeros(SHAPE, np.float32)
    (tmp_path / "land.png").write_bytes(image_bytes(flat, "png", 8, is_color=False))
    info = probe_elevation(tmp_path / "land.png")
    assert (info.is_metric, info.spacing, info.sample_type) == (False, None, "uint8")


def change(says, key, value):
    """Return a sidecar's text with one entry changed, or without it."""
    says = {**says, key: value}
    return json.dumps({name: say for name, say in says.items() if say is not ...})


WRONG = {
    "files": [..., [], [{"name": "other.npy"}], 3, [3], [{}], None],
    "samples": [..., [3], [1, 2, 3], ["a", "b"], [0, 97], [10**9, 10**9], None, [97.5, 65]],
    "number_type": [..., "<c16", "", 5, "O", None, "<u2,<u2"],
    "scale": [..., "much", 10**400, None, [1.0]],
    "offset": [..., 1e300, {}],
    "meters_per_sample": [..., 0.0, -1.0],
    "orientation": [..., [], {}, None, "north"],
}


@pytest.mark.parametrize("key", WRONG)
def test_a_damaged_sidecar_is_none(tmp_path, key):
    report, says = export(tmp_path, Npy(), SHAPE)
    for value in WRONG[key]:
        report.sidecar.write_text(change(says, key, value), encoding="utf-8")
        assert find_sidecar(tmp_path / "land.npy") is None, value
        assert read_elevation(tmp_path / "land.npy").spacing is None


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe", b"[1, 2", b"3", b"[" * 10**6, b"null", b'"land"'], ids=range(7)
)
def test_other_files_of_that_name_are_no_sidecars(tmp_path, data):
    np.save(tmp_path / "land.npy", np.zeros((7, 8), np.float32))
    (tmp_path / "land.npy.json").write_bytes(data)
    assert find_sidecar(tmp_path / "land.npy") is None
    assert find_sidecar(tmp_path / "nothing.npy") is None
