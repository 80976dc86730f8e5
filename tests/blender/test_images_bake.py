# SPDX-License-Identifier: GPL-3.0-or-later
"""A set of textures as images: true values, the right color spaces, made anew in place."""

from __future__ import annotations

import json
import subprocess
import sys

import bpy
import numpy as np
import pytest

from tests.blender.extension import PACKAGE, module
from tests.blender.helpers import colors

NAMES = {
    "base_color": "Base Color",
    "roughness": "Roughness",
    "metallic": "Metallic",
    "normal": "Normal",
    "ambient_occlusion": "Ambient Occlusion",
    "height": "Height",
    "cavity": "Cavity",
}


def bake(**keywords):
    given = {"surface": "cracked_mud", "width": 64, "height": 48, **keywords}
    assert bpy.ops.terrane.images_bake(**given) == {"FINISHED"}
    return {image.name: image for image in bpy.data.images}


def expected(seed=0, normal="opengl", wrap=True, **values):
    surfaces, grid = module("noise_core.materials.surfaces"), module("noise_core").Grid
    material = surfaces.surface("cracked_mud", **values)
    textures = material.textures(
        grid(48, 64, wrap=wrap, size=material.size), seed, tuple(surfaces.MAPS), normal=normal
    )
    fields = {name: textures.encode(name) for name in NAMES}
    return {
        name: field if field.ndim == 3 else np.repeat(field[..., np.newaxis], 3, -1)
        for name, field in fields.items()
    }


@pytest.mark.parametrize("storage", ["mixed", "float"])
def test_every_map_is_an_image_with_its_values(terrane, storage):
    made, fields = bake(seed=3, storage=storage), expected(3)
    assert set(made) == {f"Cracked Mud {label}" for label in NAMES.values()}
    for name, label in NAMES.items():
        image, wanted = made[f"Cracked Mud {label}"], fields[name]
        is_float = storage == "float" or name in ("height", "normal")
        space = "Non-Color"
        if name == "base_color":
            space = "Linear Rec.709" if is_float else "sRGB"
            if not is_float:
                wanted = module("noise_core.materials.colors").linear_to_srgb(wanted)
        assert (image.is_float, image.colorspace_settings.name) == (is_float, space), name
        atol = 1e-6 if is_float else 0.5 / 255 + 1e-5
        np.testing.assert_allclose(colors(image), wanted, atol=atol, err_msg=name)
        assert image.packed_file and image.use_fake_user


def test_baked_again_in_place(terrane):
    first = bake(seed=3)
    pointers = {name: image.as_pointer() for name, image in first.items()}
    again = bake(seed=4, width=32, height=32, storage="float")
    assert {name: image.as_pointer() for name, image in again.items()} == pointers
    assert all(tuple(image.size) == (32, 32) and image.is_float for image in again.values())


def test_other_images_of_that_name_stay(terrane):
    users = bpy.data.images.new("Cracked Mud Height", 4, 4)
    bake(maps={"height"})
    assert tuple(users.size) == (4, 4) and len(bpy.data.images) == 2
    bpy.ops.terrane.material_add(surface="cracked_mud", width=16, height=16)
    sizes = {image.name: tuple(image.size) for image in bpy.data.images}
    bake(maps={"base_color"})
    assert {name: tuple(bpy.data.images[name].size) for name in sizes} == sizes


def test_names_that_are_taken_do_not_pile_up(terrane):
    bpy.ops.mesh.primitive_plane_add()
    bpy.ops.terrane.material_add(surface="cracked_mud", width=8, height=8)
    users = bpy.data.images.new("Cracked Mud Cavity", 4, 4)
    images_before = set(bpy.data.images)
    for seed in range(3):
        bake(seed=seed, width=8, height=8, maps={"base_color", "height", "cavity"})
    assert len(bpy.data.images) == len(images_before) + 3 and tuple(users.size) == (4, 4)
    bpy.ops.terrane.material_add(surface="cracked_mud", width=8, height=8, seed=5)
    assert len(bpy.data.images) == len(images_before) + 3


def test_names_that_are_too_long_do_not_pile_up(terrane):
    for name in ("x" * 49, "y" * 300):
        for seed in range(3):
            bake(seed=seed, width=8, height=8, maps={"ambient_occlusion"}, name=name)
    assert len(bpy.data.images) == 2


def test_an_image_that_was_renamed_was_set_aside(terrane):
    (first,) = bake(maps={"height"}).values()
    first.name = "Kept"
    values = colors(first)
    bake(maps={"height"}, seed=9)
    assert set(bpy.data.images.keys()) == {"Kept", "Cracked Mud Height"}
    np.testing.assert_array_equal(colors(first), values)


def test_an_image_without_marks_of_its_name_is_found_by_it(terrane):
    (first,) = bake(maps={"height"}).values()
    del first["terrane_asked"], first["terrane_given"]
    bake(maps={"height"}, seed=9)
    assert list(bpy.data.images) == [first]


