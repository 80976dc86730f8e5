# SPDX-License-Identifier: GPL-3.0-or-later
"""Fill Asset Library: what is written, what a user's edits survive, and what assets do where they are dropped."""

from __future__ import annotations

import re
import time
from pathlib import Path

import bpy
import numpy as np
import pytest

from tests.blender.extension import bridge, module
from tests.blender.helpers import add_fractal_terrain, evaluated, positions

KINDS = ("materials", "images", "node_groups", "worlds", "objects", "meshes", "lights", "textures")

SOME = ("alps", "moon", "rolling_hills")
"""Landforms of which stamps and skies are made in tests that need not have all."""


@pytest.fixture(autouse=True)
def libraries(terrane):
    """Forget libraries that a test has added to the preferences."""
    found = bpy.context.preferences.filepaths.asset_libraries
    known = [library.path for library in found]
    yield found
    for library in [library for library in found if library.path not in known]:
        found.remove(library)


@pytest.fixture
def few(monkeypatch):
    """Let only some landforms and surfaces be made into assets."""
    kinds = bridge("exchange.asset_kinds")
    landforms, names = kinds._landforms, kinds.surface_names
    monkeypatch.setattr(kinds, "_landforms", lambda: (p for p in landforms() if p.name in SOME))
    monkeypatch.setattr(kinds, "surface_names", lambda: names()[::9])


def fill(folder, *kinds, pixels=64):
    keywords = {"kinds": set(kinds)} if kinds else {}
    assert bpy.ops.terrane.assets_fill(directory=str(folder), pixels=pixels, **keywords) == {
        "FINISHED"
    }


