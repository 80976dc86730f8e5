# SPDX-License-Identifier: GPL-3.0-or-later
"""Recipes as data: layers, seed and measures, with their checks, their changes and their JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np

from ..base.arrays import MAX_HEIGHT, check_seed, to_float
from ..base.errors import Message, ParameterError, RecipeError, format_value
from ..base.grid import SIZE
from ..base.grid_sizes import is_whole_land, shape_of
from ..base.json_texts import check_format, json_value
from ..curves import named
from ..modifiers.bases.layer import Layer
from ..modifiers.bases.modifier import Modifier
from ..noises.bases.noise import Noise
from . import chain_keywords
from .curve_table import NO_CURVES, Curves, curves_from_plain, curves_to_plain
from .extent import check_depth, check_size
from .layers import NoiseLayer, find_georeference, flatten, layers_of, replace_layer
from .preset_files import recipe_of
from .serial import layers_from_plain, to_plain

if TYPE_CHECKING:
    from ..base.georeference import Georeference
    from ..curves.land_curve import LandCurve

FORMAT = 1
"""Number of the format that `Recipe.to_json` writes and `Recipe.from_json` reads."""

_ENTRIES = frozenset({"format", "seed", "size", "depth", "height", "curves", "layers"})
"""Of a recipe as JSON."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class RecipeData:
    """Layers, seed and measures of a recipe; see `Recipe`, which evaluates them."""

    layers: tuple[Layer, ...] = ()
    seed: int = 0
    height: float = 1.0
    size: float = SIZE
    depth: float | None = None
    curves: Mapping[str, LandCurve] = NO_CURVES
    bound_layers: tuple[Layer, ...] = dataclasses.field(init=False, compare=False, repr=False)
    """The layers with the curves that they name."""

    if TYPE_CHECKING:  # takes noises too, and any sequence, which `__post_init__` makes layers

        def __init__(
            self,
            *,
            layers: Sequence[Layer | Noise] = (),
            seed: int = 0,
            height: float = 1.0,
            size: float = SIZE,
            depth: float | None = None,
            curves: Mapping[str, LandCurve] = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "layers", layers_of(self.layers, "Recipe.layers"))
        is_number = isinstance(self.height, (int, float, np.integer, np.floating))
        if not is_number or isinstance(self.height, bool):
            raise ParameterError("Recipe.height must be a number", got=format_value(self.height))
        if not -MAX_HEIGHT <= to_float(self.height) <= MAX_HEIGHT:
            raise ParameterError(
                "Recipe.height must be in [{:g}, {:g}]",
                -MAX_HEIGHT,
                MAX_HEIGHT,
                got=format_value(self.height),
            )
        object.__setattr__(self, "height", float(self.height))
        object.__setattr__(self, "size", check_size(self.size))
        object.__setattr__(self, "depth", check_depth(self.depth, self.size))
        object.__setattr__(self, "seed", check_seed(self.seed, "Recipe"))
        object.__setattr__(self, "bound_layers", self.layers)
        if (
            self.curves is not NO_CURVES
        ):  # most recipes have none, and are made with each step of a drag
            self._bind_curves()

    def _bind_curves(self) -> None:
        """Check the curves, and hand them to the layers that name them."""
        curves = Curves(self.curves)
        object.__setattr__(self, "curves", curves or NO_CURVES)
        if curves:
            named.check_names(self.layers, curves, "Recipe.curves")
            bound = tuple(named.bind(layer, curves) for layer in self.layers)
            object.__setattr__(self, "bound_layers", bound)

    def bound(self) -> Self:
        """Return the recipe whose layers hold the curves that they name; itself without any."""
        if not self.curves:
            return self
        return dataclasses.replace(self, layers=self.bound_layers, curves=NO_CURVES)

    def with_curve_names(self, curves: Mapping[str, LandCurve]) -> Self:
        """Return the recipe whose layers name curves instead of holding them: the inverse of `bound`.

        Parameters
        ----------
        curves : mapping of str to LandCurve
            Names of curves. Those that no layer has are left out, and of equal ones all but the first.

        Examples
        --------
        >>> from noise_core import Recipe
        >>> lake = Recipe.from_preset("lake")
        >>> lake.bound().with_curve_names(lake.curves) == lake
        True
        """
        names: dict[LandCurve, str] = {}
        for name, curve in curves.items():
            names.setdefault(curve, name)
        layers = tuple(named.unbind(layer, names) for layer in self.bound_layers)
        used = {name for layer in layers for name in named.curve_names(layer)}
        kept = {name: curve for name, curve in curves.items() if name in used}
        return dataclasses.replace(self, layers=layers, curves=kept or NO_CURVES)

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

    def with_size(self, size: float) -> Self:
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

    def with_seed(self, seed: int) -> Self:
        """Return the recipe with another seed: another land of the same kind.

        Parameters
        ----------
        seed : int
            Any integer of 32 bits.

        Raises
        ------
        ParameterError
            If it is none.

        Examples
        --------
        >>> from noise_core import Recipe
        >>> [Recipe.from_preset("alps").with_seed(seed).seed for seed in range(3)]
        [0, 1, 2]
        """
        return dataclasses.replace(self, seed=seed)

    def check_shape(self, shape: tuple[int, int], who: str, *, wrap: bool = False) -> None:
        """Raise a ParameterError unless a grid of so many rows and columns is the whole land, no more or less.

        Land that is a square can have any: it goes on beyond its edges. `who` starts the message.
        """
        steps = (shape[0] - (not wrap), shape[1] - (not wrap))
        if self.depth is None or is_whole_land(steps, self.depth_ratio):
            return
        raise ParameterError(
            "{} must be rows and columns of a terrain {:.6g} m wide and {:.6g} m deep, such as {} x {}",
            who,
            self.size,
            self.depth,
            *shape_of(max(shape), self.depth_ratio, wrap=wrap),
            got=Message("{} x {}", *shape),
        )

    @property
    def base(self) -> NoiseLayer | None:
        """The noise layer that keywords change: the first whose first noise has a frequency, or else the first.

        None if there is none. Layers without a frequency, such as gradients, give a land its outline and stay as
        they are.

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
        return min(
            numbers, key=lambda number: chain_keywords.frequency_rank(numbers[number]), default=None
        )

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

    def with_values(self, **values: Any) -> Self:
        """Return the recipe with some values of its base set; see `chain_keywords.with_values`.

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
        changed = base.with_noise(chain_keywords.with_values(base.noise, **values))
        return dataclasses.replace(self, layers=replace_layer(self.layers, number, changed))

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
            **({"curves": curves_to_plain(self.curves)} if self.curves else {}),
            "layers": [to_plain(layer) for layer in self.layers],
        }
        return json.dumps(plain, indent=2, allow_nan=False)

    @classmethod
    def from_preset(cls, name: str, *, seed: int | None = None) -> Self:
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
    def from_json(cls, text: str) -> Self:
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
    def from_plain(cls, plain: object) -> Self:
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
            raise RecipeError("Recipe: must be a JSON object", got=type(plain).__name__)
        check_format(plain, FORMAT, "Recipe")
        unknown = sorted(set(plain) - _ENTRIES)
        if unknown:
            allowed = ", ".join(sorted(_ENTRIES))
            raise RecipeError("Recipe: keys must be of {}", allowed, got=format_value(unknown[0]))
        layers = layers_from_plain(plain.get("layers", []), "layers")
        curves = curves_from_plain(plain.get("curves", {}))
        seed, height = plain.get("seed", 0), plain.get("height", 1.0)
        if not isinstance(seed, int) or not isinstance(height, (int, float)):
            raise RecipeError(
                "Recipe: seed and height must be numbers",
                got=f"{format_value(seed)}, {format_value(height)}",
            )
        meters: Any = {"size": plain.get("size", SIZE), "depth": plain.get("depth")}
        try:
            return cls(layers=layers, seed=seed, height=height, curves=curves, **meters)
        except ParameterError as error:
            raise RecipeError(error.message) from error
