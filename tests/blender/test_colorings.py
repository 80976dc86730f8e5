# SPDX-License-Identifier: GPL-3.0-or-later
"""Colorings, palettes and ramps as images hold the colors of the core, in the right color space."""

from __future__ import annotations

import json
from functools import partial

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import colors, new_image

KEYS = (
    "cells",
    "clouds",
    "four_color_warp",
    "inverted_cells",
    "marble",
    "sea_level",
    "voronoi_regions",
    "wood_rings",
)


new = partial(new_image, width=48, height=32)


def painted(key, seed=0, evolution=(), wrap=True, noise=None, **values):
    made = module("noise_core.materials.colorings.bases.coloring").coloring_types()[key](**values)
    if noise is not None:
        made = made.with_noise(noise)
    return made.paint(module("noise_core").Grid(32, 48, wrap=wrap), seed, evolution)


def linear(image):
    """Return an image's pixels as linear light, by its own color space."""
    if image.colorspace_settings.name == "sRGB":
        return module("noise_core.materials.colors").srgb_to_linear(colors(image))
    return colors(image)


def assert_encoded(image, expected):
    """Compare an 8-bit image with linear colors: no more than half a step apart, as it is stored."""
    wanted = module("noise_core.materials.colors").linear_to_srgb(expected)
    np.testing.assert_allclose(colors(image), wanted, atol=0.5 / 255 + 1e-5)


def knobbed(noise, **knobs):
    return module("noise_core.recipes.chain_keywords").with_values(noise, **knobs)


def test_there_are_these_colorings(terrane):
    assert tuple(module("noise_core.materials.colorings.bases.coloring").coloring_types()) == KEYS
    known = bpy.ops.terrane.image_new.get_rna_type().properties["coloring"].enum_items.keys()
    assert set(known) - {""} == {"gray", "palette", "ramp", *KEYS}


@pytest.mark.parametrize("key", KEYS)
def test_a_float_image_is_the_formula_in_linear_light(terrane, key):
    image = new(coloring=key, seed=3)
    assert image.is_float and image.colorspace_settings.name == "Linear Rec.709"
    np.testing.assert_allclose(colors(image), painted(key, 3), atol=2e-6)
    assert (
        image.name
        == module("noise_core.materials.colorings.bases.coloring").coloring_types()[key].label
    )
    assert image.packed_file and image.use_fake_user


@pytest.mark.parametrize("key", KEYS)
def test_an_8_bit_image_is_the_formula_in_srgb(terrane, key):
    image = new(coloring=key, seed=3, float_buffer=False)
    assert not image.is_float and image.colorspace_settings.name == "sRGB"
    assert_encoded(image, painted(key, 3))


ZOO = {
    "sea_level": lambda n: np.where(
        n[..., None] >= 128 / 255, n[..., None] * [0, 1, 0], n[..., None] * [0, 0, 2]
    ),
    "wood_rings": lambda n: np.repeat((20.0 * n - np.floor(20.0 * n))[..., None], 3, -1),
    "cells": lambda n: np.repeat(n[..., None], 3, -1),
    "inverted_cells": lambda n: np.repeat(1.0 - n[..., None], 3, -1),
}
"""The callbacks of the "zoo of noises": display values of a noise in [0, 1]."""


def zoo_bytes(key, seed):
    own = module("noise_core.materials.colorings.bases.coloring").coloring_types()[key]().noise
    noise = own.sample_grid(module("noise_core").Grid(32, 48, wrap=True), seed)
    return np.clip(ZOO[key](noise.astype(np.float64) * 0.5 + 0.5), 0.0, 1.0) * 255.0


@pytest.mark.parametrize("key", ZOO)
def test_bytes_are_those_of_the_zoos_callbacks(terrane, key):
    expected = zoo_bytes(key, 4)
    image = new(coloring=key, seed=4, float_buffer=False)
    stored = np.frombuffer(image.packed_file.data, np.uint8)[:8]
    assert bytes(stored) == b"\x89PNG\r\n\x1a\n"
    off = np.abs(colors(image).astype(np.float64) * 255.0 - expected)
    assert np.mean(off > 0.501) < 2e-3  # where a last bit turns the shore, or begins a ring
    light = new(coloring=key, seed=4)
    encode = module("noise_core.materials.colors").linear_to_srgb
    assert np.mean(np.abs(encode(colors(light)) * 255.0 - expected) > 0.001) < 2e-3


