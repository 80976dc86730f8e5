# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages on adding an operator and the nodes of a noise are true: their code, added to the extension, works."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "develop"
BLOCK = re.compile(r'^```(?:python|text) title="([^"]+)"\n(.*?)^```', re.MULTILINE | re.DOTALL)
REGISTRATION = "operators/registration.py"

OPERATOR = """
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
"""
"""Two neighbors of the operator on the page, which have the same border."""

NODES = f"""
import importlib, sys
import numpy as np
sys.path.append({str(ROOT / "tools")!r})
import node_studio
module = lambda path: importlib.import_module(f"{{name}}.{{path}}")
checker = module("noise_core").noise_types()["checker"](frequency=6.0)
shown = node_studio.Studio(module).picture(checker)
np.testing.assert_allclose(shown, node_studio.of_core(checker), atol=1e-4)
assert np.ptp(shown) > 1.9
"""
"""The nodes of the noise on the page, rendered, beside its values."""

BEGIN = """
import bpy
import addon_utils
bpy.ops.wm.read_homefile(use_empty=True)
name = "bl_ext.user_default.terrane"
addon_utils.enable(name, default_set=True)
assert name in bpy.context.preferences.addons
"""

END = """
addon_utils.disable(name, default_set=True)
print("IT WORKS", flush=True)
import os
os._exit(0)
"""

starts_blender = pytest.mark.skipif(
    "TERRANE_INSTALLED_ZIP" in os.environ, reason="starts Blender's Python module by itself"
)


def unpack(package: Path, profile: Path) -> Path:
    """Unpack the extension into a profile, and return its folder."""
    folder = profile / "extensions" / "user_default" / "terrane"
    with zipfile.ZipFile(package) as files:
        files.extractall(folder)
    return folder


def add(folder: Path, page: str) -> dict[str, str]:
    """Write the new files of a page, and return its blocks that belong into files that are there."""
    known = {}
    for path, code in BLOCK.findall((PAGES / page).read_text(encoding="utf-8")):
        if path.startswith("tests/"):
            continue
        if (folder / path).exists():
            known[path] = code
        else:
            (folder / path).write_text(code, encoding="utf-8")
    return known


def run(script: str, profile: Path) -> None:
    """Run a script in Blender with a profile."""
    env = {**os.environ, "BLENDER_USER_RESOURCES": str(profile)}
    command = [sys.executable, "-c", f"{BEGIN}{script}{END}"]
    done = subprocess.run(command, env=env, cwd=profile, capture_output=True, text=True)
    assert "IT WORKS" in done.stdout, done.stdout + done.stderr


@pytest.mark.slow
@starts_blender
def test_the_operator_of_the_page_works(extension_zip, tmp_path):
    folder = unpack(extension_zip, tmp_path)
    known = add(folder, "adding_an_operator.md")
    listed = known.pop(REGISTRATION)
    assert not known
    registration = folder / REGISTRATION
    text = registration.read_text(encoding="utf-8")
    text = text.replace("TOPICS = (\n", f"TOPICS = (\n{listed}", 1)
    registration.write_text(text, encoding="utf-8")
    run(OPERATOR, tmp_path)


@pytest.mark.slow
@starts_blender
def test_the_nodes_of_the_page_show_the_noise(extension_zip, tmp_path):
    folder = unpack(extension_zip, tmp_path)
    assert not add(folder, "adding_a_noise.md")
    assert (folder / "operators/bridge/nodetree/noise_nodes/writers/checker.py").is_file()
    run(NODES, tmp_path)
