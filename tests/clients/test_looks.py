# SPDX-License-Identifier: GPL-3.0-or-later
"""Exported materials as the MaterialX package and OpenUSD read and render them."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

import browser  # noqa: E402
from lopsided_land import import_client, lopsided_land  # noqa: E402

from noise_core import ExportOptions, Grid, export_heightmap, save_image  # noqa: E402
from noise_core.codecs.image_files import read_pixels  # noqa: E402
from noise_core.io.looks.surface_look import ImageFiles, surface_texts  # noqa: E402
from noise_core.io.targets import Gltf, UsdChunks  # noqa: E402
from noise_core.landscapes.look import Look  # noqa: E402
from noise_core.materials.colors.spaces import srgb_to_linear  # noqa: E402
from noise_core.materials.ground.colors import ground_colors  # noqa: E402
from noise_core.materials.surfaces import surface, surface_names  # noqa: E402
from noise_core.pictures.thumbnail import plan_of  # noqa: E402
from tests import drawing  # noqa: E402

PICTURES = Path(__file__).resolve().parent / "materialx_pictures.py"
SIDE = 96
MAPS = ("base_color", "roughness", "metallic", "normal", "height", "emission", "opacity")
UNLIT = 0.01
"""Of the mean color of a patch without light."""

LAND = lopsided_land()
NEAR = lopsided_land(height=3.0, size=24.0)
"""So small that tiles are seen."""

has_no_display = pytest.mark.skipif(
    not (shutil.which("xvfb-run") and importlib.util.find_spec("MaterialX")),
    reason="NOT TESTED: MaterialX renders in a window of xvfb, and one of them is not installed",
)


def picture(folder, **request):
    """Return what MaterialX's own renderer shows of a material, linear, row 0 at the bottom."""
    asked, answer = folder / "asked.json", folder / "answer.npy"
    asked.write_text(json.dumps(request), encoding="utf-8")
    command = ["xvfb-run", "-a", sys.executable, str(PICTURES), str(asked), str(answer)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return np.load(answer)[::-1]


def bake(folder, key, seed, normal="opengl"):
    """Write the images and the files of a surface's material; return its textures."""
    entry = surface(key)
    grid = Grid(SIDE, SIDE, wrap=True, size=entry.size)
    textures = entry.textures(grid, seed, MAPS, normal=normal)
    files = {name: f"{key}_{name}.png" for name in MAPS}
    for name, file in files.items():
        is_color = name in ("base_color", "emission")
        save_image(textures.encode(name), folder / file, bits=8, is_color=is_color)
    images = ImageFiles(files, textures.size, textures.depth, normal)
    for kind in ("materialx", "usd"):
        for suffix, text in surface_texts("Shown", kind, entry, images).items():
            (folder / f"shown{suffix}").write_text(text, encoding="utf-8")
    return textures


def check_patches(found, wanted, name):
    """Compare the mean colors of ten patches, drawn at random."""
    chance, size = drawing.generator(f"patches {name}"), min(found.shape[0] // 3, 32)
    for _ in range(10):
        row, column = (chance.randrange(side - size) for side in found.shape[:2])
        patch = (slice(row, row + size), slice(column, column + size))
        means = (one[patch].mean(axis=(0, 1)) for one in (found, wanted))
        np.testing.assert_allclose(*means, rtol=UNLIT, atol=1e-4, err_msg=name)


@pytest.mark.parametrize("key", sorted(surface_names()))
def test_materialx_takes_every_surface(tmp_path, key):
    import_client("MaterialX")
    from materialx_pictures import document_of

    bake(tmp_path, key, 0)
    document = document_of(tmp_path / "shown.mtlx")
    assert [one.getName() for one in document.getMaterialNodes()] == ["Shown"]


@has_no_display
@pytest.mark.parametrize("number", range(drawing.count_of(40)))
def test_base_color_is_rendered_without_loss(tmp_path, number):
    chance = drawing.generator(f"rendered surface {number}")
    key = chance.choice(sorted(surface_names()))
    textures = bake(tmp_path, key, chance.randrange(99))
    file = str(tmp_path / "shown.mtlx")
    found = picture(tmp_path, path=file, material="Shown", pixels=SIDE)
    check_patches(found, textures["base_color"], key)


@has_no_display
def test_a_lit_surface_has_its_brightness_and_its_slopes(tmp_path):
    """Chalky ground: light from one side is what Lambert has it, by the normals, whichever way green points."""
    pictures = []
    for normal in ("opengl", "directx"):
        folder = tmp_path / normal
        folder.mkdir()
        textures = bake(folder, "cracked_mud", 4, normal)
        light = (0.36, 0.48, -0.8)
        file = str(folder / "shown.mtlx")
        pictures.append(picture(folder, path=file, material="Shown", pixels=SIDE, light=light))
    np.testing.assert_allclose(pictures[0], pictures[1], atol=0.02)
    up = textures["normal"] * np.array((1.0, -1.0, 1.0), np.float32)
    shade = np.clip(up @ -np.array(light, np.float32), 0.0, 1.0)
    wanted = textures["base_color"] * shade[..., np.newaxis]
    # A rough surface mirrors a hundredth of the light, which Lambert has not.
    mirrored = pictures[1] - wanted
    assert 0.0 < mirrored.mean() < 0.02 and mirrored.std() < 0.01
    assert np.corrcoef(pictures[1].ravel(), wanted.ravel())[0, 1] > 0.99


def test_openusd_finds_both_surfaces_of_a_material(tmp_path):
    import_client("pxr")
    from pxr import Usd, UsdShade

    bake(tmp_path, "lava", 1)
    stage = Usd.Stage.Open(str(tmp_path / "shown.usda"))
    material = UsdShade.Material(stage.GetDefaultPrim())
    for context, name in (("", "Surface"), ("mtlx", "OpenPBR")):
        shader, _, _ = material.ComputeSurfaceSource(context)
        assert shader.GetPath().name == name
        for one in shader.GetInputs():
            check_source(UsdShade, one, tmp_path)


def check_source(shading, one, folder):
    """Follow an input up to images that are there."""
    sources, invalid = one.GetConnectedSources()
    assert not invalid
    for source in sources:
        shader = shading.Shader(source.source.GetPrim())
        assert shader.GetOutput(source.sourceName)
        assert shader.GetOutput(source.sourceName).GetTypeName().type == one.GetTypeName().type or (
            one.GetTypeName().type.typeName.startswith("GfVec3")
        )
        for further in shader.GetInputs():
            if further.GetTypeName() == "asset":
                assert (folder / further.Get().path).is_file()
            check_source(shading, further, folder)


@pytest.fixture(scope="module")
def ground(tmp_path_factory):
    """Return a folder with chunks of a land and their materials, with tiles."""
    folder = tmp_path_factory.mktemp("ground")
    target = UsdChunks(levels=1, material="pbr", texture_pixels=8)
    options = ExportOptions(ground="temperate", tiles=(2, 1))
    export_heightmap(NEAR, folder / "land", target=target, samples=SIDE, options=options)
    return folder


def test_every_node_of_usd_is_one_of_materialx(ground):
    """Names of definitions, and names and types of their inputs."""
    import_client("MaterialX")
    import_client("pxr")
    from materialx_pictures import library
    from pxr import Usd

    types = {"float2": "vector2", "float3": "vector3", "color3f": "color3", "color4f": "color4"}
    types |= {"asset": "filename", "int": "integer", "float": "float", "string": "string"}
    nodes, checked = library(), 0
    stage = Usd.Stage.Open(str(ground / "land.usda"))
    for prim in stage.Traverse():
        name = prim.GetAttribute("info:id").Get() or ""
        if not name.startswith("ND_"):
            continue
        definition = nodes.getNodeDef(name)
        assert definition is not None, name
        for one in prim.GetAttributes():
            if one.GetName().startswith("inputs:"):
                declared = definition.getActiveInput(one.GetBaseName())
                assert declared.getType() == types[str(one.GetTypeName())], (name, one.GetName())
                checked += 1
    assert checked > 50


def test_materialx_takes_the_ground_and_its_water(ground):
    import_client("MaterialX")
    from materialx_pictures import document_of

    names = [one.getName() for one in document_of(ground / "land.mtlx").getMaterialNodes()]
    assert names == ["land_x0_y0", "land_x1_y0", "Water"]


@has_no_display
@pytest.mark.parametrize("part", ["x0_y0", "x1_y0"])
def test_the_ground_is_rendered_in_its_colors(tmp_path, part):
    """Without tiles: those change colors close by."""
    plain = tmp_path / "plain"
    target = UsdChunks(levels=1, material="pbr")
    options = ExportOptions(ground="temperate", tiles=(2, 1))
    export_heightmap(LAND, plain / "land", target=target, samples=SIDE, options=options)
    file = str(plain / "land.mtlx")
    # So that pixels lie on samples, of which the outermost are the borders of the square.
    half = SIDE / (SIDE - 1)
    found = picture(tmp_path, path=file, material=f"land_{part}", pixels=SIDE, half=half, finer=5)
    land = LAND.evaluate(LAND.grid((SIDE, 2 * SIDE - 1)))
    grid = LAND.grid((SIDE, 2 * SIDE - 1))
    colors, _ = ground_colors(land.height, grid, plan_of(Look(palette="temperate")), land.maps)
    start = 0 if part == "x0_y0" else SIDE - 1
    wanted = np.moveaxis(colors[:, :, start : start + SIDE], 0, -1)
    inner = slice(1, -1)
    check_patches(found[inner, inner], wanted[inner, inner], part)


@has_no_display
def test_tiles_keep_the_mean_color_of_the_ground(tmp_path, ground):
    """Tiles tint the ground by what they are beside their own mean."""
    request = {
        "path": str(ground / "land.mtlx"),
        "material": "land_x1_y0",
        "pixels": 2 * SIDE,
        "finer": 6,
    }
    found = picture(tmp_path, **request)
    image = srgb_to_linear(read_pixels(ground / "land_base_color_x1_y0.png")[::-1] / 255.0)
    assert np.abs(found.mean(axis=(0, 1)) / image.mean(axis=(0, 1)) - 1.0).max() < 0.05
    assert found[..., 0].std() > 1.2 * image[..., 0].std()


@has_no_display
@pytest.mark.skipif(
    browser.find_chromium() is None or browser.find_package("three") is None,
    reason="NOT TESTED: Chromium or three.js is not installed",
)
def test_three_shows_the_same_ground_as_materialx(tmp_path):
    """glTF in a browser: base colors without light are those of the ground, and lit ones those of OpenPBR."""
    options, light = ExportOptions(ground="temperate"), (0.36, 0.48, -0.8)
    for target in (Gltf(levels=1, material="pbr"), UsdChunks(levels=1, material="pbr")):
        name = tmp_path / target.key / "land"
        export_heightmap(LAND, name, target=target, samples=SIDE, options=options)
    chance, size = drawing.generator("patches of three"), 32
    patches = [[*(chance.randrange(1, SIDE - size - 1) for _ in "xy"), size] for _ in range(10)]
    half = SIDE / (SIDE - 1)
    question = {"file": "/land/land_lod0.glb", "side": SIDE, "half": 0.5 * LAND.size * half}
    question |= {"light": light, "patches": patches}
    answer = browser.ask("three", question, tmp_path / "gltf", "three")
    file = str(tmp_path / "usd_chunks" / "land.mtlx")
    request = {"path": file, "material": "land", "pixels": SIDE, "half": half}
    for kind, more, within in (("unlit", {}, UNLIT), ("lit", {"light": light}, 0.05)):
        shown = picture(tmp_path, **request, **more)
        wanted = [
            shown[row : row + size, column : column + size].mean(axis=(0, 1))
            for row, column, size in patches
        ]
        np.testing.assert_allclose(answer[kind], wanted, rtol=within, err_msg=kind)


def test_openusd_finds_the_water_of_a_sea(tmp_path):
    import_client("pxr")
    from pxr import Usd, UsdGeom, UsdShade

    options = ExportOptions(ground=Look(palette="temperate", sea=30.0), tiles=(2, 1))
    target = UsdChunks(levels=1, material="pbr")
    export_heightmap(LAND, tmp_path / "land", target=target, samples=33, options=options)
    stage = Usd.Stage.Open(str(tmp_path / "land.usda"))
    sea = stage.GetPrimAtPath("/Land/Sea")
    material, _ = UsdShade.MaterialBindingAPI(sea).ComputeBoundMaterial()
    shader, _, _ = material.ComputeSurfaceSource("mtlx")
    assert shader.GetPath() == "/Land/Water/OpenPBR"
    assert shader.GetInput("specular_ior").Get() == pytest.approx(1.333)
    points = np.array(UsdGeom.Mesh(sea).GetPointsAttr().Get())
    half = 0.5 * LAND.size
    np.testing.assert_allclose(points.min(axis=0), (-half, -0.5 * half, 30.0))
    np.testing.assert_allclose(points.max(axis=0), (half, 0.5 * half, 30.0))
    np.testing.assert_allclose(
        UsdGeom.Mesh(sea).GetExtentAttr().Get(), (points.min(0), points.max(0))
    )
