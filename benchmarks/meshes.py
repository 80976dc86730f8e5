# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes with levels of detail: what they cost beyond the land's evaluation, and how many triangles they save."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from noise_core import Control, ExportOptions, Recipe, export_heightmap
from noise_core.base.arrays import Field
from noise_core.io.targets import Gltf
from noise_core.landscapes.grid_meshes.right_triangles import RightTriangles

from .measure import timed
from .tables import say, verdict

HEAD = """## Meshes

4 x 4 chunks of 513² with 4 levels of detail as glTF, with the weights of four layers as images and as colors of vertices, against
`Recipe.evaluate` at the same 2049². Triangles are those of all chunks at an error of 1 m, with all samples along
their borders, against the coarsest regular grid of that error (every sample, every second, every fourth and so on).
"""

CHUNKS, SIDE = 4, 513
PRESETS = ("alps", "mountain_range", "canyon", "island")
RATIO, TRIANGLES = (1.5, 1.3), (0.5, 0.3)
ERROR = 1.0
FEW = 2
"""Counted runs at the most: one takes a minute."""


def table(runs: int) -> Iterator[str]:
    """Yield the lines of this part of the report."""
    yield HEAD
    yield "| what | measured | must | aim | reached |"
    yield "| --- | ---: | ---: | ---: | --- |"
    for name in PRESETS:
        ratio, height = _ratio(name, runs)
        yield _row(f"{name}: export over evaluation, time", ratio, RATIO)
        yield _row(f"{name}: triangles at {ERROR:g} m over a grid's", _triangles(height), TRIANGLES)
    yield ""


def _row(what: str, value: float, limits: tuple[float, float]) -> str:
    must, aim = limits
    line = f"| {what} | {value:.2f} | {must:g} | {aim:g} | {verdict(value, must, aim)} |"
    say(line)
    return line


def _ratio(name: str, runs: int) -> tuple[float, Field]:
    """Return the time of an export over that of its evaluation, on one thread each, and the heights."""
    recipe = Recipe.from_preset(name)
    grid = recipe.grid((SIDE - 1) * CHUNKS + 1)
    found: list[Field] = []

    def evaluate() -> object:
        found[:] = [recipe.evaluate(grid, threads=1).height]
        return found

    with tempfile.TemporaryDirectory(prefix="terrane-meshes-") as folder:

        def export() -> object:
            return export_heightmap(
                recipe,
                Path(folder) / name,
                target=Gltf(levels=4),
                samples=SIDE,
                options=ExportOptions(
                    tiles=(CHUNKS, CHUNKS), ground="alpine", weights=4, overwrite=True
                ),
                control=Control(threads=1),
            )

        ours, alone = timed([export, evaluate], min(runs, FEW))
    say(f"{name}: export {ours.best:.2f} s, evaluation {alone.best:.2f} s")
    return ours.best / alone.best, found[0]


def _triangles(height: Field) -> float:
    """Return the triangles of all chunks over those of the coarsest regular grid of the same error."""
    step = SIDE - 1
    count = 0
    for row in range(0, height.shape[0] - 1, step):
        for column in range(0, height.shape[1] - 1, step):
            part = np.ascontiguousarray(height[row : row + SIDE, column : column + SIDE])
            count += len(RightTriangles(part, largest=ERROR).triangulate(ERROR).triangles)
    stride = 1
    while _error_of_grid(height, 2 * stride) <= ERROR:
        stride *= 2
    cells = [(side - 1) // stride for side in height.shape]
    return count / (2.0 * cells[0] * cells[1])


def _error_of_grid(height: Field, stride: int) -> float:
    """Return how far a regular grid of every so many samples is from the others, at most."""
    corners = height[::stride, ::stride].astype(np.float64)
    worst = 0.0
    for row in range(stride + 1):
        for column in range(stride + 1):
            u, v = column / stride, row / stride
            a, b, c, d = corners[:-1, :-1], corners[:-1, 1:], corners[1:, 1:], corners[1:, :-1]
            plane = a + u * (b - a) + v * (c - b) if u >= v else a + v * (d - a) + u * (c - d)
            rows, columns = plane.shape
            samples = height[row::stride, column::stride][:rows, :columns]
            worst = max(worst, float(np.abs(plane - samples).max()))
    return worst
