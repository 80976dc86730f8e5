# SPDX-License-Identifier: GPL-3.0-or-later
"""What 0 stands for is the value that is declared: modifiers and maps do with it as with 0, to the bit."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid, Recipe, modifier_types
from noise_core.base.declared import AUTOMATIC, LandMeasures
from noise_core.maps.bases.map import map_types
from noise_core.noises import Fractal, Perlin

SIZE, HEIGHT = 3000.0, 300.0

GRID = Grid(65, 65, size=SIZE)

OTHERS = {"fill_lakes": {"sea": True}}
"""Values with which an automatic number has an effect on this ground."""


def _cases():
    for cls in [*modifier_types().values(), *map_types().values()]:
        for parameter in cls.parameters():
            if isinstance(parameter.automatic, tuple):
                yield pytest.param(cls, parameter, id=f"{cls.key}-{parameter.name}")


@pytest.fixture(scope="module")
def ground():
    noise = Fractal(source=Perlin(frequency=3.0), octaves=6)
    return Recipe(layers=(noise,), seed=3, size=SIZE, height=HEIGHT).evaluate(GRID).height


def _holder(cls, parameter):
    """Return an object on which the parameter has an effect."""
    values = dict(OTHERS.get(cls.key, {}))
    if parameter.visible_when is not None:
        name, condition = parameter.visible_when
        if isinstance(condition, tuple):
            values[name] = condition[0]
        else:
            values[name] = condition if isinstance(condition, bool) else 1.0
    return cls(**values)


def _result(holder, ground):
    if hasattr(holder, "apply"):
        result = holder.apply(ground, GRID, seed=1)
        return np.concatenate([result.height, *result.maps.values()])
    return holder.values(ground, GRID)


@pytest.mark.parametrize(("cls", "parameter"), list(_cases()))
def test_0_is_what_is_declared(cls, parameter, ground):
    holder = _holder(cls, parameter)
    declared = {item.name: item for item in cls.parameters()}
    value = parameter.automatic_value(holder, declared, LandMeasures(SIZE, HEIGHT))
    if value is None:
        assert parameter.automatic[1] == "relief"
        return
    given = holder.with_values(**{parameter.name: value})
    expected = _result(holder, ground)
    off = np.abs(_result(given, ground) - expected) > 1e-5 * np.ptp(expected)
    assert off.mean() < 0.002  # a brook begins at a sample more or less
    others = (holder.with_values(**{parameter.name: factor * value}) for factor in (30.0, 0.05))
    assert any((_result(other, ground) != expected).mean() > 0.002 for other in others)


def test_a_measure_has_one_noun_and_one_value():
    land = LandMeasures(size=200.0, height=30.0, depth=0.5)
    assert {name: value(land) for name, (_, value) in AUTOMATIC.items()} == {
        "terrain": 200.0,
        "terrain area": 20000.0,
        "relief": None,
        "recipe height": 30.0,
    }
