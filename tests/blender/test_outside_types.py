# SPDX-License-Identifier: GPL-3.0-or-later
"""Types of noises and modifiers from another add-on: in the panel's settings, in recipes and on a terrain."""

from __future__ import annotations

import json
import subprocess
import sys

import bpy
import pytest

from tests.blender.extension import PACKAGE as EXTENSION
from tests.page_code import titled

PROGRAM = """
import importlib, json, os, sys
import bpy
import addon_utils
package, folder = sys.argv[-2:]
bpy.context.preferences.use_preferences_save = False
addon_utils.enable(package)
bpy.ops.terrane.terrain_add(preset="rolling_hills", resolution=33)
before = bpy.context.active_object.name
terrane = sys.modules[package]
sys.path.insert(0, folder)
for _ in range(2):  # an add-on that is reloaded registers its types again
    for name in ("ripples", "steps"):
        sys.modules.pop(name, None)
        importlib.import_module(name)
    terrane.refresh_types()
terrain = bpy.context.active_object
bpy.ops.terrane.layer_add(type="steps")
bpy.context.view_layer.update()
layer = terrain.terrane.layers[-1]
layer.steps.step = 50.0
recipe = {"format": 1, "height": 40.0, "size": 100.0, "layers": [
    {"type": "noise", "chain": [{"type": "ripples", "frequency": 3.0}]},
    {"type": "steps", "step": 5.0}]}
bpy.ops.terrane.terrain_update()
heights = {round(vertex.co.z / 50.0, 4) for vertex in terrain.data.vertices}
bpy.context.window_manager.clipboard = ""
found = {
    "same": terrain.name == before,
    "types": [layer.type for layer in terrain.terrane.layers],
    "whole": all(abs(height - round(height)) < 1e-3 for height in heights),
    "many": len(heights),
}
json.dump(found, open(os.path.join(folder, "found.json"), "w"))
addon_utils.disable(package)
os._exit(0)
"""


@pytest.mark.slow
def test_types_of_another_add_on_are_shown_and_used(terrane, tmp_path):
    for page in ("own_noise", "own_modifier"):
        for name, code in titled(f"docs/cookbook/{page}.md").items():
            if name.endswith(".py"):
                within = code.replace("from noise_core", f"from {EXTENSION}.noise_core")
                (tmp_path / name).write_text(within, encoding="utf-8")
    script = tmp_path / "program.py"
    script.write_text(PROGRAM, encoding="utf-8")
    binary = bpy.app.binary_path
    command = [binary, "--background", "--python"] if binary else [sys.executable]
    arguments = [*command, str(script), "--", EXTENSION, str(tmp_path)]
    done = subprocess.run(arguments, timeout=240, check=False, capture_output=True, text=True)
    result = tmp_path / "found.json"
    assert result.is_file(), done.stdout[-2000:] + done.stderr[-2000:]
    found = json.loads(result.read_text())
    assert found["types"][-1] == "steps" and found["same"]
    assert found["whole"] and found["many"] > 1
