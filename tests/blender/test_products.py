# SPDX-License-Identifier: GPL-3.0-or-later
"""Products have one life, and one record stands on what they made."""

from __future__ import annotations

import bpy
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain


def product_classes():
    """Return all classes of products of the extension, those in late modules too."""
    for name in (
        *("scene.waters", "scene.lands", "scene.patches", "scene.plants", "scene.bases"),
        *("scene.cameras", "scene.hazes", "scene.ground_colors", "scene.sky_product"),
        *("scene.planet_product", "scene.planet_colors", "terrain.terrain_product"),
        "terrain.baked_maps",
        *("terrain.motion_baking", "textures.image_product", "textures.surface_product"),
        *("textures.recipe_preview", "textures.mask_overlay", "tasks.pictures"),
    ):
        module(f"operators.bridge.{name}").__dict__  # noqa: B018 (imports it)
    waiting, classes = [module("operators.bridge.tasks.product").Product], set()
    while waiting:
        children = waiting.pop().__subclasses__()
        waiting += children
        classes |= {cls for cls in children if cls.__module__.startswith("bl_ext")}
    return classes


def test_products_and_operators_have_one_way(terrane):
    classes = product_classes()
    assert len(classes) == 20, classes
    for cls in classes:
        assert not {"plan", "run", "finish", "note"} & vars(cls).keys(), cls
    for cls in module("operators.registration").CLASSES:
        assert not hasattr(cls, "prepare") and not hasattr(cls, "finish"), cls


@pytest.mark.parametrize("name", ["world", "text", "number"])
def test_a_record_keeps_what_was_replaced(terrane, name):
    record = module("operators.bridge.datablocks.record")
    owner, former = bpy.data.worlds.new("Ours"), bpy.data.worlds.new("Mine")
    value = {"world": former, "text": "None", "number": 3}[name]
    record.note_replaced(owner, "sky", **{name: value, "other": None})
    assert record.replaced_by(owner, "sky") == {name: value}
    record.note_replaced(owner, "sky")
    assert record.replaced_by(owner, "sky") == {}
    record.note_replaced(owner, "sky", **{name: value})
    bpy.data.worlds.remove(former)
    assert record.replaced_by(owner, "sky") == ({} if name == "world" else {name: value})
    record.forget(owner, "sky")
    assert not list(owner.keys())


def test_records_of_maps_and_motion_tell_requests_apart(terrane, tmp_path):
    terrain = add_terrain(preset="alps", resolution=17)
    record = module("operators.bridge.datablocks.record").Record

    def baked(**keywords):
        assert bpy.ops.terrane.maps_bake(maps={"slope"}, **keywords) == {"FINISHED"}
        return record.of(terrain, "baked_maps").digest

    first = baked()
    assert baked() == first
    assert baked(as_groups=True) != first
    path = str(tmp_path / "a.pc2")
    bpy.ops.terrane.motion_bake(start=1, end=2, erosion=True, filepath=path)
    assert record.of(terrain, "motion") is not None
    bpy.ops.terrane.motion_unbake()
    assert record.of(terrain, "motion") is None


def test_images_of_a_surface_have_the_record_of_their_request(terrane):
    record = module("operators.bridge.datablocks.record").Record

    def digests(**keywords):
        size = {"width": 8, "height": 8}
        bpy.ops.terrane.images_bake(
            surface="cracked_mud", maps={"height", "normal"}, **size, **keywords
        )
        return {record.of(image, "surface").digest for image in bpy.data.images}

    first = digests()
    assert len(first) == 1 and digests() == first
    assert digests(seed=4) != first
