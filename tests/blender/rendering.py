# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders of a scene with the extension, and of its saved file in a Blender without it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import bpy
import numpy as np
import numpy.typing as npt

from tests.blender.extension import PACKAGE, module
from tests.blender.helpers import load_pixels

Pixels = npt.NDArray[np.float32]

RENDER = """
import os, sys
import addon_utils, bpy
package, source, out = sys.argv[-3:]
addon_utils.disable(package)
bpy.ops.wm.open_mainfile(filepath=source)
assert not hasattr(bpy.types.Scene, "terrane")
bpy.context.scene.render.filepath = out
bpy.ops.render.render(write_still=True)
os._exit(0)
"""


def render_with_and_without(folder: Path) -> tuple[Pixels, Pixels]:
    """Return the pixels of the present scene, and of its saved file rendered without the extension."""
    scene, source = bpy.context.scene, folder / "scene.blend"
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising = 4, False
    scene.render.resolution_x, scene.render.resolution_y = 32, 18
    scene.render.filepath = str(folder / "with.png")
    bpy.ops.render.render(write_still=True)
    bpy.ops.wm.save_as_mainfile(filepath=str(source))
    script, out = folder / "render.py", folder / "without.png"
    script.write_text("import bpy\n" + RENDER, encoding="utf-8")
    binary = bpy.app.binary_path
    command = [binary, "--background", "--python"] if binary else [sys.executable]
    result = subprocess.run(
        [*command, str(script), "--", PACKAGE, str(source), str(out)],
        capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert out.exists(), result.stderr
    return load_pixels(folder / "with.png"), load_pixels(out)


def render_linear(folder: Path, side: int, samples: int) -> Pixels:
    """Render the scene with Cycles; return its linear colors, shape (side, side, 3)."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples = "CPU", samples
    scene.cycles.use_denoising = False  # some builds go without
    scene.render.resolution_x = scene.render.resolution_y = side
    scene.view_settings.view_transform = "Raw"
    settings = scene.render.image_settings
    if hasattr(settings, "media_type"):  # from Blender 5.0 on
        settings.media_type = "IMAGE"
    settings.file_format, settings.color_depth = "OPEN_EXR", "32"
    scene.render.filepath = str(folder / "render.exr")
    bpy.ops.render.render(write_still=True)
    return load_pixels(scene.render.filepath)[..., :3]


def add_plane_with_camera() -> bpy.types.Object:
    """Add a plane of one meter with an empty material, and a camera; return the plane."""
    bpy.ops.mesh.primitive_plane_add(size=1.0)
    plane = bpy.context.active_object
    plane.data.materials.append(
        module("operators.bridge.datablocks.materials").new_material("Shown")
    )
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.scene.collection.objects.link(camera)
    bpy.context.scene.camera = camera
    return plane


def emit_color(obj: bpy.types.Object, socket: bpy.types.NodeSocket) -> None:
    """Let an object's material emit the color of an output socket."""
    tree = obj.active_material.node_tree
    emission = tree.nodes.new("ShaderNodeEmission")
    tree.links.new(socket, emission.inputs["Color"])
    output = tree.nodes.new("ShaderNodeOutputMaterial")
    tree.links.new(emission.outputs[0], output.inputs["Surface"])
