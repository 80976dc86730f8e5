# SPDX-License-Identifier: GPL-3.0-or-later
"""Peers for erosion: fastscapelib's step, and a pass of A.N.T. Landscape's eroder."""

from __future__ import annotations

import importlib.util
import math
import os
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from . import peers
from .ground import DURATION, Terrain

Heights = npt.NDArray[np.float64]


class FastscapelibStep:
    """One step of the stream-power law by fastscapelib: fill, route, accumulate, erode.

    The flow graph does not keep its grid alive, nor the eroder its graph, so this does.
    """

    def __init__(self, module: Any, terrain: Terrain) -> None:
        spacing = terrain.level.step_x
        border = module.NodeStatus.FIXED_VALUE
        self._grid = module.RasterGrid(list(terrain.height.shape), [spacing, spacing], border)
        routers = [module.PFloodSinkResolver(), module.SingleFlowRouter()]
        self._graph = module.FlowGraph(self._grid, routers)
        self._eroder = module.SPLEroder(self._graph, k_coef=DURATION, area_exp=0.5, slope_exp=1.0)
        self._height = terrain.height.astype(np.float64)

    def __call__(self) -> Heights:
        """Return the height afterwards."""
        self._graph.update_routes(self._height)
        areas = self._graph.accumulate(1.0)
        worn: Heights = self._eroder.erode(self._height, areas, 1.0)
        return self._height - worn


def fastscapelib_step(terrain: Terrain) -> FastscapelibStep | None:
    """Return the peer on a terrain, None if it is not installed.

    Both must mean the same: apart from lakes, whose floors they treat differently, and from the
    rivers below these, the heights after a step agree.
    """
    module = peers.installed("fastscapelib")
    if module is None:
        return None
    step = FastscapelibStep(module, terrain)
    apart = float(np.median(np.abs(step() - terrain.stepped())))
    relief = float(np.ptp(terrain.height))
    assert apart < 0.01 * relief, f"the peer does something else: {apart:g} m of {relief:g} m"
    return step


class AntLandscapePass:
    """One pass of the eroder with the defaults of its operator, on the grid alone.

    The operator also turns the mesh into that grid and back, vertex by vertex; that is left out.
    """

    # Settings of the operator: rain, its variance, its map, capacity, solubility, deposition, slope
    # dependence, evaporation; then a spring, which it does not use, and numexpr, if it is there.
    _RAIN = (0.01, 0.0, True, 0.9, 0.5)
    _NO_SPRING = (0, 0, 0, 0)
    _RIVER_STEPS, _OTHER_STEPS = 30, 5

    def __init__(self, module: Any, terrain: Terrain) -> None:
        self._new_grid = module.Grid
        # It measures heights in cells, from the lowest one up.
        lowest = terrain.height.min()
        self._height = (terrain.height - lowest) / np.float32(terrain.level.step_x)

    def __call__(self) -> object:
        """Return the height afterwards, in cells."""
        grid = self._new_grid(1)
        grid.center = self._height.copy()
        grid.setrainmap(self._height / self._height.max())
        for _ in range(self._RIVER_STEPS):
            grid.rivergeneration(*self._RAIN, 0.1, 1.0, 0.005, *self._NO_SPRING, True)
        for _ in range(self._OTHER_STEPS):
            grid.diffuse(0.1 / 5, self._OTHER_STEPS, True)
        for _ in range(self._OTHER_STEPS):
            grid.avalanche(math.tan(math.radians(60.0)), self._OTHER_STEPS, 0.5, True)
        grid.fluvial_erosion(*self._RAIN, 0.3 * 50, 1.0, *self._NO_SPRING, True)
        return grid.center


def ant_landscape_pass(terrain: Terrain) -> AntLandscapePass | None:
    """Return the peer on a terrain, None unless `TERRANE_ANT_LANDSCAPE` tells its folder."""
    folder = os.environ.get("TERRANE_ANT_LANDSCAPE")
    if not folder:
        return None
    return AntLandscapePass(_loaded(Path(folder) / "eroder.py"), terrain)


def _loaded(path: Path) -> ModuleType:
    """Return a module from a file; its package would want Blender."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
