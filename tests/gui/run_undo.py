# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that timers, handlers, scripts, other operators and keys call: each call is one undo step.

Operators and callers are drawn by chance. Each pair of calls is undone and redone, one by one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from driver import LIMIT, Driver, Scenario
from extension import module
from terrains import add, look_at_little, settled, undo

from tests import drawing
from tests.blender import library_digest

OPERATORS: dict[str, dict[str, Any]] = {
    "terrain_add": {"resolution": 400, "noise": "value"},
    "terrain_update": {"seed": 7},
    "mesh_displace": {"strength": 2.0},
    "image_new": {"width": 16, "height": 16, "noise": "perlin"},
    "material_add": {"surface": "gravel", "width": 32, "height": 32},
    "colors_add": {},
    "maps_bake": {"maps": {"slope"}},
    "nodes_add": {"noise": "perlin", "name": "Noise"},
    "hex_tiling_add": {"image": "Picture"},
    "preset_load": {"preset": "dunes"},
    "layer_add": {"type": "perlin"},
    "element_add": {"type": "abs"},
    "layer_mask": {"source": "slope"},
    "seed_new": {},
    "water_add": {"sea": True, "level": 50.0},  # over all heights: any pair leaves water
    "sky_add": {},
    "camera_add": {},
}
"""Operators of all kinds, with keywords by which they finish soon on a small terrain."""

PAIRS = 200
"""Pairs of calls to draw from."""

State = dict[tuple[str, str], str]


def state() -> State:
    """Return a text of all that the datablocks hold which operators write to."""
    kinds = ("objects", "meshes", "materials", "images", "node_groups", "worlds", "collections")
    data = [one for kind in kinds for one in getattr(bpy.data, kind)]
    return library_digest.digests(one for one in data if one.name != "Render Result")


def call(name: str) -> None:
    """Call an operator as scripts do."""
    assert getattr(bpy.ops.terrane, name)(**OPERATORS[name]) == {"FINISHED"}


# --- callers: each ends when the operator has been called -------------------------------------------


def by_timer(driver: Driver, name: str) -> Scenario:
    """Call an operator from a timer."""
    done: list[bool] = []
    bpy.app.timers.register(lambda: done.append(True) or call(name))
    yield from driver.wait_for(lambda: done, "call of the timer")


def by_invoking(driver: Driver, name: str) -> Scenario:
    """Start an operator from a timer as buttons do: long work goes on after the call."""
    operator = getattr(bpy.ops.terrane, name)
    driver.operate("VIEW_3D", lambda: operator("INVOKE_DEFAULT", **OPERATORS[name]))
    yield from _ended(driver)


def by_handler(driver: Driver, name: str) -> Scenario:
    """Call an operator from a handler of another frame."""

    def handle(*_: object) -> None:
        bpy.app.handlers.frame_change_post.remove(handle)
        call(name)

    bpy.app.handlers.frame_change_post.append(handle)
    bpy.context.scene.frame_set(bpy.context.scene.frame_current + 1)
    yield 0.0


def by_script(driver: Driver, name: str) -> Scenario:
    """Call an operator from a text that Blender's Text Editor runs."""
    text = bpy.data.texts.new("call")
    text.write(f"import bpy\nbpy.ops.terrane.{name}(**{OPERATORS[name]!r})\n")
    driver.area("TEXT_EDITOR").spaces.active.text = text
    yield from driver.key("P", *driver.center("TEXT_EDITOR"), alt=True)
    yield 0.2


class CallOperator(bpy.types.Operator):
    """Call an operator from another add-on's"""

    bl_idname, bl_label, bl_options = "calls.one", "Call", {"REGISTER", "UNDO"}
    __annotations__ = {"name": bpy.props.StringProperty()}

    def execute(self, context: bpy.types.Context) -> set[str]:
        call(self.name)
        return {"FINISHED"}


