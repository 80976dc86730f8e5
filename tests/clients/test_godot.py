# SPDX-License-Identifier: GPL-3.0-or-later
"""An exported heightmap as Godot loads it, and as its physics feel it: Debian's package godot3-server.

Godot 3 keeps the image's floats as halves, 11 bits; Godot 4 as they are.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

from lopsided_land import lopsided_land  # noqa: E402

from noise_core.io.heightmaps import export_heightmap  # noqa: E402

LAND = lopsided_land(height=12.0, size=256.0, octaves=4)
SIDE = 129
SPACING = 2.0
HALF = 2.0**-10
"""The relative error of a half that is cut off, not rounded."""

PROJECT = 'config_version=4\n[application]\nconfig/name="land"\n'


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """Return the heights, places in meters east and north of the middle, and Godot's heights there."""
    if shutil.which("godot3-server") is None:
        pytest.skip("NOT COMPARED: godot3-server is not installed")
    folder = tmp_path_factory.mktemp("godot")
    export_heightmap(LAND, folder / "land", target="godot", samples=SIDE)
    chance = np.random.default_rng(3)
    nodes = chance.integers(1, SIDE - 1, (500, 2)) - (SIDE - 1) / 2.0
    places = np.concatenate([nodes, chance.uniform(-63.0, 63.0, (500, 2))]) * SPACING
    # In Godot north is -z.
    text = json.dumps({"spacing": SPACING, "places": (places * [1.0, -1.0]).tolist()})
    (folder / "places.json").write_text(text, encoding="utf-8")
    (folder / "project.godot").write_text(PROJECT, encoding="utf-8")
    shutil.copy(Path(__file__).with_name("godot_rays.gd"), folder)
    command = ["godot3-server", "--path", str(folder), "-s", "godot_rays.gd"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    said = [line for line in done.stdout.splitlines() if line.startswith("{")]
    assert said, done.stdout + done.stderr
    return LAND.evaluate(LAND.grid(SIDE)).height, places, json.loads(said[0])


def test_the_image_is_whole_and_the_right_way_round(seen):
    height, _, says = seen
    assert says["size"] == [SIDE, SIDE]
    corners = [height[-1, 0], height[-1, -1], height[0, 0], height[0, -1]]
    assert len({round(float(corner), 2) for corner in corners}) == 4
    np.testing.assert_allclose(says["corners"], corners, rtol=HALF)


def test_rays_meet_the_land(seen):
    """On nodes and between them, where a cell is two triangles."""
    height, places, says = seen
    hits = np.array(says["hits"], float)
    assert hits.shape == (1000,) and not np.isnan(hits).any()
    x, y = places.T / SPACING + (SIDE - 1) / 2.0
    column, row = (np.minimum(np.floor(one), SIDE - 2).astype(np.int64) for one in (x, y))
    corners = np.stack([height[row + j, column + i] for j in (0, 1) for i in (0, 1)])
    allowed = HALF * np.abs(height).max() + 1e-3
    assert (hits >= corners.min(axis=0) - allowed).all()
    assert (hits <= corners.max(axis=0) + allowed).all()
    a, b = x - column, y - row
    weights = np.stack([(1 - a) * (1 - b), a * (1 - b), (1 - a) * b, a * b])
    bilinear = (weights * corners).sum(axis=0)
    # Two triangles differ from the bilinear surface by a quarter of the cell's twist at the most.
    twist = np.abs(corners[0] - corners[1] - corners[2] + corners[3])
    assert (np.abs(hits - bilinear) <= allowed + 0.25 * twist).all()
    np.testing.assert_allclose(hits[:500], bilinear[:500], atol=allowed)
