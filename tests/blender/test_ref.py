# SPDX-License-Identifier: GPL-3.0-or-later
"""References to datablocks: found again, told apart, refused when gone."""

import importlib

import bpy
import pytest


@pytest.fixture
def ref(terrane):
    return importlib.import_module(f"{terrane.__name__}.operators.bridge.datablocks.ref")


@pytest.fixture
def error(terrane):
    return importlib.import_module(f"{terrane.__name__}.noise_core.base.errors").TerraneError


NEW = {
    "collections": (),
    "images": (4, 4),
    "materials": (),
    "meshes": (),
    "node_groups": ("ShaderNodeTree",),
    "scenes": (),
    "textures": ("BLEND",),
    "worlds": (),
}


@pytest.mark.parametrize("owners", NEW)
def test_a_renamed_datablock_is_found_and_another_of_its_name_is_not(ref, owners):
    collection = getattr(bpy.data, owners)
    first = collection.new("One", *NEW[owners])
    kept = ref.Ref.of(first)
    assert kept.find() == first
    first.name = "Two"
    other = collection.new("One", *NEW[owners])
    assert other.name == "One", "the other shall have its name"
    assert kept.find() == first and kept.resolve() == first
    assert kept == ref.Ref.of(first) and hash(kept) == hash(ref.Ref.of(first))
    assert kept != ref.Ref.of(other)
    assert kept.refers_to(first) and not kept.refers_to(other)


def test_a_datablock_that_is_gone_is_not_found(ref, error):
    mesh = bpy.data.meshes.new("Gone")
    kept = ref.Ref.of(mesh)
    bpy.data.meshes.remove(mesh)
    bpy.data.meshes.new("Gone")
    assert kept.find() is None
    with pytest.raises(error, match="Gone was removed"):
        kept.resolve()


def test_an_object_is_found_after_undo(ref):
    bpy.ops.ed.undo_push(message="before")
    obj = bpy.data.objects.new("Thing", None)
    bpy.context.scene.collection.objects.link(obj)
    bpy.ops.ed.undo_push(message="new")
    kept = ref.Ref.of(obj)
    bpy.ops.ed.undo_push(message="other")
    bpy.ops.ed.undo()
    assert kept.resolve() == bpy.data.objects["Thing"]
    bpy.ops.ed.undo()
    assert kept.find() is None


def test_an_evaluated_copy_counts_as_its_original(ref):
    obj = bpy.data.objects.new("Thing", bpy.data.meshes.new("Mesh"))
    bpy.context.scene.collection.objects.link(obj)
    copy = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    assert copy != obj
    assert ref.Ref.of(copy) == ref.Ref.of(obj)
    assert ref.Ref.of(copy).find() == obj
    assert ref.Ref.of(obj).refers_to(copy)


def test_kinds_that_no_collection_lists_are_refused(ref):
    with pytest.raises(ValueError, match="kind must be one of"):
        ref.Ref.of(bpy.data.texts.new("Text"))
