# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawn rivers and ridges after erosion: whether water runs along them, crests stand on them, and what it costs."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from unittest import mock

import numpy as np
import numpy.typing as npt

from noise_core import Recipe
from noise_core.base.arrays import Field
from noise_core.base.grid import Grid
from noise_core.curves.chains import chain_of
from noise_core.curves.land_curve import CurvePoint, LandCurve
from noise_core.erosion.drawn.places import LevelFrame, read, stations
from noise_core.erosion.drawn.rivers import Rivers
from noise_core.flow_routing.directions import Mask
from noise_core.flow_routing.outlets import border
from noise_core.flow_routing.routing import route
from noise_core.modifiers import StreamErosion
from noise_core.noises import Fractal, Perlin
from noise_core.rasters.level import Level

from .measure import timed
from .relief_figures import difference
from .tables import say, verdict

PRESETS = ("alps", "mountain_range", "mesa")
"""Mountains that grow, a range, and steps of rock."""

GROWN = ("hills", "dome", "block")
"""Lands that grow."""

COURSES = 24

NEAR = 2.0
"""Samples."""

ACROSS = 12
"""Samples to both sides of a ridge among which its crest is looked for."""

Places = npt.NDArray[np.float64]


@dataclass(frozen=True)
class RiverResult:
    """A drawn river after erosion.

    Attributes
    ----------
    covered : float
        Share of its length along which water from its head stays within `NEAR` samples of it.
    cut : float
        Depth of the last trench along its bed, 95th percentile, as a share of the relief.
    piled : float
        Height of the banks beside it, likewise.
    """

    covered: float
    cut: float
    piled: float


def draw_river(draw: random.Random) -> LandCurve:
    """Return a winding river from a place on the land to a border."""
    head = np.array([draw.uniform(0.15, 0.85), draw.uniform(0.15, 0.85)])
    along, side, axis = draw.uniform(0.1, 0.9), draw.choice((0.0, 1.0)), draw.randrange(2)
    mouth = np.array([along, along])
    mouth[axis] = side
    way = mouth - head
    if np.hypot(*way) < 0.3:
        return draw_river(draw)
    across = np.array([-way[1], way[0]])
    shares = (0.0, 0.25, 0.5, 0.75, 1.0)
    places = [
        head + share * way + draw.uniform(-0.18, 0.18) * across * (0.0 < share < 1.0)
        for share in shares
    ]
    return bezier([places[0], *(np.clip(place, 0.05, 0.95) for place in places[1:-1]), places[-1]])


def bezier(places: Sequence[Places], width: float = 8.0) -> LandCurve:
    """Return a smooth curve through places in tiles."""
    points = []
    for number, place in enumerate(places):
        before, after = places[max(number - 1, 0)], places[min(number + 1, len(places) - 1)]
        slope = (after - before) / 6.0
        left, right = (tuple(map(float, place + sign * slope)) for sign in (-1.0, 1.0))
        points.append(CurvePoint(at=tuple(map(float, place)), left=left, right=right, width=width))
    return LandCurve(points=points)


def grid_of(name: str, side: int) -> Grid:
    """Return the grid of a land."""
    return Grid(side, side, size=12000.0) if name in GROWN else Recipe.from_preset(name).grid(side)


def uplift(name: str, grid: Grid, seed: int = 7) -> Field:
    """Return how fast a land rises: hills, a dome, or nearly the same everywhere."""
    hills = Fractal(source=Perlin(frequency=2.0), octaves=4.0).sample_grid(grid, seed)
    y, x = np.meshgrid(*(np.linspace(-1.0, 1.0, count) for count in grid.shape), indexing="ij")
    dome = np.clip(1.3 - 1.3 * np.hypot(x, y), 0.0, 1.0).astype(np.float32)
    share = {"hills": 0.5 + 0.5 * hills, "dome": dome, "block": 0.6 + 0.1 * hills}[name]
    return np.asarray(share * np.float32(900.0), np.float32)


