# SPDX-License-Identifier: GPL-3.0-or-later
"""Targets that are meshes: their files, their sidecar, borders without cracks, and bad input."""

from __future__ import annotations

import json
import struct

import numpy as np
import pytest

from noise_core import ExportOptions, ParameterError, Recipe, TerraneError, export_heightmap
from noise_core.io.meshes import gltf, usd_crate
from noise_core.io.targets import Gltf, UsdChunks
from noise_core.io.targets.bases.mesh_target import MeshTarget
from noise_core.io.targets.bases.target import target_types
from noise_core.noises import Fractal, Gradient, Perlin

TYPES = [cls for cls in target_types().values() if issubclass(cls, MeshTarget)]
RECIPE = Recipe(
    layers=(Gradient(angle=30.0), Fractal(source=Perlin(frequency=3.0), octaves=6)),
    seed=5,
    height=300.0,
    size=2400.0,
)
TILES = ExportOptions(tiles=(2, 2))

every_type = pytest.mark.parametrize("cls", TYPES, ids=lambda cls: cls.key)


def export(folder, target, samples=33, options=TILES, **keywords):
    return export_heightmap(
        RECIPE, folder / "land", target=target, samples=samples, options=options, **keywords
    )


def sidecar(report):
    return json.loads(report.sidecar.read_text(encoding="utf-8"))


def glb(path):
    """Return the content of a binary glTF and the arrays of its attributes, by a reader of its own."""
    data = path.read_bytes()
    (length,) = struct.unpack_from("<I", data, 12)
    content, start = json.loads(data[20 : 20 + length]), 28 + length
    kinds = {5126: "<f4", 5125: "<u4", 5123: "<u2", 5121: "u1"}
    widths = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
    primitive = content["meshes"][0]["primitives"][0]
    arrays = {}
    for name, number in {**primitive["attributes"], "indices": primitive["indices"]}.items():
        accessor = content["accessors"][number]
        at = start + content["bufferViews"][accessor["bufferView"]]["byteOffset"]
        width = widths[accessor["type"]]
        numbers = np.frombuffer(
            data, kinds[accessor["componentType"]], accessor["count"] * width, at
        )
        arrays[name] = numbers.reshape(-1, width)
    return content, arrays


def in_land(content, arrays):
    """Return positions from the middle of the land: east, north, up."""
    x, up, south = (arrays["POSITION"] + np.array(content["nodes"][0]["translation"])).T
    return np.stack((x, -south, up), axis=-1)


@every_type
def test_files_are_those_of_the_sidecar(cls, tmp_path):
    report = export(tmp_path, cls(levels=3, error=3.0, collision=True))
    says = sidecar(report)
    assert {path.name for path in report.files} == {path.name for path in tmp_path.iterdir()}
    listed = {file["name"] for file in says["files"]} | set(says["meshes"]["listings"])
    assert listed | {report.sidecar.name} == {path.name for path in report.files}
    assert says["meshes"]["errors"] == says["fields"]["Errors"] == [0.0, 3.0, 12.0]
    counts = {file["level"]: [] for file in says["files"] if "level" in file}
    for file in says["files"]:
        if "level" in file:
            counts[file["level"]].append(file["triangles"])
    assert counts[0] == [2048] * 4
    assert sum(counts[0]) > sum(counts[1]) > sum(counts[2])
    for chunk in says["meshes"]["chunks"]:
        assert set(chunk["levels"]) | {chunk["collision"]} <= listed
    lows, highs = (
        np.array([chunk[end] for chunk in says["meshes"]["chunks"]]) for end in ("low", "high")
    )
    np.testing.assert_allclose(lows.min(axis=0), [-1200.0, -1200.0, says["lowest"]], atol=1e-3)
    np.testing.assert_allclose(highs.max(axis=0), [1200.0, 1200.0, says["highest"]], atol=1e-3)
    assert says["read_back"]["largest_difference"] <= says["read_back"]["allowed"]


