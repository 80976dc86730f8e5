# SPDX-License-Identifier: GPL-3.0-or-later
"""Every block of Python for Blender runs: README, the cookbook, other pages. Those without Blender: tests/docs."""

from __future__ import annotations

import re
from pathlib import Path

import bpy
import pytest

from tests.page_code import fenced, indented

PAGES = (
    "README.md",
    "docs/scripting.md",
    "docs/planets.md",
    "docs/curves.md",
    "docs/footprints.md",
    "docs/stamps.md",
)
FEWER = {"1025": "65", "2048": "64", "frames=96": "frames=3"}
"""Numbers of the pages, and what takes less time."""


def blocks() -> list:
    results = []
    for page in PAGES:
        for number, code in enumerate(fenced(page)):
            if "import bpy" in code:
                results.append(pytest.param(code, id=f"{Path(page).stem}-{number}"))
    return results


def test_there_are_blocks():
    assert len(blocks()) >= 7


@pytest.mark.slow
@pytest.mark.parametrize("code", blocks())
def test_the_block_runs(code, terrane):
    exec(compile(code, "<page>", "exec"), {})


def run(codes, tmp_path):
    """Run code for Blender in the order of its page, on fewer samples and with a folder of its own."""
    program = "import bpy\n" + "\n".join(code for code in codes if "bpy." in code)
    for given, fewer in FEWER.items():
        program = program.replace(given, fewer)
    exec(compile(program.replace("/tmp", tmp_path.as_posix()), "<page>", "exec"), {})


def test_the_page_on_relief(terrane, tmp_path):
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=32, y_subdivisions=32, size=100.0)
    run(indented("docs/relief.md"), tmp_path)
    assert not any(vertex.co.z for vertex in bpy.context.object.data.vertices)


def test_the_page_on_live_materials(terrane, tmp_path):
    bpy.ops.mesh.primitive_cube_add()
    bpy.context.object.data.materials.append(bpy.data.materials.new("Own"))
    run(indented("docs/live_materials.md"), tmp_path)
    assert bpy.context.object.active_material.node_tree is not None


def test_the_page_on_motion(terrane, tmp_path):
    run(indented("docs/motion.md"), tmp_path)
    assert bpy.context.object.modifiers[0].type == "MESH_CACHE"
    assert (tmp_path / "hills.pc2").exists()


@pytest.mark.slow
def test_the_page_on_landscapes(terrane, tmp_path):
    render = bpy.context.scene.render
    render.engine, render.filepath = "CYCLES", str(tmp_path / "picture.png")
    render.resolution_x, render.resolution_y, bpy.context.scene.cycles.samples = 32, 18, 1
    run(indented("docs/landscapes.md"), tmp_path)
    assert (tmp_path / "picture.png").stat().st_size > 0
    parts = {obj.get("terrane_part") for obj in bpy.context.scene.objects}
    assert {"base", "plants", "sun", "camera", "water"} & parts >= {"plants", "sun", "camera"}


@pytest.mark.slow
def test_the_page_on_pictures(terrane, tmp_path):
    run(fenced("docs/pictures.md"), tmp_path)
    assert len(list((tmp_path / "clouds").iterdir())) == 3
    assert len(list((tmp_path / "granite").glob("granite_*.png"))) > 3
    assert len(bpy.data.images) > 5


def test_these_pages_have_code():
    """Blocks of a page that are written in another way would be skipped without a word."""
    counts = {
        page: sum(len(re.findall(r"^bpy\.ops\.", one, re.MULTILINE)) for one in find(page))
        for page, find in (
            ("docs/relief.md", indented),
            ("docs/live_materials.md", indented),
            ("docs/landscapes.md", indented),
            ("docs/pictures.md", fenced),
        )
    }
    assert counts == {
        "docs/relief.md": 2, "docs/live_materials.md": 3, "docs/landscapes.md": 11, "docs/pictures.md": 10,
    }  # fmt: skip
