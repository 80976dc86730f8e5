# SPDX-License-Identifier: GPL-3.0-or-later
"""Recipes: plain data that becomes a terrain, an image or a file, with the same numbers everywhere."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from ..base.arguments import check_callable
from ..base.arrays import MAX_HEIGHT, Field, check_field, check_seed, to_float
from ..base.blocks import Cancel, Progress
from ..base.errors import ParameterError, RecipeError, format_value
from ..base.grid import SIZE, Grid, check_grid
from ..base.grid_sizes import is_whole, is_whole_land, shape_of
from ..base.json_texts import check_format, json_value
from ..modifiers.bases.layer import Layer
from ..modifiers.bases.modifier import Modifier, Relief, check_mask
from ..noises.bases.noise import Noise
from ..noises.constant import Constant
from . import chains, evaluation, folding
from .extent import check_depth, check_size
from .layers import NoiseLayer, find_georeference, flatten, layers_of, replace_layer
from .preset_files import recipe_of
from .serial import layers_from_plain, to_plain

if TYPE_CHECKING:
    from ..base.georeference import Georeference
    from .folding import Scope

_PLAIN = Constant(value=0.0)
"""The noise of a recipe in which no noise layer takes part."""

FORMAT = 1
"""Number of the format that `Recipe.to_json` writes and `Recipe.from_json` reads."""

_ENTRIES = frozenset({"format", "seed", "size", "depth", "height", "layers"})
"""Of a recipe as JSON."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Recipe:
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

    layers: tuple[Layer, ...] = ()
    seed: int = 0
    height: float = 1.0
    size: float = SIZE
    depth: float | None = None

    if TYPE_CHECKING:  # takes noises too, and any sequence, which `__post_init__` makes layers

        def __init__(
            self,
            *,
            layers: Sequence[Layer | Noise] = (),
            seed: int = 0,
            height: float = 1.0,
            size: float = SIZE,
            depth: float | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "layers", layers_of(self.layers, "Recipe.layers"))
        is_number = isinstance(self.height, (int, float, np.integer, np.floating))
        if not is_number or isinstance(self.height, bool):
            raise ParameterError(
                "Recipe.height must be a number; got {}", format_value(self.height)
            )
        if not -MAX_HEIGHT <= to_float(self.height) <= MAX_HEIGHT:
            raise ParameterError(
                "Recipe.height must be in [{:g}, {:g}]; got {}",
                -MAX_HEIGHT,
                MAX_HEIGHT,
                format_value(self.height),
            )
        object.__setattr__(self, "height", float(self.height))
        object.__setattr__(self, "size", check_size(self.size))
        object.__setattr__(self, "depth", check_depth(self.depth, self.size))
        object.__setattr__(self, "seed", check_seed(self.seed, "Recipe"))

    @property
    def depth_ratio(self) -> float:
        """Extent along y, in widths: 1 for a square.

        Examples
        --------
        >>> from noise_core import Recipe
        >>> Recipe(size=1000.0, depth=2500.0).depth_ratio
        2.5
        """
        return 1.0 if self.depth is None else self.depth / self.size

    def with_size(self, size: float) -> Recipe:
        """Return the recipe in another width, in meters; the depth keeps its proportion.

        Parameters
        ----------
        size : float
            Width in meters, in [1e-5, 1e9].

        Raises
        ------
        ParameterError
            If there can be no such width.

        Examples
        --------
        >>> from noise_core import Recipe
        >>> larger = Recipe(size=1000.0, depth=500.0).with_size(3000.0)
        >>> larger.size, larger.depth
        (3000.0, 1500.0)
        """
        width = check_size(size)
        depth = None if self.depth is None else width * self.depth_ratio
        return dataclasses.replace(self, size=width, depth=depth)

    def check_shape(self, shape: tuple[int, int], who: str, *, wrap: bool = False) -> None:
        """Raise a ParameterError unless a grid of so many rows and columns is the whole land, no more or less.

        Land that is a square can have any: it goes on beyond its edges. `who` starts the message.
        """
        steps = (shape[0] - (not wrap), shape[1] - (not wrap))
        if self.depth is None or is_whole_land(steps, self.depth_ratio):
            return
        raise ParameterError(
            "{} must be rows and columns of land {:.6g} m wide and {:.6g} m deep, such as {} x {}; got {} x {}",
            who,
            self.size,
            self.depth,
            *shape_of(max(shape), self.depth_ratio, wrap=wrap),
            *shape,
        )

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
        folded, _ = folding.fold(self.layers, self._scope())
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
        _, count = folding.fold(self.layers, self._scope())
        return tuple(layer for layer in self.layers[count:] if not layer.muted)

    @property
    def base(self) -> NoiseLayer | None:
        """The noise layer that keywords change: the first whose first noise has a frequency, or else the first.

        None if there is none. Layers without a frequency, such as gradients, give a land its outline and stay as they are.

        Examples
        --------
        >>> from noise_core import Recipe
        >>> from noise_core.noises import Perlin
        >>> Recipe(layers=(Perlin(),)).base.noise == Perlin(), Recipe().base is None
        (True, True)
        """
        number = self._base_number
        return None if number is None else cast(NoiseLayer, list(flatten(self.layers))[number][1])

    @property
    def _base_number(self) -> int | None:
        numbers = {
            number: layer.noise
            for number, (_, layer) in enumerate(flatten(self.layers))
            if isinstance(layer, NoiseLayer)
        }
        return min(numbers, key=lambda number: chains.frequency_rank(numbers[number]), default=None)

    @property
    def modifiers(self) -> tuple[Modifier, ...]:
        """All modifiers among the layers.

        Examples
        --------
        >>> from noise_core import Recipe
        >>> from noise_core.modifiers import Blur
        >>> from noise_core.noises import Perlin
        >>> [modifier.key for modifier in Recipe(layers=(Perlin(), Blur())).modifiers]
        ['blur']
        """
        return tuple(layer for layer in self.layers if isinstance(layer, Modifier))

    @property
    def georeference(self) -> Georeference | None:
        """Place on Earth of tiles, if a layer of measured heights has one: see `Noise.georeference`."""
        return find_georeference(self.layers)

    def with_values(self, **values: Any) -> Recipe:
        """Return the recipe with some values of its base set; see `chains.with_values`.

        Parameters
        ----------
        **values : object
            Such as ``octaves=8, warp=0.1``; None leaves a value as it is.

        Raises
        ------
        ParameterError
            If a value is not allowed, or there is no noise layer.

        Examples
        --------
        >>> from noise_core import Recipe
        >>> from noise_core.noises import Fractal
        >>> recipe = Recipe(layers=(Fractal(octaves=6.0),))
        >>> recipe.with_values(octaves=9.0).base.noise.octaves
        9.0
        """
        base, number = self.base, self._base_number
        if base is None or number is None:
            raise ParameterError("Recipe.with_values needs a noise layer; got none")
        changed = base.with_noise(chains.with_values(base.noise, **values))
        return dataclasses.replace(self, layers=replace_layer(self.layers, number, changed))

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
                "Recipe.grid: resolution must be an integer, or rows and columns; got {}",
                format_value(resolution),
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
        """
        check_callable(progress, "progress")
        grid = self._with_meters(check_grid(grid, "Recipe.evaluate", self._bytes_each))
        painted = self._check_masks(masks, grid)
        if ground is not None:
            ground = check_field(ground, grid.shape, "Recipe.evaluate: ground")
        scope = dataclasses.replace(self._scope(), painted=painted)
        if ground is not None and painted:
            count = folding.fold(self.layers, scope)[1]
            if count != folding.fold(self.layers, self._scope())[1]:
                ground = None  # a painted layer is no longer part of the noise
        sampling = evaluation.Sampling(grid, evolution, threads, cancel)
        return evaluation.relief(self.layers, scope, sampling, ground, progress)

    @property
    def _bytes_each(self) -> float:
        """Bytes that a sample takes at the least while it is evaluated: of the heights, and of layers over them."""
        return 12.0 if self.needs_grid else 4.0

    def _with_meters(self, grid: Grid) -> Grid:
        """Return a grid with its own size, or the recipe's if it has none."""
        return grid if grid.size is not None else dataclasses.replace(grid, size=self.size)

    def _scope(self) -> Scope:
        return folding.Scope(
            self.seed, self.height, folding.LayerNoises(self.layers, self.seed, self.height)
        )

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
                "Recipe.evaluate: masks must be a mapping of numbers to fields; got {}",
                format_value(masks),
            )
        count = sum(1 for _ in flatten(self.layers))
        for number in masks or {}:
            if not isinstance(number, int) or number not in range(count):
                raise ParameterError(
                    "Recipe.evaluate: masks must be those of {} layers, by their numbers from 0 "
                    "on; got {}",
                    count,
                    format_value(number),
                )
        return {
            number: check_mask(mask, grid, f"Recipe.evaluate: mask {number}")
            for number, mask in (masks or {}).items()
        }

    def to_json(self) -> str:
        """Return the recipe as JSON text, with the version of its format.

        Examples
        --------
        >>> import json
        >>> from noise_core import Recipe
        >>> from noise_core.noises import Perlin
        >>> plain = json.loads(Recipe(layers=(Perlin(frequency=3.0),), seed=4).to_json())
        >>> plain["seed"], plain["layers"][0]["chain"][0]["type"]
        (4, 'perlin')
        """
        import json

        plain = {
            "format": FORMAT,
            "seed": self.seed,
            "size": self.size,
            **({} if self.depth is None else {"depth": self.depth}),
            "height": self.height,
            "layers": [to_plain(layer) for layer in self.layers],
        }
        return json.dumps(plain, indent=2, allow_nan=False)

    @classmethod
    def from_preset(cls, name: str, *, seed: int | None = None) -> Recipe:
        """Return the recipe of a preset, size and height included.

        Parameters
        ----------
        name : str
            One of `preset_library.preset_names`, or ``"none"`` for a plain fractal.
        seed : int, optional
            Another one than the preset's own.

        Raises
        ------
        RecipeError
            If there is no such preset, or its file cannot be read.
        ParameterError
            If the seed is not allowed.

        Examples
        --------
        >>> from noise_core import Recipe
        >>> alps = Recipe.from_preset("alps", seed=7)
        >>> alps.seed, alps.size > 1000.0, alps.needs_grid
        (7, True, True)
        """
        recipe = cls.from_plain(recipe_of(name))
        return recipe if seed is None else dataclasses.replace(recipe, seed=seed)

    @classmethod
    def from_json(cls, text: str) -> Recipe:
        """Return the recipe that `to_json` wrote. Entries and parameters that are left out take their defaults.

        Parameters
        ----------
        text : str
            JSON, of an object with the entry ``"format"``.

        Raises
        ------
        RecipeError
            If the text is not JSON, or not a recipe that this version can read.

        Examples
        --------
        >>> from noise_core import Recipe
        >>> island = Recipe.from_preset("island")
        >>> Recipe.from_json(island.to_json()) == island
        True
        """
        try:
            plain = json_value(text)
        except ValueError as error:
            raise RecipeError("Recipe: not JSON: {}", error) from error
        return cls.from_plain(plain)

    @classmethod
    def from_plain(cls, plain: object) -> Recipe:
        """Return the recipe of plain data: the result of `to_json`, read as JSON.

        Parameters
        ----------
        plain : object
            Dictionaries, lists, numbers and texts.

        Raises
        ------
        RecipeError
            If it is not a recipe that this version can read.
        """
        if not isinstance(plain, dict):
            raise RecipeError("Recipe: must be a JSON object; got {}", type(plain).__name__)
        check_format(plain, FORMAT, "Recipe")
        unknown = sorted(set(plain) - _ENTRIES)
        if unknown:
            allowed = ", ".join(sorted(_ENTRIES))
            raise RecipeError(
                "Recipe: entries must be of {}; got {}", allowed, format_value(unknown[0])
            )
        layers = layers_from_plain(plain.get("layers", []), "layers")
        seed, height = plain.get("seed", 0), plain.get("height", 1.0)
        if not isinstance(seed, int) or not isinstance(height, (int, float)):
            raise RecipeError(
                "Recipe: seed and height must be numbers; got {}, {}",
                format_value(seed),
                format_value(height),
            )
        meters: Any = {"size": plain.get("size", SIZE), "depth": plain.get("depth")}
        try:
            return cls(layers=layers, seed=seed, height=height, **meters)
        except ParameterError as error:
            raise RecipeError(error.message) from error
