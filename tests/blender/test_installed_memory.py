# SPDX-License-Identifier: GPL-3.0-or-later
"""Results that exceed the computer's memory are refused, and nothing is made, changed or lost."""

from __future__ import annotations

import sys
from pathlib import Path

import bpy
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain

REFUSED = r"would take \d+ GB of memory; this computer has \d+ GB"


@pytest.fixture
def small(terrane, monkeypatch):
    """Let the computer have a gigabyte."""
    memory = module("noise_core.base.installed_memory")
    monkeypatch.setattr(memory, "total_bytes", lambda: 10**9)
    return memory


def test_it_knows_what_the_computer_has(terrane):
    installed = module("noise_core.base.installed_memory").total_bytes()
    if sys.platform == "linux":
        lines = Path("/proc/meminfo").read_text().splitlines()
        (total,) = (int(line.split()[1]) for line in lines if line.startswith("MemTotal"))
        assert installed == pytest.approx(total * 1024, rel=0.1)
    assert 2**30 < installed < 2**50


def test_nothing_is_refused_where_nobody_knows(terrane, monkeypatch):
    memory = module("noise_core.base.installed_memory")
    monkeypatch.setattr(memory, "total_bytes", lambda: 0)
    memory.require("Image", 65536 * 65536, 24)


@pytest.mark.parametrize(
    "operator, keywords",
    [
        ("terrain_add", {"resolution": 4096}),
        ("image_new", {"width": 8192, "height": 8192}),
        ("image_new", {"width": 16384, "height": 8192, "float_buffer": False}),
        ("images_bake", {"surface": "granite", "width": 8192, "height": 4096}),
        ("material_add", {"surface": "granite", "width": 8192, "height": 4096}),
    ],
)
def test_what_cannot_fit_is_refused(small, operator, keywords):
    if operator == "material_add":
        bpy.ops.mesh.primitive_plane_add()
    before = [len(bpy.data.images), len(bpy.data.meshes), len(bpy.data.materials)]
    with pytest.raises(RuntimeError, match=REFUSED):
        getattr(bpy.ops.terrane, operator)(**keywords)
    assert [len(bpy.data.images), len(bpy.data.meshes), len(bpy.data.materials)] == before


def test_what_fits_is_made(small):
    assert bpy.ops.terrane.image_new(width=512, height=512) == {"FINISHED"}
    assert bpy.ops.terrane.terrain_add(resolution=65) == {"FINISHED"}


def test_a_terrain_keeps_its_mesh(small):
    obj = add_terrain(resolution=65)
    with pytest.raises(RuntimeError, match=REFUSED):
        bpy.ops.terrane.terrain_update(resolution=4096)
    assert len(obj.data.vertices) == 65 * 65


def test_live_update_says_so_and_keeps_the_mesh(small):
    live = module("operators.bridge.tasks.live")
    obj = add_terrain(resolution=65)
    obj.terrane.resolution = 4096
    live.update_now()
    notes = [result.note for result in live.queue.tasks.results.values() if result.note]
    assert len(notes) == 1 and "this computer has 1 GB" in notes[0]
    assert len(obj.data.vertices) == 65 * 65
    obj.terrane.resolution = 33
    live.update_now()
    assert len(obj.data.vertices) == 33 * 33
    assert not any(result.note for result in live.queue.tasks.results.values())
    live.queue.clear()