def test_a_picture_is_bent_by_its_copies_and_moved_by_seed_and_time(terrane):
    random = np.random.default_rng(3).uniform(-1.0, 1.0, (12, 12)).astype(np.float32)
    raster = module("noise_core.noises").Raster(pixels=random)
    text = module("noise_core").Recipe(layers=raster).to_json()
    (layer,) = json.loads(text)["layers"]
    parameters = json.dumps({"source": layer["chain"][0]})
    shown = {}
    for seed, evolution in ((0, 0.0), (3, 0.0), (0, 0.5)):
        moves = {"motion": "endless", "evolution": evolution} if evolution else {}
        image = new(coloring="four_color_warp", parameters=parameters, seed=seed, **moves)
        expected = painted(
            "four_color_warp", seed, (evolution,) if evolution else (), source=raster
        )
        np.testing.assert_allclose(colors(image), expected, atol=2e-6)
        shown[seed, evolution] = colors(image)
    assert np.abs(shown[0, 0.0] - shown[3, 0.0]).max() > 0.2
    assert np.abs(shown[0, 0.0] - shown[0, 0.5]).max() > 0.2


def test_colors_of_the_warp_are_display_values(terrane):
    settings = bpy.context.scene.terrane
    options = getattr(settings, module("operators.bridge.schema.state").IMAGE_GROUP)
    group = options.coloring_four_color_warp
    assert group.bl_rna.properties["low_color"].subtype == "COLOR_GAMMA"
    np.testing.assert_allclose(group.low_color, (0.101961, 0.619608, 0.666667), atol=1e-6)


def test_parameters_of_a_coloring(terrane):
    given = new(coloring="clouds", parameters='{"cover": 0.3, "softness": 0.2}')
    np.testing.assert_allclose(colors(given), painted("clouds", cover=0.3, softness=0.2), atol=2e-6)
    noise = '{"source": {"type": "perlin", "frequency": 3.0}}'
    perlin = module("noise_core.noises").Perlin(frequency=3.0)
    np.testing.assert_allclose(
        colors(new(coloring="sea_level", parameters=noise)),
        painted("sea_level", source=perlin),
        atol=2e-6,
    )


def test_the_keywords_of_the_noise_turn_the_colorings_own(terrane):
    image = new(coloring="marble", frequency=5, octaves=2, seed=9)
    own = module("noise_core.materials.colorings").Marble().turbulence
    turned = knobbed(own, frequency=5.0, octaves=2.0)
    assert turned != own
    np.testing.assert_allclose(colors(image), painted("marble", 9, noise=turned), atol=2e-6)


def test_a_frequency_of_its_own(terrane):
    image = new(coloring="voronoi_regions", frequency=5)
    np.testing.assert_allclose(colors(image), painted("voronoi_regions", frequency=5.0), atol=2e-6)


def test_a_preset_or_the_source_say_which_noise(terrane):
    noise = module("noise_core.landscapes.preset_library").preset("island").recipe.noise
    image = new(coloring="sea_level", preset="island", seed=4)
    np.testing.assert_allclose(colors(image), painted("sea_level", 4, noise=noise), atol=2e-6)
    image = new(coloring="sea_level", preset="island", source="own", seed=4)
    np.testing.assert_allclose(colors(image), painted("sea_level", 4), atol=2e-6)
    plain = module("noise_core.landscapes.preset_library").preset("none").recipe.noise
    image = new(coloring="wood_rings", source="recipe")
    np.testing.assert_allclose(colors(image), painted("wood_rings", noise=plain), atol=2e-6)


def test_a_palette_colors_the_recipe(terrane):
    gray = colors(new(seed=5))[..., 0]
    ramp = module("noise_core.materials.colors").PALETTES["mars"]
    expected = np.moveaxis(ramp.colors(gray), 0, -1)
    image = new(seed=5, coloring="palette", palette="mars")
    assert image.colorspace_settings.name == "Linear Rec.709"
    np.testing.assert_allclose(colors(image), expected, atol=2e-6)
    assert_encoded(new(seed=5, coloring="palette", palette="mars", float_buffer=False), expected)


def test_a_ramp_of_ones_own(terrane):
    gray = colors(new(seed=5, levels="stretched"))[..., 0]
    stops = [[0.2, "#102030"], [0.7, [0.9, 0.5, 0.1]]]
    ramp = module("noise_core.materials.colors").Ramp(tuple((at, color) for at, color in stops))
    image = new(seed=5, levels="stretched", coloring="ramp", ramp=json.dumps(stops))
    np.testing.assert_allclose(colors(image), np.moveaxis(ramp.colors(gray), 0, -1), atol=2e-6)
    text = json.dumps({"stops": stops, "interpolation": "constant", "space": "linear"})
    constant = colors(new(seed=5, levels="stretched", coloring="ramp", ramp=text))
    assert len(np.unique(constant.reshape(-1, 3), axis=0)) == 2


