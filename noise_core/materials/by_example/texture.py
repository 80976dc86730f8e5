# SPDX-License-Identifier: GPL-3.0-or-later
"""Seamless or endless textures that look like an example image.

The example becomes normally distributed channels without correlation. Random patches of these are blended so that
their variance stays, and tables give the result the histogram of the example again.

References
----------
Eric Heitz, Fabrice Neyret (2018). High-Performance By-Example Noise using a Histogram-Preserving Blending
Operator. Proceedings of the ACM on Computer Graphics and Interactive Techniques 1.
Thomas Deliot, Eric Heitz (2019). Procedural Stochastic Textures by Tiling and Blending. GPU Zen 2.
Brent Burley (2019). On Histogram-Preserving Blending for Randomized Texture Tiling. Journal of Computer
Graphics Techniques 8.
"""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ...base import blocks
from ...base.arrays import Field, check_seed
from ...base.blocks import Cancel, Progress
from ...base.checks import MOST_PIXELS
from ...base.errors import Message, ParameterError
from ...base.grid import Grid, check_grid
from ...rasters.resizing import resize_planes
from .channels import ColorAxes, Histogram, Numbers, ValueTable, to_normal
from .patches import PatchBlend, PatchLattice, patch_side

Image = npt.NDArray[Any]
"""Shape (rows, columns) or (rows, columns, channels), uint8, uint16 or float32."""

_SAMPLES = 1 << 18
"""Pixels at most from which the histogram of the result is measured: 0.2 % of chance are left."""

_STRIP = 1 << 17
"""Pixels between two checks for cancellation: some ten milliseconds."""

_PATCHES_MEASURED = 24
"""Along a side of the part of an endless texture that stands for all of it."""

_SEAM = 1.25
"""How much more than neighbors opposite edges may differ if an example is seamless."""

_SMALLEST = 16
"""Pixels of a side from which on patches fit within; less is taken as seamless."""

_MEASURED = 0.3
"""Share of the progress until the histogram of the result is known."""


class BlendSettings(Protocol):
    """The parameters of `ByExample`, where they are explained."""

    @property
    def scale(self) -> float:
        """Size of the pattern."""

    @property
    def patch_size(self) -> float:
        """Distance of the patches, as a share of the example's shorter side."""

    @property
    def sharpness(self) -> float:
        """Power of the patches' weights."""

    @property
    def turned(self) -> bool:
        """Whether patches are turned."""


