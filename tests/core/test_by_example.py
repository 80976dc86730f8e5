# SPDX-License-Identifier: GPL-3.0-or-later
"""A texture by example has the colors of the example, no seam, and no repetition."""

from __future__ import annotations

import platform
import statistics
import zlib

import numpy as np
import pytest

from noise_core import Cancelled, Grid, ParameterError
from noise_core.base import blocks
from noise_core.codecs.image_files import read_pixels
from noise_core.materials.by_example.channels import (
    ColorAxes,
    Histogram,
    ValueTable,
    normal_quantiles,
    to_normal,
)
from noise_core.materials.by_example.settings import ByExample
from noise_core.noises import Cellular, Perlin, Warp
from noise_core.rasters.resizing import resize_planes
from tests.core.test_command_line import call

LARGEST_DIFFERENCE = 0.01
"""Of the cumulative histograms of a channel."""

LARGEST_CORRELATION = 0.1
"""Of a texture with itself at the distance of the example, or of its patches; repetition has 1."""


def photograph(rows, columns, *, wrap=False):
    """Return dark lines between stones of two colors, in light that changes: uint8, (rows, columns, 3)."""
    grid = Grid(rows, columns, wrap=wrap)
    stones = Warp(source=Cellular(frequency=14.0, output="edge"), strength=0.02).sample_grid(
        grid, 3
    )
    tone = Cellular(frequency=14.0, output="cell").sample_grid(grid, 3)
    grain = Perlin(frequency=60.0).sample_grid(grid, 5)
    light = np.clip((stones - stones.min()) * 1.2, 0.0, 1.0) * (0.75 + 0.25 * grain)
    warm = np.where(tone > 0.2, 1.0, 0.55)
    colors = np.stack((light * warm, light * (0.5 + 0.3 * warm), light * (1.1 - 0.5 * warm)), -1)
    return (np.clip(colors, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)


EXAMPLE = photograph(160, 192)


def paint(example=EXAMPLE, shape=(256, 256), seed=1, wrap=True, **settings):
    return ByExample(**settings).paint(example, Grid(*shape, wrap=wrap), seed)


def largest_difference(one, other):
    """Return the largest difference of the cumulative histograms of two arrays."""
    values = np.unique(np.concatenate((one.ravel(), other.ravel())))
    shares = [np.searchsorted(np.sort(part.ravel()), values, "right") / part.size for part in (one, other)]  # fmt: skip
    return float(np.abs(shares[0] - shares[1]).max())


def check_histograms(made, example):
    for channel in range(made.shape[2]):
        difference = largest_difference(made[..., channel], example[..., channel])
        assert difference <= LARGEST_DIFFERENCE, (channel, difference)


def autocorrelation(gray):
    """Return the correlation of an array with itself at all distances, on a torus."""
    spectrum = np.abs(np.fft.fft2(gray - gray.mean())) ** 2
    correlation = np.fft.ifft2(spectrum).real
    return correlation / correlation[0, 0]


@pytest.mark.parametrize(
    ("example", "settings"),
    [
        (EXAMPLE, {}),
        (EXAMPLE, {"sharpness": 1.0, "patch_size": 0.4}),
        (EXAMPLE, {"turned": True, "patch_size": 0.1}),
        (photograph(128, 128, wrap=True), {}),
        (EXAMPLE[..., :1], {}),
        ((EXAMPLE[..., :1] > 90) * np.uint8(255), {}),
    ],
    ids=["plain", "soft", "turned", "seamless", "gray", "black and white"],
)
@pytest.mark.newest
def test_the_histogram_is_the_examples(example, settings):
    check_histograms(paint(example, **settings), example)


def test_an_endless_texture_has_the_histogram_as_a_whole():
    colors = paint(EXAMPLE, (700, 700), wrap=False)
    check_histograms(colors, EXAMPLE)


def test_colors_stay_those_of_the_example():
    example = np.zeros((96, 96, 3), np.uint8)
    which = Cellular(frequency=9.0, output="cell").sample_grid(Grid(96, 96), 1)
    example[..., 0] = 255 * (which < 0.0)
    example[..., 2] = 255 - example[..., 0]
    made = paint(example, (128, 128)).astype(int)
    # Red and blue are never both there or both missing, but in the seams.
    assert (np.abs(made[..., 0] + made[..., 2] - 255) > 40).mean() < 0.02


@pytest.mark.newest
def test_nothing_repeats_at_the_distance_of_the_example_or_of_its_patches():
    example = photograph(96, 96, wrap=True)
    tiled = autocorrelation(np.tile(example[..., 1], (4, 4)).astype(float))
    assert tiled[0, 96] > 0.99 and tiled[96, 0] > 0.99
    for seed in (1, 2):
        correlation = autocorrelation(paint(example, (384, 384), seed)[..., 1].astype(float))
        step = 24  # of the patches: a quarter of the example
        for lag in (step, 2 * step, 3 * step, 96, 192):
            near = np.s_[max(lag - 4, 8) : lag + 5]
            assert np.abs(correlation[0, near]).max() < LARGEST_CORRELATION, lag
            assert np.abs(correlation[near, 0]).max() < LARGEST_CORRELATION, lag


@pytest.mark.parametrize("shape", [(120, 200), (37, 64), (5, 300)])
def test_the_edges_meet(shape):
    made = paint(EXAMPLE, shape).astype(int)
    for axis in (0, 1):
        within = np.abs(np.diff(made, axis=axis)).mean(axis=(1 - axis, 2))
        seam = np.abs(made.take(0, axis) - made.take(-1, axis)).mean()
        assert seam <= max(within.max(), 1.5 * within.mean())


@pytest.mark.parametrize("wrap", [True, False])
@pytest.mark.parametrize("turned", [True, False])
def test_a_window_has_the_bits_of_the_whole(wrap, turned):
    grid, settings = Grid(150, 170, wrap=wrap), ByExample(turned=turned)
    whole = settings.paint(EXAMPLE, grid, 4)
    for row, column, rows, columns in ((0, 0, 150, 20), (33, 71, 50, 99), (149, 169, 1, 1)):
        part = settings.paint(EXAMPLE, grid.window(row, column, rows, columns), 4)
        np.testing.assert_array_equal(part, whole[row : row + rows, column : column + columns])


def test_grids_side_by_side_are_one_endless_texture():
    one = ByExample().paint(EXAMPLE, Grid(65, 65), 4)
    right = ByExample().paint(EXAMPLE, Grid(65, 65, origin=(1.0, 0.0)), 4)
    far = ByExample().paint(EXAMPLE, Grid(65, 65, origin=(-1e6, 1e6)), 4)
    np.testing.assert_array_equal(one[:, -1], right[:, 0])
    assert (one != right).any() and far.std() > 10.0


def test_threads_change_nothing(monkeypatch):
    whole = paint()
    monkeypatch.setattr("noise_core.materials.by_example.texture._STRIP", 256 * 16)
    for threads in (1, 2):
        with blocks.on_threads(threads):
            np.testing.assert_array_equal(paint(), whole)


def test_another_seed_gives_another_texture():
    results = [paint(shape=(64, 64), seed=seed) for seed in (0, 1, -1, 0xFFFFFFFF)]
    assert (results[0] != results[1]).mean() > 0.5
    np.testing.assert_array_equal(results[2], results[3])


@pytest.mark.skipif(
    platform.machine().lower() not in ("x86_64", "amd64"),
    reason="bits are promised on x86-64 alone",
)
def test_the_bits_are_the_same_everywhere():
    colors = paint(shape=(96, 128), seed=7, scale=0.8, turned=True)
    assert zlib.crc32(colors.tobytes()) == 1481541002
    floats = (EXAMPLE / np.float32(3.0)).astype(np.float32)
    colors = paint(floats, shape=(96, 128), seed=7, scale=1.7)
    assert zlib.crc32(colors.tobytes()) == 1660728821


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32, np.float64])
@pytest.mark.parametrize("channels", [None, 1, 2, 3, 4])
def test_type_and_channels_are_kept(dtype, channels):
    pixels = (
        EXAMPLE[:64, :64, 0] if channels is None else EXAMPLE[:64, :64, [0, 1, 2, 0][:channels]]
    )
    colors = paint(pixels.astype(dtype), (40, 50))
    assert colors.shape == (40, 50, *pixels.shape[2:])
    assert colors.dtype == (np.float32 if dtype is np.float64 else dtype)


