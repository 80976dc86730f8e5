# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a recipe will take is learnt from how long it took."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import math
import threading
import time

import pytest

PACKAGE = "bl_ext.user_default.terrane"

PLAIN = (("perlin",), ())
ERODED = (("perlin",), ("stream_erosion", "stream_erosion"))


@pytest.fixture
def pace(terrane):
    return importlib.import_module(f"{PACKAGE}.operators.bridge.tasks.pace")


@pytest.fixture
def queue(terrane):
    """Return a queue that has measured nothing yet."""
    return importlib.import_module(f"{PACKAGE}.operators.bridge.tasks.queue").TaskQueue()


@pytest.fixture
def product(terrane):
    return importlib.import_module(f"{PACKAGE}.operators.bridge.tasks.product").Product


def update(pace, structure, rows=512, columns=512):
    return pace.Update(None, "", structure, (rows, columns))


def task_of(product):
    """Return a task of a product without an owner."""
    tasks = importlib.import_module(f"{PACKAGE}.operators.bridge.tasks.task")
    return tasks.Task(product, name=product.key)


def test_nothing_is_known_at_first(pace, queue, product):
    plain, eroded = update(pace, PLAIN), update(pace, ERODED)
    assert queue.pace.estimate(plain, None) == math.inf
    assert 0.0 < queue.pace.estimate(plain, 512) < product.quick
    assert queue.quick_side(product, plain) == 512
    assert queue.quick_side(product, eroded) < 128


def test_what_was_never_measured_may_take_much_longer(pace):
    own, plain = pace.Pace(), update(pace, PLAIN)
    guessed = own.estimate(plain, 512)
    assert own.at_most(plain, 512) > 5.0 * guessed
    own.measure(plain, 512, 0.01)
    assert own.at_most(plain, 512) == pytest.approx(0.01)
    assert own.at_most(plain, None) == math.inf


def test_the_side_follows_what_was_measured(pace, queue, product, monkeypatch):
    parts = importlib.import_module(f"{PACKAGE}.operators.bridge.tasks.queue")
    monkeypatch.setattr(parts, "preview_cap", lambda: 256)
    eroded = update(pace, ERODED)
    queue.pace.measure(eroded, 100, 1.0)
    assert queue.quick_side(product, eroded) == product.smallest
    for _ in range(3):
        queue.pace.measure(eroded, 100, 0.01)
    side = queue.quick_side(product, eroded)
    assert queue.pace.estimate(eroded, side) == pytest.approx(product.quick, rel=0.02)
    assert queue.quick_side(product, update(pace, ERODED, 256, 512)) > side
    monkeypatch.setattr(parts, "preview_cap", lambda: 100)
    assert queue.quick_side(product, eroded) == 100, "the user's limit"
    monkeypatch.setattr(parts, "preview_cap", lambda: 256)
    assert queue.quick_side(product, update(pace, ERODED, 64, 64)) == 64
    assert queue.quick_side(product, update(pace, PLAIN)) == 512, "another recipe"


def test_short_runs_need_a_clock_that_ticks_more_often_than_they_end(pace, tick):
    """Why no clock here may be `time.monotonic`: runs of 3 ms would count as five times as long."""
    own, now, plain = pace.Pace(), 0.0, update(pace, PLAIN)
    for _ in range(50):
        start, now = tick(now), now + 0.003
        own.measure(plain, 512, tick(now) - start)
        now += 0.0101  # until the next one
    fine = tick(0.003) > 0.0
    assert own.estimate(plain, 512) == pytest.approx(0.003 if fine else 1 / 64)


def test_clocks_tick_often_on_every_system(pace):
    def default(name, cls):
        found = importlib.import_module(f"{PACKAGE}.operators.bridge.{name}")
        return inspect.signature(getattr(found, cls)).parameters["clock"].default

    for name, cls in (("tasks.queue", "TaskQueue"), ("tasks.steps", "StepRunner")):
        assert default(name, cls) is time.perf_counter, name


@pytest.mark.parametrize("waits", [False, True], ids=["a picture", "a follower"])
def test_a_picture_is_drawn_during_a_gesture_and_a_follower_after_it(queue, pace, product, waits):
    class Drawing(product):
        key, settled, is_urgent = "drawing", 0.3, False
        is_wanted = staticmethod(lambda owner: True)
        waits_for_rest = waits
        drawn = 0

        def plan(self, owner, *, is_thorough=False):
            return dataclasses.replace(update(pace, PLAIN), can_preview=True)

        def work(self, owner, request, side):
            return lambda progress, cancel: None

        def holders(self, owner):
            return ()

        def write(self, owner, request, result, *, is_preview):
            self.drawn += 1
            return ""

    drawing, now = Drawing(), [0.0]
    task = task_of(drawing)
    queue.clock = lambda: now[0]
    for _ in range(10):
        queue.add(task)
        now[0] += 0.05
        step_until_free(queue)
    assert (drawing.drawn == 0) is waits
    for _ in range(3):  # a preview, and the whole
        now[0] += 0.3
        step_until_free(queue)
    assert drawing.drawn > 0 and queue.is_idle


@pytest.mark.parametrize("seconds", [0.2, 1.0, 5.0])
def test_previews_are_seen_during_a_gesture_on_any_machine(queue, pace, product, seconds):
    """However long a preview takes, and however large the first one was."""
    now, written, has_looked = [0.0], [], threading.Event()

    class Slow(product):
        key = "slow"
        is_wanted = staticmethod(lambda owner: True)

        def plan(self, owner, *, is_thorough=False):
            return dataclasses.replace(update(pace, ERODED), can_preview=True, is_costly=True)

        def work(self, owner, request, side):
            end = now[0] + seconds

            def wait(progress, cancel):
                while not cancel() and now[0] < end:
                    has_looked.set()
                    time.sleep(0.001)

            return wait

        def holders(self, owner):
            return ()

        def write(self, owner, request, result, *, is_preview):
            written.append(is_preview)
            return ""

    jobs = importlib.import_module(f"{PACKAGE}.operators.bridge.tasks.jobs")
    task, queue.clock = task_of(Slow()), lambda: now[0]
    for _ in range(400):  # a change every 0.05 s
        queue.add(task)
        queue.step()
        assert jobs.visible_job() is None, "Esc would end it, not the gesture"
        now[0] += 0.05
        has_looked.clear()
        # No longer than until the work has looked at the clock.
        while queue.run is not None and not queue.run.job.is_done and not has_looked.wait(0.001):
            pass
    queue.clear()
    assert len(written) > 2
    assert all(written), "the whole waits until nothing changes"


def step_until_free(queue):
    queue.step()
    while queue.run is not None:
        queue.run.job.wait(1.0)
        queue.step()


def test_one_run_that_was_held_up_says_nothing(pace):
    own, plain = pace.Pace(), update(pace, PLAIN)
    for seconds in (0.01, 0.01, 3.0):
        own.measure(plain, None, seconds)
    assert own.estimate(plain, None) == pytest.approx(0.01)
    own.measure(plain, None, 3.0)
    assert own.estimate(plain, None) == pytest.approx(3.0)


def test_no_more_is_kept_than_is_useful(pace):
    own, plain = pace.Pace(), update(pace, PLAIN)
    own.measure(plain, None, 1.0)
    for number in range(200):
        own.measure(update(pace, ((str(number),), ())), None, 1.0)
    assert own.estimate(plain, None) == math.inf


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