def test_evolution(terrane):
    np.testing.assert_allclose(
        colors(new(coloring="clouds", motion="endless", evolution=0.25)),
        painted("clouds", evolution=(0.25,)),
        atol=2e-6,
    )
    around = module("noise_core.noises.evolution").around
    looped = new(coloring="clouds", motion="loop", evolution=0.25, loop_length=0.5)
    np.testing.assert_allclose(
        colors(looped), painted("clouds", evolution=around(0.25, 0.5)), atol=2e-6
    )
    first = colors(new(motion="loop", evolution=0.0, loop_length=0.5))
    np.testing.assert_array_equal(colors(new(motion="loop", evolution=0.5, loop_length=0.5)), first)
    assert np.abs(colors(new(motion="loop", evolution=0.1, loop_length=0.5)) - first).max() > 0.01


def test_seamless_or_not(terrane):
    image = new(coloring="marble", seamless=False)
    np.testing.assert_allclose(colors(image), painted("marble", wrap=False), atol=2e-6)


def test_the_panels_coloring(terrane):
    options = bpy.context.scene.terrane.image_options
    options.kind, options.coloring, options.width, options.height = "coloring", "clouds", 48, 32
    options.coloring_clouds.cover = 0.7
    bpy.ops.terrane.image_new(from_panel=True)
    seed = bpy.context.scene.terrane.seed
    np.testing.assert_allclose(
        colors(bpy.data.images["Clouds"]), painted("clouds", seed, cover=0.7), atol=2e-6
    )
    options.source = "recipe"
    bpy.ops.terrane.image_new(from_panel=True, name="Over", parameters='{"cover": 0.2}')
    noise = module("operators.bridge.schema.settings").read(bpy.context.scene.terrane).noise
    np.testing.assert_allclose(
        colors(bpy.data.images["Over"]), painted("clouds", seed, noise=noise, cover=0.2), atol=2e-6
    )
    options.kind, options.colors, options.palette = "noise", "palette", "heat"
    bpy.ops.terrane.image_new(from_panel=True, name="Heat")
    assert bpy.data.images["Heat"].terrane.image_options.palette == "heat"
    assert np.abs(np.diff(colors(bpy.data.images["Heat"]), axis=-1)).max() > 0.1


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"coloring": "clouds", "parameters": '{"cover": 7}'}, r"Clouds.cover must be in \[0, 1\]; got 7"),
        ({"coloring": "clouds", "parameters": '{"clover": 1}'}, "clouds.parameters must be of source, cover, softness; got 'clover'"),
        ({"coloring": "clouds", "parameters": "cover"}, "parameters must be JSON"),
        ({"coloring": "clouds", "parameters": "[" * 100_000}, "parameters must be JSON; nested too deeply"),
        ({"coloring": "clouds", "parameters": "[1]"}, "parameters must be a JSON object"),
        ({"coloring": "clouds", "parameters": '{"source": 3}'}, "parameters.source must be an object"),
        ({"parameters": '{"cover": 0.5}'}, "parameters are for a coloring with a formula; got gray"),
        ({"coloring": "ramp", "ramp": "x"}, "ramp must be JSON"),
        ({"coloring": "ramp", "ramp": "[[1, 2, 3]]"}, "Ramp.stops must be pairs"),
        ({"coloring": "ramp", "ramp": '{"colors": []}'}, "ramp must have stops"),
        ({"coloring": "ramp", "ramp": '{"stops": [[0, "#000"]], "space": 1}'}, "space must be text"),
        ({"coloring": "palette", "levels": "signed"}, "'signed' has no colors"),
        ({"motion": "loop", "loop_length": 0.0}, "Image.loop_length must be in"),
        ({"motion": "endless", "recipe": json.dumps({"format": 1, "layers": [{"type": "noise", "chain": [{"type": "gullies"}]}]})}, "points must have 2 coordinates; got 3"),
    ],
)  # fmt: skip
def test_wrong_values_are_one_line_and_leave_nothing(terrane, keywords, message):
    with pytest.raises(RuntimeError, match=message) as caught:
        bpy.ops.terrane.image_new(width=8, height=8, **keywords)
    assert len(str(caught.value).strip().splitlines()) == 1
    assert not bpy.data.images


NOISES = {
    "clouds": lambda: None,
    "marble": lambda: knobbed(
        module("noise_core.materials.colorings").Marble().turbulence, octaves=3.0, frequency=6.0
    ),
    "sea_level": lambda: (
        module("noise_core.landscapes.preset_library").preset("island").recipe.noise
    ),
}


