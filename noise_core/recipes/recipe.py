# SPDX-License-Identifier: GPL-3.0-or-later
"""Recipes: plain data that becomes a terrain, an image or a file, with the same numbers everywhere."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy.typing as npt

from ..base.arguments import check_callable, check_kind
from ..base.arrays import Field, check_field
from ..base.blocks import Cancel, Progress
from ..base.errors import ParameterError, format_value
from ..base.grid import Grid, check_grid
from ..base.grid_sizes import is_whole, shape_of
from ..modifiers.bases.layer import Layer
from ..modifiers.bases.modifier import Relief, check_mask
from ..noises.bases.noise import Noise
from ..noises.constant import Constant
from . import evaluation, folding
from .layers import flatten
from .recipe_data import RecipeData

if TYPE_CHECKING:
    from .folding import Scope
    from .land_memory import LandMemory

_PLAIN = Constant(value=0.0)
"""The noise of a recipe in which no noise layer takes part."""


class Recipe(RecipeData):
    """A list of layers, a seed, and a height, a width and a depth in meters.

    Parameters
    ----------
    layers : sequence of Layer
        From bottom to top: noise layers, groups and modifiers, at most 1000 with those in groups.
        The first lies on a plain of 0. A plain noise is taken for a layer of it; one that joins
        others, such as `Blend`, becomes several layers or a group.
    seed : int
        Any integer of 32 bits.
    height : float
        Meters per unit of noise: a noise of 1 stands this high, -1 this deep.
    size : float
        Width in meters, in the range of `Grid.size`. The noise is the same at every size, but
        slopes are not, and so erosion needs it: evaluate a recipe on `grid`, which has it.
    depth : float, optional
        Extent along y in meters, of land that is not square; None for a square. At most `DEEPEST`
        times as deep as wide, and at most so many times as wide as deep.
    curves : mapping of str to LandCurve, optional
        Curves drawn on the land, by the names that layers and masks use. Each has to be named by one.

    Raises
    ------
    ParameterError
        If a value is not so.

    Examples
    --------
    >>> from noise_core import Recipe
    >>> from noise_core.modifiers import ThermalErosion
    >>> from noise_core.noises import Fractal, Perlin

    Mountains 1,200 m high and 12 km wide, whose steepest slopes have slid:

    >>> recipe = Recipe(
    ...     layers=(Fractal(source=Perlin(frequency=2.0)), ThermalErosion(talus_angle=38.0)),
    ...     seed=5,
    ...     height=1200.0,
    ...     size=12000.0,
    ... )
    >>> relief = recipe.evaluate(recipe.grid(65))
    >>> relief.height.shape, sorted(relief.maps)
    ((65, 65), ['scree'])

    A recipe is a value, and the same as text:

    >>> Recipe.from_json(recipe.to_json()) == recipe
    True
    """

    @property
    def noise(self) -> Noise:
        """The part of the recipe that is known at any point: its layers below the first that needs a grid.

        In units of its height, for its seed.

        Examples
        --------
        >>> from noise_core import Recipe
        >>> from noise_core.modifiers import Blur
        >>> from noise_core.noises import Perlin
        >>> recipe = Recipe(layers=(Perlin(frequency=2.0), Blur()))
        >>> recipe.noise == Perlin(frequency=2.0)
        True
        """
        folded, _ = folding.fold(self.bound_layers, self.scope)
        return folded or _PLAIN

    @property
    def needs_grid(self) -> bool:
        """Whether a layer takes part that needs a grid, so that `noise` is not all of it.

        Examples
        --------
        >>> from noise_core import Recipe
        >>> from noise_core.modifiers import Blur
        >>> from noise_core.noises import Perlin
        >>> Recipe(layers=(Perlin(),)).needs_grid, Recipe(layers=(Perlin(), Blur())).needs_grid
        (False, True)
        """
        return bool(self.layers_on_grid)

    @property
    def layers_on_grid(self) -> tuple[Layer, ...]:
        """The layers that take part and are not in `noise`: the first that needs a grid, and all above.

        Examples
        --------
        >>> from noise_core import Recipe
        >>> from noise_core.modifiers import Blur
        >>> from noise_core.noises import Perlin
        >>> [layer.key for layer in Recipe(layers=(Perlin(), Blur())).layers_on_grid]
        ['blur']
        """
        _, count = folding.fold(self.bound_layers, self.scope)
        return tuple(layer for layer in self.bound_layers[count:] if not layer.muted)

    def grid(
        self,
        resolution: int | tuple[int, int],
        *,
        wrap: bool = False,
        origin: tuple[float, float] = (0.0, 0.0),
    ) -> Grid:
        """Return a grid of the recipe's size: where it is the same land for an image, a mesh or a file.

        Parameters
        ----------
        resolution : int or tuple of two ints
            Samples along the longer side, or rows and columns. Cells are square, so that rows and columns
            in another proportion than the recipe's are a part of its land, or go on beyond it.
        wrap, origin
            See `Grid`. A grid that wraps has other ground than one that does not; two of the same
            kind agree on the samples they share.

        Raises
        ------
        ParameterError
            If a value is not allowed.

        Examples
        --------
        >>> from noise_core import Recipe
        >>> recipe = Recipe(size=5000.0, depth=10000.0)
        >>> recipe.grid(257).shape, recipe.grid(257).size
        ((257, 129), 5000.0)
        """
        shape = resolution if isinstance(resolution, (tuple, list)) else (resolution, resolution)
        if len(shape) != 2 or not all(map(is_whole, shape)):
            raise ParameterError(
                "Recipe.grid: resolution must be an integer, or rows and columns",
                got=format_value(resolution),
            )
        if shape[0] is shape[1] is resolution:
            shape = shape_of(resolution, self.depth_ratio, wrap=wrap)
        return Grid(*shape, wrap=wrap, origin=origin, size=self.size)

    def evaluate(
        self,
        grid: Grid,
        *,
        evolution: tuple[float, ...] = (),
        masks: Mapping[int, npt.ArrayLike] | None = None,
        ground: Field | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
        finished: evaluation.Finished | None = None,
        memory: LandMemory | None = None,
    ) -> Relief:
        """Return the height field on a grid, in meters, and the maps that the modifiers made.

        Of two maps with one name the later one counts, but amounts add up.

        Parameters
        ----------
        grid : Grid
            Where the samples lie: as a rule `grid`'s. Without a size it has the recipe's. Slopes are
            measured in the meters of this grid, so on a grid of another size the same noise is
            eroded in another way, as that of a recipe of that size.
        masks : mapping of int to array_like of shape (rows, columns), optional
            Where a layer acts, from 0 (not at all) to 1, by its number: its place in `layers`, in
            which a group is followed by the layers in it (see `layers.flatten`).
        ground : ndarray of shape (rows, columns), float32, optional
            The values of `noise` on the same grid at the same evolution, if they are known: see
            `ground`. Not used if a mask is that of a layer in `noise`.
        evolution, threads, progress, cancel
            See `Noise.sample_grid`.
        finished : callable, optional
            Called with the numbers of layers as soon as they are evaluated, such as to measure their times:
            with those of all layers in `noise` at once, unless `ground` is given, then with one at a time.
        memory : LandMemory, optional
            Of this grid, for evaluations in which few layers change: see `LandMemory`.

        Raises
        ------
        ParameterError, Cancelled

        Examples
        --------
        >>> import numpy as np
        >>> from noise_core import Recipe
        >>> from noise_core.modifiers import Normalize
        >>> from noise_core.noises import Perlin

        The modifier, layer 1, acts on half of the land; grids of two resolutions agree where they meet:

        >>> recipe = Recipe(layers=(Perlin(frequency=3.0),), height=100.0, size=1000.0, seed=2)
        >>> coarse = recipe.evaluate(recipe.grid(33)).height
        >>> fine = recipe.evaluate(recipe.grid(65)).height
        >>> bool(np.abs(fine[::2, ::2] - coarse).max() < 1e-3)
        True
        >>> leveled = Recipe(
        ...     layers=(Perlin(frequency=3.0), Normalize(minimum=50.0, maximum=60.0)), height=100.0, size=1000.0
        ... )
        >>> mask = np.zeros((33, 33), np.float32)
        >>> mask[:, 17:] = 1.0
        >>> height = leveled.evaluate(leveled.grid(33), masks={1: mask}).height
        >>> round(float(height[:, 17:].min())) >= 50, bool(height[:, :17].min() < 0.0)
        (True, True)

        The layers as they are finished:

        >>> numbers = []
        >>> relief = leveled.evaluate(leveled.grid(33), finished=numbers.append)
        >>> numbers
        [(0,), (1,)]
        """
        check_callable(progress, "progress")
        check_callable(finished, "finished")
        if memory is not None:
            from .land_memory import LandMemory  # who remembers nothing needs none of it

            check_kind(memory, LandMemory, "Recipe.evaluate: memory", "a LandMemory or None")
        grid = self._with_meters(check_grid(grid, "Recipe.evaluate", self._bytes_each))
        painted = self._check_masks(masks, grid)
        if ground is not None:
            ground = check_field(ground, grid.shape, "Recipe.evaluate: ground")
        scope = dataclasses.replace(self.scope, painted=painted)
        if ground is not None and painted:
            count = folding.fold(self.bound_layers, scope)[1]
            if count != folding.fold(self.bound_layers, self.scope)[1]:
                ground = None  # a painted layer is no longer part of the noise
        sampling = evaluation.Sampling(grid, evolution, threads, cancel)
        values = (sampling, ground, progress, finished, memory)
        relief = evaluation.relief(self.bound_layers, scope, *values)
        return dataclasses.replace(relief, grid=grid)

    @property
    def _bytes_each(self) -> float:
        """Bytes that a sample takes at the least while it is evaluated: of the heights, and of layers over them."""
        return 12.0 if self.needs_grid else 4.0

    def _with_meters(self, grid: Grid) -> Grid:
        """Return a grid with its own size, or the recipe's if it has none."""
        return grid if grid.size is not None else dataclasses.replace(grid, size=self.size)

    @property
    def scope(self) -> Scope:
        """The scope of the layers, whose curves are bound."""
        noises = folding.LayerNoises(self.bound_layers, self.seed, self.height, self.size)
        return folding.Scope(self.seed, self.height, noises, self.size)

    def ground(
        self,
        grid: Grid,
        *,
        evolution: tuple[float, ...] = (),
        threads: int | None = None,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
    ) -> Field:
        """Return the values of `noise` on a grid, before they are scaled by the height.

        Parameters
        ----------
        grid, evolution, threads, progress, cancel
            See `evaluate`.

        Returns
        -------
        ndarray of shape (rows, columns), float32

        Raises
        ------
        ParameterError, Cancelled

        Examples
        --------
        >>> from noise_core import Recipe
        >>> from noise_core.noises import Perlin
        >>> recipe = Recipe(layers=(Perlin(),), height=500.0)
        >>> ground = recipe.ground(recipe.grid(33))
        >>> bool(abs(ground).max() <= 1.0)
        True
        """
        check_grid(grid, "Recipe.ground", 4.0)
        return evaluation.Sampling(grid, evolution, threads, cancel).sample(
            self.noise, self.seed, progress
        )

    def _check_masks(
        self, masks: Mapping[int, npt.ArrayLike] | None, grid: Grid
    ) -> dict[int, Field]:
        if masks is not None and not isinstance(masks, Mapping):
            raise ParameterError(
                "Recipe.evaluate: masks must be a mapping of numbers to fields",
                got=format_value(masks),
            )
        count = sum(1 for _ in flatten(self.layers))
        for number in masks or {}:
            if not isinstance(number, int) or number not in range(count):
                raise ParameterError(
                    "Recipe.evaluate: masks must be those of {} layers, by their numbers from 0 on",
                    count,
                    got=format_value(number),
                )
        return {
            number: check_mask(mask, grid, f"Recipe.evaluate: mask {number}")
            for number, mask in (masks or {}).items()
        }
