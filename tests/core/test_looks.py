# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials for other programs: their nodes, the images that they name, and what they say of color and water."""

from __future__ import annotations

import json
import math
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from noise_core import ExportOptions, ParameterError, TerraneError, export_heightmap
from noise_core.base import atomic_files
from noise_core.codecs.image_files import read_pixels
from noise_core.io.heightmaps.lands import as_land
from noise_core.io.looks.surface_look import ImageFiles, surface_texts
from noise_core.io.looks.water_look import water_look
from noise_core.io.targets import Gltf, Obj, UsdChunks
from noise_core.landscapes.look import Look
from noise_core.materials.colors import LANDSCAPES
from noise_core.materials.colors.spaces import srgb_to_linear
from noise_core.materials.ground.colors import ground_colors
from noise_core.materials.surfaces import MAPS, pack_maps, surface, surface_names
from noise_core.pictures.thumbnail import plan_of
from tests import drawing
from tests.core.test_mesh_targets import RECIPE, glb, sidecar

TILES, SIDE = (2, 1), 33
PHYSICAL = {"base_color", "orm", "normal"}


def export(folder, target, **options):
    given = {"ground": "alpine", "tiles": TILES, **options}
    return export_heightmap(
        RECIPE, folder / "land", target=target, samples=SIDE, options=ExportOptions(**given)
    )


def nodes_of(document):
    """Return all nodes by their graph and name, after checking that each reads only those before it."""
    found = {}
    for graph in document.iter("nodegraph"):
        for node in graph:
            for one in node.iter("input"):
                read = one.get("nodename")
                if read is not None:
                    assert found[graph.get("name"), read].get("type") == one.get("type")
                else:
                    assert one.get("value") != ""
            found[graph.get("name"), node.get("name")] = node
    return found


def pixels_of(path):
    """Return an image's numbers from 0 to 1, row 0 at the bottom."""
    return read_pixels(path)[::-1] / np.float32(255.0)


def images_of(text):
    return set(re.findall(r"[\w.]+\.(?:png|exr|tif)", text))


@pytest.mark.parametrize("number", range(drawing.count_of(40)))
def test_a_surface_names_its_images_and_no_others(number):
    chance = drawing.generator(f"surface look {number}")
    entry = surface(chance.choice(sorted(surface_names())))
    maps = ["base_color", *chance.sample(sorted(set(MAPS) - {"base_color"}), chance.randint(0, 8))]
    names = pack_maps(maps) if chance.random() < 0.5 else tuple(maps)
    suffix = chance.choice(["png", "exr", "tif"])
    files = {name: f"s_{name}.{suffix}" for name in names}
    normal = chance.choice(["opengl", "directx"])
    images = ImageFiles(files, 2.0, 0.25, normal, suffix == "exr")
    shown = {"cavity", "ambient_occlusion"}
    for kind, ends in (("materialx", ".mtlx"), ("usd", ".usda")):
        texts = surface_texts("My Surface 1", kind, entry, images)
        assert set(texts) == {ends, f"{ends}.json"}
        used = images_of(texts[ends])
        assert used <= set(files.values())
        unused = {files[name] for name in names} - used
        assert {name for name, file in files.items() if file in unused} <= shown
        says = json.loads(texts[f"{ends}.json"])
        assert {one["file"] for one in says["images"].values()} == set(files.values())
    document = ElementTree.fromstring(surface_texts("S", "materialx", entry, images)[".mtlx"])
    nodes = nodes_of(document)
    (shader,) = document.iter("open_pbr_surface")
    for one in shader:
        if one.get("nodegraph"):
            result = nodes[one.get("nodegraph"), one.get("output")]
            assert result.get("type") == one.get("type")
    is_turned = any(node.tag == "multiply" for node in nodes.values())
    assert is_turned == ("normal" in names and normal == "directx")
    space = "lin_rec709" if suffix == "exr" else "srgb_texture"
    spaces = {
        file.get("value"): file.get("colorspace") for file in document.iter("input")
        if file.get("type") == "filename"
    }  # fmt: skip
    for name, file in files.items():
        if file in spaces:
            is_color = name in MAPS and MAPS[name].is_color
            assert spaces[file] == (space if is_color else None)


