# SPDX-License-Identifier: GPL-3.0-or-later
"""Small pictures of surfaces, their files, and maps that share an image."""

import time

import numpy as np
import pytest

from noise_core import Grid
from noise_core.base.errors import Cancelled, ParameterError
from noise_core.materials.surfaces import (
    MAPS,
    pack_maps,
    picture_of,
    surface,
    surface_names,
    unpack_maps,
)
from noise_core.pictures.thumbnail import surface_picture


def test_every_shipped_surface_has_a_small_picture():
    paths = [picture_of(name) for name in surface_names()]
    assert all(path.read_bytes()[8:12] == b"WEBP" for path in paths)
    assert sum(path.stat().st_size for path in paths) < 100_000
    assert picture_of("no_such") is None and picture_of("../library/ice") is None


def test_picture_shows_the_surface_and_is_deterministic():
    grass, snow = (surface_picture(surface(name), 0, 48) for name in ("grass", "snow"))
    assert grass.shape == (48, 48, 3) and grass.dtype == np.float32
    assert 0.0 <= grass.min() and grass.max() <= 1.0
    red, green, blue = grass.mean((0, 1))
    assert green > red > blue and snow.mean() > 0.7 > grass.mean()
    np.testing.assert_array_equal(grass, surface_picture(surface("grass"), 0, 48))
    assert not np.array_equal(grass, surface_picture(surface("grass"), 1, 48))


def test_emission_glows_and_the_picture_ends_early():
    dark = surface_picture(surface("lava", glow="#000000"), 0, 48)
    assert surface_picture(surface("lava"), 0, 48).mean() > dark.mean()
    with pytest.raises(Cancelled):
        surface_picture(surface("lava"), 0, 48, cancel=lambda: True)
    with pytest.raises(ParameterError, match="size"):
        surface_picture(surface("lava"), 0, 48, size=-1.0)


def test_preview_is_quick():
    """Processor time, and twice the promise, for busy machines; `benchmarks` measures the users' wait."""
    seconds = []
    for seed in range(3):
        began = time.process_time()
        surface_picture(surface("granite"), seed, 256)
        seconds.append(time.process_time() - began)
    assert sorted(seconds)[1] < 0.3


def test_maps_are_packed_as_engines_read_them():
    assert pack_maps(("base_color", "roughness", "height")) == ("base_color", "height", "orm")
    assert pack_maps(("base_color", "normal")) == ("base_color", "normal")
    assert unpack_maps(("height", "orm", "roughness")) == (
        *("height", "ambient_occlusion", "roughness", "metallic"),
    )
    textures = surface("rust").textures(Grid(32, 32, wrap=True), 0, unpack_maps(("orm",)))
    packed = textures.encode("orm")
    for channel, name in enumerate(("ambient_occlusion", "roughness", "metallic")):
        np.testing.assert_array_equal(packed[..., channel], textures[name])
    assert "orm" not in MAPS
