# SPDX-License-Identifier: GPL-3.0-or-later
"""Files hold the values that they should, and nothing is overwritten unless told."""

from __future__ import annotations

import json
from pathlib import PureWindowsPath

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import load_pixels


def save(folder, **keywords):
    given = {"surface": "cracked_mud", "width": 64, "height": 48, "directory": str(folder)}
    assert bpy.ops.terrane.images_save(**{**given, **keywords}) == {"FINISHED"}
    return sorted(path.name for path in folder.iterdir())


def expected(normal="opengl", seed=0, **values):
    surfaces, grid = module("noise_core.materials.surfaces"), module("noise_core").Grid
    material = surfaces.surface("cracked_mud", **values)
    where = grid(48, 64, wrap=True, size=material.size)
    textures = material.textures(where, seed, tuple(surfaces.MAPS), normal=normal)
    fields = {name: textures.encode(name) for name in textures}
    return {
        name: field if field.ndim == 3 else np.repeat(field[..., np.newaxis], 3, -1)
        for name, field in fields.items()
    }


FILES = {
    "base_color": "basecolor",
    "roughness": "roughness",
    "metallic": "metallic",
    "normal": "normal",
    "ambient_occlusion": "ao",
    "height": "height",
    "cavity": "cavity",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file_format", "suffix", "bits"),
    [("png", "png", 8), ("png", "png", 16), ("tiff", "tif", 8), ("tiff", "tif", 16),
     ("exr", "exr", 16), ("exr", "exr", 32)],
)  # fmt: skip
def test_what_is_read_back(terrane, tmp_path, file_format, suffix, bits):
    folder = tmp_path / "new" / "textures"
    names = save_into(folder, file_format=file_format, bits=str(bits), seed=4)
    assert names == sorted(f"cracked_mud_{part}.{suffix}" for part in FILES.values())
    fields, encode = expected(seed=4), module("noise_core.materials.colors").linear_to_srgb
    for name, part in FILES.items():
        read, wanted = (
            load_pixels(folder / f"cracked_mud_{part}.{suffix}", "Non-Color")[..., :3],
            fields[name],
        )
        if name == "base_color" and file_format != "exr":
            wanted = encode(wanted).astype(np.float32)
        if file_format == "exr":
            wanted = wanted.astype(f"f{bits // 8}").astype(np.float32)
            np.testing.assert_array_equal(np.broadcast_to(read, wanted.shape), wanted)
            continue
        most = np.float32(2**bits - 1)
        np.testing.assert_array_equal(np.rint(read * most), np.rint(wanted * most), err_msg=name)


def save_into(folder, **keywords):
    assert not folder.exists()
    given = {"surface": "cracked_mud", "width": 64, "height": 48, "directory": str(folder)}
    assert bpy.ops.terrane.images_save(**given, **keywords) == {"FINISHED"}
    return sorted(path.name for path in folder.iterdir())


def test_directx_turns_green(terrane, tmp_path):
    save(tmp_path, maps={"normal"}, name="up")
    save(tmp_path, maps={"normal"}, name="down", normal="directx")
    up, down = (
        load_pixels(tmp_path / "up_normal.png", "Non-Color")[..., :3],
        load_pixels(tmp_path / "down_normal.png", "Non-Color")[..., :3],
    )
    np.testing.assert_allclose(up[..., 1], 1.0 - down[..., 1], atol=1.5 / 65535)
    np.testing.assert_array_equal(up[..., [0, 2]], down[..., [0, 2]])
    assert np.abs(up[..., 1] - 0.5).max() > 0.05


def test_nothing_is_overwritten_unless_told(terrane, tmp_path):
    save(tmp_path, maps={"height"})
    path = tmp_path / "cracked_mud_height.png"
    bytes_before = path.read_bytes()
    with pytest.raises(RuntimeError, match="cracked_mud_height.png in .*: already there"):
        save(tmp_path, maps={"height", "normal"}, seed=2)
    assert path.read_bytes() == bytes_before and [one.name for one in tmp_path.iterdir()] == [
        path.name
    ]
    assert len(save(tmp_path, maps={"height", "normal"}, seed=2, overwrite=True)) == 2
    assert path.read_bytes() != bytes_before


def test_a_material_is_written_as_it_was_made(terrane, tmp_path):
    bpy.ops.terrane.material_add(
        surface="cracked_mud", seed=6, width=64, height=48, name="Dry Lake",
        parameters='{"crack": 0.75}',
    )  # fmt: skip
    names = save(tmp_path, surface="granite", material="Dry Lake", maps={"height"}, bits="16")
    assert names == ["dry_lake_height.png"]
    wanted = np.rint(expected(seed=6, crack=0.75)["height"] * np.float32(65535))
    np.testing.assert_array_equal(
        np.rint(load_pixels(tmp_path / names[0], "Non-Color")[..., :3] * 65535), wanted
    )