def test_a_surface_without_base_color_is_refused():
    with pytest.raises(
        ParameterError, match="maps must have base_color for a material; got height"
    ):
        ImageFiles({"height": "a.png"}, 1.0, 0.1)


def test_usd_has_a_shader_for_each_source():
    files = {name: f"{name}.png" for name in MAPS}
    text = surface_texts("Lava", "usd", surface("lava"), ImageFiles(files, 2.0, 0.1))[".usda"]
    declared = set(re.findall(r'def Shader "(\w+)"', text))
    read = set(re.findall(r"</Lava/(\w+)\.outputs:\w+>", text))
    assert read <= declared and text.count("{") == text.count("}")


@pytest.mark.parametrize(
    "target", [UsdChunks(levels=1, material="pbr"), Gltf(levels=1, material="pbr")]
)
def test_base_colors_are_those_of_the_ground(tmp_path, target):
    """Ten patches within 1 % of the colors that the material has, drawn anew for each target."""
    report = export(tmp_path, target, tiles=(1, 1))
    land = as_land(RECIPE, None).evaluate((SIDE, SIDE), 1, lambda _: None, None)
    wanted, _ = ground_colors(*land.colored, plan_of(Look(palette="alpine")), land.relief.maps)
    image = srgb_to_linear(pixels_of(tmp_path / "land_base_color.png"))
    chance = drawing.generator(f"patches {target.key}")
    for _ in range(10):
        row, column = chance.randrange(SIDE - 8), chance.randrange(SIDE - 8)
        patch = (slice(row, row + 8), slice(column, column + 8))
        found, expected = (
            image[patch].mean(axis=(0, 1)),
            wanted[(slice(None), *patch)].mean(axis=(1, 2)),
        )
        np.testing.assert_allclose(found, expected, rtol=0.01)
    assert PHYSICAL <= set(sidecar(report)["maps"])


def test_gltf_shows_base_color_roughness_and_occlusion(tmp_path):
    export(tmp_path, Gltf(levels=1, material="pbr"))
    content, arrays = glb(tmp_path / "land_lod0_x1_y0.glb")
    (material,) = content["materials"]
    images = [content["images"][one["source"]]["uri"] for one in content["textures"]]
    named = {
        "base_color": material["pbrMetallicRoughness"]["baseColorTexture"],
        "orm": material["pbrMetallicRoughness"]["metallicRoughnessTexture"],
        "normal": material["normalTexture"],
    }
    assert {name: images[one["index"]] for name, one in named.items()} == {
        name: f"land_{name}_x1_y0.png" for name in PHYSICAL
    }
    assert material["occlusionTexture"]["index"] == named["orm"]["index"]
    assert "TANGENT" in arrays and material["pbrMetallicRoughness"]["roughnessFactor"] == 1.0
    packed = pixels_of(tmp_path / "land_orm_x1_y0.png")
    assert packed[..., 2].max() == 0.0 and packed[..., 1].min() > 0.0 and packed[..., 0].max() > 0.9


def test_obj_shows_base_color(tmp_path):
    export(tmp_path, Obj(levels=1, material="pbr"))
    assert "map_Kd land_base_color_x0_y0.png" in (tmp_path / "land.mtl").read_text()


@pytest.mark.parametrize("pixels", [0, 16])
def test_usd_has_openpbr_beside_preview_surface(tmp_path, pixels):
    report = export(tmp_path, UsdChunks(levels=1, material="pbr", texture_pixels=pixels))
    names = {path.name for path in report.files}
    text, stage = (tmp_path / "land.mtlx").read_text(), (tmp_path / "land.usda").read_text()
    assert images_of(text) <= names and images_of(stage) <= names
    document = ElementTree.fromstring(text)
    nodes = nodes_of(document)
    materials = [one.get("name") for one in document.iter("surfacematerial")]
    assert materials == ["land_x0_y0", "land_x1_y0", "Water"]
    assert (
        stage.count("outputs:mtlx:surface.connect") == stage.count("outputs:surface.connect") == 3
    )
    tiles = {name for name in names if "_tile_" in name}
    assert bool(tiles) == bool(pixels) and tiles <= images_of(text)
    # The coordinates of tiles go on from one part of the land to the next.
    if pixels:
        moved = _tile_places(nodes)
        assert len(moved) >= 2
        for (times, first), (_, second) in moved:
            np.testing.assert_allclose(
                (first + times - second) % 1.0 % (1.0 - 1e-4), 0.0, atol=1e-3
            )