@pytest.mark.parametrize(
    ("first", "then", "key"),
    [
        ({"coloring": "marble"}, {"coloring": "clouds"}, "clouds"),
        ({"coloring": "marble", "octaves": 3}, {"frequency": 6.0}, "marble"),
        ({"coloring": "sea_level"}, {"preset": "island"}, "sea_level"),
    ],
)
def test_redo_begins_anew_where_another_beginning_is_chosen(terrane, monkeypatch, first, then, key):
    """A value that changes in the redo panel: Blender calls the operator again with the same keywords."""
    operator = module("operators.images").TERRANE_OT_image_new
    execute = operator.execute

    def twice(self, context):
        execute(self, context)
        bpy.data.images.remove(bpy.data.images[-1])
        for name, value in then.items():
            setattr(self, name, value)
        return execute(self, context)

    monkeypatch.setattr(operator, "execute", twice)
    image = new(seed=2, **first)
    # A preset brings its seed; a coloring has none.
    shipped = module("noise_core.landscapes.preset_library").preset("island").recipe
    seed = shipped.seed if "preset" in then else 2
    np.testing.assert_allclose(colors(image), painted(key, seed, noise=NOISES[key]()), atol=2e-6)


def ramp_texture(interpolation="LINEAR", mode="RGB"):
    texture = bpy.data.textures.new("Mine", "BLEND")
    texture.use_color_ramp = True
    ramp = texture.color_ramp
    ramp.interpolation, ramp.color_mode = interpolation, mode
    ramp.elements[0].position, ramp.elements[0].color = 0.2, (0.1, 0.2, 0.8, 1.0)
    ramp.elements[1].position, ramp.elements[1].color = 0.7, (0.9, 0.5, 0.1, 1.0)
    ramp.elements.new(0.5).color = (0.3, 0.9, 0.3, 0.5)
    return texture


@pytest.mark.wide
@pytest.mark.parametrize("mode", ["RGB", "HSV"])
@pytest.mark.parametrize("interpolation", ["LINEAR", "CONSTANT", "EASE", "CARDINAL", "B_SPLINE"])
def test_a_ramp_from_the_panel_is_what_blender_shows(terrane, interpolation, mode):
    options = bpy.context.scene.terrane.image_options
    options.kind, options.colors, options.levels = "noise", "ramp", "stretched"
    options.ramp_texture = ramp_texture(interpolation, mode)
    options.width, options.height = 48, 32
    bpy.ops.terrane.image_new(from_panel=True, name="Colored")
    image = bpy.data.images["Colored"]
    options.colors = "gray"
    bpy.ops.terrane.image_new(from_panel=True, name="Gray")
    gray = colors(bpy.data.images["Gray"])[..., 0]
    ramp = options.ramp_texture.color_ramp
    expected = np.array([ramp.evaluate(float(value))[:3] for value in gray.ravel()])
    expected = np.clip(expected, 0.0, 1.0).reshape(*gray.shape, 3)
    apart = np.abs(colors(image) - expected).max(axis=-1)
    # Beside an edge a float may lie on the other side; other modes are sampled.
    assert np.quantile(apart, 0.97) < 4e-3 and (interpolation == "CONSTANT" or apart.max() < 0.03)
    assert image.terrane.image_options.ramp_texture == options.ramp_texture
    options.ramp_texture.color_ramp.elements[0].color = (1.0, 0.0, 1.0, 1.0)
    colors_before = colors(image)
    bpy.ops.terrane.image_update(image="Colored")
    assert np.abs(colors(image) - colors_before).max() > 0.05


def test_a_palette_becomes_a_ramp_to_be_edited(terrane):
    options = bpy.context.scene.terrane.image_options
    options.kind, options.colors, options.palette = "noise", "palette", "mars"
    assert bpy.ops.terrane.ramp_new() == {"FINISHED"}
    assert options.colors == "ramp" and options.ramp_texture.name == "Mars"
    stops = module("noise_core.materials.colors").PALETTES["mars"].stops
    shown = options.ramp_texture.color_ramp.elements
    assert [one.position for one in shown] == pytest.approx([place for place, _ in stops])
    for one, (_, color) in zip(shown, stops, strict=True):
        np.testing.assert_allclose(one.color[:3], color, atol=1e-6)
    # A script's own colors win over the texture, and the image does not name it.
    image = new(coloring="ramp", ramp='[[0, "#f00"], [1, "#00f"]]')
    assert image.terrane.image_options.ramp_texture is None
    colors_before = colors(image)
    bpy.ops.terrane.image_update(image=image.name)
    np.testing.assert_array_equal(colors(image), colors_before)
