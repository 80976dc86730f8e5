# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of landforms beside measured land, for docs/realism.md.

python -m benchmarks.realism [PRESET ...] [--samples 1024] [--write]

None of Terrane's own maps or flow routing is used: fastscapelib leads the water. The measured land is the sample
that matplotlib ships: the Jacksboro fault in Tennessee, of the National Elevation Dataset of the United States
Geological Survey, in the public domain.

References
----------
Strahler, A. N. (1952). Hypsometric (area-altitude) analysis of erosional topography.
Flint, J. J. (1974). Stream gradient as a function of order, magnitude, and discharge: the concavity.
Perron, J. T., Kirchner, J. W., Dietrich, W. E. (2008). Spectral signatures of characteristic spatial scales.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass
from pathlib import Path

import fastscapelib
import numpy as np
import numpy.typing as npt

from noise_core.landscapes.preset_library import preset, shipped_names

from .relief_figures import CHANNEL, SHALLOW, STRAIGHT, sea_of

Values = npt.NDArray[np.float64]

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "realism.md"
BEGIN, END = "<!-- figures: python -m benchmarks.realism --write -->\n", "<!-- end -->"

MOST_CELLS_OF_HILLSLOPES = 500
"""Cells that drain through one beyond which it is a channel, whose slope falls with its area."""

FEWEST_CHANNELS = 50
"""Cells, below which a fit of slopes and areas says nothing."""

REPOSE = 34.0
"""Degrees at which dry sand comes to rest, at most."""

EARTH = 6_371_000.0
"""Its mean radius in meters."""

LEAST_SLOPE = 2.0
"""Degrees below which ground faces no way in particular."""


@dataclass(frozen=True)
class Land:
    """Heights in meters, the distance of two samples along a column and along a row, and the level of the sea."""

    name: str
    height: Values
    spacing: tuple[float, float]
    sea: float = -math.inf


def preset_land(name: str, samples: int) -> Land:
    """Return a preset's land."""
    recipe = preset(name).recipe
    height = recipe.evaluate(recipe.grid((samples, samples))).height.astype(np.float64)
    step = recipe.size / (samples - 1)
    return Land(name, height, (step, step), sea_of(recipe))


def jacksboro() -> Land:
    """Return the sample of matplotlib; a degree of longitude is shorter there by the cosine of the latitude."""
    from matplotlib import cbook

    data = cbook.get_sample_data("jacksboro_fault_dem.npz")
    along, across = (EARTH * math.radians(abs(float(data[name]))) for name in ("dy", "dx"))
    across *= math.cos(math.radians(float(data["ymin"] + data["ymax"]) / 2.0))
    return Land("measured: Jacksboro", data["elevation"].astype(np.float64), (along, across))


