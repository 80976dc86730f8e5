# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of plants and stones: sound triangles, which stand on the ground and are the same each time."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from noise_core.landscapes.plant_shapes import kinds
from noise_core.landscapes.plant_shapes.shape import (
    ACCENT,
    FOLIAGE,
    STONE,
    WOOD,
    PlantShape,
    ball,
    limb,
)
from noise_core.landscapes.plants import KINDS, Plants

# Plain arithmetic: one NumPy sees it.
pytestmark = pytest.mark.newest


def _all(plants: Plants | None = None) -> list[tuple[str, PlantShape]]:
    found = []
    for kind in KINDS:
        for level, shapes in zip(
            ("near", "light", "far"), kinds.shapes_of(kind, plants or Plants())
        ):
            found += [(f"{kind} {level}", one) for one in shapes]
    return found


@pytest.mark.parametrize("name, shape", _all())
def test_shapes_are_sound(name: str, shape: PlantShape) -> None:
    count = len(shape.points)
    assert shape.points.dtype == np.float32 and np.isfinite(shape.points).all()
    assert shape.facing.shape == shape.points.shape and np.isfinite(shape.facing).all()
    assert shape.triangles.min() == 0 and shape.triangles.max() == count - 1
    corners = np.sort(shape.triangles, axis=1)
    assert (np.diff(corners, axis=1) > 0).all(), f"{name}: a triangle has a corner twice"
    assert len(shape.materials) == len(shape.triangles)
    assert set(shape.materials.tolist()) <= {FOLIAGE, WOOD, ACCENT, STONE}


@pytest.mark.parametrize("name, shape", _all())
def test_shapes_stand_on_the_ground_and_are_about_one_high(name: str, shape: PlantShape) -> None:
    high = shape.points[:, 2]
    assert -0.5 < high.min() < 0.1, name
    # Of grass, herbs and fallen leaves are low.
    lowest = 0.3 if name.startswith(("stones", "grass")) else 0.6
    assert lowest < high.max() < 1.4, name


def test_variants_differ_and_are_the_same_each_time() -> None:
    first, second = _all(), _all()
    for (name, one), (_, same) in zip(first, second):
        assert one.points.tobytes() == same.points.tobytes(), name
    assert len({one.points.tobytes() for _, one in first}) == len(first)


def test_shapes_that_were_packed_are_the_same_to_the_bit() -> None:
    drawn = kinds.unpack(kinds.pack(kinds.draw_all()))
    for kind in KINDS:
        fresh, kept = kinds.shapes_of(kind, Plants()), kinds.shapes_of(kind, Plants(), drawn)
        for here, there in zip(fresh, kept):
            assert len(here) == len(there)
            for one, other in zip(here, there):
                for name in ("points", "triangles", "materials", "facing"):
                    mine, yours = getattr(one, name), getattr(other, name)
                    assert (mine.dtype, mine.shape) == (yours.dtype, yours.shape)
                    assert mine.tobytes() == yours.tobytes(), (kind, name)


def test_groups_are_as_wide_as_their_plants_stand_apart() -> None:
    def width(density: float) -> float:
        plants = dataclasses.replace(Plants(), conifers_density=density, conifers_size=10.0)
        _, _, (group, *_) = kinds.shapes_of("conifers", plants)
        return float(np.ptp(group.points[:, 0]))

    assert width(1.0) > width(800.0) > width(1e5) > 1.0
    assert width(0.0) == width(1.0) and width(1e6) == width(1e5)


def test_distant_plants_are_lighter() -> None:
    for kind in kinds.FAR:
        near, light, far = kinds.shapes_of(kind, Plants())
        count = kinds.FAR[kind][1]
        assert len(near) == len(light) == 5
        assert max(len(one.triangles) for one in far) <= 1500, kind
        heaviest = max(len(one.triangles) for one in far) / count
        assert heaviest < 0.5 * min(len(one.triangles) for one in near), kind
        assert max(len(one.triangles) for one in light) <= 200, kind


def test_a_ball_is_closed_and_a_limb_has_its_radii() -> None:
    sphere = ball(2)
    edges = np.sort(sphere.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    _, counts = np.unique(edges, axis=0, return_counts=True)
    assert (counts == 2).all() and len(sphere.triangles) == 20 * 4**2
    np.testing.assert_allclose(np.linalg.norm(sphere.points, axis=1), 1.0, atol=1e-6)
    tube = limb([(0, 0, 0), (0, 0, 1)], (0.5, 0.25), sides=6)
    radii = np.linalg.norm(tube.points[:, :2], axis=1)
    np.testing.assert_allclose(radii, np.repeat([0.5, 0.25], 6), atol=1e-6)
