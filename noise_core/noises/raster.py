# SPDX-License-Identifier: GPL-3.0-or-later
"""Stored picture as a noise, such as the user's heightmap."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, ClassVar, Union

import numpy as np
import numpy.typing as npt

from .. import codecs
from ..base import gathering
from ..base.arrays import Coordinates, Field, Points
from ..base.grid import Axes
from ..base.params import choice, pixels
from ..base.plans import run_in_blocks
from ..base.torus import apply_matrix, product, square_lattice
from .bases.noise import Noise, noise_type

if TYPE_CHECKING:
    from ..base.plans import RowPlan
    from ..base.torus import Matrix, Torus

_BEFORE, _AFTER = 1, 3
"""Pixels repeated around the picture for the outer taps; one spare for what is rounded up."""

Taps = tuple[npt.NDArray[np.intp], tuple[Field, Field, Field, Field]]
"""Place of the first of four neighboring pixels, and the weight of each."""


def _hill() -> Field:
    """Return a small round hill that tiles."""
    wave = np.cos(np.arange(16, dtype=np.intp) * (np.pi / 8.0))
    # Rounded, because the last bits of a cosine differ between machines.
    hill: Field = np.round(-0.5 * (wave[:, np.newaxis] + wave), 4).astype(np.float32)
    return hill


@noise_type("raster", "Raster", family="shape")
class Raster(Noise):
    """A stored image: a heightmap, a drawn mask.

    Notes
    -----
    The picture is one tile wide and as deep as its pixels are square; row 0 lies at the smallest
    y. With edge `repeat` pixel k of n lies at k / n, as the samples of a wrapping grid do,
    otherwise at k / (n - 1), as those of a terrain. Along further axes it stays the same.

    Between pixels runs Catmull and Rom's bicubic spline. Where it overshoots it is cut off, so
    that the bounds are the smallest and the largest pixel, whose values are taken as they are.

    On a wrapping grid the picture is stretched so that it fits a whole number of times; `clamp`
    repeats there, since something has to lie beyond the edge.

    A picture is the same for every seed. Where a warp needs copies that differ, it moves it aside.

    References
    ----------
    Edwin Catmull, Raphael Rom (1974). A class of local interpolating splines. Computer Aided
    Geometric Design.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.noises import Raster
    >>> picture = np.zeros((4, 4), np.float32)
    >>> picture[1:3, 1:3] = 1.0
    >>> stamp = Raster(pixels=picture, edge="clamp")
    >>> field = stamp.sample_grid(Grid(65, 65))
    >>> bool(field[32, 32] > 0.9), bool(field[0, 0] < 0.1)
    (True, True)

    The pixels cannot be changed afterwards:

    >>> stamp.pixels.flags.writeable
    False
    """

    has_seed = False
    dimensions: ClassVar[tuple[int, ...]] = (2, 3, 4)
    is_arithmetic = True

    pixels: Field = pixels(_hill, help="Pixel values, from -1 to 1 over the range of heights")
    edge: str = choice(
        "repeat",
        help="Extension beyond the image",
        options={
            "repeat": "The image again",
            "clamp": "Extend the pixels at the edge",
            "mirror": "Mirror the image",
        },
        advanced=True,
    )

    @property
    def has_picture(self) -> bool:
        """See `Noise.has_picture`."""
        return True

    @classmethod
    def from_file(
        cls,
        path: Union[str, os.PathLike[str]],
        *,
        edge: str = "repeat",
        black: float = -1.0,
        white: float = 1.0,
    ) -> Raster:
        """Return the raster of an image file; see `read_image` for the formats.

        Parameters
        ----------
        path : str or path
            A PNG image, or a NumPy array.
        edge : str
            See `Raster`.
        black, white : float
            Values for the darkest and the brightest color that an image can hold. An array's
            values are taken as they are.

        Raises
        ------
        ParameterError
            If the file cannot be read.
        """
        return cls(pixels=codecs.image_files.read_image(path, black=black, white=white), edge=edge)

    def bounds(self) -> tuple[float, float]:
        """Return the smallest and the largest pixel."""
        return (float(self.pixels.min()), float(self.pixels.max()))

    def finest(self) -> float:
        """Return how many pixels lie along a tile."""
        return float(self.pixels.shape[1])

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        edge = self._edge(torus)
        x, y = apply_matrix(self._matrix(torus), points[:2])
        column, weights_x = _taps(x, self.pixels.shape[1], edge)
        row, weights_y = _taps(y, self.pixels.shape[0], edge)
        padded = self._pad(edge)
        width = padded.shape[1]
        flat = padded.reshape(-1)
        address = row * width + column
        tap = np.empty(address.shape, np.float32)

        def across(along: int) -> Field:
            total = np.zeros(address.shape, np.float32)
            for place, weight in enumerate(weights_x):
                gathering.gather(flat[along * width + place :], address, out=tap)
                total += np.multiply(tap, weight, out=tap)
            return total

        field = across(0) * weights_y[0]
        for along in (1, 2, 3):
            field += across(along) * weights_y[along]
        return np.clip(field, *self.bounds(), out=field)

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`: first along the rows, then along the columns."""
        (xx, xy), (yx, yy) = self._matrix(axes.torus)
        if xy != 0.0 or yx != 0.0:
            return super().plan(axes, seed)
        edge = self._edge(axes.torus)
        column, weights_x = _taps(axes.x * xx, self.pixels.shape[1], edge)
        row, weights_y = _taps(axes.y * yy, self.pixels.shape[0], edge)
        padded = self._pad(edge)
        low, high = self.bounds()

        def rows(start: int, stop: int, out: Field) -> None:
            def work(part: slice) -> None:
                rows_of_part = slice(start + part.start, start + part.stop)
                needed = np.unique(row[rows_of_part, np.newaxis] + np.arange(4, dtype=np.intp))
                picture = padded[needed]
                stretched = np.zeros((len(needed), len(column)), np.float32)
                for place, weight in enumerate(weights_x):
                    stretched += np.take(picture, column + place, axis=1) * weight
                first = np.searchsorted(needed, row[rows_of_part])
                field = out[part]
                field.fill(0.0)
                for place, weight in enumerate(weights_y):
                    # The four rows of a sample stand one after the other in `needed`.
                    field += (
                        np.take(stretched, first + place, axis=0) * weight[rows_of_part, np.newaxis]
                    )
                np.clip(field, low, high, out=field)

            run_in_blocks(len(out), out.shape[1], work)

        return rows

    def _edge(self, torus: Torus | None) -> str:
        return "repeat" if torus is not None and self.edge == "clamp" else self.edge

    def _matrix(self, torus: Torus | None) -> Matrix:
        """Return the map from tiles to pixels; on a torus it fits a whole number of pictures."""
        edge = self._edge(torus)
        rows, columns = self.pixels.shape
        scale_x, scale_y = self.pixels_per_tile(edge)
        if torus is None:
            return ((scale_x, 0.0), (0.0, scale_y))
        lap_x, lap_y = _lap(columns, edge), _lap(rows, edge)
        laps: Matrix = ((scale_x / lap_x, 0.0), (0.0, scale_y / lap_y))
        closed = product(square_lattice(1.0, torus.through(laps)).matrix, laps)
        return product(((lap_x, 0.0), (0.0, lap_y)), closed)

    def pixels_per_tile(self, edge: str) -> tuple[float, float]:
        """Return how many steps from pixel to pixel a tile has along x and y."""
        columns = self.pixels.shape[1]
        scale = float(columns if edge == "repeat" else max(columns - 1, 1))
        return scale, scale

    def _pad(self, edge: str) -> Field:
        """Return the pixels with padding beyond the edges for the outer taps."""
        rows, columns = (
            _beyond(np.arange(-_BEFORE, count + _AFTER, dtype=np.intp), count, edge)
            for count in self.pixels.shape
        )
        return np.ascontiguousarray(self.pixels[rows][:, columns])


