# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands that the job type of Flamenco authors, run by the command line of this Blender."""

from __future__ import annotations

import bpy
import pytest

from tests.blender.extension import module
from tests.flamenco_jobs import compile_job


@pytest.mark.wide
def test_authored_commands_render(terrane, tmp_path):
    folder = tmp_path / "new"
    job = compile_job(
        source="dunes",
        seeds="5",
        output_folder=str(folder),
        pixels="32x20",
        samples=1,
        resolution=17,
        save_blend=True,
    )
    (task,) = job["tasks"]
    (command,) = task["commands"]
    begin, name, *words = command["parameters"]["args"]
    assert (begin, name) == ("--command", "terrane")
    run = module("operators.registration").run_command
    for _ in range(2):  # a task that is done again replaces its files
        assert run(list(words)) == 0
        left = {path.name for path in folder.iterdir()} - {"dunes_5.blend1"}  # Blender's own copy
        assert left == {"dunes_5.png", "dunes_5.blend"}
    image = bpy.data.images.load(str(folder / "dunes_5.png"))
    assert tuple(image.size) == (32, 20)
    bpy.ops.wm.open_mainfile(filepath=str(folder / "dunes_5.blend"))
    meshes = [obj for obj in bpy.data.objects if obj.type == "MESH"]
    assert 5 in {mesh.terrane.seed for mesh in meshes if len(mesh.data.vertices) == 17 * 17}
