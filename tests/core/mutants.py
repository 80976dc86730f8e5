# SPDX-License-Identifier: GPL-3.0-or-later
"""Noises that are broken on purpose, one promise each; none of them is ever registered."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from noise_core import Grid, Noise
from noise_core.base.arrays import Field, Points
from noise_core.base.declared import declared_type
from noise_core.base.grid import Axes
from noise_core.base.params import number
from noise_core.base.torus import Torus
from noise_core.lattice.affine import Affine
from noise_core.noises import Perlin

_GOOD = Perlin(frequency=4.0)


def mutant(cls: type[Noise]) -> type[Noise]:
    """Declare a type as `noise_type` does, but leave the registry alone."""
    cls.key, cls.label, cls.family = cls.__name__.lower(), cls.__name__, "basic"
    return declared_type(cls)


@mutant
class Sound(Noise):
    """Keeps every promise.

    References
    ----------
    Ken Perlin (1985). An image synthesizer. SIGGRAPH.
    """

    frequency: float = number(4.0, help="Cells per tile", minimum=1e-3, maximum=100.0)

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        return Perlin(frequency=self.frequency).values(points, seed, torus)


@mutant
class NotSeamless(Sound):
    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        return super().values(points, seed, None)


@mutant
class SeamlessOnSquaresOnly(Sound):
    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        square = None if torus is None else Torus(((1.0, 0.0), (0.0, 1.0)))
        return super().values(points, seed, square)


@mutant
class OutOfBounds(Sound):
    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        return super().values(points, seed, torus) * np.float32(1.5)


@mutant
class EmptyBounds(Sound):
    def bounds(self) -> tuple[float, float]:
        return (1.0, -1.0)


@mutant
class NotANumber(Sound):
    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        field = super().values(points, seed, torus)
        field[(points[0] > 0.2) & (points[0] < 0.25)] = np.nan
        return field


@mutant
class HasASeedAfterAll(Sound):
    has_seed = False


@mutant
class IgnoresSeed(Sound):
    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        return super().values(points, 0, torus)


@mutant
class UsesHalfTheSeed(Sound):
    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        return super().values(points, seed & 0xFF, torus)


@mutant
class Remembers(Sound):
    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        _calls.append(seed)
        return super().values(points, seed + len(_calls), torus)


_calls: list[int] = []


@mutant
class NormalizedByTheTile(Sound):
    """Stretches each field to fill [-1, 1]: popular, and wrong in every tile."""

    def plan(self, axes: Axes, seed: int) -> Callable[[int, int, Field], None]:
        points = axes.points(0, len(axes.y))
        field = self.values(points, seed, axes.torus)
        field /= max(np.abs(field).max(), np.float32(1e-6))

        def rows(start: int, stop: int, out: Field) -> None:
            out[:] = field[start:stop]

        return rows


@mutant
class NormalizedByTheBlock(Sound):
    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        field = super().values(points, seed, torus)
        return field - (field.mean() if field.size else np.float32(0.0)) * np.float32(0.1)


@mutant
class DependsOnSpacing(Sound):
    def plan(self, axes: Axes, seed: int) -> Callable[[int, int, Field], None]:
        return Perlin(frequency=4.0 + axes.step).plan(axes, seed)


@mutant
class FeelsMeters(Sound):
    def sample_grid(self, grid: Grid, seed: int = 0, **keywords: object) -> Field:
        # As one that takes the land's width for its own scale.
        values = super().sample_grid(grid, seed, **keywords)
        return values * np.float32(1.0 if grid.size is None else 0.5)


@mutant
class ForgetsOrigin(Sound):
    def plan(self, axes: Axes, seed: int) -> Callable[[int, int, Field], None]:
        moved = dataclasses.replace(axes, x=axes.x - axes.x[0], y=axes.y - axes.y[0])
        return super().plan(moved, seed)


@mutant
class LeavesRowsOut(Sound):
    def plan(self, axes: Axes, seed: int) -> Callable[[int, int, Field], None]:
        whole = super().plan(axes, seed)

        def rows(start: int, stop: int, out: Field) -> None:
            if start != 0:
                out[:-1] = 0.0
                whole(stop - 1, stop, out[-1:])
            else:
                whole(start, stop, out)

        return rows


@mutant
class KeepsState(Sound):
    """Numbers its calls: strips depend on the order in which threads take them."""

    def plan(self, axes: Axes, seed: int) -> Callable[[int, int, Field], None]:
        whole, calls = super().plan(axes, seed), []

        def rows(start: int, stop: int, out: Field) -> None:
            whole(start, stop, out)
            calls.append(start)
            out += np.float32(1e-3 * len(calls))

        return rows


@mutant
class SumsFromTheStrip(Sound):
    """Adds up from where a strip begins: the last bit tells where that was."""

    def plan(self, axes: Axes, seed: int) -> Callable[[int, int, Field], None]:
        whole = super().plan(axes, seed)

        def rows(start: int, stop: int, out: Field) -> None:
            whole(start, stop, out)
            if start:
                np.nextafter(out, np.float32(1.0), out=out)

        return rows


@mutant
class WritesItsInput(Sound):
    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        field = super().values(points, seed, torus)
        points[0][...] += 0.5
        return field


@mutant
class WritesTheAxes(Sound):
    def plan(self, axes: Axes, seed: int) -> Callable[[int, int, Field], None]:
        plan = super().plan(axes, seed)
        axes.x[...] *= 2.0
        return plan


@mutant
class GivesAwayItsCache(Sound):
    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        key = tuple(axis.tobytes() for axis in points) + (seed, torus)
        if key not in _cache:
            _cache[key] = super().values(points, seed, torus)
        return _cache[key]


_cache: dict[object, Field] = {}


@mutant
class CopiesOneSeed(Sound):
    def sample_seeds(
        self, points: Points, seeds: Sequence[int], torus: Torus | None
    ) -> list[Field]:
        return [self.values(points, seeds[0], torus) for _ in seeds]


@mutant
class PlansOneSeed(Sound):
    def seeds_plan(self, axes: Axes, seeds: Sequence[int]) -> Callable[[int, int, Field], None]:
        return super().seeds_plan(axes, [seeds[0]] * len(seeds))


@mutant
class ForgetsShiftOfOctaves(Sound):
    def sample_octaves(
        self,
        points: Points,
        octaves: Iterable[tuple[Affine, Sequence[int]]],
        torus: Torus | None,
    ) -> Iterator[list[Field]]:
        still = [(replace(affine, offset=(0.0,) * 4), seeds) for affine, seeds in octaves]
        return super().sample_octaves(points, still, torus)


@mutant
class SmoothInName(Sound):
    """Has steps, but states the smoothness of its source."""

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        return np.round(super().values(points, seed, torus), 1)

    def third_derivative(self) -> float:
        return Perlin(frequency=self.frequency).third_derivative()


@mutant
class DoublePrecision(Sound):
    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        return super().values(points, seed, torus).astype(np.float64)


@mutant
class FlattensItsShape(Sound):
    def sample(self, points: object, seed: int = 0, *, threads: int | None = None) -> Field:
        return super().sample(points, seed, threads=threads).ravel()


@mutant
class SingleCoordinates(Sound):
    """Rounds positions to float32: fine near the origin, stairs far from it."""

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        return super().values(tuple(axis.astype(np.float32) for axis in points), seed, torus)


@mutant
class CoarseCoordinates(Sound):
    """Rounds float32 positions further."""

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        if points[0].dtype == np.float32:
            points = tuple(axis.astype(np.float16).astype(np.float32) for axis in points)
        return super().values(points, seed, torus)


@mutant
class TakesAnyDimension(Sound):
    dimensions = (2,)

    def _check_dimension(self, dimension: int, who: str) -> None:
        return


@mutant
class TakesAnySeed(Sound):
    def sample(self, points: object, seed: int = 0, *, threads: int | None = None) -> Field:
        return super().sample(points, hash(seed) & 0xFF, threads=threads)


@mutant
class EndlesslyFine(Sound):
    def finest(self) -> float:
        return float("inf")


@mutant
class SmoothedAtTheEdge(Sound):
    """Blends the first and last column of a field: seamless to the eye, wrong in a window."""

    def sample_grid(self, grid: Grid, seed: int = 0, **keywords: object) -> Field:
        field = super().sample_grid(grid, seed, **keywords)
        field[:, -1] = (field[:, 0] + field[:, -1]) / 2.0
        return field


@mutant
class RoundsByTheWidth(Sound):
    """Adds up in another order where there are fewer columns, as a product by BLAS may."""

    def sample_grid(self, grid: Grid, seed: int = 0, **keywords: object) -> Field:
        field = super().sample_grid(grid, seed, **keywords)
        return field if grid.columns > 1 else np.nextafter(field, np.float32(1.0))


@mutant
class SlopesRoundByTheWidth(Sound):
    def gradient_grid(self, grid: Grid, seed: int = 0, **keywords: object) -> Field:
        field = super().gradient_grid(grid, seed, **keywords)
        return field if grid.columns > 1 else np.nextafter(field, np.float32(1.0))


Sloped = tuple[Field, tuple[Field, ...]]


@mutant
class DoublePrecisionSlopes(Sound):
    def slopes(self, points: Points, seed: int, torus: Torus | None) -> Sloped:
        value, slopes = super().slopes(points, seed, torus)
        return value, tuple(slope.astype(np.float64) for slope in slopes)


@mutant
class GivesAwayOneSlope(Sound):
    """Hands the same array out for every axis."""

    def slopes(self, points: Points, seed: int, torus: Torus | None) -> Sloped:
        value, slopes = super().slopes(points, seed, torus)
        return value, slopes[:1] * len(slopes)


@mutant
class TooSteep(Sound):
    def slopes(self, points: Points, seed: int, torus: Torus | None) -> Sloped:
        value, slopes = super().slopes(points, seed, torus)
        return value, tuple(slope * np.float32(1.02) for slope in slopes)


@mutant
class SlopesPerCell(Sound):
    def slopes(self, points: Points, seed: int, torus: Torus | None) -> Sloped:
        value, slopes = super().slopes(points, seed, torus)
        return value, tuple(slope / np.float32(self.frequency) for slope in slopes)


@mutant
class SlopesOfOneTile(Sound):
    """Forgets that the value repeats."""

    def slopes(self, points: Points, seed: int, torus: Torus | None) -> Sloped:
        return super().slopes(points, seed, None)


@mutant
class GradientForgetsOrigin(Sound):
    def gradient_plan(self, axes: Axes, seed: int) -> Callable[[int, int, Field], None]:
        moved = dataclasses.replace(axes, x=axes.x - axes.x[0], y=axes.y - axes.y[0])
        return super().gradient_plan(moved, seed)


@mutant
class GradientSwapsAxes(Sound):
    def gradient_plan(self, axes: Axes, seed: int) -> Callable[[int, int, Field], None]:
        plan = super().gradient_plan(axes, seed)
        return lambda start, stop, out: plan(start, stop, out[::-1])


@mutant
class GradientKeepsState(Sound):
    def gradient_plan(self, axes: Axes, seed: int) -> Callable[[int, int, Field], None]:
        whole, calls = super().gradient_plan(axes, seed), []

        def rows(start: int, stop: int, out: Field) -> None:
            whole(start, stop, out)
            calls.append(start)
            out += np.float32(0.1 * len(calls))

        return rows


@mutant
class GradientTakesAnySeed(Sound):
    def gradient(self, points: object, seed: int = 0, *, threads: int | None = None) -> Field:
        return super().gradient(points, hash(seed) & 0xFF, threads=threads)
