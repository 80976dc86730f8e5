# SPDX-License-Identifier: GPL-3.0-or-later
"""Geomorphic figures: land of known figures, the picture, and `python -m noise_core figures`."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from noise_core import Cancelled, ParameterError, Recipe
from noise_core.codecs.image_files import read_image
from noise_core.commands.command_line import run
from noise_core.noises import Constant, Perlin
from noise_core.pictures.charts.canvas import GLYPHS, UNKNOWN, Canvas, strokes_of, text_width
from noise_core.pictures.charts.chart import Axis, linear_axis, log_axis
from noise_core.pictures.relief_figures import picture
from noise_core.pictures.relief_figures.labels import LABELS, format_figures
from noise_core.pictures.relief_figures.measured import measured_land, to_json
from noise_core.pictures.relief_figures.measuring import measure, sea_of
from noise_core.pictures.relief_figures.picture import draw_figures
from noise_core.rasters.level import Level

WHITE = (1.0, 1.0, 1.0)
BLACK = (0.0, 0.0, 0.0)


def level(side, step=10.0):
    return Level(side, side, step, step, False)


def places(side):
    """Return rows and columns from -1 to 1."""
    return np.meshgrid(np.linspace(-1.0, 1.0, side), np.linspace(-1.0, 1.0, side), indexing="ij")


def surface(beta, side=256):
    """Return heights whose power falls with this power of the frequency."""
    random = np.random.default_rng(3)
    waves = np.hypot(*np.meshgrid(np.fft.fftfreq(side), np.fft.fftfreq(side)))
    waves[0, 0] = math.inf
    noise = np.fft.fft2(random.standard_normal((side, side)))
    height = np.fft.ifft2(noise * waves ** (-beta / 2.0)).real
    return (100.0 * height / height.std()).astype(np.float32)


def valley(side=128):
    """Return a valley that falls along y, between slopes that fall towards its middle."""
    row, column = np.mgrid[0:side, 0:side].astype(np.float32)
    return 2.0 * row + 3.0 * np.abs(column - side // 2)


def relief(side=192):
    """Return land with rivers."""
    y, x = places(side)
    bumps = np.sin(9.0 * x + 2.0 * np.sin(5.0 * y)) * np.cos(4.0 * y)
    return (900.0 + 800.0 * y + 40.0 * bumps + 150.0 * np.abs(np.sin(6.0 * x + y))).astype(
        np.float32
    )


def test_a_plane_has_its_slope_everywhere():
    row, column = np.mgrid[0:80, 0:90]
    uneven = Level(80, 90, 20.0, 5.0, False)
    height = 0.6 * 20.0 * row + 0.25 * 5.0 * column
    found = measure(height, uneven)
    slope = math.degrees(math.atan(math.hypot(0.6, 0.25)))
    assert found.figures.slope_mean == pytest.approx(slope, abs=1e-3)
    assert found.figures.slope_95 == pytest.approx(slope, abs=1e-3)
    assert found.figures.steep_share == 0.0 and found.curves.slopes[16] == pytest.approx(100.0)
    assert found.figures.hypsometric_integral == pytest.approx(0.5, abs=1e-6)
    assert found.figures.asp8 == pytest.approx(1.0, abs=1e-3)  # all of it faces one way
    assert measure(2.0 * height, uneven).figures.steep_share == 100.0


def test_a_cone_has_a_third():
    y, x = places(301)
    height = 1000.0 * (1.0 - np.hypot(x, y))
    found = measure(height, level(301), 0.0).figures  # what lies lower is no land
    assert found.hypsometric_integral == pytest.approx(1.0 / 3.0, abs=0.002)
    assert found.asp8 < 0.01 and found.pits == 0.0


def test_an_octagon_raises_the_bias_of_the_grid():
    y, x = np.abs(places(301))
    octagon = np.maximum(np.maximum(x, y), (x + y) * math.sqrt(0.5))
    found = measure(1000.0 * (1.0 - octagon), level(301), 0.0).figures
    assert found.asp8 > 0.9


@pytest.mark.parametrize("beta", [0.0, 2.0, 3.5, 4.5])
def test_a_spectrum_has_the_exponent_that_it_was_made_with(beta):
    assert measure(surface(beta), level(256)).figures.beta == pytest.approx(beta, abs=0.2)


def test_power_is_that_of_a_wave_in_any_unit():
    """Spectral density times the area of frequencies is variance: twice the spacing, four times the density."""
    near, far = (measure(surface(3.0), level(256, step)).curves for step in (10.0, 20.0))
    np.testing.assert_allclose(far.power, 4.0 * near.power, rtol=1e-6)
    np.testing.assert_allclose(far.frequency, near.frequency / 2.0, rtol=1e-9)
    white = measure(surface(0.0), level(256)).curves
    assert np.median(white.power) == pytest.approx(100.0**2 * 10.0**2, rel=0.1)


def test_the_main_river_of_a_valley_falls_along_its_middle():
    found = measure(valley(), level(128)).curves
    assert np.all(np.diff(found.profile) <= 0.0) and found.profile[-1] == 0.0
    tilt = 2.0 / 10.0
    lower = found.distance > 0.7 * found.distance[-1]
    fall = np.polyfit(1000.0 * found.distance[lower], found.profile[lower], 1)[0]
    assert fall == pytest.approx(-tilt, rel=0.01)


def test_channels_have_the_concavity_that_they_were_cut_with():
    """The bed of a valley, slope = area^-0.5: its area grows evenly along it."""
    side, step = 257, 10.0
    rows_above = np.arange(side)[::-1]
    bed = np.cumsum(0.5 / np.sqrt(rows_above + 1.0) * step)  # rises along y
    column = np.abs(np.arange(side) - side // 2) * step
    height = bed[:, None] + 1.0 * column
    found = measure(height, level(side)).figures
    assert found.theta == pytest.approx(0.5, abs=0.1) and found.theta_scatter < 0.2
    assert found.straight > 90.0


def test_standing_water_makes_no_river_and_no_profile():
    y, x = places(200)
    found = measure(30.0 * np.sin(30.0 * x) * np.sin(30.0 * y), level(200))
    assert found.figures.pits > 10.0 and found.figures.slope_mean > 0.0
    assert found.figures.theta is None and found.figures.straight is None
    assert not len(found.curves.profile)


@pytest.mark.parametrize("side", [1, 2, 40])
def test_level_ground_divides_by_nothing(side):
    with np.errstate(all="raise"):
        found = measure(np.full((side, side), 7.0), level(side))
    figures = found.figures
    assert figures.slope_mean == 0.0 and figures.pits == 0.0
    assert figures.hypsometric_integral is figures.theta is figures.asp8 is figures.beta is None


def test_the_sea_is_no_land():
    height = relief()
    whole, dry = (measure(height, level(192), sea).figures for sea in (-math.inf, 800.0))
    assert dry.hypsometric_integral != whole.hypsometric_integral
    drowned = measure(height, level(192), 1e5)
    assert all(getattr(drowned.figures, name) is None for name in LABELS if name != "beta")
    assert draw_figures(drowned, "drowned").shape == (picture.ROWS, picture.COLUMNS, 3)


def test_the_sea_of_a_recipe_is_that_of_its_rivers():
    assert sea_of(Recipe.from_preset("coast")) == 0.0
    assert sea_of(Recipe.from_preset("none")) == -math.inf


def test_bad_heights_are_refused_and_a_cancelled_measurement_ends():
    with pytest.raises(ParameterError, match="height must"):
        measure(np.zeros((3, 4)), level(3))
    with pytest.raises(ParameterError, match="finite"):
        measure(np.full((3, 3), np.nan), level(3))
    with pytest.raises(Cancelled):
        measure(relief(), level(192), cancel=lambda: True)


def test_measured_land_is_that_of_the_table():
    """docs/realism.md has the same from fastscapelib; across level ground it leads water straight."""
    figures = measured_land().figures
    table = {
        "hypsometric_integral": (0.35, 0.005), "slope_mean": (13.0, 0.5), "slope_95": (25.0, 0.5),
        "steep_share": (0.0, 0.05), "theta": (0.18, 0.005), "theta_scatter": (0.33, 0.005), "pits": (4.6, 0.05),
        "asp8": (0.002, 0.0005), "beta": (3.5, 0.15), "straight": (2.0, 2.0),
    }  # fmt: skip
    assert set(table) == set(LABELS)
    for name, (value, error) in table.items():
        assert getattr(figures, name) == pytest.approx(value, abs=error), name


def test_measured_land_is_kept_as_it_is_read():
    pytest.importorskip("matplotlib", reason="NOT COMPARED: matplotlib is not installed")
    from tools.measured_figures import jacksboro

    found, kept = (json.loads(to_json(one)) for one in (jacksboro(), measured_land()))
    for part in ("figures", "curves"):
        assert list(found[part]) == list(kept[part])
    for name, value in kept["figures"].items():
        assert found["figures"][name] == pytest.approx(value, rel=1e-4), name


def is_near(pixels, color):
    return np.abs(pixels - np.array(color, np.float32)).max(axis=-1) < 0.02


def test_every_chart_has_both_curves():
    pixels = draw_figures(measure(relief(), level(192)), "Hills", "192 x 192 samples")
    assert pixels.shape == (picture.ROWS, picture.COLUMNS, 3) and pixels.dtype == np.float32
    assert pixels.min() >= 0.0 and pixels.max() <= 1.0
    for number in range(6):
        left, top, right, bottom = map(int, picture._box(number))
        chart = pixels[top:bottom, left:right]
        assert is_near(chart, picture.LAND).sum() > 15, number
        if number < 5:
            assert is_near(chart, picture.MEASURED).sum() > 60, number
            assert is_near(chart, WHITE).mean() > 0.5


def test_a_chart_says_what_there_is_not():
    with np.errstate(all="raise"):
        pixels = draw_figures(measure(np.zeros((40, 40)), level(40)), "Flat")
    for number, has_land in enumerate((False, True, False, False, False)):
        left, top, right, bottom = map(int, picture._box(number))
        assert is_near(pixels[top:bottom, left:right], picture.LAND).any() == has_land


def test_a_line_covers_as_much_as_it_is_long_and_wide():
    canvas = Canvas(60, 80, WHITE)
    canvas.line([(10.0, 12.0), (60.0, 47.0)], BLACK, 3.0)
    covered = float((1.0 - canvas.pixels[..., 0]).sum())
    assert covered == pytest.approx(3.0 * math.hypot(50.0, 35.0) + math.pi * 1.5**2, rel=0.02)
    canvas = Canvas(60, 80, WHITE)
    canvas.fill(10.25, 5.5, 20.5, 9.0, BLACK)
    assert float((1.0 - canvas.pixels[..., 0]).sum()) == pytest.approx(10.25 * 3.5, rel=1e-5)


def test_what_lies_outside_is_cut_off():
    canvas = Canvas(20, 20, WHITE)
    canvas.line([(-50.0, -50.0), (70.0, 70.0)], BLACK, 2.0)
    canvas.line([(100.0, 100.0), (200.0, 100.0)], BLACK, 2.0)
    canvas.fill(-5.0, 30.0, 9.0, 40.0, BLACK)
    canvas.text("far away", 300.0, -40.0, BLACK, 10.0)
    assert 20.0 < (1.0 - canvas.pixels[..., 0]).sum() < 80.0


def test_every_letter_differs_and_has_its_place():
    drawn = {}
    for letter in GLYPHS:
        canvas = Canvas(40, 40, WHITE)
        canvas.text(letter, 8.0, 28.0, BLACK, 16.0)
        mark = canvas.pixels[..., 0] < 0.5
        assert mark.any() and not mark[:, :6].any(), letter
        drawn[letter] = mark.tobytes()
    assert len(set(drawn.values())) == len(GLYPHS)
    assert strokes_of("é") == strokes_of("é") and len(strokes_of("é")) == len(strokes_of("e")) > 1
    assert len(strokes_of("\N{SNOWMAN}")) == len(UNKNOWN.split("|"))
    assert text_width("ab", 10.0) > text_width("a", 10.0) > 0.0 == text_width("", 10.0)
    assert text_width("10^2", 10.0) < text_width("102", 10.0)
    for line in format_figures(measured_land().figures):
        assert not set("".join(line)) - set(GLYPHS) - {" "}


def test_axes_have_round_numbers():
    assert [text for _, text in linear_axis([0.0, 873.0], "").ticks()] == [
        "0", "200", "400", "600", "800", "1,000"
    ]  # fmt: skip
    assert [text for _, text in log_axis([0.004, 300.0], "").ticks()] == [
        "0.01", "0.1", "1", "10", "100"
    ]  # fmt: skip
    assert [text for _, text in log_axis([2e-5, 3e7], "").ticks()][0] == "10^\N{MINUS SIGN}5"
    assert [text for _, text in log_axis([2.0, 8.0], "").ticks()] == ["2", "5"]
    assert linear_axis([], "").high == 1.0
    assert Axis(1.0, 100.0, "", is_log=True).place([0.0, 1.0, 10.0, 1e9]).tolist() == [
        0.0,
        0.0,
        0.5,
        1.0,
    ]


def call(*arguments):
    """Return exit status, lines of the result, and lines about it."""
    said, noted = [], []
    return run(list(map(str, ("figures", *arguments))), said.append, noted.append), said, noted


def test_figures_are_printed_one_a_line():
    status, said, noted = call("none", "--samples", 48)
    assert status == 0 and noted == ["1 of 1: none"] and len(said) == 1 + len(LABELS)
    assert said[0].split() == ["none", "measured"]
    for line, (label, _) in zip(said[1:], LABELS.values()):
        assert line.startswith(f"{label} ")
    assert said[1].split()[-1] == "0.35"


def test_figures_and_pictures_of_many_seeds(tmp_path):
    plot = tmp_path / "new" / "hills.png"
    arguments = ("none", "--samples", "40x32", "--seed", "8:10", "--json", "--plot", plot)
    status, said, noted = call(*arguments)
    lines = [json.loads(line) for line in said]
    assert status == 0 and len(noted) == 2 and [one["seed"] for one in lines] == [8, 9]
    assert set(lines[0]) == {"name", "seed", "plot", *LABELS}
    assert lines[0]["slope_mean"] != lines[1]["slope_mean"] and lines[0]["theta"] is None
    for one, name in zip(lines, ("hills_8.png", "hills_9.png")):
        assert one["plot"] == str(plot.with_name(name))
        assert read_image(one["plot"]).shape == (picture.ROWS, picture.COLUMNS)
    status, said, noted = call(*arguments)
    assert status == 1 and not said and "already there" in noted[0]
    assert call(*arguments, "--overwrite")[0] == 0


def test_recipes_and_heights_are_read_from_files(tmp_path):
    recipe = Recipe(layers=(Perlin(frequency=2.0),), seed=3, height=20.0, size=500.0)
    (tmp_path / "hills.json").write_text(recipe.to_json(), encoding="utf-8")
    height = recipe.evaluate(recipe.grid((48, 64))).height
    np.save(tmp_path / "heights.npy", height)
    keywords = ("--json", "--samples", "64x48")
    recipe_line = json.loads(call(tmp_path / "hills.json", *keywords)[1][0])
    status, said, noted = call(tmp_path / "heights.npy", "--json", "--size", 500)
    file_line = json.loads(said[0])
    assert status == 0 and noted == ["1 of 1: heights"] and file_line["seed"] is None
    for name in LABELS:
        value = recipe_line[name]
        assert file_line[name] == (value if value is None else pytest.approx(value, rel=1e-5)), name
    _, said, noted = call(tmp_path / "heights.npy", "--json", "--sea-level", 5)
    assert "no spacing is known" in noted[0] and json.loads(said[0])["slope_mean"] > 20.0


def test_a_flat_recipe_has_figures_too(tmp_path):
    recipe = Recipe(layers=(Constant(),), height=20.0, size=500.0)
    (tmp_path / "flat.json").write_text(recipe.to_json(), encoding="utf-8")
    status, said, _ = call(tmp_path / "flat.json", "--samples", 33, "--plot", tmp_path / "flat.png")
    assert status == 0 and said[1].split() == ["Hypsometric", "integral", "-", "0.35"]
    assert said[-1] == str(tmp_path / "flat.png")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "arguments are required: source"),
        (("nowhere",), "preset must be one of alps"),
        (("no.json",), "no.json: cannot be read"),
        (("no.tif",), "no.tif cannot be read"),
        (("none", "--samples", "a"), "--samples must be such as"),
        (("none", "--samples", "0"), "rows must be"),
        (("none", "--plot", "a.jpg"), "--plot must end in .png; got 'a.jpg'"),
        (("none", "--seed", "9:3"), "--seed must be"),
        (("none", "--jobs", "0"), "--jobs must be from 1"),
        (("heights.npy", "--size", "0"), "size must be a positive number; got 0"),
    ],
)
def test_bad_arguments_are_one_line_and_status_2(tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    status, said, noted = call(*arguments)
    assert status == 2 and not said and len(noted) == 1
    assert message in noted[0] and "\n" not in noted[0]
    assert not list(tmp_path.iterdir())
