# SPDX-License-Identifier: GPL-3.0-or-later
"""Views of a land: each is a camera that every preset can have."""

from __future__ import annotations

import pytest

from noise_core.base.errors import ParameterError
from noise_core.landscapes.preset_library import preset, shipped_names
from noise_core.landscapes.scene import Camera
from noise_core.landscapes.views import VIEWS, view_of


@pytest.mark.parametrize("view", VIEWS)
def test_every_preset_has_every_view(view):
    for name in shipped_names():
        camera = preset(name).look.camera
        seen = view_of(camera, view)
        assert seen.eye != seen.target
        assert view != "overview" or all(-0.25 <= part <= 1.25 for part in seen.eye)
        assert (seen is camera) == (view == "preset")


def test_a_camera_over_the_middle_has_an_overview():
    assert view_of(Camera(eye=(0.5, 0.5)), "overview").lift > 0.2


def test_an_unknown_view_is_refused():
    with pytest.raises(ParameterError, match=r"view must be one of preset, .*; got .*behind"):
        view_of(Camera(), "behind")
