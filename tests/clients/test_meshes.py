# SPDX-License-Identifier: GPL-3.0-or-later
"""Exported meshes as trimesh and OpenUSD read them: places, counts, and rays along borders."""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

from lopsided_land import import_client, lopsided_land  # noqa: E402

from noise_core.io.heightmaps import ExportOptions, export_heightmap  # noqa: E402
from noise_core.io.targets import Gltf, Obj, UsdChunks  # noqa: E402
from tests import drawing  # noqa: E402

LAND = lopsided_land()
SIDE, TILES = 65, (2, 2)
WHOLE = 129
WITHIN = 1e-3
"""Meters."""

RAYS = drawing.count_of(10_000)


def export(folder, target):
    options = ExportOptions(tiles=TILES, colors="alpine", weights=4, normal_bits=8)
    report = export_heightmap(LAND, folder / "land", target=target, samples=SIDE, options=options)
    return json.loads(report.sidecar.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def land():
    """Return the heights of all chunks together."""
    return LAND.evaluate(LAND.grid(WHOLE)).height


def off_the_land(points, land):
    """Return how far points (east, north, up) are from the nearest samples, at most."""
    spacing = LAND.size / (WHOLE - 1)
    numbers = points[:, :2] / spacing + 0.5 * (WHOLE - 1)
    column, row = np.rint(numbers).astype(int).T
    beside = np.abs(numbers - np.rint(numbers)).max() * spacing
    return max(beside, np.abs(points[:, 2] - land[row, column]).max())


def east_north_up(vertices):
    x, up, south = vertices.T
    return np.stack((x, -south, up), axis=-1)


def read(trimesh, path):
    return trimesh.load(path, force="mesh", process=False)


@pytest.mark.parametrize(
    "target",
    [Gltf(levels=3, collision=True), Obj(levels=3, collision=True)],
    ids=lambda target: target.key,
)
def test_trimesh_reads_the_samples(tmp_path, land, target):
    trimesh = import_client("trimesh")
    says = export(tmp_path, target)
    for file in says["files"]:
        mesh = read(trimesh, tmp_path / file["name"])
        assert len(mesh.faces) == file["triangles"]
        # A format as text has corners apart whose coordinates differ.
        assert len(mesh.vertices) >= file["vertices"]
        points = east_north_up(mesh.vertices)
        assert off_the_land(points, land) <= WITHIN
        assert (mesh.face_normals[:, 1] > 0.0).all()
        if target.key == "gltf" and "level" in file:
            assert mesh.visual.uv.min() == 0.0 and mesh.visual.uv.max() == 1.0


@pytest.mark.parametrize("form", ["usda", "usdc", "auto"])
def test_openusd_reads_the_samples_of_each_level(tmp_path, land, form):
    import_client("pxr")
    from pxr import Usd, UsdGeom, UsdShade

    says = export(tmp_path, UsdChunks(levels=3, collision=True, form=form))
    suffix, begins = (".usda", b"#usda 1.0") if form == "usda" else (".usdc", b"PXR-USDC")
    for file in says["files"]:
        assert Path(file["name"]).suffix == suffix
        assert (tmp_path / file["name"]).read_bytes().startswith(begins)
    counts = {file["name"]: (file["vertices"], file["triangles"]) for file in says["files"]}
    stage = Usd.Stage.Open(str(tmp_path / "land.usda"))
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0 and UsdGeom.GetStageUpAxis(stage) == "Z"
    for chunk in says["meshes"]["chunks"]:
        prim = stage.GetPrimAtPath(f"/Land/{chunk['name']}")
        variants = prim.GetVariantSet("lod")
        assert variants.GetVariantNames() == ["lod0", "lod1", "lod2"]
        material, _ = UsdShade.MaterialBindingAPI(prim.GetChild("Ground")).ComputeBoundMaterial()
        assert material.GetPath() == prim.GetPath().AppendChild("Material")
        for level, name in enumerate(chunk["levels"]):
            variants.SetVariantSelection(f"lod{level}")
            check_mesh(UsdGeom, prim.GetChild("Ground"), counts[name], land)
        check_mesh(UsdGeom, prim.GetChild("Collision"), counts[chunk["collision"]], land)


def test_both_forms_of_usd_hold_the_same(tmp_path):
    """Text has six digits of normals and weights, and all of the rest; the order of properties may differ."""
    import_client("pxr")
    from pxr import Usd

    for form in ("usda", "usdc"):
        (tmp_path / form).mkdir()
        says = export(tmp_path / form, UsdChunks(levels=2, collision=True, form=form))
    for file in says["files"]:
        name = Path(file["name"]).stem
        stages = [
            Usd.Stage.Open(str(tmp_path / form / f"{name}.{form}")) for form in ("usda", "usdc")
        ]
        text, binary = (stage.GetPrimAtPath("/Chunk") for stage in stages)
        assert text.GetAppliedSchemas() == binary.GetAppliedSchemas()
        names = {one.GetName() for one in text.GetAuthoredAttributes()}
        assert names == {one.GetName() for one in binary.GetAuthoredAttributes()}
        assert len(names) >= (7 if "collision" in name else 9)
        for one in text.GetAuthoredAttributes():
            other = binary.GetAttribute(one.GetName())
            assert one.GetTypeName() == other.GetTypeName()
            assert one.GetAllAuthoredMetadata().keys() == other.GetAllAuthoredMetadata().keys()
            assert one.GetMetadata("interpolation") == other.GetMetadata("interpolation")
            if isinstance(one.Get(), (str, bool)) or str(one.GetTypeName()).startswith("token"):
                assert one.Get() == other.Get()
                continue
            allowed = 1e-6 if one.GetName().endswith(("normals", "weights", "weights_2")) else 0.0
            np.testing.assert_allclose(np.array(one.Get()), np.array(other.Get()), 0.0, allowed)


def test_damaged_crates_are_seen(tmp_path):
    import_client("pxr")
    from noise_core.io.meshes.usd_crate import UsdCrate

    export(tmp_path, UsdChunks(levels=1, form="usdc"))
    path, place = tmp_path / "land_lod0_x0_y0.usdc", (-250.0, -250.0, 0.0)
    data = path.read_bytes()
    with open(path, "rb") as file:
        positions, _ = UsdCrate().read(file, place)
    assert len(positions) == SIDE * SIDE
    with open(path, "rb") as file, pytest.raises(ValueError, match="at another place"):
        UsdCrate().read(file, (-250.0, 250.0, 0.0))
    text = b'#usda 1.0\ndef Mesh "Chunk"\n{\n}\n'
    for bad in (b"", data[:200], data[: len(data) // 2], b"PXR-USDD" + data[8:], text):
        path.write_bytes(bad)
        with open(path, "rb") as file, pytest.raises(ValueError):
            UsdCrate().read(file, place)


def test_a_crate_that_reads_back_damaged_is_not_kept(tmp_path, monkeypatch):
    import_client("pxr")
    from noise_core import TerraneError
    from noise_core.io.meshes.usd_crate import UsdCrate

    read = UsdCrate.read

    def wrong(self, file, place):
        positions, triangles = read(self, file, place)
        return positions + np.float32(0.5), triangles

    monkeypatch.setattr(UsdCrate, "read", wrong)
    with pytest.raises(TerraneError, match=r"reads back 0\.5\d* off: not kept"):
        export(tmp_path, UsdChunks(levels=1, form="usdc"))
    assert not list(tmp_path.iterdir())


def check_mesh(geometry, prim, counts, land):
    """Compare a mesh with the land, and with the counts of its vertices and triangles."""
    mesh = geometry.Mesh(prim)
    points = np.array(mesh.GetPointsAttr().Get(), np.float64)
    assert (len(points), len(mesh.GetFaceVertexCountsAttr().Get())) == counts
    place = np.array(
        geometry.Xformable(prim).ComputeLocalToWorldTransform(0.0).ExtractTranslation()
    )
    assert off_the_land(points + place, land) <= WITHIN
    low, high = np.array(mesh.GetExtentAttr().Get())
    np.testing.assert_allclose((points.min(axis=0), points.max(axis=0)), (low, high), rtol=1e-6)


def hits(triangles, start, way):
    """Return whether each ray meets one of some triangles (Moeller & Trumbore 1997).

    Rays that touch an edge count, by a hair that is far less than a pixel.
    """
    a, b, c = (triangles[:, corner] for corner in range(3))
    first, second, ways = b - a, c - a, way[:, np.newaxis]
    across = np.cross(ways, second)
    scale = (across * first).sum(axis=-1)
    from_corner = start[:, np.newaxis] - a
    turned = np.cross(from_corner, first)
    with np.errstate(divide="ignore", invalid="ignore"):
        u = (from_corner * across).sum(axis=-1) / scale
        v = (turned * ways).sum(axis=-1) / scale
    hair = 1e-9
    return ((u >= -hair) & (v >= -hair) & (u + v <= 1.0 + hair)).any(axis=1)


def border_line(triangles, y):
    """Return the height of a mesh's border where x is 0."""
    points = triangles.reshape(-1, 3)
    points = points[np.abs(points[:, 0]) < 1e-9]
    order = np.lexsort(
        (-points[:, 2], points[:, 1])
    )  # of two at a place the one on top of the skirt
    places, first = np.unique(points[order, 1], return_index=True)
    return np.interp(y, places, points[order, 2][first])


def passing(left, right, chance, count):
    """Return how many rays pass that are aimed at the line between two chunks, from either side."""
    both = np.concatenate([left, right])
    beside = both[(np.abs(both[:, :, 0]) < 1e-9).any(axis=1)]
    y = chance.uniform(-0.499 * LAND.size, -1e-3, count)
    ends = np.stack([border_line(left, y), border_line(right, y)])
    z = chance.uniform(ends.min(axis=0) - 1e-3, ends.max(axis=0) + 1e-3)
    sideways = chance.choice([-1.0, 1.0], count)
    way = np.stack((sideways, 0.2 * chance.normal(size=count), -chance.uniform(4, 20, count)), -1)
    start = np.stack((np.zeros(count), y, z), axis=-1) - 10.0 * way
    return int((~hits(beside, start, way)).sum())


@pytest.mark.parametrize("borders", ["stitched", "skirts", "none"])
def test_no_ray_passes_between_two_levels(tmp_path, borders):
    """Any two of four levels; without the walls of skirts some pass, so that this sees cracks."""
    trimesh = import_client("trimesh")
    kept = "stitched" if borders == "stitched" else "skirts"
    says = export(tmp_path, Gltf(levels=4, error=2.0, borders=kept))
    sides = {}
    for file in says["files"]:
        mesh = read(trimesh, tmp_path / file["name"])
        faces = (
            mesh.faces[np.abs(mesh.face_normals[:, 1]) > 1e-6] if borders == "none" else mesh.faces
        )
        sides[(*file["tile"], file["level"])] = east_north_up(mesh.vertices)[faces]
    pairs = list(itertools.product(range(4), range(4)))
    chance = np.random.default_rng(drawing.generator(f"rays {borders}").randrange(2**31))
    missed = sum(
        passing(sides[0, 0, one], sides[1, 0, other], chance, -(-RAYS // len(pairs)))
        for one, other in pairs
    )
    assert (missed > 0) == (borders == "none"), missed


def test_openusd_reads_the_copies_of_plants(tmp_path):
    import_client("pxr")
    from pxr import Usd, UsdGeom

    from noise_core.io.instance_files import write_instances
    from tests.core.test_instance_files import drawn, sets

    write_instances(sets(), tmp_path / "plants.usda")
    stage = Usd.Stage.Open(str(tmp_path / "plants.usda"))
    copies = UsdGeom.PointInstancer(stage.GetPrimAtPath("/Plants"))
    assert len(copies.GetPrototypesRel().GetTargets()) == 2
    moved = UsdGeom.Xformable(copies).ComputeLocalToWorldTransform(0.0)
    found = [
        np.array(matrix * moved).T for matrix in copies.ComputeInstanceTransformsAtTime(0.0, 0.0)
    ]
    wanted = np.concatenate([drawn(40), drawn(7)])
    np.testing.assert_allclose(np.array(found), wanted, atol=1e-3)