def _lap(count: int, edge: str) -> float:
    """Return the period, in pixels, of a picture of `count` pixels."""
    return float(count if edge == "repeat" else 2 * max(count - 1, 1))


def _beyond(index: npt.NDArray[np.intp], count: int, edge: str) -> npt.NDArray[np.intp]:
    """Return the index of the pixel that replaces one beyond the edge."""
    if edge == "repeat":
        return index % count
    if edge == "mirror" and count > 1:
        last = count - 1
        turned: npt.NDArray[np.intp] = last - np.abs(index % (2 * last) - last)
        return turned
    return np.clip(index, 0, count - 1)


def _taps(coordinate: Coordinates, count: int, edge: str) -> Taps:
    """Return the first of the four pixels around each coordinate in the padded picture, and weights."""
    folded: Coordinates
    if edge == "clamp":
        folded = coordinate.clip(0.0, count - 1.0)
    else:
        lap = _lap(count, edge)
        folded = coordinate - lap * np.floor(coordinate / lap)
        if edge == "mirror":
            folded = lap / 2.0 - np.abs(folded - lap / 2.0)
    whole = np.floor(folded)
    return whole.astype(np.intp), _catmull_rom((folded - whole).astype(np.float32))


def _catmull_rom(part: Field) -> tuple[Field, Field, Field, Field]:
    """Return the weights of the pixels at -1, 0, 1 and 2."""
    half, one = np.float32(0.5), np.float32(1.0)
    complement = one - part
    bump = half * part * complement
    first, last = -bump * complement, -bump * part
    second = part * part * (np.float32(1.5) * part - np.float32(2.5)) + one
    return first, second, one - first - second - last, last
