# SPDX-License-Identifier: GPL-3.0-or-later
"""Plates: belts, rifts and offsets along their borders, and faults across them, against their laws."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid
from noise_core.erosion.tectonics.borders import BorderScale
from noise_core.erosion.tectonics.crust import Crust, Fault
from noise_core.erosion.tectonics.plates import BorderLine, Plate, Plates
from noise_core.erosion.tectonics.segments import Segments, scarp
from noise_core.modifiers import StreamErosion, Tectonics
from noise_core.noises import Fractal, Perlin
from noise_core.rasters.level import Level

pytestmark = pytest.mark.newest

WIDTH = 20000.0
SCALE = BorderScale(width=4000.0, uplift=1500.0, folds=0.0, rift=800.0, slip=900.0)
HEAD_ON = ((1.0, 0.0), (-1.0, 0.0))
APART = ((-1.0, 0.0), (1.0, 0.0))
PAST = ((0.0, 1.0), (0.0, -1.0))


def pair(motions, scale=SCALE):
    """Return two plates whose border runs along x = 0."""
    plates = [
        Plate((number, 0), x, 0.0, motion, 7)
        for number, (x, motion) in enumerate(zip((-6000.0, 6000.0), motions))
    ]
    return Plates(tuple(plates), scale, scale.width, 12000.0)


def line(x, y=0.0):
    """Return places along x, in meters."""
    x = np.asarray(x, np.float32)
    return x, np.full_like(x, y)


def hills(grid, seed=5, height=250.0):
    """Return rough ground."""
    noise = Fractal(source=Perlin(frequency=3.0), octaves=8)
    return noise.sample_grid(grid, seed) * np.float32(height)


def test_plates_that_meet_raise_a_belt():
    x = np.array([-4500.0, -4000.0, -2000.0, -1000.0, 0.0, 1000.0, 2000.0, 4000.0, 4500.0])
    rise, east, north = pair(HEAD_ON).act(*line(x))
    assert rise[4] == pytest.approx(SCALE.uplift, rel=1e-6)
    side = BorderLine.between(*pair(HEAD_ON).plates, SCALE).border.side
    widths = np.where(x * side > 0.0, 4000.0, 2000.0)  # the other flank is twice as steep
    law = SCALE.uplift * np.maximum(1.0 - (x / widths) ** 2, 0.0) ** 2
    assert rise == pytest.approx(law, abs=0.01)
    assert not east.any()
    assert not north.any()


def test_folds_lie_along_the_border():
    scale = BorderScale(4000.0, 1500.0, 300.0, 0.0, 0.0)
    y, x = np.mgrid[-8000.0:8000.0:161j, -4000.0:4000.0:161j].astype(np.float32)
    folded = pair(HEAD_ON, scale).act(x.reshape(-1), y.reshape(-1))[0]
    smooth = pair(HEAD_ON).act(x.reshape(-1), y.reshape(-1))[0]
    folds = (folded - smooth).reshape(x.shape)
    assert 150.0 < folds.max() <= 300.0
    assert folds.min() >= -1e-3
    assert not folds[:, 80].any(), "the border has the height that was asked for"
    across, along = np.abs(np.diff(folds, axis=1)).mean(), np.abs(np.diff(folds, axis=0)).mean()
    assert across / 50.0 > 2.5 * along / 100.0


def test_plates_that_part_sink_a_rift():
    plates = pair(APART)
    for y in (-9000.0, 0.0, 500.0, 7777.0):
        assert plates.act(*line([0.0], y))[0][0] == pytest.approx(-SCALE.rift, rel=1e-5)
    x = np.linspace(-4500.0, 4500.0, 9001)
    rise = plates.act(*line(x))[0]
    assert rise.max() == pytest.approx(0.15 * SCALE.rift, rel=0.05), "its shoulders"
    assert 1600.0 < abs(x[rise.argmax()]) < 2400.0
    assert not rise[np.abs(x) >= 4000.0].any()
    slope = np.diff(rise) / np.diff(x)
    # Scarps have 60 degrees; blocks between tilt the other way, towards the faults.
    assert np.abs(slope).max() <= 1.7321 * 1.01
    west = slope[(x[:-1] > -1900.0) & (x[:-1] < -500.0)]
    assert (west < -0.5).any()
    assert (west > 0.05).any()


def test_segments_of_a_fault_die_out_at_their_tips():
    along = np.linspace(-5000.0, 5000.0, 5001).astype(np.float32)
    (first, one), (second, other) = Segments(2000.0, 3).shares(along)
    assert first + second == pytest.approx(np.ones_like(along), abs=1e-6)
    for share, chance in ((first, one), (second, other)):
        changes = np.flatnonzero(np.diff(chance))
        assert 4 <= len(changes) <= 5
        assert share[changes].max() < 1e-4, "a segment ends where it has no throw"
        assert np.abs(chance).max() <= 1.0


@pytest.mark.parametrize("motions, sign", [(PAST, 1.0), (PAST[::-1], -1.0)])
def test_plates_that_slide_offset_the_land(motions, sign):
    _, east, north = pair(motions).act(*line([-90.0, 90.0, -4000.0, 4000.0, -2000.0, 0.0, 45.0]))
    assert north[0] - north[1] == pytest.approx(
        sign * (1.0 - 90.0 / 4000.0) ** 2 * SCALE.slip, rel=1e-5
    )
    assert north[5] == 0.0 and 0.4 < north[6] / north[1] < 0.6, "sheared, not torn"
    assert north[2:4] == pytest.approx([0.0, 0.0], abs=1e-4)
    assert north[4] == pytest.approx(sign * 0.125 * SCALE.slip, rel=1e-5)
    assert not east.any()


def test_a_ridge_is_cut_and_offset(monkeypatch):
    """A ridge across a strike-slip fault: its halves stand apart by the slip, from crest to crest, and no sample has a wall."""
    grid = Grid(401, 401, size=10000.0)
    place = np.linspace(-5000.0, 5000.0, 401)

    def move(crust, target, parts, progress, *, grid, seed):
        y, x = np.meshgrid(place.astype(np.float32), place.astype(np.float32), indexing="ij")
        fields = pair(PAST).act(x.reshape(-1), y.reshape(-1))
        return tuple(field.reshape(grid.shape) for field in fields)

    monkeypatch.setattr(Crust, "move", move)
    ridge = 300.0 * np.exp(-((place / 400.0) ** 2))
    height = np.tile(ridge.astype(np.float32)[:, None], (1, 401))
    relief = Tectonics().apply(height, grid)
    moved = relief.height - relief.maps["uplift"] + relief.maps["subsidence"]
    crest = place[moved.argmax(0)]
    assert crest[196] - crest[204] == pytest.approx(0.95 * SCALE.slip, abs=2.0 * grid.spacing)
    assert np.abs(np.diff(moved, axis=1)).max() < 0.6 * 300.0
    assert crest[[0, -1]] == pytest.approx([0.0, 0.0], abs=grid.spacing)


def test_a_faults_throw_is_that_asked_in_its_middle_and_dies_out():
    fault = Fault(0.0, 0.0, (1.0, 0.0), 3000.0, 120.0)
    for along, share in ((0.0, 1.0), (750.0, 0.75), (1499.0, 0.0013), (1600.0, 0.0)):
        foot, hanging = fault.rise(*line([0.0, 120.0 / np.sqrt(3.0)], along))
        near = (1.0 - 120.0 / np.sqrt(3.0) / fault.reach) ** 2
        assert foot == pytest.approx(0.25 * 120.0 * share, abs=0.1)
        assert hanging == pytest.approx(-0.75 * 120.0 * share * near, abs=0.1)
    assert not fault.rise(*line([-fault.reach, fault.reach])).any()
    assert scarp(np.float32([-1.0, 0.0, 1.0]), 2.0) == pytest.approx([0.0, 0.0, np.sqrt(3.0) / 2.0])


def test_plates_without_motion_change_nothing():
    rise, east, north = pair(((0.0, 0.0), (0.0, 0.0))).act(*line([-900.0, 0.0, 800.0]))
    assert not (rise.any() or east.any() or north.any())
    together = pair(((0.7, 0.2), (0.7, 0.2))).act(*line([-900.0, 0.0, 800.0]))
    assert not any(one.any() for one in together)
    grid = Grid(65, 65, size=WIDTH)
    height = hills(grid)
    assert Tectonics(strength=0.0).apply(height, grid, 1).height.tobytes() == height.tobytes()


@pytest.mark.parametrize("seed", [1, 4])
def test_no_seam_between_plates(seed):
    """Only scarps, of 60 degrees, break the land: no step where three plates meet."""
    scale = BorderScale(3000.0, 1500.0, 0.0, 0.0, 0.0)
    crust = Crust(scale, 8000.0, 20.0, 0.0, 0.0, 0.0)
    grid = Grid(801, 801, size=WIDTH)
    rise = crust.move(Level.from_grid(grid), [], lambda share: None, grid=grid, seed=seed)[0]
    assert np.ptp(rise) > 500.0
    steepest = max(np.abs(np.diff(rise, axis=axis)).max() for axis in (0, 1))
    # The steep flank has at most 1.54 times its height over its width; three of them may add up.
    assert steepest / grid.spacing < 3.0


@pytest.mark.parametrize("values", [{}, {"drift": 33.0, "plate_size": 7000.0}])
def test_seamless(values):
    """A torus whose first sample lies elsewhere has the moved land: its edges lie in the middle."""
    grids = [
        Grid(192, 256, size=WIDTH, wrap=True, origin=origin) for origin in ((0, 0), (0.5, 0.375))
    ]
    first, moved = (Tectonics(**values).apply(hills(grid), grid, 3).height for grid in grids)
    rolled = np.roll(first, (-96, -128), (0, 1))
    assert np.abs(moved - rolled).mean() < 1e-5 * np.ptp(first)
    assert np.abs(moved - rolled).max() < 0.01 * np.ptp(first)


def test_resolutions_agree():
    grids = [Grid(n, n, size=WIDTH) for n in (513, 1025)]
    for seed in (1, 3):
        coarse, fine = (Tectonics().apply(hills(grid), grid, seed).height for grid in grids)
        assert np.abs(fine[::2, ::2] - coarse).mean() <= 0.001 * np.ptp(fine)


def test_blocks_of_rows_do_not_show(monkeypatch):
    from noise_core.erosion.tectonics import crust

    grid = Grid(200, 150, size=WIDTH)
    height = hills(grid)
    height_before = Tectonics().apply(height, grid, 2).height
    monkeypatch.setattr(crust, "_SAMPLES", 150 * 7)
    assert Tectonics().apply(height, grid, 2).height.tobytes() == height_before.tobytes()


def test_mountains_grow_of_its_uplift():
    """Stream Erosion in its mode grow takes the same field as how fast the ground rises."""
    grid = Grid(257, 257, size=WIDTH)
    picture = Tectonics(faults=0.0).apply(np.zeros(grid.shape, np.float32), grid, 3)
    grown = StreamErosion(mode="grow").apply(picture.height, grid, 1).height
    fast = picture.maps["uplift"] > 0.5 * picture.maps["uplift"].max()
    slow = picture.maps["subsidence"] > 0.5 * picture.maps["subsidence"].max()
    assert grown[fast].mean() > 3.0 * grown[slow].mean()


def test_a_mask_limits_it():
    grid = Grid(129, 129, size=WIDTH)
    height, mask = hills(grid), np.zeros(grid.shape, np.float32)
    mask[:, 60:] = 1.0
    relief = Tectonics().apply(height, grid, 3, mask=mask)
    assert (relief.height[:, :60] == height[:, :60]).all()
    assert np.abs(relief.height - height)[:, 60:].max() > 50.0
    assert not relief.maps["uplift"][:, :60].any()