class Flow:
    """Water on filled ground, by fastscapelib; attributes are flat arrays."""

    def __init__(self, land: Land) -> None:
        rows, columns = land.height.shape
        border = fastscapelib.NodeStatus.FIXED_VALUE
        grid = fastscapelib.RasterGrid([rows, columns], list(land.spacing), border)
        routers = [fastscapelib.PFloodSinkResolver(), fastscapelib.SingleFlowRouter()]
        graph = fastscapelib.FlowGraph(grid, routers)
        ends = land.height <= land.sea
        ends[[0, -1]] = ends[:, [0, -1]] = True
        graph.base_levels = np.flatnonzero(ends)
        self.filled = np.asarray(graph.update_routes(land.height)).reshape(-1)
        self.cells = np.asarray(graph.accumulate(1.0)).reshape(-1) / math.prod(land.spacing)
        self.down = np.asarray(graph.impl().receivers)[:, 0].astype(np.int64)
        own = np.arange(self.down.size)
        row, column = (self.down // columns - own // columns, self.down % columns - own % columns)
        self.length = np.hypot(row * land.spacing[0], column * land.spacing[1])
        self.direction = self.down - own
        self.drains = self.direction != 0

    def concavity(self, land: Values) -> tuple[float, float]:
        """Return how fast slope falls with drainage area, and how far slopes scatter about that, as exponents of ten."""
        cells = np.flatnonzero((self.cells > MOST_CELLS_OF_HILLSLOPES) & self.drains & land)
        slope = (self.filled[cells] - self.filled[self.down[cells]]) / self.length[cells]
        cells, slope = cells[slope > 1e-5], slope[slope > 1e-5]
        if len(cells) < FEWEST_CHANNELS:
            return math.nan, math.nan
        x, y = np.log10(self.cells[cells]), np.log10(slope)
        a, b = np.polyfit(x, y, 1)
        return float(-a), float(np.std(y - (a * x + b)))

    def straight(self) -> float:
        """Return the share of channels that run straight along the grid, in per cent."""
        channel = (self.cells > CHANNEL) & self.drains
        cells = np.flatnonzero(channel)
        runs = dict.fromkeys(cells.tolist(), 1)
        along = cells[np.argsort(-self.cells[cells], kind="stable")]
        goes_on = channel[self.down] & (self.direction == self.direction[self.down])
        pairs = [(cell, int(self.down[cell])) for cell in along.tolist() if goes_on[cell]]
        for cell, below in pairs:
            runs[cell] = runs[below] + 1
        for cell, below in reversed(pairs):
            runs[below] = max(runs[below], runs[cell])
        return 100.0 * float(np.mean([run >= STRAIGHT for run in runs.values()])) if runs else 0.0


def spectral_slope(height: Values) -> float:
    """Return the exponent with which the power of waves falls with their frequency."""
    side = min(height.shape)
    window = np.hanning(side)
    square = (height[:side, :side] - height[:side, :side].mean()) * window[:, None] * window
    power = (np.abs(np.fft.fft2(square)) ** 2).reshape(-1)
    waves = np.hypot(*np.meshgrid(np.fft.fftfreq(side), np.fft.fftfreq(side))).reshape(-1) * side
    edges = np.geomspace(4.0, side / 4.0, 20)
    place = np.digitize(waves, edges)
    means = [power[place == one].mean() for one in range(1, len(edges))]
    return float(-np.polyfit(np.log(edges[:-1]), np.log(means), 1)[0])


def row(land: Land) -> str:
    """Return a line of the table."""
    above = land.height > land.sea
    heights = land.height[above]
    down, right = np.gradient(land.height, *land.spacing)
    slope = np.degrees(np.arctan(np.hypot(down, right)))
    aspect = np.arctan2(down, right)[above & (slope > LEAST_SLOPE)]
    flow = Flow(land)
    theta, scatter = flow.concavity(above.reshape(-1))
    pits = (flow.filled.reshape(above.shape) - land.height > SHALLOW)[above]
    cells = (
        f"{(heights.mean() - heights.min()) / np.ptp(heights):.2f}",
        f"{slope[above].mean():.0f} / {np.percentile(slope[above], 95):.0f}",
        f"{100.0 * np.mean(slope[above] > REPOSE):.1f}",
        "" if math.isnan(theta) else f"{theta:.2f}",
        "" if math.isnan(scatter) else f"{scatter:.2f}",
        f"{100.0 * pits.mean():.1f}",
        f"{abs(np.exp(8j * aspect).mean()):.3f}",
        f"{spectral_slope(land.height):.1f}",
        f"{flow.straight():.1f}",
    )
    return f"| {land.name} | {' | '.join(cells)} |"


def landforms() -> list[str]:
    """Return the names of the presets that stand for land."""
    return [name for name in shipped_names() if preset(name).group == "landforms"]


HEAD = """| | HI | slope mean / 95 % | > 34°, % | theta | scatter | pits, % | asp8 | beta | straight, % |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"""


def main() -> None:
    """Print the table, and write it into the page."""
    parser = argparse.ArgumentParser()
    parser.add_argument("presets", nargs="*")
    parser.add_argument("--samples", type=int, default=1024)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    print(HEAD)
    lines = []
    names = given.presets or landforms()
    for land in (jacksboro(), *(preset_land(name, given.samples) for name in names)):
        lines.append(row(land))
        print(lines[-1], flush=True)
    if given.write:
        write(lines, keep_others=bool(given.presets))


def write(lines: list[str], *, keep_others: bool) -> None:
    """Write lines of the table into the page; those of other lands stay if they are to be kept."""
    before, rest = DOCUMENT.read_text(encoding="utf-8").split(BEGIN)
    written, after = rest.split(END, 1)
    if keep_others:
        new = {line.split("|")[1]: line for line in lines}
        old = written.strip().splitlines()[len(HEAD.splitlines()) :]
        lines = [new.pop(line.split("|")[1], line) for line in old] + list(new.values())
    table = "\n".join((HEAD, *lines))
    DOCUMENT.write_text(f"{before}{BEGIN}\n{table}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
