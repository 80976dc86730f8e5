# SPDX-License-Identifier: GPL-3.0-or-later
"""Hypothesis strategies made from the declarations: any noise, any modifier, any of their values."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping

import numpy as np
from hypothesis import reject
from hypothesis import strategies as st

from noise_core import Modifier, Noise, ParameterError, map_types, mask_types, noise_types
from noise_core.base.params import Declared, Parameter
from noise_core.curves.land_curve import CurvePoint, LandCurve
from noise_core.erosion.earthworks.placement import Placement
from noise_core.masks import ProductMask
from noise_core.recipes.chains import filter_types
from noise_core.recipes.layers import Group, NoiseLayer

DEEPEST = 2
"""How many noises may stand one inside the other."""

SEEDS = st.integers(-0x80000000, 0xFFFFFFFF)


def is_leaf(cls: type[Declared]) -> bool:
    """Return whether a type needs no other noise."""
    return all(parameter.kind != "noise" for parameter in cls.parameters())


@functools.cache  # Hypothesis validates each strategy object once
def noises(depth: int = DEEPEST) -> st.SearchStrategy[Noise]:
    """Return a strategy for any tree of noises, at most `depth` below the root."""
    types = [cls for cls in noise_types().values() if depth > 0 or is_leaf(cls)]
    return st.sampled_from(types).flatmap(lambda cls: instances(cls, depth))


@functools.cache
def instances(cls: type[Declared], depth: int = DEEPEST) -> st.SearchStrategy:
    """Return a strategy for one type with any parameters that its declaration allows."""
    drawn = {parameter.name: values(parameter, depth) for parameter in cls.parameters()}
    return st.fixed_dictionaries(drawn).map(lambda chosen: _made(cls, chosen))


def _made(cls: type[Declared], chosen: dict[str, object]) -> Declared:
    """Return an instance; a rule about two parameters together may refuse the draw."""
    try:
        return cls(**chosen)
    except ParameterError:
        for parameter in cls.parameters():
            parameter.check(chosen[parameter.name], cls.__name__)  # alone, each is allowed
        reject()


def modifier_stacks(types: Mapping[str, type[Modifier]]) -> st.SearchStrategy:
    """Return a strategy for up to three modifiers."""
    if not types:
        return st.just(())
    one = st.sampled_from(list(types.values())).flatmap(instances)
    return st.lists(one, max_size=3).map(tuple)


def values(parameter: Parameter, depth: int = DEEPEST) -> st.SearchStrategy:
    """Return a strategy for the values of one parameter."""
    return _STRATEGIES[parameter.kind](parameter, depth)


def limits(parameter: Parameter) -> tuple[float, float]:
    """Return the hard limits; where there are none, ten beyond the default."""
    around = parameter.default if isinstance(parameter.default, float) else 0.0
    low = parameter.minimum if math.isfinite(parameter.minimum) else around - 10.0
    high = parameter.maximum if math.isfinite(parameter.maximum) else around + 10.0
    return low, high


def _soft_limits(parameter: Parameter) -> tuple[float, float]:
    low, high = limits(parameter)
    return max(low, parameter.soft_minimum), min(high, parameter.soft_maximum)


def _number(parameter: Parameter, depth: int) -> st.SearchStrategy[float]:
    low, high = limits(parameter)
    soft = st.floats(*_soft_limits(parameter))
    # Mostly what a slider gives, now and then what only a script would ask for.
    drawn = st.one_of(soft, soft, soft, st.floats(low, high), st.sampled_from([low, high]))
    # Numbers that vanish in float32 are tried by test_extremes.py.
    return drawn.map(lambda value: 0.0 if abs(value) < 1e-30 and low <= 0.0 <= high else value)


def _integer(parameter: Parameter, depth: int) -> st.SearchStrategy[int]:
    low, high = _soft_limits(parameter)
    soft = st.integers(int(low), int(high))
    hard = st.integers(int(parameter.minimum), int(parameter.maximum))
    return st.one_of(soft, soft, soft, hard)


def _vector(parameter: Parameter, depth: int) -> st.SearchStrategy[tuple[float, ...]]:
    low, high = limits(parameter)
    return st.tuples(*[st.floats(low, high)] * parameter.size)


def _curve(parameter: Parameter, depth: int) -> st.SearchStrategy:
    steps = st.lists(st.floats(0.01, 1.0), min_size=2, max_size=5)
    start = st.floats(-1.5, 0.5)

    def rising(steps: list[float], start: float, heights: list[float]) -> object:
        return tuple((start + sum(steps[:i]), heights[i]) for i in range(len(steps)))

    heights = st.lists(st.floats(-2.0, 2.0), min_size=5, max_size=5)
    return st.builds(rising, steps, start, heights)


def _noise(parameter: Parameter, depth: int) -> st.SearchStrategy[Noise]:
    return noises(max(depth - 1, 0))


def _number_or_noise(parameter: Parameter, depth: int) -> st.SearchStrategy:
    plain = _number(parameter, depth)
    return st.one_of(plain, noises(depth - 1)) if depth > 0 else plain


def _pixels(parameter: Parameter, depth: int) -> st.SearchStrategy:
    def filled(rows: int, columns: int, seed: int) -> object:
        return np.random.default_rng(seed).uniform(-1.5, 1.5, (rows, columns)).astype(np.float32)

    return st.builds(filled, st.integers(1, 6), st.integers(1, 6), st.integers(0, 9))


def _curves(parameter: Parameter, depth: int) -> st.SearchStrategy:
    places = st.tuples(st.floats(-0.5, 1.5), st.floats(-0.5, 1.5))
    points = st.builds(
        CurvePoint,
        at=places,
        z=st.floats(-500.0, 500.0),
        width=st.sampled_from((0.0, 8.0, 300.0)),
        tilt=st.floats(-20.0, 20.0),
        roughness=st.sampled_from((0.0, 0.5)),
        right=st.none() | places,
    )
    several = st.lists(points, min_size=2, max_size=4, unique_by=lambda point: point.at)
    one = st.builds(LandCurve, points=several, closed=st.booleans())
    return st.lists(one, max_size=2).map(tuple)


def _placements(parameter: Parameter, depth: int) -> st.SearchStrategy:
    factors = st.sampled_from((-1.0, 0.3, 1.0, 2.5))
    one = st.builds(
        Placement,
        at=st.tuples(st.floats(-0.5, 1.5), st.floats(-0.5, 1.5)),
        z=st.floats(-500.0, 500.0),
        rotation=st.floats(-400.0, 400.0),
        scale=st.tuples(factors, factors, factors),
    )
    return st.lists(one, max_size=2).map(tuple)


LAYERS = ("", "hills", "Fels 岩 \u00a0")
"""Names of layers that masks stand for."""


def _map(parameter: Parameter, depth: int) -> st.SearchStrategy:
    types = [cls for cls in map_types().values() if cls.channels == 1]
    return st.sampled_from(types).flatmap(instances)


@functools.cache
def _filters() -> st.SearchStrategy[Noise]:
    return st.sampled_from(list(filter_types().values())).flatmap(lambda cls: instances(cls, 1))


@functools.cache
def blended_layers(depth: int = DEEPEST) -> st.SearchStrategy:
    """Return a strategy for up to two noise layers and groups."""
    types = [NoiseLayer, Group] if depth > 0 else [NoiseLayer]
    one = st.sampled_from(types).flatmap(lambda cls: instances(cls, depth))
    return st.lists(one, max_size=2).map(tuple)


def _mask(parameter: Parameter, depth: int) -> st.SearchStrategy:
    types = [cls for cls in mask_types().values() if depth > 0 or cls is not ProductMask]
    one = st.sampled_from(types).flatmap(lambda cls: instances(cls, depth - 1))
    return st.one_of(st.none(), st.none(), one)


_STRATEGIES: Mapping[str, Callable[[Parameter, int], st.SearchStrategy]] = {
    "number": _number,
    "integer": _integer,
    "boolean": lambda parameter, depth: st.booleans(),
    "choice": lambda parameter, depth: st.sampled_from(list(parameter.options)),
    "vector": _vector,
    "curve": _curve,
    "noise": _noise,
    "number_or_noise": _number_or_noise,
    "pixels": _pixels,
    "curves": _curves,
    "placements": _placements,
    "text": lambda parameter, depth: st.sampled_from(LAYERS),
    "map": _map,
    "mask": _mask,
    "chain": _noise,
    "filters": lambda parameter, depth: st.lists(_filters(), max_size=2).map(tuple),
    "layers": lambda parameter, depth: blended_layers(depth - 1),
}