def test_an_image_that_became_tiles_stays(terrane):
    bake(maps={"height"})
    tiled = bpy.data.images["Cracked Mud Height"]
    tiled.source = "TILED"
    bake(maps={"height"})
    assert tiled.source == "TILED" and "Cracked Mud Height.001" in bpy.data.images


def test_options(terrane):
    made = bake(maps={"normal"}, normal="directx", name="Lake", parameters='{"crack": 0.75}')
    assert set(made) == {"Lake Normal"}
    wanted = expected(normal="directx", crack=0.75)["normal"]
    np.testing.assert_allclose(colors(made["Lake Normal"]), wanted, atol=1e-6)
    made = bake(maps={"height"}, seamless=False)
    wanted = expected(wrap=False)["height"]
    np.testing.assert_allclose(colors(made["Cracked Mud Height"]), wanted, atol=1e-6)
    assert np.abs(wanted - expected()["height"]).max() > 1e-3


def test_the_panels_settings(terrane):
    group = bpy.context.scene.terrane_material
    group.surface, group.width, group.height, group.seed = "cracked_mud", 64, 48, 8
    group.seamless = False
    for name in NAMES:
        setattr(group.saved_maps, name, name == "cavity")
    assert bpy.ops.terrane.images_bake(from_panel=True) == {"FINISHED"}
    (image,) = bpy.data.images
    assert image.name == "Cracked Mud Cavity"
    wanted = expected(8, wrap=False)["cavity"]
    np.testing.assert_allclose(colors(image), wanted, atol=0.5 / 255 + 1e-5)


def test_undo(terrane):
    colors_before = colors(bake(seed=1, maps={"height"})["Cracked Mud Height"])
    bpy.ops.ed.undo_push(message="baked")
    bake(seed=2, maps={"height"})
    bpy.ops.ed.undo_push(message="baked again")
    bpy.ops.ed.undo()
    np.testing.assert_array_equal(colors(bpy.data.images["Cracked Mud Height"]), colors_before)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"maps": set()}, "maps must be some of"),
        ({"width": 0}, "Material.width must be in"),
        ({"parameters": '{"crack": 7}'}, "crack must be in"),
    ],
)
def test_wrong_values_are_one_line_and_leave_nothing(terrane, keywords, message):
    with pytest.raises(RuntimeError, match=message) as caught:
        bake(**keywords)
    assert len(str(caught.value).strip().splitlines()) == 1 and not bpy.data.images


OWN = """
import json, sys
import addon_utils, bpy
package, source, out = sys.argv[-3:]
bpy.context.preferences.use_preferences_save = False
folder = bpy.utils.extension_path_user(package, path="surfaces", create=True)
plain = json.load(open(source, encoding="utf-8"))
json.dump({**plain, "label": "My Wall"}, open(folder + "/my_wall.json", "w", encoding="utf-8"))
open(folder + "/torn.json", "w", encoding="utf-8").write("{")
chain = {f"a{number}": f"a{number - 1} + 1" for number in range(2500, 0, -1)}
fields = {**plain["fields"], **chain, "a0": "1"}
json.dump({**plain, "fields": fields}, open(folder + "/long.json", "w", encoding="utf-8"))
addon_utils.disable(package)
for name in [name for name in sys.modules if name.startswith(package)]:
    del sys.modules[name]
addon_utils.enable(package)
items = bpy.ops.terrane.images_bake.get_rna_type().properties["surface"].enum_items
bpy.ops.terrane.images_bake(surface="my_wall", width=8, height=8, maps={"height"})
reasons = sys.modules[package + ".operators.bridge.textures.surface_settings"].left_out()
left_out = {name: str(reason) for name, reason in reasons.items()}
json.dump(
    [items["my_wall"].name, "torn" in items, left_out, list(bpy.data.images.keys())],
    open(out, "w"),
)
addon_utils.disable(package)
import os, shutil
shutil.rmtree(folder)
sys.stderr.flush()
os._exit(0)
"""


@pytest.mark.slow
def test_own_surfaces_and_a_broken_one(terrane, tmp_path):
    """In a Blender of its own: the user's surface is there, the broken file is left out and named."""
    script, out = tmp_path / "own.py", tmp_path / "out.json"
    script.write_text("import bpy\n" + OWN, encoding="utf-8")
    source = module("noise_core.materials.surfaces.library_files").FOLDER / "brick.json"
    binary = bpy.app.binary_path
    command = [binary, "--background", "--python"] if binary else [sys.executable]
    result = subprocess.run(
        [*command, str(script), "--", PACKAGE, str(source), str(out)],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert out.exists(), result.stderr
    label, is_torn_there, left_out, images = json.loads(out.read_text())
    assert (label, is_torn_there, list(left_out)) == ("My Wall", False, ["long", "torn"])
    assert "not JSON" in left_out["torn"]
    assert "My Wall Height" in images
    assert "the surface torn was left out: Surface: not JSON" in result.stderr
    assert "the surface long was left out: " in result.stderr
    assert "Traceback" not in result.stderr
