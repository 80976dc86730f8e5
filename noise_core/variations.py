# SPDX-License-Identifier: GPL-3.0-or-later
"""Other recipes of the same kind: with other seeds, or with knobs turned a little.

Which ones is told by a number: the same number gives the same recipes, on every machine.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass

from . import spine
from .errors import ParameterError
from .modifier import Modifier
from .noise import Noise
from .noises.fractal import Fractal
from .params import Declared, Parameter
from .recipe import Recipe
from .spine import Knobs, Spine

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
"""Probabilities that a knob is turned, and that another choice is made."""

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
    """
    made: list[Variation] = []
    seeds = {recipe.seed}
    draw = 0
    while len(made) < count:
        seed = int(_random("seed", number, draw) * 10_000)
        draw += 1
        if seed not in seeds:
            seeds.add(seed)
            made.append(Variation(dataclasses.replace(recipe, seed=seed), (("Seed", seed),)))
    return tuple(made)


def turned_knobs(
    recipe: Recipe, number: int, count: int, acting: Recipe | None = None
) -> tuple[Variation, ...]:
    """Return so many recipes like this one, each with some knobs of its noise turned.

    Parameters
    ----------
    recipe : Recipe
        Its modifiers, seed and height stay. If its noise is muted, those of its layers are turned.
    number : int
        Any other number gives others.
    count : int
    acting : Recipe, optional
        The same with more of its modifiers muted: the noises of those are left as they are.

    Raises
    ------
    ParameterError
        If its noise has no knobs, or no noise takes part.
    """
    made: list[Variation] = []
    layers = _layers(recipe if acting is None else acting) if recipe.noise_muted else ()
    for draw in range(8 * count):
        turn = functools.partial(_random, number=number, draw=draw)
        one = (
            _with_layers(recipe, layers, turn) if recipe.noise_muted else _with_noise(recipe, turn)
        )
        if one is not None and all(one.changes != other.changes for other in made):
            made.append(one)
        if len(made) == count:
            return tuple(made)
    if recipe.noise_muted and not layers:
        raise ParameterError("The base noise is muted, and no layer of noise takes its place")
    raise ParameterError("{} has no knobs to turn: try other seeds", type(recipe.noise).label)


Chance = Callable[[str], float]
"""Returns a number in [0, 1) by the name of what it is for."""

Changes = tuple[tuple[str, object], ...]


def _with_noise(recipe: Recipe, chance: Chance) -> Variation | None:
    """Return the recipe with another base noise; None if chance turned nothing."""
    changed = _vary(recipe.noise, chance)
    if changed is None:
        return None
    return Variation(dataclasses.replace(recipe, noise=changed[0]), changed[1])


def _with_layers(
    recipe: Recipe, layers: tuple[tuple[int, str], ...], chance: Chance
) -> Variation | None:
    """Return the recipe with other noises in its layers; None if chance turned nothing."""
    modifiers = list(recipe.modifiers)
    changes: list[tuple[str, object]] = []
    for place, name in layers:
        changed = _vary(
            getattr(modifiers[place], name),
            lambda knob, place=place: chance(f"{place} {knob}"),  # type: ignore[misc]
        )
        if changed is not None:
            turned = modifiers[place].with_values(**{name: changed[0]})
            assert isinstance(turned, Modifier)
            modifiers[place] = turned
            changes.extend(changed[1])
    if not changes:
        return None
    return Variation(dataclasses.replace(recipe, modifiers=tuple(modifiers)), tuple(changes))


def _layers(recipe: Recipe) -> tuple[tuple[int, str], ...]:
    """Return the places of the noises that modifiers bring which are not muted, and their names."""
    return tuple(
        (place, parameter.name)
        for place, modifier in enumerate(recipe.modifiers)
        for parameter in modifier.parameters()
        if parameter.kind == "noise" and not modifier.muted
    )