def test_vertices_are_samples_of_the_land(tmp_path):
    report = export(tmp_path, Gltf(levels=3, error=2.0))
    height = RECIPE.evaluate(RECIPE.grid(65)).height
    spacing = 2400.0 / 64
    for path in report.files[:-1]:
        content, arrays = glb(path)
        x, y, z = in_land(content, arrays).T
        column, row = x / spacing + 32.0, y / spacing + 32.0
        assert np.abs(column - np.rint(column)).max() * spacing < 1e-3
        at = np.rint(row).astype(int), np.rint(column).astype(int)
        np.testing.assert_array_equal(z.astype(np.float32), height[at])
        np.testing.assert_allclose(arrays["TEXCOORD_1"].T, (column / 64, 1 - row / 64), atol=1e-5)
        assert arrays["TEXCOORD_0"].min() == 0.0 and arrays["TEXCOORD_0"].max() == 1.0
        accessor = content["accessors"][
            content["meshes"][0]["primitives"][0]["attributes"]["POSITION"]
        ]
        assert accessor["min"] == arrays["POSITION"].min(axis=0).tolist()
        assert accessor["max"] == arrays["POSITION"].max(axis=0).tolist()


def test_normals_are_those_of_the_finest_level(tmp_path):
    from noise_core.maps import Normal

    report = export(tmp_path, Gltf(levels=3, error=2.0))
    grid = RECIPE.grid(65)
    normals = Normal().values(RECIPE.evaluate(grid).height, grid)
    for path in report.files[:-1]:
        content, arrays = glb(path)
        x, y, _ = in_land(content, arrays).T
        at = np.rint(y / 37.5 + 32).astype(int), np.rint(x / 37.5 + 32).astype(int)
        east, up, south = arrays["NORMAL"].T
        np.testing.assert_allclose(np.stack((east, -south, up), axis=-1), normals[at], atol=2e-6)


def borders(report, side):
    """Return the points on the line between two chunks, of each file, in the order of their names."""
    found = {}
    for path in report.files:
        if path.suffix == ".glb":
            points = in_land(*glb(path))
            on_line = points[points[:, side] == 0.0]
            found[path.name] = on_line[np.argsort(on_line[:, 1 - side], kind="stable")]
    return found


def test_any_two_levels_share_their_borders(tmp_path):
    report = export(tmp_path, Gltf(levels=4, error=5.0))
    for side, chunks in ((0, ("x0_y0", "x1_y0")), (1, ("x0_y0", "x0_y1"))):
        found = borders(report, side)
        lines = [points for name, points in found.items() if any(part in name for part in chunks)]
        assert len(lines) == 8 and len(lines[0]) == 33
        for line in lines[1:]:
            np.testing.assert_array_equal(line, lines[0])


def test_skirts_hang_deeper_than_any_two_levels_differ(tmp_path):
    report = export(tmp_path, Gltf(levels=4, error=5.0, borders="skirts"))
    depth = sidecar(report)["meshes"]["skirt_depth"]
    assert depth == pytest.approx(2.0 * 80.0)
    tops = []
    for name, points in borders(report, 0).items():
        if "y0" in name:
            y, z = points[:, 1], points[:, 2]
            highest = [z[y == place].max() for place in np.unique(y)]
            for place in np.unique(y):
                assert z[y == place].max() - z[y == place].min() == pytest.approx(depth, abs=1e-3)
            tops.append(np.interp(np.linspace(-1200, 0, 33), np.unique(y), highest))
    assert 0.0 < np.ptp(tops, axis=0).max() < depth
    assert len({len(points) for points in borders(report, 0).values()}) > 1  # they do get coarser


def test_collision_has_positions_alone(tmp_path):
    report = export(tmp_path, Gltf(levels=1, collision=True, collision_error=20.0))
    content, arrays = glb(tmp_path / "land_collision_x1_y1.glb")
    assert set(arrays) == {"POSITION", "indices"} and "materials" not in content
    assert len(arrays["indices"]) < 3 * 2048
    assert sidecar(report)["meshes"]["collision_error"] == 20.0