def test_the_panels_settings(terrane, tmp_path):
    group = bpy.context.scene.terrane_material
    group.surface, group.width, group.height, group.seed = "cracked_mud", 64, 48, 8
    group.directory, group.file_format, group.bits = str(tmp_path), "tiff", "8"
    for name in FILES:
        setattr(group.saved_maps, name, name == "cavity")
    assert bpy.ops.terrane.images_save(from_panel=True) == {"FINISHED"}
    assert [path.name for path in tmp_path.iterdir()] == ["cracked_mud_cavity.tif"]
    wanted = np.rint(expected(seed=8)["cavity"] * np.float32(255))
    np.testing.assert_array_equal(
        np.rint(load_pixels(tmp_path / "cracked_mud_cavity.tif", "Non-Color")[..., :3] * 255),
        wanted,
    )


def test_beside_the_saved_file(terrane, tmp_path):
    with pytest.raises(RuntimeError, match="save that first, or give an absolute path"):
        bpy.ops.terrane.images_save(directory="//textures/")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    assert bpy.ops.terrane.images_save(
        directory="//textures/", width=8, height=8, maps={"height"}, surface="granite"
    ) == {"FINISHED"}
    assert (tmp_path / "textures" / "granite_height.png").exists()


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"bits": "32"}, "bits must be 8 or 16 for png; got 32"),
        ({"bits": "8", "file_format": "exr"}, "bits must be 16 or 32 for exr; got 8"),
        ({"maps": set()}, "maps must be some of"),
        ({"name": "../x"}, "name must be the name of a file"),
        ({"name": ".hidden"}, "name must be the name of a file"),
        ({"name": "Con"}, "name must not be a name of a device on Windows; got 'Con'"),
        ({"name": "rock. "}, "name must not end with a dot or a space; got 'rock. '"),
        ({"name": "rock?"}, "name must be a name without .*; got 'rock.'"),
        ({"directory": ""}, "save that first"),
        ({"material": "Nothing"}, "material must name one that Terrane made; got 'Nothing'"),
        ({"width": -3}, "Material.width must be in"),
        ({"parameters": '{"crack": 7}'}, "crack must be in"),
    ],
)
def test_wrong_values_are_one_line(terrane, tmp_path, keywords, message):
    with pytest.raises(RuntimeError, match=message) as caught:
        save(tmp_path, **keywords)
    assert len(str(caught.value).strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_path_that_is_too_long_for_windows_is_refused_before_the_work(terrane):
    files = module("operators.bridge.textures.image_files").ImageFiles
    folder = PureWindowsPath("C:/") / ("f" * 240)
    with pytest.raises(
        module("noise_core.base.errors").ParameterError, match="at most 245 characters"
    ):
        files(folder, "granite", ("basecolor",), "png", 8)
    files(PureWindowsPath("C:/short"), "granite", ("basecolor",), "png", 8)


def test_a_material_called_like_a_device_has_files(terrane, tmp_path):
    bpy.ops.terrane.material_add(surface="granite", width=8, height=8)
    (made,) = bpy.data.materials
    made.name = "Con"
    bpy.ops.terrane.images_save(material="Con", maps={"height"}, directory=str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["con__height.png"]


def test_a_folder_that_cannot_be_is_one_line(terrane, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RuntimeError, match="cannot be written"):
        bpy.ops.terrane.images_save(directory=str(tmp_path / "file" / "x"), width=8, height=8)


def test_a_folder_in_the_way_leaves_all_files_as_they_are(terrane, tmp_path):
    maps = {"base_color", "normal", "roughness"}
    before = {name: (tmp_path / name).read_bytes() for name in save(tmp_path, maps=maps)}
    normal = tmp_path / "cracked_mud_normal.png"
    normal.unlink()
    normal.mkdir()
    with pytest.raises(RuntimeError, match="mud_normal.png: .* a folder has that name") as caught:
        save(tmp_path, maps=maps, overwrite=True, seed=3)
    assert len(str(caught.value).strip().splitlines()) == 1
    assert {path.name for path in tmp_path.iterdir()} == set(before) and normal.is_dir()
    for name in set(before) - {normal.name}:
        assert (tmp_path / name).read_bytes() == before[name]


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_folder_whose_name_is_too_long_is_one_line(terrane, tmp_path, overwrite):
    with pytest.raises(RuntimeError, match="cannot be written: File name too long") as caught:
        save(tmp_path / ("n" * 300), overwrite=overwrite)
    assert len(str(caught.value).strip().splitlines()) == 1


def test_a_cancelled_job_leaves_no_file(terrane, tmp_path):
    baking = module("operators.bridge.textures.surface_baking")
    maps = ("height", "normal")
    request = baking.SurfaceRequest("cracked_mud", {}, 0, 64, 64, 0.0, 0.0)
    files = module("operators.bridge.textures.image_files")
    target = files.ImageFiles(tmp_path, "mud", baking.file_ends(maps), "png", 16)
    work, heard = baking.bake_files(request, maps, "opengl", target, overwrite=False), []
    with pytest.raises(module("noise_core.base.errors").Cancelled):
        work(heard.append, lambda: bool(heard) and heard[-1] > 0.7)
    assert list(tmp_path.iterdir()) == []
    assert len(work(heard.append, lambda: False)) == 2 and heard[-1] == 1.0


def test_occlusion_roughness_and_metal_share_a_file(terrane, tmp_path):
    names = save_into(tmp_path / "new", packing="orm", maps={"base_color", "roughness", "height"})
    assert names == [f"cracked_mud_{part}.png" for part in ("basecolor", "height", "orm")]
    read, fields = (
        load_pixels(tmp_path / "new" / "cracked_mud_orm.png", "Non-Color")[..., :3],
        expected(seed=0),
    )
    for channel, name in enumerate(("ambient_occlusion", "roughness", "metallic")):
        np.testing.assert_allclose(read[..., channel], fields[name][..., 0], atol=2.0**-16)
    again = save_into(tmp_path / "other", packing="orm", maps={"base_color", "normal"})
    assert again == ["cracked_mud_basecolor.png", "cracked_mud_normal.png"]


@pytest.mark.parametrize(
    ("kind", "suffix", "packing", "more"),
    [("materialx", ".mtlx", "single", {}), ("usd", ".usda", "orm", {"normal": "directx"})],
)
def test_a_material_lies_beside_its_images(terrane, tmp_path, kind, suffix, packing, more):
    maps = {"base_color", "roughness", "metallic", "normal", "height"}
    names = save(tmp_path, material_file=kind, packing=packing, maps=maps, name="mud", **more)
    says = json.loads((tmp_path / f"mud{suffix}.json").read_text(encoding="utf-8"))
    images = {image["file"] for image in says["images"].values()}
    assert set(names) == {*images, f"mud{suffix}", f"mud{suffix}.json"}
    text = (tmp_path / f"mud{suffix}").read_text(encoding="utf-8")
    assert all(image in text for image in images)
    assert says["normals"] == more.get("normal", "opengl")
    mud = module("noise_core.materials.surfaces").surface("cracked_mud")
    assert (says["tile_width"], says["depth"]) == pytest.approx((mud.size, mud.depth))


def test_a_material_without_base_color_is_refused(terrane, tmp_path):
    with pytest.raises(RuntimeError, match="[Mm]aps must have base_color for a material"):
        save(tmp_path, material_file="materialx", maps={"height"})
    assert not list(tmp_path.iterdir())
    (tmp_path / "mud.mtlx").write_text("mine")
    with pytest.raises(RuntimeError, match="mud.mtlx in .*: already there"):
        save(tmp_path, material_file="materialx", maps={"base_color"}, name="mud")
    assert [path.name for path in tmp_path.iterdir()] == ["mud.mtlx"]
    assert (tmp_path / "mud.mtlx").read_text() == "mine"


@pytest.mark.skipif(not bpy.app.build_options.usd, reason="this Blender was built without USD")
def test_blender_reads_the_preview_surface_back(terrane, tmp_path):
    """The material of a square that refers to the file, and its images with their color spaces."""
    maps = {"base_color", "roughness", "metallic", "normal"}
    save(tmp_path, material_file="usd", packing="orm", maps=maps, name="mud")
    (tmp_path / "square.usda").write_text(SQUARE)
    bpy.ops.wm.usd_import(filepath=str(tmp_path / "square.usda"))
    (obj,) = (one for one in bpy.context.selected_objects if one.type == "MESH")
    nodes = obj.active_material.node_tree.nodes
    shader = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
    images = {
        node.image.filepath.rpartition("mud_")[2]: node.image.colorspace_settings.name
        for node in nodes
        if node.type == "TEX_IMAGE"
    }
    assert images["basecolor.png"] == "sRGB"
    assert images["orm.png"] != "sRGB" and images["normal.png"] != "sRGB"
    for name in ("Base Color", "Roughness", "Normal", "Metallic"):
        assert shader.inputs[name].is_linked, name


SQUARE = """\
#usda 1.0
(
    upAxis = "Z"
)

def Mesh "Square" (
    prepend apiSchemas = ["MaterialBindingAPI"]
)
{
    int[] faceVertexCounts = [4]
    int[] faceVertexIndices = [0, 1, 2, 3]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] (
        interpolation = "vertex"
    )
    rel material:binding = </Square/mud>

    def "mud" (
        prepend references = @./mud.usda@
    )
    {
    }
}
"""
