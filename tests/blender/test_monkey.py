# SPDX-License-Identifier: GPL-3.0-or-later
"""A monkey at the keyboard: hundreds of operator calls and property changes, all by chance.

An operator may refuse with one clear line; no exception may reach the console. The actions of the monkey
leaves behind is saved, opened again, and has to be the same. The same seed does the same.
"""

from __future__ import annotations

import os
import random

import bpy
import numpy as np
import pytest

from tests.blender.extension import module

STEPS = 500

SMALL = {
    **dict.fromkeys(("resolution", "width", "height_pixels"), (2, 40)),
    "detail_pixels": (16, 40),
    **dict.fromkeys(("iterations", "passes", "subdivisions", "frames", "frame_end"), (1, 4)),
}
"""Whole numbers that say how long something takes, and how large the monkey may make them."""

NOT_PRESSED = {
    "live_watch": "runs until the window closes",
    "manual_open": "starts a web browser",
}
"""Operators that are left out, and why."""


class Story(list):
    """Actions so far; after a crash of Blender they stand in the file that TERRANE_STORY names."""

    def append(self, line):
        super().append(line)
        if "TERRANE_STORY" in os.environ:
            with open(os.environ["TERRANE_STORY"], "a", encoding="utf-8") as file:
                file.write(f"{line}\n")


class Monkey:
    """Player who presses random buttons."""

    def __init__(self, seed, folder):
        self.dice = random.Random(seed)
        self.folder = folder
        self.operators = sorted(set(dir(bpy.ops.terrane)) - set(NOT_PRESSED))
        self.done = Story()
        self.refused = 0

    def step(self):
        """Do one thing."""
        weights = {self.press: 10, self.turn: 10, self.elsewhere: 5}
        (act,) = self.dice.choices(list(weights), list(weights.values()))
        act()

    def press(self):
        """Call one of Terrane's operators with some keywords."""
        name = self.dice.choice(self.operators)
        operator = getattr(bpy.ops.terrane, name)
        keywords = self.keywords(operator.get_rna_type())
        self.call(f"terrane.{name}", operator, keywords)

    def call(self, name, operator, keywords):
        """Call an operator, which may refuse."""
        self.done.append(f"{name}({keywords})")
        try:
            if operator.poll():
                operator("EXEC_DEFAULT", self.dice.random() < 0.7, **keywords)
        except RuntimeError as error:
            assert "Traceback" not in str(error), self.story(error)
            self.refused += 1
        except TypeError:
            # Blender's own operators say so where a mode does not exist for an object.
            assert not name.startswith("terrane."), self.story(name)

    def keywords(self, rna):
        """Return values for some of an operator's properties."""
        chosen = {}
        for prop in rna.properties:
            if prop.identifier in ("rna_type", "check_existing") or prop.is_hidden:
                continue
            is_needed = prop.identifier in SMALL or prop.identifier in ("filepath", "directory")
            if is_needed or self.dice.random() < 0.3:
                value = self.value(prop)
                if value is not None:
                    chosen[prop.identifier] = value
        return chosen

    def value(self, one):
        """Return some value that a property can have; None if there is none."""
        if one.identifier in ("filepath", "directory"):
            return str(self.folder / self.dice.choice(("one.json", "two.png", "no/such/folder")))
        if one.type == "BOOLEAN":
            return None if one.is_array else self.dice.random() < 0.5
        if one.type == "ENUM":
            return self.choice(one)
        if one.type in ("INT", "FLOAT"):
            return self.number(one)
        if one.type == "STRING":
            return self.dice.choice(("", "Mask", "Group", "nonsense", "{", "ä" * 70))
        return None

    def choice(self, one):
        """Return an item of an enum, or some if it takes several."""
        keys = [item.identifier for item in one.enum_items]
        if not keys:
            return None
        if one.is_enum_flag:
            return set(self.dice.sample(keys, self.dice.randint(0, len(keys))))
        return self.dice.choice(keys)

    def number(self, one):
        """Return a number from a property's usual range, now and then one of its limits."""
        low, high = one.soft_min, one.soft_max
        if one.identifier in SMALL or one.type == "INT":
            low, high = SMALL.get(one.identifier, (low, min(high, max(16, one.default * 2))))
        elif self.dice.random() < 0.1:
            low = high = self.dice.choice((one.soft_min, one.soft_max, 0.0))
        low, high = max(low, -1e6), min(high, 1e6)
        count = one.array_length if one.is_array else 1
        values = [self.dice.uniform(low, max(low, high)) for _ in range(count)]
        if one.type == "INT":
            values = [int(value) for value in values]
        return values if one.is_array else values[0]

    def turn(self):
        """Change one property of some settings."""
        group = self.settings()
        for _ in range(3):
            choices = [prop for prop in group.bl_rna.properties if prop.identifier != "rna_type"]
            one = self.dice.choice(choices)
            if one.type == "POINTER" and isinstance(
                getattr(group, one.identifier), bpy.types.PropertyGroup
            ):
                group = getattr(group, one.identifier)
            elif one.type == "COLLECTION" and len(getattr(group, one.identifier)):
                group = self.dice.choice(list(getattr(group, one.identifier)))
            elif not one.is_readonly and not one.is_hidden and one.type not in ("POINTER",):
                value = self.value(one)
                if value is not None:
                    self.done.append(f"{group.path_from_id()}.{one.identifier} = {value!r}")
                    setattr(group, one.identifier, value)
                return

    def settings(self):
        """Return the scene's settings, or those of a terrain."""
        groups = [bpy.context.scene.terrane]
        obj = bpy.context.active_object
        if obj is not None:
            groups.append(obj.terrane)
        return self.dice.choice(groups)

    def elsewhere(self):
        """Do other things that users do."""
        mesh, obj = bpy.ops.mesh, bpy.ops.object
        acts = {
            "undo": (bpy.ops.ed.undo, {}),
            "redo": (bpy.ops.ed.redo, {}),
            "delete": (obj.delete, {}),
            "duplicate": (obj.duplicate, {"linked": self.dice.random() < 0.5}),
            "cube": (mesh.primitive_cube_add, {}),
            "grid": (mesh.primitive_grid_add, {"x_subdivisions": 12, "y_subdivisions": 9}),
            "empty": (obj.empty_add, {}),
            "mode": (obj.mode_set, {"mode": self.dice.choice(("EDIT", "OBJECT"))}),
            "group": (obj.vertex_group_add, {}),
            "shape": (obj.shape_key_add, {}),
            "apply": (obj.transform_apply, {}),
            "all": (obj.select_all, {"action": self.dice.choice(("SELECT", "DESELECT"))}),
            "other": (self.select_other, {}),
        }
        name = self.dice.choice(sorted(acts))
        act, keywords = acts[name]
        if name == "other":
            self.done.append("select another object")
            self.select_other()
        else:
            self.call(name, act, keywords)

    def select_other(self):
        """Make another object the active one."""
        things = list(bpy.context.view_layer.objects)
        if things and bpy.context.mode == "OBJECT":
            chosen = self.dice.choice(things)
            chosen.select_set(True)
            bpy.context.view_layer.objects.active = chosen

    def story(self, error):
        """Return the actions, for the message of a failed test."""
        return "\n".join([*self.done[-12:], str(error)])


