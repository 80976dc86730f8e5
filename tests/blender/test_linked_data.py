# SPDX-License-Identifier: GPL-3.0-or-later
"""No operator writes into data of another file."""

from __future__ import annotations

import bpy
import pytest

from tests import drawing
from tests.blender import library_digest
from tests.blender.helpers import add_terrain

SLOW = frozenset({"contact_sheet", "landscape_add", "planet_add", "manual_open"})
"""They make much that has nothing to do with the active object."""

KEYWORDS = {
    "element_add": {"type": "abs"},
    "heightmap_export": {"filepath": "land.png", "overwrite": True},
    "image_by_example": {"image": "Noise"},
    "image_erode": {"image": "Noise", "in_place": True},
    "image_update": {"image": "Noise"},
    "layer_add": {"type": "perlin"},
    "motion_bake": {"start": 1, "end": 2, "filepath": "m.pc2", "erosion": True, "overwrite": True},
    "preset_load": {"preset": "dunes"},
    "preset_save": {"name": "Linked", "overwrite": True},
    "recipe_save": {"filepath": "recipe.json", "overwrite": True},
    "images_save": {"directory": "."},
}


def save_library(path):
    """Save a file with a terrain that is not up to date, with a material and an image."""
    terrain = add_terrain(preset="island", resolution=33)
    bpy.ops.terrane.image_new(width=16, height=16, name="Noise")
    material = bpy.data.materials.new("Ground")
    if material.node_tree is None:
        material.use_nodes = True
    picture = material.node_tree.nodes.new("ShaderNodeTexImage")
    picture.image = bpy.data.images["Noise"]
    terrain.data.materials.append(material)
    terrain.vertex_groups.new(name="Group")
    terrain.terrane.height *= 1.5
    bpy.ops.wm.save_as_mainfile(filepath=path)
    return terrain.name


def linked(path, name):
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(path, link=True) as (_, into):
        into.objects = [name]
    bpy.context.scene.collection.objects.link(into.objects[0])
    return into.objects[0]


def overridden(path, name):
    return linked(path, name).override_create(remap_local_usages=True)


def with_linked_mesh(path, name):
    return linked(path, name).make_local()


def with_linked_material(path, name):
    obj = linked(path, name).make_local()
    obj.data = obj.data.copy()
    return obj


def activate(obj):
    bpy.context.view_layer.objects.active = obj
    obj.select_set(True)
    bpy.context.view_layer.update()
    return library_digest.digests()


def call(name):
    operator = getattr(bpy.ops.terrane, name)
    known = operator.get_rna_type().properties.keys()
    keywords = {key: value for key, value in KEYWORDS.get(name, {}).items() if key in known}
    try:
        operator(**keywords)
    except RuntimeError:
        pass  # refused, in one line: other tests read it


def drawn(mode):
    names = sorted(
        name for name in dir(bpy.ops.terrane) if not name.startswith("_") and name not in SLOW
    )
    chosen = drawing.generator(mode).sample(names, drawing.count_of(len(names)))
    return ["colors_add", "nodes_add", "material_add", "terrain_material", *chosen]


@pytest.mark.parametrize(
    "link",
    [linked, overridden, with_linked_mesh, with_linked_material],
    ids=lambda link: link.__name__,
)
def test_no_operator_writes_into_another_file(own_presets, tmp_path, monkeypatch, link):
    monkeypatch.chdir(tmp_path)
    path = str(tmp_path / "library.blend")
    name = save_library(path)
    obj, written = link(path, name), []
    activate_before = activate(obj)
    for operator in drawn(link.__name__):
        call(operator)
        bpy.context.view_layer.update()
        digests_after = library_digest.digests()
        changed = [
            f"{key}: {sorted(set(digests_after[key].splitlines()) - set(text.splitlines()))[:3]}"
            for key, text in activate_before.items()
            if key in digests_after and digests_after[key] != text
        ]
        if changed:
            written.append((operator, changed))
        if changed or bpy.context.view_layer.objects.active != obj:
            obj = link(path, name)
            activate_before = activate(obj)
    assert not written


def test_the_digest_sees_what_is_written(terrane, tmp_path):
    path = str(tmp_path / "library.blend")
    obj = linked(path, save_library(path))
    activate_before = activate(obj)
    obj.data.attributes.new("new", "FLOAT", "POINT")
    obj.data.materials[0]["mine"] = 1
    digests_after = library_digest.digests()
    changed = {key for key, text in activate_before.items() if digests_after[key] != text}
    assert changed == {("Mesh", obj.data.name), ("Material", "Ground")}
