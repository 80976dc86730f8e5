# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a recipe will take is learnt from how long it took."""

from __future__ import annotations

import importlib
import inspect
import math
import time

import pytest

PACKAGE = "bl_ext.user_default.terrane"

PLAIN = (("perlin",), ())
ERODED = (("perlin",), ("stream_erosion", "stream_erosion"))


@pytest.fixture
def pace(terrane):
    return importlib.import_module(f"{PACKAGE}.operators.bridge.tasks.pace")


def test_nothing_is_known_at_first(pace):
    own = pace.Pace()
    assert own.estimate(PLAIN, 512 * 512, is_whole=True) == math.inf
    assert 0.0 < own.estimate(PLAIN, 512 * 512, is_whole=False) < pace.QUICK
    assert own.quick_side(PLAIN, (512, 512), 256) == 512
    assert own.quick_side(ERODED, (512, 512), 256) < 128


def test_what_was_never_measured_may_take_much_longer(pace):
    own, samples = pace.Pace(), 512 * 512
    guessed = own.estimate(PLAIN, samples, is_whole=False)
    assert own.at_most(PLAIN, samples, is_whole=False) > 5.0 * guessed
    own.note(PLAIN, samples, 0.01, is_whole=False)
    assert own.at_most(PLAIN, samples, is_whole=False) == pytest.approx(0.01)
    assert own.at_most(PLAIN, samples, is_whole=True) == math.inf


def test_the_side_follows_what_was_measured(pace):
    own = pace.Pace()
    own.note(ERODED, 100 * 100, 1.0, is_whole=False)
    assert own.quick_side(ERODED, (512, 512), 256) == pace.SMALLEST
    for _ in range(3):
        own.note(ERODED, 100 * 100, 0.01, is_whole=False)
    side = own.quick_side(ERODED, (512, 512), 256)
    assert own.estimate(ERODED, side * side, is_whole=False) == pytest.approx(pace.QUICK, rel=0.02)
    assert own.quick_side(ERODED, (256, 512), 256) > side
    assert own.quick_side(ERODED, (512, 512), 100) == 100, "the user's limit"
    assert own.quick_side(ERODED, (64, 64), 256) == 64
    assert own.quick_side(PLAIN, (512, 512), 256) == 512, "another recipe"


def test_short_runs_need_a_clock_that_ticks_more_often_than_they_end(pace, tick):
    """Why no clock here may be `time.monotonic`: runs of 3 ms would count as five times as long."""
    own, now = pace.Pace(), 0.0
    for _ in range(50):
        start, now = tick(now), now + 0.003
        own.note(PLAIN, 1000, tick(now) - start, is_whole=False)
        now += 0.0101  # until the next one
    fine = tick(0.003) > 0.0
    assert own.estimate(PLAIN, 1000, is_whole=False) == pytest.approx(0.003 if fine else 1 / 64)


def test_clocks_tick_often_on_every_system(pace):
    def default(name, cls):
        found = importlib.import_module(f"{PACKAGE}.operators.bridge.{name}")
        return inspect.signature(getattr(found, cls)).parameters["clock"].default

    for name, cls in (
        ("tasks.queue", "TaskQueue"),
        ("tasks.renders", "Renders"),
        ("tasks.steps", "StepRunner"),
    ):
        assert default(name, cls) is time.perf_counter, name


def test_one_run_that_was_held_up_says_nothing(pace):
    own = pace.Pace()
    for seconds in (0.01, 0.01, 3.0):
        own.note(PLAIN, 1000, seconds, is_whole=True)
    assert own.estimate(PLAIN, 1000, is_whole=True) == pytest.approx(0.01)
    own.note(PLAIN, 1000, 3.0, is_whole=True)
    assert own.estimate(PLAIN, 1000, is_whole=True) == pytest.approx(3.0)


def test_no_more_is_kept_than_is_useful(pace):
    own = pace.Pace()
    own.note(PLAIN, 1, 1.0, is_whole=True)
    for number in range(200):
        own.note(((str(number),), ()), 1, 1.0, is_whole=True)
    assert own.estimate(PLAIN, 1, is_whole=True) == math.inf


def test_a_structure_is_types_not_numbers(pace):
    core = importlib.import_module(f"{PACKAGE}.noise_core")
    noises = importlib.import_module(f"{PACKAGE}.noise_core.noises")
    blur = importlib.import_module(f"{PACKAGE}.noise_core.modifiers").Blur

    def of(noise, *modifiers):
        recipe = core.Recipe(layers=(noise, *modifiers))
        return pace.structure(recipe, recipe.to_json())

    plain = of(noises.Perlin(frequency=2.0))
    assert plain == of(noises.Perlin(frequency=3.0))
    assert plain != of(noises.Simplex(frequency=2.0))
    assert plain != of(noises.Fractal(source=noises.Perlin()))
    assert of(noises.Perlin(), blur()) != of(noises.Perlin(), blur(muted=True)) != plain