def before_erosion(name: str, grid: Grid, seed: int = 7) -> tuple[Field, StreamErosion, int]:
    """Return the ground of a preset before its first stream erosion, that erosion, and its seed; or mountains that grow."""
    if name in GROWN:
        return uplift(name, grid, seed), StreamErosion(mode="grow", talus_angle=40.0), seed
    recipe = Recipe.from_preset(name, seed=seed)
    place = next(
        number for number, layer in enumerate(recipe.layers) if isinstance(layer, StreamErosion)
    )
    below = dataclasses.replace(recipe, layers=recipe.layers[:place])
    erosion = recipe.layers[place]
    assert isinstance(erosion, StreamErosion)
    erosion = erosion.with_values(mask=None, opacity=1.0)
    return below.evaluate(grid).height, erosion, erosion.seed_in(recipe.seed)


def dense(curve: LandCurve, level: Level) -> Places:
    """Return places of a curve in samples, one each half of a sample: shape (n, 2)."""
    size = level.steps_per_tile * level.step_x
    chain = chain_of(curve, size, 0.01 * level.step_x)
    return stations(LevelFrame(level, level).places(chain.vertices), 0.5)


def covered(height: Field, level: Level, curve: LandCurve, sea: Field | None = None) -> float:
    """Return along which share of a river, from head to mouth, the water from its head stays within `NEAR` samples."""
    line = dense(curve, level)
    rows, columns = level.shape
    outlets = border(level)
    if sea is not None:
        outlets |= sea
    cell = np.clip(np.floor(line[0] + 0.5).astype(int), 0, [rows - 1, columns - 1])
    receivers = route(height, level, outlets).receivers
    place, reached = int(cell[0] * columns + cell[1]), 0
    while True:
        here = np.array(divmod(place, columns), np.float64)
        ahead = line[reached : reached + 40]
        apart = np.hypot(*(ahead - here).T)
        if apart.min() > NEAR:
            return reached / (len(line) - 1)
        reached += int(np.flatnonzero(apart <= max(apart.min(), NEAR))[-1])
        if receivers[place] == place:
            break
        place = int(receivers[place])
    left = np.hypot(*np.diff(line[reached:], axis=0).T).sum() if reached + 1 < len(line) else 0.0
    return 1.0 if left <= 2.0 * NEAR else reached / (len(line) - 1)


@contextlib.contextmanager
def last_cuts() -> Iterator[list[Field]]:
    """Note by how much last trenches lower the ground, in meters."""
    cuts: list[Field] = []
    finish = Rivers.finish

    def noted(self: Rivers, height: Field, level: Level, fixed: Mask) -> Field:
        finished = finish(self, height, level, fixed)
        cuts.append(height - finished)
        return finished

    with mock.patch.object(Rivers, "finish", noted):
        yield cuts


def measure_river(name: str, curve: LandCurve, side: int = 513, **values: object) -> RiverResult:
    """Return what became of a river that is drawn on a preset."""
    grid = grid_of(name, side)
    ground, erosion, seed = before_erosion(name, grid)
    with last_cuts() as cuts:
        relief = erosion.with_values(rivers=(curve,), **values).apply(ground, grid, seed)
    level = Level.from_grid(grid)
    sea = ground < erosion.sea_level if erosion.outlets == "sea" else None
    share = covered(relief.height, level, curve, sea)
    cells = np.floor(dense(curve, level) + 0.5).astype(int)
    row, column = np.clip(cells, 0, side - 1).T
    relief_before = float(np.ptp(ground))
    cut = np.quantile(np.abs(cuts[0][row, column]), 0.95) / relief_before
    piled = np.quantile(np.maximum(-cuts[0], 0.0)[cuts[0] != 0.0], 0.95) / relief_before
    return RiverResult(share, float(cut), float(piled))


