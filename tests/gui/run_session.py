# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole session in a real window: twenty changes, all undone and redone; an erosion; a file.

After every step settings and heights are compared by value with those of before. Screenshots and
result.json go to the folder after ``--``.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import TICK, Driver, Scenario
from extension import TAB, module
from terrains import add, asked, follows, heights, look_at_little, settled, terrain, undo

PLAIN = {"noise": "perlin", "fractal": "fbm", "octaves": 6, "frequency": 4, "seed": 1}
SIDE = 96
"""Vertices along a side: twenty erosions of so few take no time."""

CANCEL = 0.2
"""Seconds from the press of Esc in which an erosion has to be gone, on a machine that does nothing else. On
no machine may Blender's threads have worked for longer meanwhile, on so many processors as there are."""

LATE = 10.0
"""Such seconds by the clock, on a machine that does other things: nobody waits for anything else."""

EROSIONS: tuple[tuple[str, dict[str, object], float], ...] = (
    ("thermal_erosion", {"passes": 2000}, 0.0),
    ("thermal_erosion", {"passes": 2000}, 0.03),
    ("stream_erosion", {"quality": "thorough"}, 0.0),
    ("gully_erosion", {"octaves": 12.0}, 0.0),
    ("sediment_erosion", {"steps": 400}, 0.0),
)
"""What is begun, and the share of it that has to be done, or a little more, when Esc is pressed. What is
left would take seconds, a minute where rock slides: many times as long as Blender draws for."""

TRIES = 3
"""A slow machine, or a busy one, may be late once; an erosion that does not ask is late every time."""

FINE = 1024
"""Vertices along a side."""

State = tuple[tuple[object, ...], np.ndarray]


def state() -> State:
    """Return the terrain's settings and its heights."""
    return asked(terrain()), heights(terrain())


def assert_equal(found: State, expected: State, when: str) -> None:
    """Compare settings and heights, to the bit."""
    assert found[0] == expected[0], f"{when}: other settings: {found[0]} instead of {expected[0]}"
    assert np.array_equal(found[1], expected[1]), f"{when}: other heights"


def operated(operator: Any, **keywords: object) -> Callable[[Driver], None]:
    """Return a change: an operator, called as its button does, with an undo step."""
    return lambda driver: driver.operate(
        "VIEW_3D", lambda: operator("EXEC_DEFAULT", **keywords), "UI"
    )


def typed(path: str, value: object) -> Callable[[Driver], None]:
    """Return a change: a value typed into a field of the panel, with an undo step."""

    def change(driver: Driver) -> None:
        *owners, name = path.split(".")
        group: Any = terrain().terrane
        for owner in owners:
            group = group[int(owner)] if owner.isdigit() else getattr(group, owner)
        setattr(group, name, value)
        bpy.ops.ed.undo_push(message=path)

    return change


CHANGES: tuple[tuple[str, Callable[[Driver], None]], ...] = (
    ("another height", typed("height", 40.0)),
    ("more octaves", typed("layers.0.chain.1.fractal.octaves", 8)),
    ("another frequency", typed("layers.0.chain.0.perlin.frequency", 3.0)),
    ("a ridged fractal", typed("layers.0.chain.1.fractal.kind", "ridged")),
    ("a warp", operated(bpy.ops.terrane.element_add, type="warp")),
    ("a layer", operated(bpy.ops.terrane.layer_add, type="simplex")),
    ("half of it", typed("layers.1.opacity", 0.5)),
    ("another layer", operated(bpy.ops.terrane.layer_add, type="cellular")),
    ("the layers in another order", operated(bpy.ops.terrane.layer_move, direction="DOWN")),
    ("terraces", operated(bpy.ops.terrane.layer_add, type="terraces")),
    ("an erosion", operated(bpy.ops.terrane.layer_add, type="thermal_erosion")),
    ("the erosion before the terraces", operated(bpy.ops.terrane.layer_move, direction="DOWN")),
    ("the first layer left out", operated(bpy.ops.terrane.layer_mute, place=1)),
    ("the first layer taken in", operated(bpy.ops.terrane.layer_mute, place=1)),
    ("a layer alone", operated(bpy.ops.terrane.layer_solo, place=2)),
    ("all layers", operated(bpy.ops.terrane.layer_solo, place=2)),
    ("a copy", operated(bpy.ops.terrane.layer_duplicate)),
    ("no copy", operated(bpy.ops.terrane.layer_remove)),
    ("a larger terrain", typed("size", 250.0)),
)
"""After the drag of a slider these make twenty."""


