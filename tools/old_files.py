# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the .blend files that tests open: as this version saves one, and one from a future.

    python tools/old_files.py          with the module bpy of the oldest Blender, so that all others can open them

tests/data/terrane_<version>.blend holds a bit of everything that Terrane stores. Files of released versions are
never written again: a test opens each. tests/data/unknown_types.blend has a noise and a modifier that nobody knows.
"""

from __future__ import annotations

import os
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import blender_module

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "tests" / "data"
LARGEST = 200_000
"""Bytes of a file."""


def everything(bpy: Any) -> None:
    """Make a terrain with layers, a mask, baked maps and a material, an image, and settings of the scene."""
    scene = bpy.context.scene
    scene.terrane.seed, scene.terrane.resolution = 77, 48
    bpy.ops.terrane.terrain_add(preset="none", noise="simplex", fractal="ridged", octaves=5.5, seed=42, frequency=3.0, warp=0.25, size=500.0, height=60.0, resolution=25)  # fmt: skip
    terrain = bpy.context.active_object
    terrain.name = "Old Terrain"
    for key in ("stream_erosion", "terraces"):
        bpy.ops.terrane.layer_add(type=key)
    entry = terrain.terrane.layers[terrain.terrane.active_layer]
    entry.name, entry.opacity = "Fields", 0.75
    bpy.ops.terrane.mask_paint(fill=0.5)
    bpy.ops.terrane.mask_paint()
    bpy.ops.terrane.terrain_update()
    bpy.ops.terrane.maps_bake(maps={"slope", "flow"})
    bpy.ops.terrane.material_add(surface="granite", width=8, height=8)
    bpy.ops.terrane.image_new(name="Old Image", width=16, height=16, seed=9, noise="cellular")


def a_future(bpy: Any) -> None:
    """Make two terrains: one whose noise nobody knows, and one with a modifier that nobody knows."""
    bpy.ops.terrane.terrain_add(preset="none", resolution=17)
    first = bpy.context.active_object
    first.name = "Unknown Noise"
    first.terrane.layers[0].chain[0].type = "noise_of_tomorrow"
    bpy.ops.terrane.terrain_add(preset="none", resolution=17)
    second = bpy.context.active_object
    second.name = "Unknown Modifier"
    for _ in range(2):
        bpy.ops.terrane.layer_add(type="blur")
    layer = second.terrane.layers[1]
    layer.type, layer.name = "modifier_of_tomorrow", "Glaciers"


def save(bpy: Any, name: str) -> None:
    """Save the file without facts about this machine."""
    DATA.mkdir(exist_ok=True)
    path = DATA / name
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=True, check_existing=False)
    size = path.stat().st_size
    assert size < LARGEST, f"{name} has {size} bytes"
    print(f"{path.relative_to(ROOT)}: {size} bytes")


def main() -> None:
    """Write both files."""
    os.environ["HOME"] = tempfile.gettempdir()  # Blender writes it into files
    blender_module.start()
    import bpy

    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
    version = manifest["version"]
    for fill, name in (
        (everything, f"terrane_{version}.blend"),
        (a_future, "unknown_types.blend"),
    ):
        bpy.ops.wm.read_homefile(use_empty=True)
        bpy.context.preferences.filepaths.save_version = 0
        fill(bpy)
        save(bpy, name)


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # the module of 4.5 hangs in an ordinary exit
