# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders of a scene with the extension, and of its saved file in a Blender without it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import bpy
import numpy as np
import numpy.typing as npt

from tests.blender.extension import PACKAGE

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
    return pixels_of(folder / "with.png"), pixels_of(out)


def pixels_of(path: Path) -> Pixels:
    image = bpy.data.images.load(str(path))
    values = np.empty(len(image.pixels), np.float32)
    image.pixels.foreach_get(values)
    bpy.data.images.remove(image)
    return values
