# SPDX-License-Identifier: GPL-3.0-or-later
"""Clouds and trees of the example landscapes: they cover what they should, and stand on the ground."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
import pytest

# Clouds are arrays that NumPy computes; the core's tests try its versions. One Blender will do.
needs_no_blender = pytest.mark.skipif(
    bpy.app.version >= (4, 3), reason="the oldest Blender tests it for all"
)


@pytest.fixture
def sky(example):
    """Return a function that gives light and cover of so many clouds."""
    clouds, looks = example("_clouds"), example("_looks")

    def sky(cumulus, sun=(30.0, 180.0)):
        air = replace(looks.Air(), cumulus=cumulus, cumulus_seed=2, sun=sun)
        found = clouds.panorama(air, clouds.View(0.0, 60.0, 48))
        return found[..., :3], found[..., 3]

    return sky


@needs_no_blender
def test_more_clouds_cover_more(sky):
    cover = [sky(cumulus)[1] for cumulus in (0.05, 0.2, 0.6)]
    assert cover[0].mean() < 0.6 * cover[1].mean() < 0.4 * cover[2].mean()
    for one in cover:
        assert one.min() >= 0.0 and one.max() <= 1.0 and one.max() > 0.9
    # There are gaps: a clear sky between heaps, not haze.
    assert (cover[1] < 0.01).mean() > 0.2


@needs_no_blender
def test_clouds_shine_where_they_are_and_by_the_sun(sky):
    light, cover = sky(0.2)
    assert np.isfinite(light).all() and light.min() >= 0.0
    assert light[cover < 1e-6].max() == 0.0
    thick = cover > 0.95
    # Seen from below: a sun overhead shines on the other side of a cloud.
    overhead, below = (sky(0.2, sun=(height, 180.0))[0][thick] for height in (80.0, -80.0))
    assert below.mean() > 1.2 * overhead.mean(), (below.mean(), overhead.mean())


def test_trees_stand_on_dry_and_gentle_ground(example):
    plants, surroundings, looks = (example(name) for name in ("_plants", "_surroundings", "_looks"))
    bpy.ops.terrane.terrain_add(preset="rolling_hills", resolution=129)
    land = surroundings.Land.of(bpy.context.active_object)
    look = replace(looks.LOOKS["rolling_hills"], around="nothing")
    levels = np.where(land.height < np.quantile(land.height, 0.3), land.height + 1.0, -np.inf)
    stands = plants.add_plants(land, look, levels)
    places = np.concatenate([surroundings.positions(one.data) for one in stands])
    middles = places.reshape(-1, 4, 3).mean(axis=1)
    assert len(middles) > 1000
    for x, y, z in middles[::97]:
        column = (x / land.width + 0.5) * (land.height.shape[1] - 1)
        row = (y / land.depth + 0.5) * (land.height.shape[0] - 1)
        near = land.height[int(row) : int(row) + 2, int(column) : int(column) + 2]
        assert near.min() - 0.01 <= z <= near.max() + 0.01
        assert levels[round(row), round(column)] == -np.inf
        assert plants._steepness(land)[round(row), round(column)] <= look.plants.steepest
    # Each square has a copy of a tree.
    assert all(len(one.children) == 1 and one.instance_type == "FACES" for one in stands)