def session(driver: Driver) -> Scenario:
    """Play everything."""
    yield from driver.open_tab("VIEW_3D", TAB)
    look_at_little(driver, has_picture=False)
    add(driver, **PLAIN, size=100.0, height=10.0, resolution=SIDE)
    yield from follows(driver, terrain())
    states = [state()]

    with driver.step("drag a slider"):
        x, y = yield from driver.find_property("VIEW_3D", "terrane.seed")
        yield from driver.drag(x, y, 60, lambda: None)
        yield from follows(driver, terrain())
        states.append(state())
        assert terrain().terrane.seed != PLAIN["seed"]

    with driver.step("nineteen more changes; the heights follow each"):
        for title, change in CHANGES:
            change(driver)
            yield from follows(driver, terrain())
            states.append(state())
            assert states[-1][0] != states[-2][0], f"{title}: the settings are as before"
        names = [entry.name for entry in terrain().terrane.layers]
        assert len(states) == 21 and len(names) == 5, names
        driver.screenshot("twenty_changes")
    shapes = len({expected.tobytes() for _, expected in states})
    assert shapes >= 16, f"{shapes} shapes in twenty changes"

    with driver.step("twenty times Ctrl+Z"):
        driver.area("VIEW_3D").spaces.active.show_region_ui = False
        for place in reversed(range(20)):
            yield from undo(driver)
            yield from settled(driver)
            assert_equal(state(), states[place], f"undone to {place}")

    with driver.step("twenty times Ctrl+Shift+Z"):
        for place in range(1, 21):
            yield from undo(driver, shift=True)
            yield from settled(driver)
            assert_equal(state(), states[place], f"redone to {place}")

    yield from _cancelled_erosions(driver)

    with driver.step("save, open again"):
        path = str(driver.folder / "session.blend")
        state_before = state()
        bpy.ops.wm.save_as_mainfile(filepath=path)
        assert_equal(state(), state_before, "saved")
        terrain().terrane.seed += 1
        yield from follows(driver, terrain())
        assert not np.array_equal(heights(terrain()), state_before[1])
        bpy.ops.wm.open_mainfile(filepath=path, load_ui=False)
        yield 1.0
        yield from settled(driver)
        assert_equal(state(), state_before, "opened")
        terrain().terrane.seed += 1
        yield from follows(driver, terrain())
        assert not np.array_equal(heights(terrain()), state_before[1]), (
            "what was opened is not live"
        )


def _clocks() -> np.ndarray:
    """Return the time by the clock, and the work of all threads."""
    return np.array((time.monotonic(), time.process_time()))


def _watch(job: Any, gone: list[np.ndarray]) -> None:
    """Note when a job is over; in a thread of its own, for Blender draws in software meanwhile."""
    while not job.is_done:
        time.sleep(0.002)
    gone.append(_clocks())


def _cancelled_erosions(driver: Driver) -> Scenario:
    """Begin erosions of the terrain as a mesh, and press Esc each time."""
    with driver.step("cancel five erosions with Esc: gone at once, nothing has changed"):
        terrain().terrane.resolution = FINE
        bpy.ops.ed.undo_push(message="finer")
        yield from settled(driver)
        assert len(terrain().data.vertices) == FINE * FINE
        state_before = state()
        attributes = list(terrain().data.attributes.keys())
        spent, most = [], CANCEL * (os.cpu_count() or 1)
        for modifier, options, share in EROSIONS:
            for _ in range(TRIES):
                seconds, work = yield from _cancelled(driver, modifier, options, share)
                assert_equal(state(), state_before, f"{modifier} was cancelled")
                assert list(terrain().data.attributes.keys()) == attributes
                if work < most:
                    break
            spent.append((seconds, work))
        told = ", ".join(
            f"{name} {seconds:.3f} with {work:.3f} of work"
            for (name, *_), (seconds, work) in zip(EROSIONS, spent, strict=True)
        )
        print(f"gui: from Esc to the end of the erosion, in seconds: {told}", flush=True)
        (driver.folder / "cancelled.txt").write_text(f"{told}\n", encoding="utf-8")
        assert all(seconds < LATE and work < most for seconds, work in spent), told
        driver.screenshot("cancelled")
        yield from undo(driver)
        yield from follows(driver, terrain())
        assert len(terrain().data.vertices) == SIDE * SIDE, "a cancelled erosion left a step"


def _cancelled(
    driver: Driver, modifier: str, options: dict[str, object], share: float
) -> Generator[float, None, np.ndarray]:
    """Begin an erosion, press Esc in its midst; return the seconds and the work from the press to its end.

    Blender handles a press at once, before it draws again: on no machine has an erosion the time to come
    to its end meanwhile.
    """
    jobs = module("operators.bridge.tasks.jobs")
    x, y = driver.center("VIEW_3D")
    yield from driver.hover(x, y)
    driver.operate(
        "VIEW_3D",
        lambda: bpy.ops.terrane.mesh_erode("INVOKE_DEFAULT", modifier=modifier, **options),
    )
    # Before it there is a job that makes memory ready, of which nothing is told.
    while jobs.running() is not None and jobs.running().share <= share:
        yield 0.001
    job = jobs.running()
    assert job is not None and not job.is_done, f"{modifier} is over already, or never began"
    gone: list[np.ndarray] = []
    watcher = threading.Thread(target=_watch, args=(job, gone), daemon=True)
    watcher.start()
    start = _clocks()
    for value in ("PRESS", "RELEASE"):
        driver.window.event_simulate(type="ESC", value=value, x=x, y=y)
        yield TICK
    yield from driver.wait_for(lambda: jobs.running() is None and gone, "an end")
    assert job.is_stopping, f"{modifier} came to its own end"
    yield 0.3
    return gone[0] - start


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1])).run(session)
