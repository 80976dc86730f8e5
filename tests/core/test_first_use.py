# SPDX-License-Identifier: GPL-3.0-or-later
"""Algorithms are imported when a type first runs: by several threads at once as by one, and not earlier."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import sys, threading
sys.setswitchinterval(1e-6)
import numpy as np
from noise_core import Grid, map_types, modifier_types, noise_types, read_maps
types = [*noise_types().values(), *map_types().values(), *modifier_types().values()]
late = ("erosion.stream.step", "flow_routing.routing", "rasters.differences", "voronoi.patches", "fractals.sums")
assert not [name for name in late if f"noise_core.{name}" in sys.modules]
grid, height = Grid(24, 24, size=100.0), np.random.default_rng(5).random((24, 24), np.float32) * 9.0
def used(cls):
    if hasattr(cls, "sample_grid"):
        return cls().sample_grid(grid, seed=3)
    if hasattr(cls, "apply"):
        return cls().apply(height, grid).height
    return read_maps(height, grid, {"map": cls()})["map"]
start, results = threading.Barrier(4), []
def use_all(first):
    start.wait()
    results.append({cls: used(cls) for cls in (*types[first:], *types[:first])})
threads = [threading.Thread(target=use_all, args=(place * 9,)) for place in range(4)]
[one.start() for one in threads]
[one.join() for one in threads]
assert len(results) == 4
alone = {cls: used(cls) for cls in types}
assert all(np.array_equal(one[cls], alone[cls], equal_nan=True) for one in results for cls in types)
"""


@pytest.mark.newest
def test_threads_may_be_the_first_to_use_a_type():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
