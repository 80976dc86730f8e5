# SPDX-License-Identifier: GPL-3.0-or-later
"""Library overrides of curves, houses and places of stamps that are moved or keyed shape the land as local objects do."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests import drawing
from tests.blender.extension import module
from tests.blender.helpers import activate, add_fractal_terrain, heights
from tests.blender.test_motion_curves import FRAMES, key, new_curve, new_house, path_along, vector

KINDS = ("curve", "house", "village", "stamp")
MOTIONS = ("moved", "keyed", "keyed in the library", "driven")
PARTS = "Parts"


def write_library(path, kind, motion, by, is_carried):
    """Write a file with a collection of the objects of a kind, the last of which moves the others if they are carried."""
    bpy.ops.wm.read_homefile(use_empty=True)
    home = bpy.data.collections.new(PARTS)
    bpy.context.scene.collection.children.link(home)
    if kind == "curve":
        parts = [new_curve("Part")]
        bpy.context.scene.collection.objects.unlink(parts[0])
        home.objects.link(parts[0])
    elif kind == "stamp":
        parts = [bpy.data.objects.new("Part", None)]
        home.objects.link(parts[0])
    else:
        spots = ((-200.0, 0.0, 40.0), (150.0, -180.0, 60.0))[: 1 + (kind == "village")]
        parts = [new_house(spot, home) for spot in spots]
        parts[0].name = "Part"
    if is_carried:
        carrier = bpy.data.objects.new("Carrier", None)
        home.objects.link(carrier)
        for part in parts:
            part.parent = carrier
    if motion == "keyed in the library":
        start_motion(mover_in(home, is_carried), "keyed", by)
        bpy.context.scene.frame_set(FRAMES[0])
    bpy.data.libraries.write(path, {home}, fake_user=True)


def mover_in(home, is_carried):
    """Return the object of a collection that moves; overrides may be named anew."""
    name = "Carrier" if is_carried else "Part"
    return next(obj for obj in home.all_objects if obj.name.partition(".")[0] == name)


def start_motion(obj, motion, by):
    start = obj.location.copy()
    if motion == "moved":
        obj.location, obj.rotation_euler.z = start + by, 0.4
    elif motion == "keyed":
        key(obj, "location", start, start + by)
        key(obj, "rotation_euler", (0.0, 0.0, 0.0), (0.0, 0.0, 0.4))
    elif motion == "driven":
        obj.driver_add("location", 0).driver.expression = f"{start.x} + frame * {by.x} / 10"


def bring(path, *, is_local):
    """Return the collection of a file: its objects as local ones, or as overrides."""
    with bpy.data.libraries.load(path, link=not is_local) as (_, there):
        there.collections = [PARTS]
    (home,) = there.collections
    bpy.context.scene.collection.children.link(home)
    bpy.context.view_layer.update()
    if is_local:
        return home
    overridden = home.override_hierarchy_create(bpy.context.scene, bpy.context.view_layer)
    if home.name in bpy.context.scene.collection.children:
        bpy.context.scene.collection.children.unlink(home)
    bpy.context.view_layer.update()
    for obj in overridden.all_objects:
        # Overrides of a hierarchy are closed to users until they are asked for.
        obj.override_library.is_system_override = False
    return overridden


def let_follow(terrain, kind, home):
    activate(terrain)
    part = mover_in(home, is_carried=False)
    if kind == "curve":
        path_along(terrain, part)
    elif kind == "stamp":
        assert bpy.ops.terrane.stamp_add(preset="volcano", size=300.0) == {"FINISHED"}
        own = bpy.context.object
        entry = next(each for each in terrain.terrane.layers if each.type == "stamp")
        entry.placements[0].object = part
        bpy.data.objects.remove(own)
        activate(terrain)
    else:
        for (
            obj
        ) in bpy.context.selected_objects:  # names of overrides are those of the linked objects
            obj.select_set(False)
        part.select_set(True)
        where = {"collection": home.name} if kind == "village" else {}
        assert bpy.ops.terrane.footprint_add(**where) == {"FINISHED"}
    bpy.ops.terrane.terrain_update()


def lands(path, kind, motion, by, is_carried, *, is_local):
    """Return the heights before the motion, and in some frames of it."""
    bpy.ops.wm.read_homefile(use_empty=True)
    terrain = add_fractal_terrain(size=1000.0, height=100.0, resolution=65)
    bpy.context.scene.frame_set(FRAMES[0])
    home = bring(path, is_local=is_local)
    let_follow(terrain, kind, home)
    found = [heights(terrain)]
    mover = mover_in(home, is_carried)
    assert (mover.override_library is None) == is_local
    start_motion(mover, motion, by)
    bpy.context.view_layer.update()
    module("operators.bridge.tasks.live").update_now()
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        found.append(heights(terrain))
    return found


@pytest.mark.parametrize("number", range(max(6, drawing.count_of(60))))
def test_moving_overrides_shape_the_land_as_local_objects(terrane, live, tmp_path, number):
    rng = drawing.generator(f"overrides {number}")
    kind = KINDS[number % len(KINDS)]
    motion, is_carried = rng.choice(MOTIONS), rng.random() < 0.4
    by = vector(rng, 150.0)
    print(kind, motion, is_carried, by)
    path = str(tmp_path / "parts.blend")
    write_library(path, kind, motion, by, is_carried)
    drawn = kind, motion, by, is_carried
    expected = lands(path, *drawn, is_local=True)
    assert np.abs(expected[0] - expected[-1]).max() > 0.1, "it moves"
    for frame, (land, local) in enumerate(zip(lands(path, *drawn, is_local=False), expected)):
        np.testing.assert_array_equal(land, local, err_msg=str(frame))
