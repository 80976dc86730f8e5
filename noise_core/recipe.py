# SPDX-License-Identifier: GPL-3.0-or-later
"""A recipe: plain data that becomes a terrain, an image or a file, with the same numbers everywhere."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .arrays import MAX_HEIGHT, Field, check_seed, to_float
from .blocks import Cancel, Progress
from .errors import ParameterError, RecipeError, format_value
from .grid import SIZES, Grid, check_grid
from .json_texts import json_value
from .mask import Layer
from .migrations import FORMAT, SIZE, migrated
from .modifier import Modifier, Relief, modifier_types
from .noise import Noise, noise_types
from .preset_files import recipe_of
from .serial import from_plain, to_plain

_ENTRIES = frozenset({"format", "size", "noise", "modifiers", "seed", "height", "noise_muted"})
"""Of a recipe as JSON."""

MOST_MODIFIERS = 1000
"""Of a recipe: far more than a list that somebody looks through."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Recipe:
    """A noise, what is done to its field, a seed, and its height and width in meters.

    Parameters
    ----------
    noise : Noise
        A tree of at most 1000 noises, at most 64 one inside the other.
    modifiers : sequence of Modifier
        Applied in order; at most `MOST_MODIFIERS`.
    seed : int
        Any integer of 32 bits.
    height : float
        Meters per unit of noise: a noise of 1 stands this high, -1 this deep.
    size : float
        Width in meters, in the range of `Grid.size`. The noise is the same at every size, but
        slopes are not, and so erosion needs it: evaluate a recipe on `grid`, which has it.
    noise_muted : bool
        The ground begins as a plain of height 0 instead. The noise still stands in masks.

    Raises
    ------
    ParameterError
        If a value is not so.
    """

    noise: Noise
    modifiers: tuple[Modifier, ...] = ()
    seed: int = 0
    height: float = 1.0
    size: float = SIZE
    noise_muted: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.noise, Noise):
            raise ParameterError("Recipe.noise must be a noise; got {}", format_value(self.noise))
        self.noise.check_extent("Recipe.noise")
        if not isinstance(self.modifiers, (tuple, list)):
            raise ParameterError(
                "Recipe.modifiers must be modifiers; got {}", format_value(self.modifiers)
            )
        if len(self.modifiers) > MOST_MODIFIERS:
            raise ParameterError(
                "Recipe.modifiers must be at most {}; got {}", MOST_MODIFIERS, len(self.modifiers)
            )
        for modifier in self.modifiers:
            if not isinstance(modifier, Modifier):
                raise ParameterError(
                    "Recipe.modifiers must be modifiers; got {}", format_value(modifier)
                )
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
        if not isinstance(self.noise_muted, (bool, np.bool_)):
            raise ParameterError(
                "Recipe.noise_muted must be true or false; got {}", format_value(self.noise_muted)
            )
        object.__setattr__(self, "noise_muted", bool(self.noise_muted))
        object.__setattr__(self, "modifiers", tuple(self.modifiers))
        object.__setattr__(self, "height", float(self.height))
        object.__setattr__(self, "size", _checked_size(self.size))
        object.__setattr__(self, "seed", check_seed(self.seed, "Recipe"))

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
            Samples along both sides, or rows and columns.
        wrap, origin
            See `Grid`. A grid that wraps has other ground than one that does not; two of the same
            kind agree on the samples they share.

        Raises
        ------
        ParameterError
            If a value is not allowed.
        """
        shape = resolution if isinstance(resolution, (tuple, list)) else (resolution, resolution)
        if len(shape) != 2:
            raise ParameterError(
                "Recipe.grid: resolution must be an integer, or rows and columns; got {}",
                format_value(resolution),
            )
        return Grid(*shape, wrap=wrap, origin=origin, size=self.size)

    def evaluate(
        self,
        grid: Grid,
        *,
        evolution: tuple[float, ...] = (),
        masks: Mapping[int, Field] | None = None,
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
            Where the samples lie: as a rule `grid`'s. Slopes are measured in the meters of what is
            given here, so on a grid of another size the same noise is eroded in another way.
        masks : mapping of int to array_like of shape (rows, columns), optional
            Where a modifier acts, by its place in `modifiers`; see `Modifier.apply`. There must be
            one at that place.
        ground : ndarray of shape (rows, columns), float32, optional
            What `ground` returns for the same grid and evolution, if it is known.
        evolution, threads, progress, cancel
            See `Noise.sample_grid`.

        Raises
        ------
        ParameterError, Cancelled
        """
        check_grid(grid, "Recipe.evaluate")
        if masks is not None and not isinstance(masks, Mapping):
            raise ParameterError(
                "Recipe.evaluate: masks must be a mapping of places to fields; got {}",
                format_value(masks),
            )
        for place in masks or {}:
            if not isinstance(place, int) or place not in range(len(self.modifiers)):
                raise ParameterError(
                    "Recipe.evaluate: masks must be those of {} modifiers, by their places from "
                    "0 on; got {}",
                    len(self.modifiers),
                    format_value(place),
                )
        active = [entry for entry in enumerate(self.modifiers) if not entry[1].muted]
        steps = 1 + len(active)
        begun = _share(progress, 0, steps)
        if ground is None:
            height = self.ground(
                grid, evolution=evolution, threads=threads, progress=begun, cancel=cancel
            )
            height *= self.height
        else:
            height = ground * np.float32(self.height)
            if begun is not None:
                begun(1.0)
        maps: dict[str, Field] = {}
        amounts: frozenset[str] = frozenset()
        layers = self.layers(evolution) if active else {}
        for step, (place, modifier) in enumerate(active, 1):
            relief = modifier.moved_on(evolution).apply(
                height,
                grid,
                modifier.seed_in(self.seed, place),
                mask=(masks or {}).get(place),
                progress=_share(progress, step, steps),
                cancel=cancel,
                layers=layers,
            )
            height = relief.height
            for name, values in relief.maps.items():
                adds_up = name in amounts and name in modifier.amounts
                maps[name] = maps[name] + values if adds_up else values
            amounts = amounts - relief.maps.keys() | modifier.amounts
        return Relief(height, maps)

    def ground(
        self,
        grid: Grid,
        *,
        evolution: tuple[float, ...] = (),
        threads: int | None = None,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
    ) -> Field:
        """Return the noise on a grid, before it is scaled by the height and modified.

        Parameters
        ----------
        grid, evolution, threads, progress, cancel
            See `evaluate`.

        Returns
        -------
        ndarray of shape (rows, columns), float32
            In units; 0 if the noise is muted.

        Raises
        ------
        ParameterError, Cancelled
        """
        if self.noise_muted:
            if progress is not None:
                progress(1.0)
            return np.zeros(check_grid(grid, "Recipe.ground").shape, np.float32)
        return self.noise.sample_grid(
            grid,
            self.seed,
            evolution=evolution,
            threads=threads,
            progress=progress,
            cancel=cancel,
        )

    def layers(self, evolution: tuple[float, ...] = ()) -> dict[str, Layer]:
        """Return the noises that take part, by name: its own has none; of two the first counts.

        Parameters
        ----------
        evolution : tuple of up to two floats
            Where they are along further dimensions; see `Noise.sample_grid`.
        """
        found: dict[str, Layer] = {}
        for modifier in reversed(self.modifiers):
            layer = modifier.moved_on(evolution).layer(self.seed)
            if layer is not None and modifier.name:
                found[modifier.name] = layer
        found[""] = Layer(self._noise_at(evolution), self.seed)
        return found

    def _noise_at(self, evolution: tuple[float, ...]) -> Noise:
        return self.noise.at_time(evolution)

    def to_json(self) -> str:
        """Return the recipe as JSON text, with the version of its format."""
        import json

        plain = {
            "format": FORMAT,
            "size": self.size,
            "noise": to_plain(self.noise),
            "modifiers": [to_plain(modifier) for modifier in self.modifiers],
            "seed": self.seed,
            "height": self.height,
            "noise_muted": self.noise_muted,
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
        """
        plain, size = recipe_of(name)
        recipe = cls.from_plain(plain, size=size)
        return recipe if seed is None else dataclasses.replace(recipe, seed=seed)

    @classmethod
    def from_json(cls, text: str, *, size: float = SIZE) -> Recipe:
        """Return the recipe that `to_json` wrote, this version's or an older one's.

        Parameters
        ----------
        text : str
        size : float
            Width in meters if the text has none: recipes of formats 1 to 3 were as wide as the
            preset, the object or the image that they belonged to.

        Raises
        ------
        RecipeError
            If the text is not JSON, or not a recipe that this version can read.
        """
        try:
            plain = json_value(text)
        except ValueError as error:
            raise RecipeError("Recipe: not JSON: {}", error) from error
        return cls.from_plain(plain, size=size)

    @classmethod
    def from_plain(cls, plain: object, *, size: float = SIZE) -> Recipe:
        """Return the recipe that plain data describes: what `to_json` wrote, read as JSON.

        `size` is that of `from_json`.

        Raises
        ------
        RecipeError
            If it is not a recipe that this version can read.
        """
        if not isinstance(plain, dict):
            raise RecipeError("Recipe: must be a JSON object; got {}", type(plain).__name__)
        plain = migrated({"size": size, **plain})
        unknown = sorted(set(plain) - _ENTRIES)
        if unknown:
            allowed = ", ".join(sorted(_ENTRIES))
            raise RecipeError(
                "Recipe: entries must be of {}; got {}", allowed, format_value(unknown[0])
            )
        stack = plain.get("modifiers", [])
        if not isinstance(stack, list):
            raise RecipeError("Recipe: modifiers must be a list; got {}", format_value(stack))
        noise = from_plain(plain.get("noise"), noise_types(), "noise")
        modifiers = tuple(
            from_plain(entry, modifier_types(), f"modifiers[{place}]")
            for place, entry in enumerate(stack)
        )
        seed, height = plain.get("seed", 0), plain.get("height", 1.0)
        if not isinstance(seed, int) or not isinstance(height, (int, float)):
            raise RecipeError(
                "Recipe: seed and height must be numbers; got {}, {}",
                format_value(seed),
                format_value(height),
            )
        rest: dict[str, Any] = {"size": plain["size"]}  # for the class to refuse
        if "noise_muted" in plain:
            rest["noise_muted"] = plain["noise_muted"]
        try:
            return cls(noise=noise, modifiers=modifiers, seed=seed, height=height, **rest)
        except ParameterError as error:
            raise RecipeError(error.message) from error


def _checked_size(size: object) -> float:
    """Return a width that a grid can have."""
    is_number = isinstance(size, (int, float, np.integer, np.floating))
    if not is_number or isinstance(size, bool):
        raise ParameterError("Recipe.size must be a number; got {}", format_value(size))
    try:
        return Grid(1, 1, size=to_float(size)).size
    except ParameterError as error:
        raise ParameterError(
            "{} must be in [{:g}, {:g}]; got {}",
            "Recipe.size",
            *SIZES,
            format_value(to_float(size)),
        ) from error


def _share(progress: Progress | None, step: int, steps: int) -> Progress | None:
    """Return a progress that fills only one step's share of the whole."""
    if progress is None:
        return None
    report: Callable[[float], None] = progress
    return lambda done: report((step + done) / steps)
