# SPDX-License-Identifier: GPL-3.0-or-later
"""Vertex groups of maps are written in small portions; a cancelled write leaves them unchanged."""

from __future__ import annotations

import importlib

import bpy
import numpy as np
import pytest

from tests.blender.extension import bridge
from tests.blender.helpers import add_terrain

PACKAGE = "bl_ext.user_default.terrane"
COUNT = 33 * 33


@pytest.fixture
def terrain(terrane, monkeypatch):
    monkeypatch.setattr(bridge("terrain.baking"), "MANY", 100)
    monkeypatch.setattr(bridge("datablocks.vertex_groups"), "MANY", 100)
    obj = add_terrain(resolution=33)
    obj.vertex_groups.new(name="slope").add(list(range(50, 300)), 0.25, "REPLACE")
    return obj


def ramp():
    values = np.linspace(-1.0, 1.0, COUNT).astype(np.float32)
    return np.clip(np.rint(values * 4) / 4, 0.0, 1.0)


def wanted():
    return {"slope": ramp(), "flow": ramp()[::-1].copy()}


def weights_of(obj):
    read = bridge("datablocks.vertex_groups").read_weights
    return {group.name: read(obj.data, group.name) for group in obj.vertex_groups}


def same(one, other):
    return one.keys() == other.keys() and all(
        np.array_equal(one[name], other[name]) for name in one
    )


def taken(steps, turns=10**6, happen=lambda: None):
    """Take so many steps, and then let something happen, and go on."""
    given = None
    try:
        for turn in range(10**6):
            if turn == turns:
                happen()
            work = steps.send(given)
            given = None if work is None else bridge("tasks.jobs").at_once(work)
    except StopIteration:
        return turn
    finally:
        steps.close()


def test_new_groups_and_old_ones_get_their_weights(terrain):
    steps = bridge("terrain.baking").write_groups(bpy.context, terrain, wanted())
    assert taken(steps) > 2 * COUNT / 100
    assert same(weights_of(terrain), wanted())
    outside = [v.index for v in terrain.data.vertices if len(v.groups) == 0]
    assert outside == np.flatnonzero(ramp() + ramp()[::-1] == 0.0).tolist()


@pytest.mark.parametrize("turns", [1, 2, 5, 9, 20, 25])
def test_groups_that_are_given_up_are_what_they_were(terrain, turns):
    weights_before = weights_of(terrain)

    def stop():
        raise KeyboardInterrupt

    steps = bridge("terrain.baking").write_groups(bpy.context, terrain, wanted())
    with pytest.raises(KeyboardInterrupt):
        taken(steps, turns, stop)
    assert same(weights_of(terrain), weights_before)


def test_a_change_of_mode_meanwhile_is_noticed(terrain):
    weights_before = weights_of(terrain)
    steps = bridge("terrain.baking").write_groups(bpy.context, terrain, wanted())
    error = importlib.import_module(f"{PACKAGE}.noise_core.base.errors").TerraneError
    with pytest.raises(error, match="changed meanwhile"):
        taken(steps, 20, lambda: bpy.ops.object.mode_set(mode="EDIT"))
    assert terrain.mode == "EDIT"
    bpy.ops.object.mode_set(mode="OBJECT")
    assert same(weights_of(terrain), weights_before)


def test_a_group_that_is_removed_meanwhile_is_noticed(terrain):
    steps = bridge("terrain.baking").write_groups(bpy.context, terrain, wanted())
    error = importlib.import_module(f"{PACKAGE}.noise_core.base.errors").TerraneError
    with pytest.raises(error, match="'slope' was removed meanwhile"):
        taken(steps, 5, lambda: terrain.vertex_groups.remove(terrain.vertex_groups["slope"]))
    assert not terrain.vertex_groups


def test_an_object_that_is_removed_meanwhile_is_noticed(terrain):
    steps = bridge("terrain.baking").write_groups(bpy.context, terrain, wanted())
    error = importlib.import_module(f"{PACKAGE}.noise_core.base.errors").TerraneError
    with pytest.raises(error, match="was removed meanwhile"):
        taken(steps, 5, lambda: bpy.data.objects.remove(terrain))


def test_a_locked_group_stays(terrain):
    terrain.vertex_groups["slope"].lock_weight = True
    weights_before = weights_of(terrain)
    with pytest.raises(RuntimeError, match="'slope' is locked"):
        bpy.ops.terrane.maps_bake(maps={"flow", "slope"}, as_groups=True)
    assert same(weights_of(terrain), weights_before)
    assert "slope" not in terrain.data.attributes


@pytest.mark.parametrize("is_there", [False, True])
def test_a_map_is_an_attribute_and_a_group_at_once(terrain, is_there):
    terrain.vertex_groups.clear()
    bake = bpy.ops.terrane.maps_bake
    if is_there:
        assert bake(maps={"slope"}) == {"FINISHED"}
    assert bake(maps={"slope", "flow"}, as_groups=True) == {"FINISHED"}
    assert {group.name for group in terrain.vertex_groups} == {"slope", "flow"}
    kinds = {name: terrain.data.attributes[name].data_type for name in ("slope", "flow")}
    assert kinds == {"slope": "FLOAT", "flow": "FLOAT"}
    assert set(bridge("terrain.map_layers").MapChoice.of(terrain.data).written) >= {"slope", "flow"}


def test_attributes_are_gone_with_the_groups_that_are_given_up(terrain, monkeypatch):
    terrain.vertex_groups.clear()

    def refuse(found, name, values):
        yield None
        raise importlib.import_module(f"{PACKAGE}.noise_core.base.errors").TerraneError("no more")

    monkeypatch.setattr(bridge("terrain.baking"), "_write_group", refuse)
    with pytest.raises(RuntimeError, match="no more"):
        bpy.ops.terrane.maps_bake(maps={"slope"}, as_groups=True)
    assert "slope" not in terrain.data.attributes and not terrain.vertex_groups