def test_floats_beyond_white_keep_their_histogram():
    even = EXAMPLE + np.random.default_rng(1).random(EXAMPLE.shape)  # no two alike
    light = np.exp(even * (3.0 / 255.0)).astype(np.float32)
    colors = paint(light)
    check_histograms(colors, light)
    assert colors.max() > 10.0


def test_alpha_that_is_opaque_stays_opaque_and_gray_stays_gray():
    gray = EXAMPLE[..., [1, 1, 1, 1]].copy()
    gray[..., 3] = 255
    colors = paint(gray)
    assert (colors[..., 3] == 255).all() and (colors[..., 0] == colors[..., 2]).all()


@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (3, 2), (20, 500)])
def test_examples_of_any_size(shape):
    example = EXAMPLE[: shape[0], :1].repeat(shape[1], 1) if shape[1] > 192 else EXAMPLE[: shape[0], : shape[1]]  # fmt: skip
    for size in ((1, 1), (2, 3), (64, 64)):
        colors = paint(example, size)
        assert colors.shape == (*size, 3)
        assert colors.min() >= example.min() and colors.max() <= example.max()


def test_one_color_stays():
    assert (paint(np.full((9, 9, 4), 77, np.uint8), (30, 30)) == 77).all()


@pytest.mark.parametrize(
    ("example", "message"),
    [
        ([[1, 2]], "must be an array of shape"),
        (np.zeros(5, np.uint8), "must be an array of shape"),
        (np.zeros((0, 5), np.uint8), "must be an array of shape"),
        (np.zeros((5, 5, 5), np.uint8), "1 to 4 channels; got 5"),
        (np.zeros((5, 5), np.int32), "uint8, uint16 or floats; got int32"),
        (np.full((5, 5), np.nan), "finite"),
        (np.full((5, 5), 1e30), "finite"),
        (np.broadcast_to(np.uint8(0), (1 << 14, 1 << 14)), "at most 67108864 pixels"),
    ],
)
def test_what_is_no_image_is_refused(example, message):
    with pytest.raises(ParameterError, match=message):
        paint(example, (8, 8))