def _tile_places(nodes):
    """Return for each size of tile the scale and the offset along x, in both parts of the land."""
    found = []
    for graph in ("land_x0_y0_textures", "land_x1_y0_textures"):
        places = []
        for (owner, _), node in nodes.items():
            values = [
                one.get("value") for one in node.iter("input") if one.get("type") == "vector2"
            ]
            if owner == graph and node.tag in ("multiply", "add") and values and values[-1]:
                places.append(float(values[-1].split(",")[0]))
        pairs = list(zip(places[::2], places[1::2]))[1:]  # the first is that of the maps
        found.append(pairs)
    return list(zip(*found))


@pytest.mark.parametrize("palette", sorted(LANDSCAPES))
def test_water_loses_light_as_painted_water_does(palette):
    """Half of the way down the square root of what is left; what deep water sends back is its own color."""
    landscape = LANDSCAPES[palette]
    inputs = water_look(landscape).inputs
    assert inputs["specular_ior"] == 1.333 and inputs["transmission_weight"] == 1.0
    brightest = max(landscape.shallow)
    for shallow, deep, left, scatter in zip(
        landscape.shallow, landscape.deep, inputs["transmission_color"], inputs["transmission_scatter"]
    ):  # fmt: skip
        lost = -math.log(left) / inputs["transmission_depth"]
        painted = 0.5 / landscape.clear * math.sqrt(brightest / max(shallow, 1e-3))
        assert lost == pytest.approx(painted, rel=1e-6)
        share = scatter / -math.log(left)
        root = math.sqrt(1.0 - share)
        bright = (1.0 - root) * (1.0 - 0.139 * root) / (1.0 + 1.17 * root)
        assert bright == pytest.approx(deep, rel=1e-3)


@pytest.mark.parametrize("target", [UsdChunks(material="pbr"), Gltf(material="pbr")])
def test_a_material_needs_ground(tmp_path, target):
    with pytest.raises(ParameterError, match="ground must be one of .* for a material; got none"):
        export(tmp_path, target, ground=None)
    assert not list(tmp_path.iterdir())


def test_a_full_disk_leaves_nothing(tmp_path, monkeypatch):
    write = atomic_files.write_part
    for ending in (".mtlx", "_tile_", "_orm_"):

        def refuse(part, content, ending=ending):
            if ending in part.name:
                raise OSError(28, "No space left on device")
            write(part, content)

        monkeypatch.setattr(atomic_files, "write_part", refuse)
        with pytest.raises(TerraneError, match="cannot be written: No space left on device"):
            export(tmp_path / "out", UsdChunks(levels=1, material="pbr", texture_pixels=8))
        assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("sea", [40.0, -1e4, None])
def test_a_sea_is_a_surface_of_its_own_in_usd(tmp_path, sea):
    """Where it covers some of the land; the ground below is bare then. In glTF the ground shows it."""
    look = Look(palette="alpine", sea=sea)
    wet = {}
    for target in (UsdChunks(levels=1, material="pbr"), Gltf(levels=1, material="pbr")):
        folder = tmp_path / target.key
        export(folder, target, ground=look, tiles=(1, 1))
        wet[target.key] = pixels_of(folder / "land_orm.png")[..., 1]
    stage = (tmp_path / "usd_chunks" / "land.usda").read_text()
    assert ('def Mesh "Sea"' in stage) == (sea == 40.0)
    if sea == 40.0:
        assert "(-1200, -1200, 40), (1200, -1200, 40), (1200, 1200, 40), (-1200, 1200, 40)" in stage
        assert "rel material:binding = </Land/Water>" in stage
    height = RECIPE.evaluate(RECIPE.grid(SIDE)).height
    below = height < (-1e9 if sea is None else sea - 5.0)
    assert below.any() == (sea == 40.0)
    assert (wet["usd_chunks"][below] > 0.5).all() and (wet["gltf"][below] < 0.1).all()