def state():
    """Return all that has to survive saving: settings as recipes, heights, texels.

    Blender keeps objects that were deleted in memory, without a user, and leaves them out of the file.
    """
    settings = module("operators.bridge.schema.settings")
    terranes = module("noise_core.base.errors").TerraneError
    results = {}
    groups = {"scene": bpy.context.scene.terrane}
    things = [obj for obj in bpy.data.objects if obj.users]
    groups.update((obj.name, obj.terrane) for obj in things)
    for name, group in groups.items():
        try:
            results[f"recipe of {name}"] = settings.read(group).to_json()
        except terranes as error:
            results[f"recipe of {name}"] = str(error)
    for obj in things:
        if obj.type == "MESH":
            heights = np.empty(3 * len(obj.data.vertices), np.float32)
            obj.data.vertices.foreach_get("co", heights)
            results[f"heights of {obj.name}"] = heights.tobytes()
            results[f"materials of {obj.name}"] = [slot.name for slot in obj.material_slots]
    return results


def let_parts_follow():
    """Make what does not fit its terrain yet, as water after a script's change: opening a file would do it."""
    followers = module("operators.bridge.terrain.followers")
    is_terrain = module("operators.bridge.schema.state").is_terrain
    for thing in [obj for obj in bpy.data.objects if is_terrain(obj)]:
        module("operators.bridge.tasks.steps").at_once(followers.follow(thing))


@pytest.fixture
def no_presets_left(terrane):
    """Throw away the presets that the monkey saves: other tests count them."""
    yield
    user_presets = module("operators.bridge.schema.presets")
    folder = user_presets.folder()
    if folder is not None and folder.is_dir():
        for file in folder.iterdir():
            file.unlink()
        user_presets.find()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.usefixtures("no_presets_left")
def test_nothing_a_monkey_does_raises(terrane, tmp_path, capfd, seed):
    monkey = Monkey(seed, tmp_path)
    for _ in range(STEPS // 2):
        monkey.step()
        output = capfd.readouterr()
        assert "Traceback" not in output.err + output.out, monkey.story(output.err + output.out)
    assert 0.02 * STEPS < monkey.refused < 0.4 * STEPS
    if bpy.context.mode != "OBJECT" and bpy.ops.object.mode_set.poll():
        bpy.ops.object.mode_set(mode="OBJECT")
    let_parts_follow()
    state_before = state()
    path = str(tmp_path / "left.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, check_existing=False)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert state() == state_before
    assert "Traceback" not in capfd.readouterr().err
