# SPDX-License-Identifier: GPL-3.0-or-later
"""Colorings: pictures that are made from a recipe directly in color."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar, cast, dataclass_transform

import numpy as np
import numpy.typing as npt

from ....base import blocks
from ....base.arrays import Field, check_numbers, check_seed
from ....base.blocks import Cancel, Progress
from ....base.declared import declared_type
from ....base.errors import ParameterError, format_value
from ....base.grid import Axes, Grid, check_grid
from ....base.params import Declared
from ....base.plans import run_in_blocks
from ....base.registry import Registry
from ....noises.bases.noise import Noise
from ...colors import spaces

Rows = Callable[[int, int], Field]
"""Called with (start, stop): the colors of these rows, shape (3, stop - start, columns), or
(stop - start, columns) if they are gray. May be called from several threads at once."""

LINEAR, SRGB = "linear", "srgb"
"""What the numbers of a picture mean: light, or display values, which a screen shows as they are."""


@declared_type
class Coloring(Declared):
    """Base of all colorings; a type in `colorings/` writes `rows`.

    Examples
    --------
    >>> from noise_core import Coloring, coloring_types
    >>> marble = coloring_types()["marble"](bands=5)
    >>> isinstance(marble, Coloring), marble.space
    (True, 'linear')
    """

    space: ClassVar[str] = LINEAR
    """Of the numbers that `rows` gives: "linear", or "srgb" where the formula comes from a document
    whose numbers went to a screen as they are."""

    @property
    def noise(self) -> Noise | None:
        """The noise that is colored; None if the coloring evaluates points itself."""
        name = self.name_of("noise")
        return None if name is None else cast(Noise, getattr(self, name))

    def with_noise(self, noise: Noise) -> Coloring:
        """Return the coloring with another noise; itself if it has none.

        Parameters
        ----------
        noise : Noise
            The noise to color.

        Raises
        ------
        ParameterError
            If that is no noise.

        Examples
        --------
        >>> from noise_core.materials.colorings import Clouds, Marble
        >>> from noise_core.noises import Simplex
        >>> Marble().with_noise(Simplex()).noise == Simplex()
        True
        """
        name = self.name_of("noise")
        return self if name is None else cast(Coloring, self.with_values(**{name: noise}))

    def rows(self, axes: Axes, seed: int) -> Rows:
        """Prepare for the samples of a grid and return the function that gives colors of rows.

        Parameters
        ----------
        axes : Axes
            Where the samples lie. If there is a torus, colors repeat exactly with it.
        seed : int
            Unsigned, 32 bits.
        """
        raise NotImplementedError(f"{type(self).__name__} has no rows()")

    def paint(
        self,
        grid: Grid,
        seed: int = 0,
        evolution: tuple[float, ...] = (),
        *,
        space: str = LINEAR,
        threads: int | None = None,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
    ) -> Field:
        """Return the picture on a grid.

        Parameters
        ----------
        grid : Grid
            Where the samples lie. If it wraps, the picture is exactly seamless.
        seed : int
            Any integer of 32 bits.
        evolution : tuple of up to two floats
            Coordinates along the third and fourth dimension, in tiles: the picture, moved on.
        space : str
            "linear" for light, as renderers and float images take it; "srgb" for display values, as
            8-bit images and their files hold them.
        threads, progress, cancel
            See `blocks.run`.

        Returns
        -------
        ndarray of shape (rows, columns, 3), float32
            Red, green and blue in [0, 1].

        Raises
        ------
        ParameterError, Cancelled

        Examples
        --------
        >>> from noise_core import Grid
        >>> from noise_core.materials.colorings import Clouds
        >>> pixels = Clouds().paint(Grid(32, 64, wrap=True), seed=3, space="srgb")
        >>> pixels.shape, str(pixels.dtype), bool(pixels.max() <= 1.0)
        ((32, 64, 3), 'float32', True)
        """
        who = f"{type(self).__name__}.paint"
        numbers = check_numbers(evolution, 2, f"{who}: evolution")
        axes = check_grid(grid, who, 12.0).axes(numbers)
        convert = self._conversion(space, who)
        if self.noise is not None:
            self.noise.check_axes(axes, who)
        colors = self.rows(axes, check_seed(seed, who))
        out = np.empty((*grid.shape, 3), np.float32)

        def work(start: int, stop: int) -> None:
            def block(part: slice) -> None:
                rows = slice(start + part.start, start + part.stop)
                values = colors(rows.start, rows.stop)
                np.clip(values, 0.0, 1.0, out=values)
                if convert is not None:
                    values = convert(values)
                for channel in range(3):
                    out[rows, :, channel] = values if values.ndim == 2 else values[channel]

            run_in_blocks(stop - start, grid.columns, block)

        strip = blocks.rows_of_strip(grid.rows, grid.columns, threads)
        blocks.run(work, grid.rows, strip, threads=threads, progress=progress, cancel=cancel)
        return out

    def _conversion(self, space: str, who: str) -> Callable[[Field], npt.NDArray[Any]] | None:
        """Return the function that brings numbers of `rows` into a space; None if they are in it."""
        if not isinstance(space, str) or space not in (LINEAR, SRGB):
            raise ParameterError(
                "{}: space must be 'linear' or 'srgb'", who, got=format_value(space)
            )
        if space == self.space:
            return None
        return spaces.display_to_light if space == LINEAR else spaces.linear_to_srgb


def sampled_rows(noise: Noise, axes: Axes, seed: int) -> Rows:
    """Return the function that gives rows of a noise on a grid, by its own plan."""
    plan = noise.plan(axes, seed)

    def rows(start: int, stop: int) -> Field:
        out = np.empty((stop - start, len(axes.x)), np.float32)
        plan(start, stop, out)
        return out

    return rows


def mix_colors(first: Field, second: Field, share: Field) -> Field:
    """Return the colors from `first` (share 0) to `second` (share 1)."""
    result: Field = second - first
    result = result * share
    result += first
    return result


ColoringType = TypeVar("ColoringType", bound=type[Coloring])

_REGISTRY: Registry[Coloring] = Registry("materials.colorings")


@dataclass_transform(kw_only_default=True, frozen_default=True)
def coloring_type(key: str, label: str) -> Callable[[ColoringType], ColoringType]:
    """Make a class a coloring type: a frozen keyword-only dataclass, registered under `key`.

    Parameters
    ----------
    key : str
        Lower case; stands in saved files, so it never changes.
    label : str
        Label in menus.

    Examples
    --------
    >>> from noise_core import coloring_types
    >>> from noise_core.materials.colorings import Clouds

    The decorator registers a class under the key that stands in saved files:

    >>> coloring_types()["clouds"] is Clouds
    True
    """
    return _REGISTRY.declare(key, label)


def coloring_types() -> Mapping[str, type[Coloring]]:
    """Return every coloring type by its key.

    Examples
    --------
    >>> from noise_core import coloring_types
    >>> len(coloring_types()) >= 8, coloring_types()["clouds"].label
    (True, 'Clouds')
    """
    return _REGISTRY.all()