def _press(driver: Driver, operator: str, **keywords: object) -> Scenario:
    """Bind an operator to a key, and press that over the viewport."""
    keys = bpy.context.window_manager.keyconfigs.addon.keymaps.new(name="Window")
    item = keys.keymap_items.new(operator, "F19", "PRESS")
    for name, value in keywords.items():
        setattr(item.properties, name, value)
    yield 0.1
    yield from driver.key("F19", *driver.center("VIEW_3D"))
    yield 0.1
    keys.keymap_items.remove(item)
    yield from _ended(driver)


def _ended(driver: Driver) -> Scenario:
    """Wait for the end of a long operator, which goes on in a window."""
    jobs = module("operators.bridge.tasks.jobs")
    for _ in range(2):
        yield from driver.wait_for(lambda: jobs.running() is None, "end of the operator")
        yield 0.1


def by_operator(driver: Driver, name: str) -> Scenario:
    """Call an operator from another add-on's operator that a key starts."""
    yield from _press(driver, "calls.one", name=name)


def by_key(driver: Driver, name: str) -> Scenario:
    """Start an operator with a key."""
    yield from _press(driver, f"terrane.{name}", **OPERATORS[name])


CALLERS: tuple[Callable[[Driver, str], Scenario], ...] = (
    by_timer,
    by_invoking,
    by_handler,
    by_script,
    by_operator,
    by_key,
)


# --- the scenario ---------------------------------------------------------------------------------


def begin(driver: Driver) -> Scenario:
    """Make a terrain and an image to call operators on."""
    for kind in ("objects", "meshes", "materials", "images", "node_groups", "worlds"):
        bpy.data.batch_remove(list(getattr(bpy.data, kind)))
    bpy.ops.terrane.image_new(width=16, height=16, noise="perlin", name="Picture")
    add(driver, resolution=17, noise="perlin")
    yield from settled(driver)
    bpy.ops.ed.undo_push(message="begin")


def undo_calls(driver: Driver) -> Scenario:
    """Play the drawn pairs."""
    look_at_little(driver, has_picture=False)
    bpy.utils.register_class(CallOperator)
    chance = drawing.generator("undo")
    for _ in range(drawing.count_of(PAIRS)):
        names = chance.sample(tuple(OPERATORS), 2)
        if names == ["mesh_displace", "maps_bake"]:
            names.reverse()  # a displaced grid need not be regular, and has no maps then
        pair = [(chance.choice(CALLERS), name) for name in names]
        title = " and ".join(f"{name} {caller.__name__}" for caller, name in pair)
        with driver.step(title):
            yield from begin(driver)
            states = [state()]
            for caller, name in pair:
                yield from caller(driver, name)
                yield from settled(driver)
                states.append(state())
                assert states[-1] != states[-2], f"{name} {caller.__name__} changed nothing"
            yield from _walk(driver, states)


def _walk(driver: Driver, states: list[State]) -> Scenario:
    """Undo all calls one by one, and redo them: each step leads to the state beside it."""
    places = list(range(len(states)))
    for place in reversed(places[:-1]):
        yield from undo(driver)
        yield from settled(driver)
        _assert_equal(states[place], f"after undo number {len(places) - 1 - place}")
    for place in places[1:]:
        yield from undo(driver, shift=True)
        yield from settled(driver)
        _assert_equal(states[place], f"after redo number {place}")


def _assert_equal(wanted: State, when: str) -> None:
    """Compare the datablocks with those of a state before."""
    present = state()
    differing = [key for key in {**wanted, **present} if wanted.get(key) != present.get(key)]
    changed = {line for key in differing for line in _lines(wanted, key) ^ _lines(present, key)}
    assert not differing, f"{when}: {differing[:5]} {sorted(line[:200] for line in changed)[:4]}"


def _lines(digests: State, key: tuple[str, str]) -> set[str]:
    return set(digests.get(key, "").splitlines())


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    # As much longer as `test_undo_window` waits for all draws.
    Driver(Path(sys.argv[-1]), 10 * LIMIT if drawing.IS_DEEP else LIMIT).run(undo_calls)
