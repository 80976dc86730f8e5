# SPDX-License-Identifier: GPL-3.0-or-later
"""Other recipes of the same kind: with other seeds, or with a few values changed a little.

Which ones is told by a number: the same number gives the same recipes, on every machine.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from ..base.errors import ParameterError
from ..base.params import Parameter
from ..noises.bases.noise import Noise
from ..noises.fractal import Fractal
from . import chain_keywords, chains
from .layers import NoiseLayer, active_numbers, flatten, replace_layer
from .recipe import Recipe

FREQUENCY = 0.75
"""Octaves that the frequency moves by, at most: beyond, it is another landscape."""

OCTAVES = 2.0
PERSISTENCE, PERSISTENCES = 0.14, (0.3, 0.68)
LACUNARITY, LACUNARITIES = 0.25, (1.7, 2.6)
"""How far they move, and limits in which sums of octaves still look like ground."""

WARP, NEW_WARP = 0.9, (0.04, 0.25)
"""Octaves that the strength of a warp moves by, and the strengths of one that was not there."""

OWN, OWN_SHAPE = 0.25, 0.08
"""Share of a slider's range that a type's own parameters move by; those of a type without a frequency,
such as a gradient, are the shape of the whole and move less."""

TURNED, CHOSEN = 0.6, 0.2
"""How often a number is changed, and a choice."""

_DIGITS = 3


@dataclass(frozen=True)
class Variation:
    """A recipe, and its differences from the original.

    Attributes
    ----------
    recipe : Recipe
    changes : tuple of pairs (title, value)
        Names of parameters as people read them, and their new values.
    """

    recipe: Recipe
    changes: tuple[tuple[str, object], ...]


def other_seeds(recipe: Recipe, number: int, count: int) -> tuple[Variation, ...]:
    """Return the recipe with so many other seeds.

    Parameters
    ----------
    recipe : Recipe
    number : int
        Any other number gives other seeds.
    count : int

    Examples
    --------
    >>> from noise_core import Recipe
    >>> from noise_core.noises import Fractal
    >>> from noise_core.recipes.variations import other_seeds
    >>> varied = other_seeds(Recipe(layers=(Fractal(),)), number=1, count=3)
    >>> len({variation.recipe.seed for variation in varied})
    3
    """
    variations: list[Variation] = []
    seeds = {recipe.seed}
    draw = 0
    while len(variations) < count:
        seed = int(_chance("seed", number, draw) * 10_000)
        draw += 1
        if seed not in seeds:
            seeds.add(seed)
            variations.append(Variation(dataclasses.replace(recipe, seed=seed), (("Seed", seed),)))
    return tuple(variations)


def other_values(
    recipe: Recipe, number: int, count: int, acting: Recipe | None = None
) -> tuple[Variation, ...]:
    """Return so many recipes like this one, each with other values in one noise layer.

    It is the first noise layer that takes part and has values to vary. All else stays.

    Parameters
    ----------
    recipe : Recipe
    number : int
        Any other number gives others.
    count : int
    acting : Recipe, optional
        The same with more of its layers muted: those are left as they are.

    Raises
    ------
    ParameterError
        If no noise layer takes part, or none has values to vary.

    Examples
    --------
    >>> from noise_core import Recipe
    >>> from noise_core.noises import Fractal
    >>> from noise_core.recipes.variations import other_values
    >>> recipe = Recipe(layers=(Fractal(),), seed=3)
    >>> varied = other_values(recipe, number=1, count=4)
    >>> len(varied), all(variation.recipe.seed == 3 for variation in varied)
    (4, True)
    """
    varied: list[Variation] = []
    layers = tuple(active_numbers((recipe if acting is None else acting).layers))
    for layer in layers:
        for draw in range(8 * count):
            chance = functools.partial(_chance, number=number, draw=draw)
            variation = _vary_layer(recipe, layer, chance)
            if variation is not None and all(
                variation.changes != earlier.changes for earlier in varied
            ):
                varied.append(variation)
            if len(varied) == count:
                return tuple(varied)
    if not layers:
        raise ParameterError("No noise layer takes part: add one, or unmute one")
    raise ParameterError("The noise layers have no values to vary: try other seeds")


Chance = Callable[[str], float]
"""Returns a number in [0, 1) by the name of what it is for."""

Changes = tuple[tuple[str, object], ...]


def _vary_layer(recipe: Recipe, number: int, chance: Chance) -> Variation | None:
    """Return the recipe with another noise in a layer; None if chance changed nothing."""
    _, layer = list(flatten(recipe.layers))[number]
    assert isinstance(layer, NoiseLayer)
    changed = _vary(layer.noise, chance)
    if changed is None:
        return None
    layers = replace_layer(recipe.layers, number, layer.with_noise(changed[0]))
    return Variation(dataclasses.replace(recipe, layers=layers), changed[1])


def _vary(noise: Noise, chance: Chance) -> tuple[Noise, Changes] | None:
    """Return a noise with some values changed, and which; None if chance changed none."""
    old = chain_keywords.values(noise)
    keywords = _keyword_values(old, chance)
    new = {name: value for name, value in keywords.items() if value != old.get(name)}
    changes: list[tuple[str, object]] = [(name.title(), value) for name, value in new.items()]
    varied = chain_keywords.with_values(noise, **new)
    basis = chains.elements(varied)[0]
    for parameter in basis.parameters():
        value = _own_value(basis, parameter, chance)
        if value is not None:
            basis = cast(Noise, basis.with_values(**{parameter.name: value}))
            changes.append((parameter.title, value))
    if not changes:
        return None
    return chains.replace_element(varied, 0, basis), tuple(changes)


def _keyword_values(old: Mapping[str, Any], chance: Chance) -> dict[str, Any]:
    """Return new values of a chain by keyword, as far as chance changes them."""
    declared = {parameter.name: parameter for parameter in Fractal.parameters()}
    new: dict[str, Any] = {}
    frequency, octaves, warp = old.get("frequency"), old.get("octaves"), old["warp"]
    if frequency and chance("turn frequency") < TURNED:
        new["frequency"] = _round(frequency * 2.0 ** (FREQUENCY * _around(chance, "frequency")))
    if octaves is not None and chance("turn octaves") < TURNED:
        moved = octaves + round(OCTAVES * _around(chance, "octaves"))
        new["octaves"] = _within(moved, octaves, _soft_limits(declared["octaves"]))
    for name, by, limits in (
        ("persistence", PERSISTENCE, PERSISTENCES),
        ("lacunarity", LACUNARITY, LACUNARITIES),
    ):
        value = old.get(name)
        if value is not None and chance(f"turn {name}") < TURNED:
            new[name] = _round(_within(value + by * _around(chance, name), value, limits))
    if frequency and chance("turn warp") < TURNED:
        low, high = NEW_WARP
        fresh = low + (high - low) * chance("warp")
        new["warp"] = _round(warp * 2.0 ** (WARP * _around(chance, "warp")) if warp else fresh)
    return new


def _own_value(basis: Noise, parameter: Parameter, chance: Chance) -> object | None:
    """Return another value of a type's own parameter; None if it stays."""
    if parameter.name == "frequency" or not parameter.is_visible(basis):
        return None
    value, name = getattr(basis, parameter.name), f"own {parameter.name}"
    is_shape = all(declared.name != "frequency" for declared in basis.parameters())
    if parameter.kind == "choice":
        if is_shape:
            return None
        choices = [key for key in parameter.options if key != value]
        if not choices or chance(f"turn {name}") >= CHOSEN:
            return None
        return choices[int(chance(name) * len(choices))]
    low, high = _soft_limits(parameter)
    is_number = parameter.kind in ("number", "integer") and isinstance(value, (int, float))
    if not is_number or not math.isfinite(high - low) or chance(f"turn {name}") >= TURNED:
        return None
    by = OWN_SHAPE if is_shape else OWN
    moved = _within(value + by * (high - low) * _around(chance, name), value, (low, high))
    changed = round(moved) if parameter.kind == "integer" else _round(moved)
    return None if changed == value else changed


def _soft_limits(parameter: Parameter) -> tuple[float, float]:
    low = max(parameter.minimum, parameter.soft_minimum)
    return low, min(parameter.maximum, parameter.soft_maximum)


def _within(moved: float, old: float, limits: tuple[float, float]) -> float:
    """Return a value within limits, or beyond them no farther than it was before."""
    return min(max(moved, min(limits[0], old)), max(limits[1], old))


def _around(chance: Chance, name: str) -> float:
    """Return a number in [-1, 1)."""
    return 2.0 * chance(name) - 1.0


def _round(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")


def _chance(name: str, number: int, draw: int) -> float:
    """Return a number in [0, 1) that depends on its arguments alone."""
    digest = hashlib.blake2b(f"{name}/{number}/{draw}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2.0**64