def test_a_scale_that_makes_it_too_large_is_refused():
    with pytest.raises(ParameterError, match="at its scale"):
        paint(np.zeros((2000, 2000), np.uint8), (8, 8), scale=50.0)


@pytest.mark.parametrize("scale", [0.5, 1.6])
def test_the_scale_is_that_of_the_pattern(scale):
    made = paint(scale=scale, patch_size=0.4).astype(float)
    plain = paint(patch_size=0.4).astype(float)
    steps = [np.abs(np.diff(one, axis=0)).mean() / one.std() for one in (made, plain)]
    assert (steps[0] < steps[1]) == (scale > 1.0)


def test_it_can_be_cancelled_and_tells_of_its_progress():
    shares = []
    with blocks.on_threads(1):  # several may be done with all strips at once
        ByExample().paint(EXAMPLE, Grid(600, 600, wrap=True), progress=shares.append)
    assert shares == sorted(shares) and shares[-1] == 1.0 and len(shares) > 2
    with pytest.raises(Cancelled):
        ByExample().paint(EXAMPLE, Grid(64, 64, wrap=True), cancel=lambda: True)


def test_normal_quantiles_are_right():
    shares = np.concatenate((np.linspace(0.001, 0.999, 999), [1e-6, 1.0 - 1e-6, 0.5]))
    exact = [statistics.NormalDist().inv_cdf(share) for share in shares.tolist()]
    np.testing.assert_allclose(normal_quantiles(shares), exact, atol=2e-6)


def test_values_become_normal_and_come_back():
    values = EXAMPLE[..., 0].astype(np.float32)
    scores = to_normal(values)
    back = ValueTable.matching(scores, Histogram.of(values)).apply(scores)
    assert largest_difference(np.rint(back), values) < 0.002
    assert abs(float(scores.mean())) < 0.02


def test_colors_along_their_axes_do_not_correlate():
    planes = np.moveaxis(EXAMPLE, 2, 0).astype(np.float32)
    axes = ColorAxes.of(planes)
    parts = axes.split(planes)
    correlation = np.corrcoef(parts.reshape(3, -1).astype(np.float64))
    assert np.abs(correlation - np.eye(3)).max() < 1e-3
    np.testing.assert_allclose(axes.join(list(parts)), planes, atol=1e-3)


def test_resizing_keeps_the_mean_and_a_line():
    planes = np.moveaxis(EXAMPLE, 2, 0).astype(np.float32)
    small = resize_planes(planes, 40, 48, (False, False))
    assert np.abs(small.mean(axis=(1, 2)) - planes.mean(axis=(1, 2))).max() < 1.0
    line = np.arange(20, dtype=np.float32)[np.newaxis, np.newaxis]
    twice = resize_planes(line, 1, 40, (False, False))[0, 0]
    np.testing.assert_allclose(twice[4:-4], np.arange(40)[4:-4] / 2.0 - 0.25, atol=1e-4)


def test_the_command_line_makes_a_seamless_image(tmp_path):
    from noise_core.codecs.image_writing.png import png_parts

    (tmp_path / "stones.png").write_bytes(b"".join(png_parts(EXAMPLE, 8, is_color=True)))
    names = tmp_path / "stones.png", tmp_path / "new.png"
    status, said, _ = call(
        "texture", *names, "--size", "50x40", "--seed", 3, "--option", "turned=on"
    )
    assert status == 0 and said == [str(names[1])]
    expected = paint(EXAMPLE, (40, 50), 3, turned=True)
    np.testing.assert_array_equal(read_pixels(names[1]), expected)
    assert call("texture", *names)[0] != 0  # it is there
    for bad in (
        ("texture", __file__, tmp_path / "a.png"),
        ("texture", names[0], tmp_path / "a.gif"),
    ):
        status, _, noted = call(*bad)
        assert status != 0 and len(noted) == 1