def _vary(noise: Noise, chance: Chance) -> tuple[Noise, Changes] | None:
    """Return a noise with some knobs turned, and which; None if chance turned none."""
    old = spine.knobs(noise)
    wanted = _vary_knobs(old, chance)
    turned = {name: value for name, value in wanted.items() if value != getattr(old, name)}
    changes: list[tuple[str, object]] = [(name.title(), value) for name, value in turned.items()]
    made = spine.with_knobs(noise, Knobs(**turned))  # type: ignore[arg-type]
    leaf = Spine.of(made).leaf
    for parameter in leaf.parameters():
        value = _vary_parameter(leaf, parameter, chance)
        if value is not None:
            leaf = _change(leaf, parameter, value)
            changes.append((parameter.title, value))
    if not changes:
        return None
    return spine.with_leaf(made, leaf), tuple(changes)


def _vary_knobs(old: Knobs, chance: Chance) -> dict[str, float]:
    """Return new values of the knobs that a noise has, as far as chance turns them."""
    declared = {one.name: one for one in Fractal.parameters()}
    made: dict[str, float] = {}
    if old.frequency and chance("turn frequency") < TURNED:
        made["frequency"] = _round(
            old.frequency * 2.0 ** (FREQUENCY * _signed_random(chance, "frequency"))
        )
    if old.octaves is not None and chance("turn octaves") < TURNED:
        moved = old.octaves + round(OCTAVES * _signed_random(chance, "octaves"))
        made["octaves"] = _within(moved, old.octaves, _soft_limits(declared["octaves"]))
    for name, by, limits in (
        ("persistence", PERSISTENCE, PERSISTENCES),
        ("lacunarity", LACUNARITY, LACUNARITIES),
    ):
        value = getattr(old, name)
        if value is not None and chance(f"turn {name}") < TURNED:
            made[name] = _round(_within(value + by * _signed_random(chance, name), value, limits))
    if old.frequency and chance("turn warp") < TURNED:
        low, high = NEW_WARP
        fresh = low + (high - low) * chance("warp")
        made["warp"] = _round(
            old.warp * 2.0 ** (WARP * _signed_random(chance, "warp")) if old.warp else fresh
        )
    return made


def _vary_parameter(leaf: Noise, parameter: Parameter, chance: Chance) -> object | None:
    """Return another value of a type's own parameter; None if it stays."""
    if parameter.name == "frequency" or not _has_effect(leaf, parameter):
        return None
    value, name = getattr(leaf, parameter.name), f"own {parameter.name}"
    is_shape = all(one.name != "frequency" for one in leaf.parameters())
    if parameter.kind == "choice":
        if is_shape:
            return None
        others = [key for key in parameter.options if key != value]
        if not others or chance(f"turn {name}") >= CHOSEN:
            return None
        return others[int(chance(name) * len(others))]
    low, high = _soft_limits(parameter)
    is_number = parameter.kind in ("number", "integer") and isinstance(value, (int, float))
    if not is_number or not math.isfinite(high - low) or chance(f"turn {name}") >= TURNED:
        return None
    by = OWN_SHAPE if is_shape else OWN
    moved = _within(value + by * (high - low) * _signed_random(chance, name), value, (low, high))
    made = round(moved) if parameter.kind == "integer" else _round(moved)
    return None if made == value else made


def _change(leaf: Noise, parameter: Parameter, value: object) -> Noise:
    made = leaf.with_values(**{parameter.name: value})
    assert isinstance(made, Noise)
    return made


def _has_effect(owner: Declared, parameter: Parameter) -> bool:
    if parameter.visible_when is None:
        return True
    name, wanted = parameter.visible_when
    return getattr(owner, name) in wanted


def _soft_limits(parameter: Parameter) -> tuple[float, float]:
    low = max(parameter.minimum, parameter.soft_minimum)
    return low, min(parameter.maximum, parameter.soft_maximum)


def _within(moved: float, old: float, limits: tuple[float, float]) -> float:
    """Return a value within limits, or beyond them no farther than it was before."""
    return min(max(moved, min(limits[0], old)), max(limits[1], old))


def _signed_random(chance: Chance, name: str) -> float:
    """Return a number in [-1, 1)."""
    return 2.0 * chance(name) - 1.0


def _round(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")


def _random(name: str, number: int, draw: int) -> float:
    """Return a random number in [0, 1) that depends on its arguments alone."""
    digest = hashlib.blake2b(f"{name}/{number}/{draw}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2.0**64
