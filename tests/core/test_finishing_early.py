# SPDX-License-Identifier: GPL-3.0-or-later
"""Iterations end early on request: the result so far is complete, with all maps."""

from __future__ import annotations

import functools
import pkgutil

import numpy as np
import pytest

from noise_core import Cancelled, Grid, Recipe, modifier_types
from noise_core.base import blocks
from noise_core.modifiers import StreamErosion, Terraces, ThermalErosion
from noise_core.noises import Fractal, Perlin
from tests.core.contract_modifiers import KNOWN

pytestmark = pytest.mark.newest

ITERATIVE = {
    name: modifier_types()[key](**values)
    for key, entry in KNOWN.items()
    for name, values in entry.get("runs", {}).items()
}
WRAP = pytest.mark.parametrize("wrap", [False, True])
EACH = pytest.mark.parametrize("modifier", ITERATIVE.values(), ids=ITERATIVE)


@functools.cache
def relief(wrap=False):
    grid = Grid(104, 90, size=3000.0, wrap=wrap)
    height = Fractal(source=Perlin(frequency=4.0)).sample_grid(grid, 3) * np.float32(400.0)
    height.flags.writeable = False
    return grid, height


@functools.cache
def finished(modifier, wrap=False):
    """Return the result of all steps, cached and read-only."""
    grid, height = relief(wrap)
    return modifier.apply(height, grid, 5)


class After:
    """Says that it is enough once it was asked so often."""

    def __init__(self, times):
        self.asked, self.times = 0, times

    def __call__(self):
        self.asked += 1
        return self.asked > self.times


def applied(modifier, grid, height, enough):
    shares = []
    with blocks.finishable(enough):
        made = modifier.apply(height, grid, 5, progress=shares.append)
    assert shares == sorted(shares)
    return made


@functools.cache
def watched(modifier, wrap=False):
    """Return the result of all steps where it is never enough, and how often that was asked."""
    asked = After(10**9)
    return applied(modifier, *relief(wrap), asked), asked.asked


@pytest.mark.newest
@EACH
@WRAP
def test_never_enough_changes_nothing(modifier, wrap):
    plain, (made, asked) = finished(modifier, wrap), watched(modifier, wrap)
    assert asked > 3, "it does not ask between its steps"
    np.testing.assert_array_equal(made.height, plain.height)
    for name in modifier.makes:
        np.testing.assert_array_equal(made.maps[name], plain.maps[name])


@EACH
@WRAP
@pytest.mark.parametrize("times", [0, 2, 5])
def test_what_was_done_is_kept_whole(modifier, wrap, times):
    grid, height = relief(wrap)
    plain, made = finished(modifier, wrap), applied(modifier, grid, height, After(times))
    assert made.height.shape == grid.shape and made.height.dtype == np.float32
    assert set(made.maps) == set(modifier.makes)
    assert np.isfinite(made.height).all()
    assert not np.array_equal(made.height, height), "not even the first step was taken"
    assert not np.array_equal(made.height, plain.height), "it went on to the end"
    for name, field in made.maps.items():
        assert np.isfinite(field).all() and field.shape == grid.shape
        assert field.min() >= 0.0, name
        assert (field.max() > 0.0) or plain.maps[name].max() == 0.0, f"{name} is empty"
        if name == "flow":
            assert field.max() <= 1.0


@EACH
def test_the_result_is_the_same_each_time_and_on_any_number_of_threads(modifier):
    grid, height = relief()
    first = applied(modifier, grid, height, After(1))
    with blocks.on_threads(1):
        second = applied(modifier, grid, height, After(1))
    np.testing.assert_array_equal(first.height, second.height)


@pytest.mark.newest
@EACH
def test_later_is_nearer_to_the_end(modifier):
    grid, height = relief()
    end = finished(modifier).height
    _, asked = watched(modifier)
    early, late = (
        np.abs(applied(modifier, grid, height, After(times)).height - end).mean()
        for times in (0, asked - 2)
    )
    assert late < 0.7 * early


@EACH
@pytest.mark.parametrize("times", [0, 3])
def test_no_step_is_taken_after_that(modifier, times, monkeypatch):
    grid, height = relief()
    path, _, name = KNOWN[modifier.key]["step"].rpartition(".")
    place = pkgutil.resolve_name(path)
    enough, late = After(times), []

    def step(*arguments):
        late.append(enough.asked > times)
        return original(*arguments)

    original = getattr(place, name)
    monkeypatch.setattr(place, name, step)
    applied(modifier, grid, height, enough)
    assert late and not any(late)


def test_a_recipe_goes_on_with_what_does_not_iterate():
    noise, grid = Fractal(source=Perlin(frequency=4.0)), Grid(129, 129, size=2000.0)
    steps = (StreamErosion(), Terraces(), ThermalErosion())
    recipe = Recipe(layers=(noise, *steps), height=300.0)
    with blocks.finishable(lambda: True):
        early = recipe.evaluate(grid)
        eroded = Recipe(layers=(noise, *(steps[:1])), height=300.0).evaluate(grid)
    assert set(early.maps) == {name for step in steps for name in step.makes}
    assert not np.array_equal(early.height, eroded.height)


def test_cancelling_wins():
    grid, height = relief()
    with blocks.finishable(lambda: True), pytest.raises(Cancelled):
        StreamErosion().apply(height, grid, cancel=lambda: True)


def test_nobody_is_asked_outside():
    assert not blocks.is_enough()
    with blocks.finishable(lambda: True):
        assert blocks.is_enough()
        with blocks.finishable(None):
            assert blocks.is_enough()
        with blocks.finishable(lambda: False):
            assert blocks.is_enough(), "the outer one has said so"
    assert not blocks.is_enough()
    with pytest.raises(ZeroDivisionError), blocks.finishable(lambda: True):
        raise ZeroDivisionError
    assert not blocks.is_enough()


def test_modifiers_that_do_not_iterate_are_the_same():
    grid, height = relief()
    iterative = {type(one) for one in ITERATIVE.values()}
    for cls in modifier_types().values():
        if cls not in iterative:
            plain, made = cls().apply(height, grid, 5), applied(cls(), grid, height, lambda: True)
            np.testing.assert_array_equal(made.height, plain.height)
