# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing is printed to the console while a landscape is added, rendered and removed."""

from __future__ import annotations

import bpy
import pytest

from tests.blender.extension import module


@pytest.mark.parametrize(
    "preset", ["fjords", pytest.param("rolling_hills", marks=pytest.mark.slow)]
)
def test_a_landscape_comes_is_rendered_and_goes_without_a_word(terrane, capfd, preset):
    scene = bpy.context.scene
    assert bpy.ops.terrane.landscape_add(preset=preset, resolution=65) == {"FINISHED"}
    assert scene.render.engine == "CYCLES"
    render = scene.render
    render.resolution_x, render.resolution_y, render.resolution_percentage = 32, 20, 100
    scene.cycles.samples = 1
    bpy.ops.render.render()
    module("operators.bridge.tasks.live").queue.clear()
    assert bpy.ops.terrane.landscape_remove() == {"FINISHED"}
    printed = capfd.readouterr()
    # Blender itself tells how far a render is, in some versions.
    lines = [
        line
        for line in (*printed.out.splitlines(), *printed.err.splitlines())
        if line.strip() and not line.startswith("Fra:")
    ]
    assert lines == []


def closures(tree):
    """Return the room that a tree of shaders takes of the 64 closures of Cycles, outputs of other engines left out."""
    count = 0
    for node in tree.nodes:
        if node.type == "GROUP" and node.node_tree is not None:
            count += closures(node.node_tree)
        elif node.bl_idname == "ShaderNodeBsdfPrincipled":
            count += 12
        elif node.bl_idname.startswith("ShaderNodeBsdf") or node.type in {"EMISSION", "BACKGROUND"}:
            count += 1
    return count


@pytest.mark.wide
def test_no_ground_takes_more_closures_than_cycles_has(terrane):
    presets = module("noise_core.landscapes.preset_library")
    looks = {presets.preset(name).look.palette: name for name in presets.preset_names()}
    for name in looks.values():
        bare = dict.fromkeys(("colors", "water", "surroundings", "plants", "camera"), False)
        bpy.ops.terrane.landscape_add(preset=name, resolution=17, new_terrain=True, **bare)
        tree = bpy.context.active_object.active_material.node_tree
        assert 8 < closures(tree) <= 64, name