def files(folder):
    """Return the bytes of all assets, by their paths."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.blend")
    }


def append(path, kind):
    """Append all assets of a kind in a file; return them."""
    with bpy.data.libraries.load(str(path), assets_only=True) as (source, into):
        setattr(into, kind, list(getattr(source, kind)))
    return getattr(into, kind)


def state():
    """Return the names of all datablocks of the open file."""
    return {kind: sorted(block.name for block in getattr(bpy.data, kind)) for kind in KINDS}


def test_all_assets_have_a_catalog_tags_texts_and_pictures(terrane, few, tmp_path):
    before = state()
    fill(tmp_path)
    assert state() == before
    text = (tmp_path / "blender_assets.cats.txt").read_text("utf-8")
    catalogs = dict(re.findall(r"^([0-9a-f-]{36}):([^:]+):", text, re.M))
    found = []
    for path in files(tmp_path):
        for kind in ("materials", "node_groups", "worlds", "objects"):
            for block in append(tmp_path / path, kind):
                data = block.asset_data
                found.append((path.partition("/")[0], block.name))
                assert catalogs[data.catalog_id].startswith("Terrane/"), path
                assert data.description and {"Terrane"} < {tag.name for tag in data.tags}, path
                assert min(block.preview.image_size) >= 64, path
                assert np.ptp(list(block.preview.image_pixels_float)) > 0.2, path
    kinds = {kind for kind, _ in found}
    assert kinds == {"surfaces", "plants", "skies", "stamps", "nodes"}
    assert ("nodes", "Terrane Field") in found and ("stamps", "Alps Stamp") in found
    assert not [name for _, name in found if re.search(r"\.\d\d\d$", name)]


def test_the_open_file_stays_as_it_is_even_with_the_same_names(terrane, few, tmp_path):
    names = bridge("exchange.asset_kinds").surface_names()
    first = module("noise_core.materials.surfaces").surface(names[0])
    bpy.ops.terrane.material_add(surface=names[0], apply=False, width=32, height=32)
    own = bpy.data.materials[first.label]
    nodes = [node.name for node in own.node_tree.nodes]
    add_fractal_terrain(resolution=9)
    bpy.ops.terrane.field_add()
    group = bpy.data.node_groups["Terrane Field"]
    before = state()
    fill(tmp_path)
    assert state() == before
    assert own.name == first.label and [node.name for node in own.node_tree.nodes] == nodes
    assert own.asset_data is None and group.asset_data is None
    (asset,) = append(tmp_path / f"surfaces/{names[0]}.blend", "materials")
    assert asset.name.partition(".")[0] == first.label


def test_only_what_is_missing_or_out_of_date_is_written(terrane, few, tmp_path, monkeypatch):
    fill(tmp_path, "surfaces", "nodes")
    first = files(tmp_path)
    times = {path: (tmp_path / path).stat().st_mtime_ns for path in first}
    fill(tmp_path, "surfaces", "nodes")
    assert {path: (tmp_path / path).stat().st_mtime_ns for path in first} == times
    gone, edited, *_ = sorted(first)
    (tmp_path / gone).unlink()
    (tmp_path / edited).write_bytes(b"the user's own")
    monkeypatch.setattr(bridge("exchange.asset_library"), "__version__", "99.0.0")
    fill(tmp_path, "surfaces", "nodes")
    assert (tmp_path / edited).read_bytes() == b"the user's own"
    assert files(tmp_path).keys() == first.keys()
    later = {path: (tmp_path / path).stat().st_mtime_ns for path in first if path != edited}
    assert all(later[path] > times[path] for path in later)
    (tmp_path / "terrane_assets.json").write_text("{broken")  # then all files are the user's
    fill(tmp_path, "surfaces", "nodes")
    assert all((tmp_path / path).stat().st_mtime_ns == later[path] for path in later)


def test_catalogs_of_the_user_stay(terrane, tmp_path):
    fill(tmp_path, "nodes")
    path = tmp_path / "blender_assets.cats.txt"
    text = path.read_text("utf-8").replace("Terrane/Nodes", "Mine/Tools")
    path.write_text(text + "9b1b2c3d-0000-4000-8000-000000000000:Mine/Other:Mine-Other\n")
    kept = path.read_text("utf-8")
    fill(tmp_path, "nodes")
    assert path.read_text("utf-8") == kept


def test_the_folder_is_a_library_of_the_preferences(terrane, tmp_path, libraries):
    count = len(libraries)
    for _ in range(2):
        fill(tmp_path / "mine", "nodes")
    assert len(libraries) == count + 1
    library = next(one for one in libraries if one.path.startswith(str(tmp_path)))
    assert library.name == "Terrane" and library.import_method.startswith("APPEND")
    fill(tmp_path / "second", "nodes")
    assert len({one.name for one in libraries}) == len(libraries) == count + 2


def test_without_a_folder_it_is_the_extensions_own(terrane):
    assert bpy.ops.terrane.assets_fill(kinds={"nodes"}) == {"FINISHED"}
    folder = Path(bpy.utils.extension_path_user("bl_ext.user_default.terrane", path="assets"))
    assert (folder / "nodes/terrane_field.blend").is_file()


def test_it_can_be_canceled_and_goes_on_later(terrane, few, tmp_path):
    library, kinds = bridge("exchange.asset_library"), bridge("exchange.asset_kinds")
    jobs = bridge("tasks.jobs")
    assets, before = list(kinds.surfaces(64)), state()
    steps = library.fill(bpy.context, tmp_path, assets)
    work = next(steps)
    work = steps.send(jobs.at_once(work))
    steps.close()
    assert state() == before
    assert list(files(tmp_path)) == [assets[0].path]
    assert not [path for path in tmp_path.rglob("*") if path.suffix == ".part"]
    fill(tmp_path, "surfaces")
    assert set(files(tmp_path)) == {asset.path for asset in assets}


def test_what_cannot_be_written_is_refused_in_one_line(terrane, tmp_path):
    before = state()
    (tmp_path / "file").write_text("")
    with pytest.raises(RuntimeError, match="cannot be written") as error:
        fill(tmp_path / "file", "nodes")
    assert "Traceback" not in str(error.value)
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken/nodes").write_text("")
    with pytest.raises(RuntimeError, match="cannot be written") as error:
        fill(tmp_path / "taken", "nodes")
    assert "Traceback" not in str(error.value)
    with pytest.raises(RuntimeError, match="relative to the Blender file"):
        bpy.ops.terrane.assets_fill(directory="//assets/", kinds={"nodes"})
    assert state() == before


def test_a_surface_is_a_material_of_any_mesh(terrane, few, tmp_path):
    fill(tmp_path, "surfaces")
    bpy.ops.mesh.primitive_monkey_add()
    for path in files(tmp_path):
        (material,) = append(tmp_path / path, "materials")
        bpy.context.object.active_material = material
        shown = [node for node in material.node_tree.nodes if node.type == "TEX_IMAGE"]
        assert all(node.image.packed_file and node.image.size[0] == 64 for node in shown)
        assert all(node.projection == "BOX" for node in shown)
        # Terrane can change it there, as one that it made in this file.
        assert bridge("nodetree.surface_material").request_of(material).width == 64


def test_plants_are_as_large_as_they_grow(terrane, tmp_path):
    fill(tmp_path, "plants")
    plants = module("noise_core.landscapes.plants").Plants()
    for path in files(tmp_path):
        kind = Path(path).stem
        objects = append(tmp_path / path, "objects")
        size = getattr(plants, f"{kind}_size")
        assert np.allclose([obj.scale for obj in objects], size)
        tops = [positions(obj.data)[:, 2].max() for obj in objects]  # shapes are about 1 high
        assert 0.2 < min(tops) and max(tops) < 1.7
        assert all(obj.active_material for obj in objects)


def test_a_sky_lights_the_scene(terrane, few, tmp_path):
    fill(tmp_path, "skies")
    (world,) = append(tmp_path / "skies/alps.blend", "worlds")
    (sun,) = append(tmp_path / "skies/alps.blend", "objects")
    sky = module("noise_core.landscapes.preset_library").preset("alps").look.sky
    assert sun.data.type == "SUN" and abs(sun.data.energy - sky.sun_strength) < 1e-5
    scene = bpy.context.scene
    scene.world = world
    scene.collection.objects.link(sun)
    # Terrane takes it for the user's own.
    add_fractal_terrain(resolution=9)
    with pytest.raises(RuntimeError, match="choose Replace"):
        bpy.ops.terrane.sky_add()


def test_a_stamp_raises_any_mesh_within_its_outline(terrane, few, tmp_path):
    fill(tmp_path, "stamps")
    (group,) = append(tmp_path / "stamps/alps.blend", "node_groups")
    assert group.is_modifier
    recipe = module("noise_core.landscapes.preset_library").preset("alps").recipe
    height = recipe.evaluate(recipe.grid(257)).height
    stamp = module("noise_core.modifiers").Stamp.of_heights(height, recipe.size)
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=80, y_subdivisions=80, size=1.5 * recipe.size)
    obj = bpy.context.object
    obj.location = (500.0, -300.0, 40.0)
    modifier = obj.modifiers.new("Stamp", "NODES")
    modifier.node_group = group
    bpy.context.view_layer.update()
    flat, raised = positions(obj.data), positions(evaluated(obj).data)
    away = np.hypot(flat[:, 0], flat[:, 1])
    rise = raised[:, 2] - flat[:, 2]
    assert not rise[away > 0.5 * recipe.size].any() and np.abs(rise).max() > 50.0
    middle = int(away.argmin())
    column, row = (
        int(round(float(flat[middle, axis]) / recipe.size * 256.0)) + 128 for axis in (0, 1)
    )
    near = stamp.pixels[row - 2 : row + 3, column - 2 : column + 3] * stamp.height
    assert near.min() - 1.0 <= rise[middle] <= near.max() + 1.0
    empty = bpy.data.objects.new("Place", None)
    bpy.context.scene.collection.objects.link(empty)
    empty.location = (500.0 + 0.4 * recipe.size, -300.0, 0.0)
    bridge("datablocks.compat").set_modifier_input(modifier, "Place", empty)
    obj.update_tag()
    bpy.context.view_layer.update()
    moved = positions(evaluated(obj).data)[:, 2] - flat[:, 2]
    assert not moved[flat[:, 0] < -0.12 * recipe.size].any() and moved.any()


@pytest.mark.slow
def test_all_of_it_takes_a_minute_and_a_half_and_150_megabytes(terrane, tmp_path):
    begun = time.process_time()
    fill(tmp_path, pixels=512)
    assert time.process_time() - begun < 90.0
    assert sum(len(data) for data in files(tmp_path).values()) < 150e6
