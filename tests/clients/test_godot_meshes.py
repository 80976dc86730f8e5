# SPDX-License-Identifier: GPL-3.0-or-later
"""Exported meshes as Godot 4 reads them: that of Debian's sid, in the system that tools/make_blender.sh makes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

from lopsided_land import lopsided_land  # noqa: E402

from noise_core.io.heightmaps import ExportOptions, export_heightmap  # noqa: E402
from noise_core.io.targets import Gltf  # noqa: E402
from tests import drawing  # noqa: E402

SIDE, TILES = 65, (2, 2)
WITHIN = 1e-3
"""Meters."""

PROGRAM = "/usr/bin/godot"
PROJECT = 'config_version=5\n[application]\nconfig/name="land"\n'


def drawn_land():
    chance = drawing.generator("Godot's meshes")
    return lopsided_land(chance.uniform(50.0, 900.0), chance.uniform(300.0, 9000.0))


LAND = drawn_land()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a project of Godot with exported meshes, and what their sidecar says."""
    cache = Path(os.environ.get("TERRANE_CACHE", ROOT / ".cache"))
    if not (cache / "blender" / "sid" / PROGRAM[1:]).exists():
        pytest.skip("NOT COMPARED: godot of Debian's sid is not installed: tools/make_blender.sh")
    folder = tmp_path_factory.mktemp("godot")
    options = ExportOptions(tiles=TILES, colors="alpine", weights=4, normal_bits=8)
    target = Gltf(levels=3, collision=True)
    export_heightmap(LAND, folder / "land", target=target, samples=SIDE, options=options)
    (folder / "project.godot").write_text(PROJECT, encoding="utf-8")
    shutil.copy(Path(__file__).with_name("godot_meshes.gd"), folder)
    return folder


def read_by_godot(folder, files, *, uncompressed):
    """Return what Godot says of each file, by name."""
    given = {"files": files, "uncompressed": uncompressed}
    (folder / "files.json").write_text(json.dumps(given), encoding="utf-8")
    blender = [str(ROOT / "tools" / "blender.sh"), "--program", PROGRAM, "sid"]
    command = [*blender, "--headless", "--path", str(folder), "-s", "godot_meshes.gd"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    said = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert len(said) == len(files), done.stdout[-2000:] + done.stderr[-2000:]
    return {one["name"]: one for one in said}


def off_the_land(points):
    """Return how far points of Godot's are from the nearest samples, at most: beside and above them."""
    height = LAND.evaluate(LAND.grid(TILES[0] * (SIDE - 1) + 1)).height
    spacing = LAND.size / (len(height) - 1)
    x, up, south = np.array(points, float).T
    numbers = np.stack((x, -south), axis=-1) / spacing + 0.5 * (len(height) - 1)
    column, row = np.rint(numbers).astype(int).T
    beside = np.abs(numbers - np.rint(numbers)).max() * spacing
    return beside, np.abs(up - height[row, column]).max()


def test_godot_reads_the_samples(folder):
    says = json.loads((folder / "land.glb.json").read_text(encoding="utf-8"))
    counts = {one["name"]: one for one in says["files"]}
    for name, seen in read_by_godot(folder, list(counts), uncompressed=True).items():
        assert "error" not in seen
        assert len(seen["points"]) == counts[name]["vertices"]
        assert seen["triangles"] == counts[name]["triangles"]
        assert seen["nodes"] == [name.removesuffix(".glb")]
        is_shown = "level" in counts[name]
        assert seen["has_normals"] == is_shown and seen["images"] == (2 if is_shown else 0)
        assert max(off_the_land(seen["points"])) <= WITHIN


def test_what_the_page_says_of_compression(folder):
    """Godot keeps 16 bits of a vertex unless it is told otherwise: a share of a tile's width and relief."""
    says = json.loads((folder / "land.glb.json").read_text(encoding="utf-8"))
    (name,) = (
        one["name"] for one in says["files"] if one.get("level") == 0 and one["tile"] == [1, 1]
    )
    (chunk,) = (one for one in says["meshes"]["chunks"] if name in one["levels"])
    width, _, relief = np.subtract(chunk["high"], chunk["low"]).tolist()
    seen = read_by_godot(folder, [name], uncompressed=False)[name]
    beside, above = off_the_land(seen["points"])
    assert 0.0 < beside <= width / 65535 + WITHIN
    assert 0.0 < above <= relief / 65535 + WITHIN


def test_godot_refuses_a_damaged_file(folder):
    good = (folder / "land_lod1_x0_y0.glb").read_bytes()
    (folder / "damaged.glb").write_bytes(good[: len(good) // 2])
    assert "error" in read_by_godot(folder, ["damaged.glb"], uncompressed=True)["damaged.glb"]
