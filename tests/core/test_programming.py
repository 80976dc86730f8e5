# SPDX-License-Identifier: GPL-3.0-or-later
"""Shorthands for programs: grids of arrays, volumes, operators, images, recipe files, figures."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import (
    Grid,
    ParameterError,
    Recipe,
    RecipeError,
    Relief,
    TerraneError,
    export_heightmap,
    figures,
    load_recipe,
    noise_types,
    read_elevation,
    read_image,
    save_image,
    save_recipe,
)
from noise_core.modifiers import Blur, StreamErosion
from noise_core.noises import Constant, Fractal, Perlin, Simplex, Value
from tests.drawing import count_of, generator


def test_the_grid_of_an_array_has_its_shape_and_one_measure():
    field = np.zeros((5, 9))
    assert Grid.of(field) == Grid(5, 9)
    assert Grid.of(field, size=800.0) == Grid.of(field, spacing=100.0) == Grid(5, 9, size=800.0)
    assert Grid.of(field, spacing=100.0, wrap=True) == Grid(5, 9, size=900.0, wrap=True)
    assert Grid.of(np.zeros((5, 9, 3))).shape == (5, 9)


@pytest.mark.parametrize(
    "field, measures",
    [
        (np.zeros(5), {}),
        (np.zeros((2, 2, 2, 2)), {}),
        (np.zeros((5, 9)), {"size": 1.0, "spacing": 1.0}),
        (np.zeros((5, 9)), {"spacing": 0.0}),
        (np.zeros((5, 9)), {"spacing": "30 m"}),
        (np.zeros((0, 9)), {}),
    ],
)
def test_other_arrays_and_measures_are_refused(field, measures):
    with pytest.raises(ParameterError):
        Grid.of(field, **measures)


def test_a_volume_has_the_values_of_its_points():
    random = generator("volumes")
    types = [cls for cls in noise_types().values() if 3 in cls.dimensions]
    for _ in range(count_of(100)):
        noise, seed = random.choice(types)(), random.randrange(1 << 32)
        shape = tuple(random.randint(1, 6) for _ in range(3))
        origin = tuple(random.uniform(-2.0, 2.0) for _ in range(3))
        volume = noise.sample_volume(shape, seed, origin=origin)
        z, y, x = np.indices(shape) / max(shape[2] - 1, 1)
        points = np.stack([x + origin[0], y + origin[1], z + origin[2]], axis=-1)
        expected = noise.sample(points, seed)
        assert volume.shape == shape and volume.dtype == np.float32
        # Noises with edges may fall to the other side of one at single samples.
        assert np.mean(np.abs(volume - expected) > 1e-3) <= 0.2, (noise, shape, origin)


def test_volumes_without_a_third_dimension_or_of_another_shape_are_refused():
    flat = next(cls for cls in noise_types().values() if 3 not in cls.dimensions)()
    with pytest.raises(ParameterError, match="coordinates"):
        flat.sample_volume((2, 2, 2))
    for shape in ((2, 2), (0, 2, 2), (2, 2, 2.5), "cube"):
        with pytest.raises(ParameterError):
            Perlin().sample_volume(shape)


def test_a_volume_reports_its_progress_and_is_cancelled():
    shares = []
    Perlin().sample_volume((4, 8, 8), progress=shares.append)
    assert shares == sorted(shares) and shares[-1] == 1.0
    with pytest.raises(TerraneError):
        Perlin().sample_volume((4, 512, 512), cancel=lambda: True)


POINTS = np.random.default_rng(3).uniform(-3.0, 3.0, (200, 2))


def test_operators_give_the_sums_and_products_of_the_values():
    random = generator("operators")
    for _ in range(count_of(200)):
        first, second = (
            cls(frequency=random.uniform(1.0, 9.0))
            for cls in random.sample([Perlin, Simplex, Value], 2)
        )
        seed, number = random.randrange(1 << 32), random.uniform(-3.0, 3.0)
        a, b = first.sample(POINTS, seed), second.sample(POINTS, seed)
        for noise, expected in (
            (first + second, a + b),
            (first - second, a - b),
            (first * second, a * b),
            (first + number, a + np.float32(number)),
            (number - first, np.float32(number) - a),
            (number * first, np.float32(number) * a),
            (np.float64(number) * first, np.float32(number) * a),
            (first / 4, a / 4),
            (-first, -a),
            (abs(first), np.abs(a)),
            (sum([first, second]), a + b),
        ):
            assert np.abs(noise.sample(POINTS, seed) - expected).max() < 2e-6
            low, high = noise.bounds()
            assert low - 1e-6 <= expected.min() and expected.max() <= high + 1e-6


def test_a_sum_is_a_recipe_and_the_same_as_text():
    land = 0.3 + Fractal() * 0.5 + Perlin(frequency=9.0) * Simplex(frequency=3.0)
    recipe = Recipe(layers=(land,), height=100.0, size=1000.0, seed=7)
    grid = recipe.grid(33)
    expected = 100.0 * land.sample_grid(grid, seed=7)
    assert np.abs(recipe.evaluate(grid).height - expected).max() < 1e-3
    assert Recipe.from_json(recipe.to_json()) == recipe


@pytest.mark.parametrize("other", ["2", None, True, [1.0], np.zeros(3)])
def test_noise_and_something_else_do_not_add_up(other):
    with pytest.raises(TypeError):
        Perlin() + other
    with pytest.raises(TypeError):
        other * Perlin()


def test_images_hold_the_values(tmp_path):
    clouds = Fractal().sample_grid(Grid(16, 32, wrap=True), seed=7)
    save_image(clouds, tmp_path / "clouds.png", low=-1.0, high=1.0)
    read = read_image(tmp_path / "clouds.png")
    assert np.abs(2.0 * np.squeeze(read) - 1.0 - clouds).max() < 2e-4
    save_image(clouds, tmp_path / "clouds.exr")
    assert (tmp_path / "clouds.exr").read_bytes()[:4].hex() == "762f3101"


def test_colors_are_stored_as_srgb(tmp_path):
    light = np.full((4, 4, 3), 0.2140411, np.float32)
    save_image(light, tmp_path / "gray.png", is_color=True)
    assert np.abs(read_image(tmp_path / "gray.png") - 0.5).max() < 0.01


@pytest.mark.parametrize(
    "field, name, options, words",
    [
        (np.full((2, 2), 1.5), "a.png", {}, "must be in"),
        (np.zeros((2, 2)), "a.jpg", {}, "must end in"),
        (np.zeros((2, 2)), "a.png", {"low": 1.0, "high": 0.0}, "low must be less"),
        (np.zeros((2, 2)), "a.png", {"bits": 12}, "bits"),
        (np.full((2, 2), np.nan), "a.png", {}, "finite"),
        (np.zeros((2, 2, 2)), "a.png", {}, "shape"),
        (np.zeros(4), "a.png", {}, "shape"),
    ],
)
def test_other_images_are_refused(field, name, options, words, tmp_path):
    with pytest.raises(ParameterError, match=words):
        save_image(field, tmp_path / name, **options)
    assert not list(tmp_path.iterdir())


def test_files_are_replaced_on_demand_alone(tmp_path):
    field, recipe = np.zeros((2, 2)), Recipe(seed=3)
    for save, file in ((save_image, tmp_path / "a.png"), (save_recipe, tmp_path / "a.json")):
        source = field if save is save_image else recipe
        save(source, file)
        with pytest.raises(TerraneError, match="already there"):
            save(source, file)
        save(source, file, overwrite=True)
    assert load_recipe(tmp_path / "a.json") == recipe


def test_a_file_without_a_recipe_is_named(tmp_path):
    (tmp_path / "wrong.json").write_text('{"format": 2}')
    with pytest.raises(RecipeError, match=r"wrong\.json: Recipe: format 2 is newer"):
        load_recipe(tmp_path / "wrong.json")
    with pytest.raises(ParameterError):
        load_recipe(3)


def test_a_relief_knows_where_it_lies(tmp_path):
    """The size of heights is said once: the export has it from the grid."""
    dem = np.add.outer(np.linspace(0.0, 400.0, 65), np.linspace(0.0, 100.0, 65))
    grid = Grid.of(dem, spacing=20.0)
    eroded = StreamErosion(strength=0.6).apply(dem, grid, seed=7)
    assert eroded.grid == grid
    report = export_heightmap(eroded, tmp_path / "land", target="geotiff")
    assert read_elevation(report.files[0]).spacing == (20.0, 20.0)
    with pytest.raises(ParameterError, match="size must be left out, or 1280"):
        export_heightmap(eroded, tmp_path / "other", target="npy", size=1000.0)
    with pytest.raises(ParameterError, match="shape of the relief's grid"):
        export_heightmap(Relief(dem[1:], {}, grid), tmp_path / "other", target="npy")


def test_a_relief_of_a_window_or_a_torus_is_as_wide_as_its_samples(tmp_path):
    whole = Grid(65, 65, size=640.0)
    for grid in (whole.window(8, 8, 33, 17), Grid(33, 16, size=160.0, wrap=True)):
        relief = Blur(radius=20.0).apply(np.zeros(grid.shape), grid)
        report = export_heightmap(relief, tmp_path / f"{grid.columns}", target="geotiff")
        assert read_elevation(report.files[0]).spacing == pytest.approx((10.0, 10.0))


def test_recipes_give_their_grid_along_and_take_another_seed():
    recipe = Recipe(layers=(Perlin(),), size=500.0)
    relief = recipe.evaluate(Grid(9, 9))
    assert relief.grid == Grid(9, 9, size=500.0)
    other = recipe.with_seed(9)
    assert (other.seed, other.layers) == (9, recipe.layers)


def test_figures_need_meters_and_leave_the_sea_out():
    height = np.add.outer(np.zeros(33), np.linspace(-50.0, 50.0, 33))
    grid = Grid.of(height, size=100.0)
    assert figures(height, grid).slope_mean == pytest.approx(45.0, abs=0.5)
    assert figures(height, grid, sea_level=60.0).slope_mean is None
    with pytest.raises(ParameterError, match="figures needs meters"):
        figures(height, Grid(33, 33))


def test_constants_stay_within_their_limits():
    with pytest.raises(ParameterError):
        Perlin() * 1e9
    with pytest.raises(ZeroDivisionError):
        Perlin() / 0
    assert Perlin() + 0 != Perlin() and (0 + Perlin()) == Perlin()
    assert isinstance((Perlin() + 1).second, Constant)