def paint(
    settings: BlendSettings,
    example: Image,
    grid: Grid,
    seed: int,
    *,
    progress: Progress,
    cancel: Cancel | None,
) -> Image:
    """Return a texture that looks like an example; see `ByExample.paint`."""
    progress, seed = blocks.heard(progress), check_seed(seed, "ByExample.paint")
    pixels = _check_example(example)
    check_grid(grid, "ByExample.paint", pixels.shape[2] * pixels.itemsize)
    with blocks.cancellable(cancel):
        texture = _Texture(settings, pixels, grid, seed)
        progress(_MEASURED)
        result = np.empty((grid.rows, grid.columns, pixels.shape[2]), pixels.dtype)
        columns = texture.columns

        def fill(start: int, stop: int) -> None:
            result[start:stop] = texture.paint(texture.rows[start:stop], columns)

        strip = max(1, _STRIP // grid.columns)
        blocks.run(fill, grid.rows, strip, progress=blocks.part_of(progress, _MEASURED, 1.0))
    return result if example.ndim == 3 else result[..., 0]


class _Texture:
    """An example that is ready to be painted on a grid.

    Attributes
    ----------
    rows, columns : range
        Pixels of the grid in the texture.
    """

    def __init__(self, settings: BlendSettings, example: Image, grid: Grid, seed: int) -> None:
        self._dtype = example.dtype
        planes = np.ascontiguousarray(np.moveaxis(example, 2, 0), np.float32)
        closed = tuple(_is_closed(planes, axis) for axis in (1, 2))
        sides = [_scale_side(side, settings.scale) for side in planes.shape[1:]]
        if math.prod(sides) > MOST_PIXELS:
            raise ParameterError(
                "ByExample: an example must be at most {} pixels at its scale",
                MOST_PIXELS,
                got=Message("{} x {}", *sides),
            )
        planes = resize_planes(planes, sides[0], sides[1], (closed[0], closed[1]))
        self._constants = [float(plane.flat[0]) for plane in planes]
        self._sources = _sources_of(planes)
        self._kept = sorted({source for source in self._sources if source is not None})
        self.rows, self.columns = _pixels_of(grid)
        if self._kept:
            self._prepare(settings, planes[self._kept], grid, seed, closed)

    def _prepare(
        self,
        settings: BlendSettings,
        planes: Field,
        grid: Grid,
        seed: int,
        closed: tuple[bool, ...],
    ) -> None:
        sides = planes.shape[1:]
        step = max(2, int(settings.patch_size * min(sides)))
        period = (grid.whole or grid.shape) if grid.wrap else None
        lattice = PatchLattice.of(step, period)
        side = patch_side(lattice)
        closed = tuple(is_closed or min(sides) < max(side, _SMALLEST) for is_closed in closed)
        self._axes = ColorAxes.of(planes) if len(planes) > 1 else None
        parts = planes if self._axes is None else self._axes.split(planes)
        weights = None if all(closed) else _visits(sides, side, closed)
        normal = np.stack([to_normal(part, weights) for part in parts])
        self._blend = PatchBlend(
            *(normal, lattice, seed),
            closed=(closed[0], closed[1]),
            sharpness=settings.sharpness,
            is_turned=settings.turned,
        )
        length = _PATCHES_MEASURED * step
        samples = self._blend.sample(*_spread(*(period or (length, length))))
        self._scores = [
            ValueTable.matching(sample, Histogram.of(part)) for sample, part in zip(samples, parts)
        ]
        if self._axes is not None:
            # What is independent along the axes is not so in the channels.
            self._values = [
                ValueTable.matching(sample, Histogram.of(plane))
                for sample, plane in zip(self._colors(samples), planes)
            ]

    def paint(self, rows: range, columns: range) -> Image:
        """Return pixels, shape (rows, columns, channels)."""
        result = np.empty((len(rows), len(columns), len(self._sources)), self._dtype)
        layers: dict[int, Image] = {}
        if self._kept:
            colors = self._colors(self._blend.sample(rows, columns))
            if self._axes is not None:
                colors = [table.apply(color) for table, color in zip(self._values, colors)]
            whole = result.dtype.kind == "u"
            layers = dict(zip(self._kept, map(np.rint, colors) if whole else colors))
        for channel, source in enumerate(self._sources):
            result[..., channel] = self._constants[channel] if source is None else layers[source]
        return result

    def _colors(self, samples: Field) -> list[Field]:
        """Return the channels of blended normal numbers."""
        parts = [table.apply(sample) for table, sample in zip(self._scores, samples)]
        return parts if self._axes is None else self._axes.join(parts)


def _check_example(example: Image) -> Image:
    """Return an example with an axis of channels, of one of the types that are painted."""
    who = "ByExample: the example"
    if not isinstance(example, np.ndarray) or example.ndim not in (2, 3) or example.size == 0:
        got = getattr(example, "shape", type(example).__name__)
        raise ParameterError(
            "{} must be an array of shape (rows, columns) or (rows, columns, channels)",
            who,
            got=got,
        )
    pixels = example if example.ndim == 3 else example[..., np.newaxis]
    if pixels.shape[2] > 4:
        raise ParameterError("{} must have 1 to 4 channels", who, got=pixels.shape[2])
    if pixels.shape[0] * pixels.shape[1] > MOST_PIXELS:
        raise ParameterError(
            "{} must be at most {} pixels",
            who,
            MOST_PIXELS,
            got=Message("{} x {}", *pixels.shape[:2]),
        )
    if pixels.dtype in (np.uint8, np.uint16):
        return pixels
    if pixels.dtype.kind != "f":
        raise ParameterError("{} must be uint8, uint16 or floats", who, got=pixels.dtype)
    with np.errstate(over="ignore"):  # what is too large becomes infinite, and is refused
        plain = pixels.astype(np.float32)
    # The square of a difference is to be finite too.
    if not (np.abs(plain) <= np.float32(1e18)).all():
        raise ParameterError("{} must be finite and within 1e18; got other values", who)
    return plain


def _sources_of(planes: Field) -> list[int | None]:
    """Return the first channel with the same values for each channel; None if it has one value only."""
    sources: list[int | None] = []
    for plane in planes:
        if plane.min() == plane.max():
            sources.append(None)
            continue
        sources.append(
            next(at for at, source in enumerate(planes) if np.array_equal(source, plane))
        )
    return sources


def _scale_side(side: int, scale: float) -> int:
    return side if scale == 1.0 else max(1, round(side * scale))


def _pixels_of(grid: Grid) -> tuple[range, range]:
    """Return the pixels of a grid in the texture."""
    y, x = (round(at * grid.steps_per_tile) for at in reversed(grid.origin))
    row, column = grid.first[0] + y, grid.first[1] + x
    return range(row, row + grid.rows), range(column, column + grid.columns)


def _is_closed(planes: Field, axis: int) -> bool:
    """Return whether the two edges at the ends of an axis differ hardly more than neighbors within do."""
    count = planes.shape[axis]
    if count < 2:
        return True
    low, high = float(planes.min()), float(planes.max())
    if low == high:
        return True
    # Whole numbers, whose sums are exact in any order.
    steps = np.rint((planes.astype(np.float64) - low) * (65535.0 / (high - low))).astype(np.int64)
    within = int(np.abs(np.diff(steps, axis=axis)).sum())
    across = int(np.abs(steps.take(0, axis) - steps.take(count - 1, axis)).sum())
    return bool(across * (count - 1) <= _SEAM * within)


def _visits(sides: tuple[int, ...], patch: int, closed: tuple[bool, ...]) -> Numbers:
    """Return how often a pixel is shown: patches that lie within show the middle more often than the edges.

    Whole numbers, shape (rows, columns).
    """
    along, across = (
        np.ones(side) if is_closed else _visits_along(side, patch)
        for side, is_closed in zip(sides, closed)
    )
    return along[:, np.newaxis] * across


def _visits_along(side: int, patch: int) -> Numbers:
    """Return the sum of a patch's weights over all places; the weights rise to its middle."""
    half = np.minimum(np.arange(patch, dtype=np.int64), np.arange(patch, dtype=np.int64)[::-1]) + 1
    places = side - patch + 1
    total = np.concatenate(([0], np.cumsum(half, dtype=np.int64)))
    at = np.arange(side, dtype=np.int64)
    first, last = np.maximum(at - places + 1, 0), np.minimum(at, patch - 1)
    visits: Numbers = (total[last + 1] - total[first]).astype(np.float64)
    return visits


def _spread(rows: int, columns: int) -> tuple[range, range]:
    """Return rows and columns that are evenly spread over a texture, for its histogram."""
    step = max(1, math.ceil(math.sqrt(rows * columns / _SAMPLES)))
    return range(0, rows, step), range(0, columns, step)
