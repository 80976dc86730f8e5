# SPDX-License-Identifier: GPL-3.0-or-later
"""Distance to drawn curves, roads along them, and land that they draw, against a k-d tree of points on the same curve."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterator

import numpy as np

from noise_core import Grid
from noise_core.base.arrays import Field
from noise_core.curves import feature_ground
from noise_core.curves.chains import Pieces, chain_of
from noise_core.curves.land_curve import CurvePoint, LandCurve
from noise_core.curves.survey import Placed, survey, survey_parts
from noise_core.erosion.earthworks.ground_reading import stations
from noise_core.modifiers import Path
from noise_core.noises import FeatureCurves, Fractal, Perlin
from noise_core.rasters.level import Level

from . import peers
from .measure import Timing, timed
from .tables import say, verdict

SIZE = 12000.0
PIECES = 300
REACH = 15
"""Samples."""

LIMITS = {513: (20.0, 8.0), 1025: (40.0, 15.0)}
"""Milliseconds that must not be exceeded, and those aimed for, by the side of the grid."""


def road(step: float) -> LandCurve:
    """Return a winding polyline whose bed is two and a half samples wide."""
    shares = [place / PIECES for place in range(PIECES + 1)]
    points = [
        CurvePoint(
            at=(0.1 + 0.8 * share, 0.5 + 0.3 * math.sin(20.0 * share)),
            z=50.0 * math.sin(9.0 * share),
            width=2.5 * step,
        )
        for share in shares
    ]
    return LandCurve(points=points)


def nearest(side: int) -> Callable[[], None]:
    """Return what finds the distance and the parameter of the nearest piece."""
    level = Level.from_grid(Grid(side, side, size=SIZE))
    chain = chain_of(road(level.step_x), SIZE, 1e-3)
    pieces = Pieces.of([chain])
    assert pieces.count == PIECES

    def work() -> None:
        placed = Placed.on(pieces, level)
        for part in survey_parts(level):
            survey(placed, part, REACH)

    return work


def peer(side: int) -> Callable[[], object] | None:
    """Return the same by a tree of points each quarter of a sample on the curve, or None without SciPy."""
    if peers.installed("scipy") is None:
        return None
    tree_type = importlib.import_module("scipy.spatial").cKDTree
    level = Level.from_grid(Grid(side, side, size=SIZE))
    chain = chain_of(road(level.step_x), SIZE, 1e-3)
    rows, columns = np.indices((side, side))
    places = np.stack((columns.ravel(), rows.ravel()), axis=1) * level.step_x

    def work() -> object:
        points = stations(chain, SIZE, 0.25 * level.step_x).vertices[:, :2] * SIZE
        found: object = tree_type(points).query(places, distance_upper_bound=REACH * level.step_x)
        return found

    return work


def path(side: int, heights: str) -> Callable[[], Field]:
    """Return what lays a road along the curve on hills."""
    grid = Grid(side, side, size=SIZE)
    ground = 800.0 * Fractal(source=Perlin(frequency=3.0), octaves=8).sample_grid(grid, 5)
    modifier = Path(
        curves=[road(grid.spacing)], heights=heights, reach=(REACH - 1.25) * grid.spacing
    )
    return lambda: modifier.apply(ground, grid).height


def drawn(is_solved: bool) -> Callable[[], Field]:
    """Return what draws land by five curves with so many points together."""
    curves = [
        LandCurve(
            points=[
                CurvePoint(
                    at=(0.1 + 0.8 * place / 59, 0.15 * row + 0.15 + 0.05 * math.sin(0.3 * place)),
                    z=200.0 * row + 200.0 * math.sin(0.2 * place),
                )
                for place in range(PIECES // 5)
            ]
        )
        for row in range(5)
    ]
    noise = FeatureCurves(ridges=curves[2:], valleys=curves[:2], height=1000.0, size=SIZE)

    def work() -> Field:
        if is_solved:
            feature_ground._solve.cache_clear()
        return noise.sample_grid(Grid(512, 512), 3)

    return work


def table(runs: int) -> Iterator[str]:
    """Yield the lines of a table."""
    yield f"## Drawn curves: {PIECES} pieces, reach {REACH} samples\n"
    yield "| work | ms | must | aim | reached | k-d tree, ms | ratio |"
    yield "| --- | ---: | ---: | ---: | --- | ---: | ---: |"
    for side, limits in LIMITS.items():
        other = peer(side)
        timings = timed([nearest(side), *([] if other is None else [other])], runs)
        yield _row(f"nearest piece and parameter, {side}²", timings, limits)
    for side in LIMITS:
        for heights in ("given", "follow"):
            yield _row(f"road, heights {heights}, {side}²", timed([path(side, heights)], runs))
    for name, is_solved in (("a point dragged", True), ("another seed", False)):
        limits = (50.0, 35.0) if is_solved else None
        yield _row(f"land of five curves, {name}, 512²", timed([drawn(is_solved)], runs), limits)
    yield ""


def _row(work: str, timings: list[Timing], limits: tuple[float, float] | None = None) -> str:
    taken = timings[0].best * 1e3
    line = f"| {work} | {taken:.1f} "
    if limits is None:
        line += "| | | "
    else:
        line += f"| {limits[0]:g} | {limits[1]:g} | {verdict(taken, *limits)} "
    if len(timings) > 1:
        theirs = timings[1].best * 1e3
        line += f"| {theirs:.1f} | {taken / theirs:.3f} |"
    else:
        line += "| | |"
    say(line)
    return line


if __name__ == "__main__":
    print("\n".join(table(9)))
