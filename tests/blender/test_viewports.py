# SPDX-License-Identifier: GPL-3.0-or-later
"""A view is moved so that a box fits into a part of it, tightly; see tests/gui/run_walk.py too."""

from __future__ import annotations

import importlib
from types import SimpleNamespace

import numpy as np
import pytest
from mathutils import Euler, Matrix

EXTENSION = "bl_ext.user_default.terrane"
FRAMES = [((-0.9, 0.9), (-0.9, 0.9)), ((-0.8, 0.4), (-0.9, 0.7)), ((-0.1, 0.9), (-0.2, 0.9))]
BOX = np.array([(x, y, z) for x in (-2000.0, 2000.0) for y in (-1e3, 1e3) for z in (-90.0, 300.0)])


def view(is_perspective, distance=17.0):
    """Return a view of 1.5 times as wide as high from above the right."""
    wide = 1.4 if is_perspective else 0.8 / distance
    matrix = Matrix(((wide, 0, 0, 0), (0, 1.5 * wide, 0, 0), (0, 0, -1, -1), (0, 0, 0, 1)))
    rotation = Euler((1.1, 0.0, 0.8)).to_quaternion()
    return SimpleNamespace(
        view_rotation=rotation,
        window_matrix=matrix,
        is_perspective=is_perspective,
        view_distance=distance,
    )


@pytest.mark.parametrize("is_perspective", [True, False])
@pytest.mark.parametrize("frame", FRAMES)
def test_a_box_fills_its_frame(terrane, is_perspective, frame):
    viewports = importlib.import_module(f"{EXTENSION}.operators.bridge.terrain.viewports")
    view_before = view(is_perspective)
    location, distance = viewports.fit_view(view_before, BOX, frame)
    seen = (BOX - np.array(location)) @ np.array(view_before.view_rotation.to_matrix())
    scales = np.array(view_before.window_matrix)[[0, 1], [0, 1]]
    if is_perspective:
        assert distance > seen[:, 2].max(), "the eye is within the box"
        shown = seen[:, :2] * scales / (distance - seen[:, 2:])
    else:
        shown = seen[:, :2] * scales * view_before.view_distance / distance
    low, high = np.array(frame).T
    assert (shown >= low - 1e-6).all() and (shown <= high + 1e-6).all(), shown
    slack = np.stack((shown.min(axis=0) - low, high - shown.max(axis=0)))
    assert np.abs(slack).sum(axis=0).min() < 1e-5, "it could be larger"
    np.testing.assert_allclose(slack[0], slack[1], atol=1e-5, err_msg="it is not in the middle")


def test_a_view_that_was_never_drawn_is_left_to_others(terrane):
    viewports = importlib.import_module(f"{EXTENSION}.operators.bridge.terrain.viewports")
    blank = view(True)
    blank.window_matrix = Matrix(((0,) * 4,) * 4)
    assert viewports.fit_view(blank, BOX, FRAMES[0]) is None
