# SPDX-License-Identifier: GPL-3.0-or-later
"""What docs/develop/adding_an_operator.md says is true: its code, added to the installed extension, works."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "develop" / "adding_an_operator.md"
BLOCK = re.compile(r'^```(?:python|text) title="([^"]+)"\n(.*?)^```', re.MULTILINE | re.DOTALL)
REGISTRATION = "operators/registration.py"

SCRIPT = """
import bpy
import addon_utils
bpy.ops.wm.read_homefile(use_empty=True)
name = "bl_ext.user_default.terrane"
addon_utils.enable(name, default_set=True)
assert name in bpy.context.preferences.addons
assert bpy.ops.terrane.tiles_add(count=2, resolution=33) == {"FINISHED"}
west, east = (bpy.data.objects[f"Tile {number}"] for number in (0, 1))
side = west.dimensions.x
assert len(west.data.vertices) == 33 * 33 and side > 100.0
borders = []
for tile, x in ((west, side), (east, 0.0)):
    points = [tile.matrix_world @ vertex.co for vertex in tile.data.vertices]
    middle = east.location.x - side / 2.0
    border = [point for point in points if abs(point.x - middle) < 1e-3 * side]
    borders.append(sorted((round(point.y, 2), round(point.z, 2)) for point in border))
assert len(borders[0]) == 33 and borders[0] == borders[1], borders
addon_utils.disable(name, default_set=True)
print("TILES JOIN", flush=True)
import os
os._exit(0)
"""


@pytest.mark.skipif(
    "TERRANE_INSTALLED_ZIP" in os.environ, reason="starts Blender's Python module by itself"
)
def test_the_operator_of_the_page_works(extension_zip, tmp_path):
    folder = tmp_path / "extensions" / "user_default" / "terrane"
    with zipfile.ZipFile(extension_zip) as package:
        package.extractall(folder)
    blocks = dict(BLOCK.findall(PAGE.read_text(encoding="utf-8")))
    listed = blocks.pop(REGISTRATION)
    assert len(blocks) == 1
    for path, code in blocks.items():
        assert not (folder / path).exists()
        (folder / path).write_text(code, encoding="utf-8")
    registration = folder / REGISTRATION
    text = registration.read_text(encoding="utf-8")
    text = text.replace("TOPICS = (\n", f"TOPICS = (\n{listed}", 1)
    registration.write_text(text, encoding="utf-8")
    env = {**os.environ, "BLENDER_USER_RESOURCES": str(tmp_path)}
    command = [sys.executable, "-c", SCRIPT]
    done = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True)
    assert "TILES JOIN" in done.stdout, done.stdout + done.stderr