def test_images_and_weights(tmp_path):
    options = ExportOptions(
        tiles=(2, 1), colors="alpine", weights=8, normal_bits=8, maps=["ambient_occlusion"]
    )
    report = export(tmp_path, Gltf(levels=2), options=options)
    says = sidecar(report)
    named = says["maps"]["weights"]["layers"] + says["maps"]["weights_2"]["layers"]
    assert len(named) == len(set(named)) > 4
    content, arrays = glb(tmp_path / "land_lod1_x1_y0.glb")
    sums = arrays["COLOR_0"].astype(int).sum(axis=1) + arrays["COLOR_1"].astype(int).sum(axis=1)
    assert (sums == 255).all()
    assert len(np.unique(arrays["COLOR_0"], axis=0)) > 5
    uris = [image["uri"] for image in content["images"]]
    assert uris == [f"land_{name}_x1_y0.png" for name in ("color", "normal", "ambient_occlusion")]
    assert all((tmp_path / uri).exists() for uri in uris)
    # The map has the directions, which would count twice if the vertices had them too.
    assert (arrays["NORMAL"] == [0.0, 1.0, 0.0]).all() and (arrays["TANGENT"] == [1, 0, 0, 1]).all()
    assert content["materials"][0]["occlusionTexture"]["extensions"]["KHR_texture_transform"]


def test_weights_are_images_of_other_targets_too(tmp_path):
    options = ExportOptions(ground="alpine", weights=4)
    says = sidecar(export(tmp_path, "npy", options=options))
    assert len(says["maps"]["weights"]["layers"]) == 4 and says["maps"]["weights"]["channels"] == 4


@every_type
@pytest.mark.parametrize(
    "keywords, message",
    [
        ({"samples": 2050}, "takes at most 2049 samples along a side; got 2050"),
        ({"options": ExportOptions(weights=4)}, "ground must be one of .* for weights; got none"),
    ],
)
def test_bad_input_is_refused_in_one_line(cls, keywords, message, tmp_path):
    with pytest.raises(ParameterError, match=message) as caught:
        export(tmp_path, cls(), **keywords)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_bad_options_are_refused():
    with pytest.raises(ParameterError, match="weights must be 0, 4 or 8; got 3"):
        ExportOptions(weights=3)
    for keywords in ({"levels": 0}, {"levels": 7}, {"error": -1.0}, {"borders": "open"}):
        with pytest.raises(ParameterError, match=f"Gltf.{next(iter(keywords))} must be"):
            Gltf(**keywords)


@every_type
def test_what_reads_back_damaged_is_not_kept(cls, tmp_path, monkeypatch):
    kind = type(cls().mesh_format)
    read = kind.read

    def wrong(self, file, place):
        positions, triangles = read(self, file, place)
        return positions + np.float32(0.5), triangles

    monkeypatch.setattr(kind, "read", wrong)
    with pytest.raises(TerraneError, match=r"reads back 0\.5\d* off: not kept"):
        export(tmp_path, cls(levels=1))
    assert not list(tmp_path.iterdir())


def test_usd_is_text_where_openusd_is_not(tmp_path, monkeypatch):
    """Asked for, a binary file is refused in one line; with usd-core, tests/clients reads them."""
    monkeypatch.setattr(usd_crate, "has_crates", lambda: False)
    with pytest.raises(ParameterError, match="usdc needs OpenUSD's Python module pxr") as caught:
        export(tmp_path, UsdChunks(levels=1, form="usdc"))
    assert "\n" not in str(caught.value) and not list(tmp_path.iterdir())
    files = {}
    for form in ("auto", "usda"):
        (tmp_path / form).mkdir()
        report = export(tmp_path / form, UsdChunks(levels=2, form=form))
        files[form] = {path.name: path.read_bytes() for path in report.files}
        files[form].pop(report.sidecar.name)
    assert files["auto"] == files["usda"] and all(name.endswith(".usda") for name in files["auto"])
    with pytest.raises(ParameterError, match="UsdChunks.form must be"):
        UsdChunks(form="usdz")


def test_damaged_files_are_seen(tmp_path):
    export(tmp_path, Gltf(levels=1))
    path = tmp_path / "land_lod0_x0_y0.glb"
    data, place = path.read_bytes(), (-600.0, -600.0, 0.0)
    changes = (
        (b"glTF", b"glTG"),
        (b"JSON", b"JSOM"),
        (b"BIN\0", b"BIM\0"),
        (b"-600", b"-601"),
    )
    for good, bad in changes:
        path.write_bytes(data.replace(good, bad, 1))
        with open(path, "rb") as file, pytest.raises(ValueError):
            gltf.GltfFile().read(file, place)
    for other in (data[:-4], data + b"more"):
        path.write_bytes(other)
        with open(path, "rb") as file, pytest.raises(ValueError):
            gltf.GltfFile().read(file, place)