def draw_ridge(draw: random.Random) -> LandCurve:
    """Return a winding ridge inside the land."""
    ends = np.array([[draw.uniform(0.15, 0.85), draw.uniform(0.15, 0.85)] for _ in range(2)])
    way = ends[1] - ends[0]
    if np.hypot(*way) < 0.4:
        return draw_ridge(draw)
    across = np.array([-way[1], way[0]])
    places = [
        ends[0] + share * way + draw.uniform(-0.15, 0.15) * across * (0.0 < share < 1.0)
        for share in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
    return bezier([np.clip(place, 0.1, 0.9) for place in places])


def sections(
    height: Field, level: Level, curve: LandCurve, reach: int
) -> tuple[Places, npt.NDArray[np.floating]]:
    """Return samples from a curve to both sides, and the heights there at each of its stations."""
    line = dense(curve, level)[::2]
    along = np.gradient(line, axis=0)
    across = np.stack([along[:, 1], -along[:, 0]], axis=1) / np.hypot(*along.T)[:, np.newaxis]
    numbers = np.arange(-reach, reach + 1.0)
    places = line[:, np.newaxis] + numbers[:, np.newaxis] * across[:, np.newaxis]
    heights = read((height,), places.reshape(-1, 2), wrap=False)[0]
    return numbers, heights.reshape(places.shape[:2])


def crest_share(height: Field, level: Level, curve: LandCurve) -> float:
    """Return the share of a ridge's stations beside which the highest ground lies within `NEAR` samples.

    The highest of `ACROSS` samples to both sides, along the line across the ridge.
    """
    numbers, heights = sections(height, level, curve, ACROSS)
    return float((np.abs(numbers[heights.argmax(axis=1)]) <= NEAR).mean())


def measure_ridge(name: str, curve: LandCurve | None, where: LandCurve, side: int = 513) -> float:
    """Return the share of a ridge on which the crest stands, after erosion with a ridge that is drawn, or without."""
    grid = grid_of(name, side)
    ground, erosion, seed = before_erosion(name, grid)
    ridges = () if curve is None else (curve,)
    relief = erosion.with_values(ridges=ridges).apply(ground, grid, seed)
    return crest_share(relief.height, Level.from_grid(grid), where)


def ridge_lines(
    presets: Sequence[str] = (*GROWN, *PRESETS), courses: int = COURSES // 3
) -> Iterator[str]:
    """Yield the lines of a table of drawn ridges."""
    yield "| land | ridges | crest within 2 samples, mean | least |"
    yield "| --- | ---: | ---: | ---: |"
    for name in presets:
        draw = random.Random(f"ridges {name}")
        curves = [draw_ridge(draw) for _ in range(courses)]
        shares = [measure_ridge(name, curve, curve) for curve in curves]
        yield f"| {name} | {courses} | {100 * np.mean(shares):.1f} % | {100 * min(shares):.1f} % |"


def river_lines(presets: Sequence[str] = PRESETS, courses: int = COURSES) -> Iterator[str]:
    """Yield the lines of a table of drawn rivers."""
    yield "| land | rivers | flow within 2 samples, mean | least | whole | last cut |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for name in presets:
        draw = random.Random(f"rivers {name}")
        results = [measure_river(name, draw_river(draw)) for _ in range(courses)]
        shares = [result.covered for result in results]
        whole = sum(share == 1.0 for share in shares)
        cut = float(np.quantile([result.cut for result in results], 0.95))
        yield (
            f"| {name} | {courses} | {100 * np.mean(shares):.1f} % | {100 * min(shares):.1f} % "
            f"| {whole} | {100 * cut:.2f} % |"
        )


def cost_lines(side: int = 513, runs: int = 9) -> Iterator[str]:
    """Yield the lines of a table of how long guided erosion takes, and how far two resolutions of drawn land differ."""
    draw = random.Random("costs")
    curves = tuple(draw_river(draw) for _ in range(3))
    ridge = draw_ridge(draw)
    yield "| land | time with 3 rivers over plain erosion | with a ridge | rivers, 513 against 1025, mean % |"
    yield "| --- | ---: | ---: | ---: |"
    for name in (*PRESETS, "hills"):
        heights = {}
        for samples in (side, 2 * side - 1):
            grid = grid_of(name, samples)
            ground, erosion, seed = before_erosion(name, grid)
            guided = erosion.with_values(rivers=curves)
            heights[samples] = guided.apply(ground, grid, seed).height
        grid = grid_of(name, side)
        ground, erosion, seed = before_erosion(name, grid)
        each = (erosion, erosion.with_values(rivers=curves), erosion.with_values(ridges=(ridge,)))
        times = timed([functools.partial(one.apply, ground, grid, seed) for one in each], runs)
        ratios = [timing.best / times[0].best for timing in times[1:]]
        coarse, fine = heights.values()
        mean, _ = difference(coarse, fine, float(np.ptp(fine)))
        costs = " | ".join(f"{ratio:.2f} ({verdict(ratio, 1.5, 1.25)})" for ratio in ratios)
        yield f"| {name} | {costs} | {mean:.2f} |"


if __name__ == "__main__":
    for line in itertools.chain(river_lines(), ridge_lines(), cost_lines()):
        say(line)
