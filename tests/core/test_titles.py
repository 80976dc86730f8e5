# SPDX-License-Identifier: GPL-3.0-or-later
"""Names become labels, in the spelling of Blender's interface."""

from __future__ import annotations

import pytest

from noise_core.base.params import title_of
from noise_core.noises import Fractal, Gradient


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("base_color", "Base Color"),
        ("gray", "Gray"),
        ("coloring", "Coloring"),
        ("talus_angle", "Talus Angle"),
        ("f1_plus_f2", "F1 Plus F2"),
    ],
)
def test_a_name_is_read_as_blender_spells_it(name, label):
    assert title_of(name) == label


def test_parameters_keep_their_names():
    titles = {one.name: one.title for one in (*Gradient.parameters(), *Fractal.parameters())}
    assert titles["center"] == "Center" and titles["normalize"] == "Normalize"
