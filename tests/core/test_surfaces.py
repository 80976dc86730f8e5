# SPDX-License-Identifier: GPL-3.0-or-later
"""Every shipped surface keeps every promise; and promises of surfaces in general."""

from __future__ import annotations

import functools
import json
import re
import time
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import settings

from noise_core import Cancelled, Grid, ParameterError, RecipeError
from noise_core.maps import AmbientOcclusion, Cavity, Normal
from noise_core.materials.surfaces import MAPS, STANDARD, Surface, surface, surface_names
from noise_core.materials.surfaces.functions import FUNCTIONS
from noise_core.materials.surfaces.library_files import FOLDER
from noise_core.materials.surfaces.nodes import WAYS
from noise_core.noises import Fractal, Perlin

# Every eighth where few examples will do: see conftest.py.
SOME = surface_names()[:: 8 if settings().max_examples < 10 else 1]
EVERY = pytest.mark.parametrize("name", SOME)
GRID = Grid(96, 128, wrap=True)
SMALL = Grid(48, 64, wrap=True)
"""For what holds of single samples, however many there are."""

ALL = tuple(MAPS)


@functools.cache
def shipped(name, grid):
    """Return a surface's textures of seed 3, made once for all tests; not to be written to."""
    textures = surface(name).textures(grid, 3)
    for field in textures.values():
        field.flags.writeable = False
    return textures


def simple(**entries):
    """Return a surface of one Perlin noise."""
    given = {
        "label": "Simple",
        "fields": {"hills": {"type": "perlin", "frequency": 4}},
        "maps": {"height": "0.5 + 0.5 * hills", "base_color": "0.2"},
        "size": 2.0,
        "depth": 0.1,
    }
    return Surface(**{**given, **entries})


# What every shipped surface promises


SMOOTH = {
    "camouflage": "printed cloth",
    "clouds": "a picture of the sky",
    "fabric_weave": "one yarn",
    "ice": "frozen water",
    "marble": "polished",
    "paper": "one pulp",
    "stars": "a picture of the sky",
    "water_ripples": "water",
}
"""Surfaces that are evenly rough in the world, and why."""


@EVERY
def test_roughness_varies_where_it_does_in_the_world(name):
    spread = float(shipped(name, GRID)["roughness"].std(dtype=np.float64))
    if name in SMOOTH:
        assert spread < 0.06, "no exception is needed any more"
    else:
        assert spread >= 0.06


@EVERY
def test_surface_describes_itself(name):
    one = surface(name)
    assert one.label and not one.label.endswith(".")
    assert 10 <= len(one.description) <= 80 and not one.description.endswith(".")
    assert one.category in CATEGORIES
    assert 3 <= len(one.parameters) <= 8
    for parameter in one.parameters:
        assert parameter.label and parameter.help and not parameter.help.endswith(".")


CATEGORIES = {
    "stone", "ground", "masonry", "tiles", "wood", "metal", "fabric", "nature", "water", "sky",
    "wall", "pattern",
}  # fmt: skip


@EVERY
def test_maps_are_complete_and_in_range(name):
    textures = surface(name).textures(GRID, 3, ALL)
    assert tuple(textures) == ALL
    for map_name, field in textures.items():
        channels = () if MAPS[map_name].channels == 1 else (3,)
        assert field.shape == (96, 128, *channels) and field.dtype == np.float32
        assert np.isfinite(field).all()
        if map_name != "normal":
            assert field.min() >= 0.0 and field.max() <= 1.0
        encoded = textures.encode(map_name)
        assert encoded.min() >= 0.0 and encoded.max() <= 1.0
    np.testing.assert_allclose(np.linalg.norm(textures["normal"], axis=-1), 1.0, atol=1e-5)
    assert np.ptp(textures["height"]) > 0.05, "hardly any relief"
    assert textures["base_color"].std() > 0.01, "hardly any color"


@EVERY
def test_seams_are_like_the_inside(name):
    for map_name, field in shipped(name, GRID).items():
        for axis in (0, 1):
            inside = np.abs(np.diff(field, axis=axis))
            lines = inside.reshape(*inside.shape[:2], -1).mean(axis=(1 - axis, 2))
            first, last = field.take(0, axis), field.take(-1, axis)
            seam = np.abs(first - last).mean()
            assert seam <= 1.5 * lines.max() + 1e-6, f"{map_name} has a seam along axis {axis}"


@EVERY
def test_rolling_by_half_is_moving_the_origin(name):
    shifted = Grid(96, 128, wrap=True, origin=(0.5, 0.375))
    moved = surface(name).textures(shifted, 3)
    for map_name, field in shipped(name, GRID).items():
        rolled = np.roll(field, (-48, -64), (0, 1))
        apart = np.abs(rolled - moved[map_name])
        # Beside an edge a rounding error of a position may fall to the other side.
        assert np.mean(apart > 0.02) < 0.01, map_name


@EVERY
def test_surface_is_deterministic_and_the_seed_matters(name):
    one, again = shipped(name, SMALL), surface(name).textures(SMALL, 3)
    for map_name in STANDARD:
        np.testing.assert_array_equal(one[map_name], again[map_name])
    other = surface(name).textures(SMALL, 4)
    assert np.mean(one["base_color"] != other["base_color"]) > 0.2


@EVERY
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (3, 7), (40, 24)])
def test_any_size_works(name, shape):
    for wrap in (True, False):
        for field in surface(name).textures(Grid(*shape, wrap=wrap), 3).values():
            assert field.shape[:2] == shape and np.isfinite(field).all()


@EVERY
def test_some_maps_alone_are_those_of_the_set(name):
    textures = shipped(name, SMALL)
    for map_name in STANDARD:
        alone = surface(name).textures(SMALL, 3, (map_name,))
        assert list(alone) == [map_name]
        np.testing.assert_allclose(alone[map_name], textures[map_name], atol=1e-5)


@EVERY
def test_surface_survives_json(name):
    one = surface(name)
    again = Surface.from_json(one.to_json())
    assert again == one and hash(again) == hash(one)
    fields = (made.textures(Grid(8, 8), 1, ("base_color",)) for made in (one, again))
    np.testing.assert_array_equal(*(field["base_color"] for field in fields))


@pytest.mark.newest
@EVERY
def test_every_exposed_parameter_changes_something_and_stays_in_range(name):
    one, before = surface(name), shipped(name, SMALL)
    for parameter in one.parameters:
        if parameter.unit == "color":
            values = [(0.9, 0.1, 0.5)]
        elif parameter.kind == "boolean":
            values = [not parameter.default]
        else:
            kind = int if parameter.kind == "integer" else float
            values = [kind(parameter.minimum), kind(parameter.maximum)]
        changes = []
        for value in values:
            after = one.with_values(**{parameter.name: value}).textures(SMALL, 3)
            changes += [np.abs(after[key] - before[key]).mean() for key in STANDARD]
            assert all(np.isfinite(field).all() for field in after.values())
        assert max(changes) > 1e-4, parameter.name


@EVERY
def test_resolutions_agree(name):
    coarse = surface(name).textures(Grid(192, 192, wrap=True), 3, ("height",))
    fine = surface(name).textures(Grid(384, 384, wrap=True), 3, ("height",))
    # What is looked up or snapped to texels differs beside edges.
    apart = np.abs(fine["height"][::2, ::2] - coarse["height"])
    assert np.mean(apart > 0.1) < 0.06 and apart.mean() < 0.022


@EVERY
def test_file_is_of_the_present_format(name):
    plain = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert plain["format"] == json.loads(surface(name).to_json())["format"]
    assert "values" not in plain


# What surfaces do


def test_maps_are_what_their_formulas_say():
    seed, size = 5, 2.0
    grid = Grid(48, 32, wrap=True, size=size)
    one = simple(
        fields={"hills": {"type": "perlin", "frequency": 4}, "clay": "#804020"},
        maps={
            "height": "0.5 + 0.25 * hills",
            "base_color": "clay * (0.5 + 0.5 * hills)",
            "roughness": "1 - height",
            "opacity": "step(0, hills)",
        },
    )
    textures = one.textures(grid, seed, ALL)
    height = textures["height"]
    hills = (height - 0.5) * 4.0
    assert -1.0 <= hills.min() < -0.3 and 0.3 < hills.max() <= 1.0
    clay = np.array([0.2158605, 0.0512695, 0.0144438])
    np.testing.assert_allclose(
        textures["base_color"], clay * (0.5 + 0.5 * hills[..., np.newaxis]), atol=1e-5
    )
    np.testing.assert_allclose(textures["roughness"], 1.0 - height, atol=1e-6)
    np.testing.assert_array_equal(textures["opacity"], (hills >= 0.0).astype(np.float32))
    assert (textures["metallic"] == 0.0).all() and (textures["emission"] == 0.0).all()
    meters = height * np.float32(0.1)
    np.testing.assert_allclose(textures["normal"], Normal().values(meters, grid), atol=1e-6)
    np.testing.assert_allclose(
        textures["ambient_occlusion"], AmbientOcclusion().values(meters, grid), atol=1e-6
    )
    np.testing.assert_allclose(
        textures["cavity"], 0.5 + 0.5 * Cavity().values(meters, grid), atol=1e-6
    )


def test_the_look_does_not_depend_on_the_size_of_the_grid_but_on_the_depth():
    one = simple()
    small, large = (one.textures(Grid(32, 32, wrap=True, size=size)) for size in (1.0, 50.0))
    assert small.depth == pytest.approx(0.05) and large.depth == pytest.approx(2.5)
    np.testing.assert_allclose(small["normal"], large["normal"], atol=1e-6)
    deep = one.textures(Grid(32, 32, wrap=True, size=1.0), depth=0.2)
    steep = small["normal"][..., :2] / small["normal"][..., 2:]
    np.testing.assert_allclose(
        deep["normal"][..., :2] / deep["normal"][..., 2:], 4 * steep, atol=1e-5
    )


def test_directx_normals_point_down():
    up, down = (
        simple().textures(GRID, 1, ("normal",), normal=way) for way in ("opengl", "directx")
    )
    np.testing.assert_array_equal(up["normal"] * np.float32([1, -1, 1]), down["normal"])


def test_noises_of_one_seed_name_are_one_and_others_differ():
    noise = {"type": "perlin", "frequency": 4}
    one = simple(
        fields={"a": {**noise, "seed": "x"}, "b": {**noise, "seed": "x"}, "c": noise},
        maps={"base_color": "0.5 + a - b", "roughness": "0.5 + a - c", "height": "0.5 + a"},
    )
    textures = one.textures(GRID, 1)
    np.testing.assert_allclose(textures["base_color"], 0.5, atol=1e-6)
    assert textures["roughness"].std() > 0.05


def test_moved_noises_lie_elsewhere_and_looked_up_ones_nearly_there():
    noise = {"type": "fractal", "source": {"type": "perlin", "frequency": 3}, "octaves": 2}
    way = ["0.1 * bend", "0.25"]
    one = simple(
        fields={
            "bend": {"type": "perlin", "frequency": 2},
            "exact": {**noise, "seed": "x", "moved": way},
            "quick": {**noise, "seed": "x", "looked_up": way},
            "still": {**noise, "seed": "x"},
        },
        maps={"height": "0.5 + 0.5 * exact", "roughness": "0.5 + 0.5 * quick", "metallic": "0.5 + 0.5 * still"},
    )  # fmt: skip
    textures = one.textures(GRID, 1)
    np.testing.assert_allclose(textures["height"], textures["roughness"], atol=2e-3)
    assert np.abs(textures["height"] - textures["metallic"]).mean() > 0.05
    constant = simple(
        fields={
            "exact": {**noise, "seed": "x", "moved": ["0.5", "0"]},
            "still": {**noise, "seed": "x"},
        },
        maps={"height": "0.5 + 0.5 * exact", "roughness": "0.5 + 0.5 * still"},
    )
    textures = constant.textures(GRID, 1)
    np.testing.assert_allclose(textures["height"], np.roll(textures["roughness"], 64, 1), atol=1e-5)
    # Without a seam to close there is no table: both ways are exact.
    open_edges = one.textures(Grid(20, 20), 1)
    np.testing.assert_array_equal(open_edges["height"], open_edges["roughness"])


def test_maps_that_are_one_reading_are_their_own():
    made = simple(
        fields={
            "hills": {"type": "perlin", "frequency": 4},
            "steep": {"read": "slope", "low": 10.0, "falloff": 5.0},
        },
        maps={
            "height": "0.5 + 0.5 * hills",
            "roughness": "ambient_occlusion",
            "base_color": "ambient_occlusion",
            "opacity": "steep",
            "metallic": "cavity",
            "cavity": "steep",
        },
    )
    grid = Grid(32, 32, wrap=True)
    maps = made.textures(grid, 2, maps=tuple(name for name in MAPS if name != "emission"))
    assert maps["base_color"].shape == (32, 32, 3)
    np.testing.assert_array_equal(maps["roughness"], maps["ambient_occlusion"])
    np.testing.assert_array_equal(maps["base_color"][..., 1], maps["ambient_occlusion"])
    np.testing.assert_array_equal(maps["opacity"], maps["cavity"])
    assert np.ptp(maps["opacity"]) > 0.1 and np.ptp(maps["roughness"]) > 0.01
    assert maps["metallic"].min() == 0.0, "what may lie below 0 is cut off"
    arrays = list(maps.values())
    for place, one in enumerate(arrays):
        assert one.flags.writeable
        assert not any(np.shares_memory(one, other) for other in arrays[:place])


def test_a_slider_at_nothing_saves_what_it_would_show():
    made = simple(
        exposed={"wear": {"label": "W", "help": "W", "default": 0.0, "minimum": 0, "maximum": 1}},
        fields={
            "n": {"type": "perlin", "frequency": 4},
            "worn": "wear * smoothstep(0, 1, m)",
            "m": {"type": "perlin", "frequency": 9},
        },
        maps={"height": "0.5 + 0.5 * n", "roughness": "0.5 + 0.2 * n - 0.3 * worn * cavity"},
    )
    grid, asked = Grid(16, 16, wrap=True), ("height", "roughness")
    with mock.patch.object(Cavity, "read", side_effect=AssertionError("read in vain")):
        maps = made.textures(grid, 3, asked)
        with pytest.raises(AssertionError, match="in vain"):
            made.with_values(wear=0.5).textures(grid, 3, asked)
    np.testing.assert_allclose(maps["roughness"], 0.3 + 0.4 * maps["height"], atol=1e-6)


def test_readings_have_limits():
    one = simple(
        fields={
            "hills": {"type": "perlin", "frequency": 4},
            "steep": {"read": "slope", "low": "least", "high": 90, "falloff": 2},
        },
        exposed={
            "least": {
                "label": "Least",
                "help": "Degrees",
                "default": 3,
                "minimum": 0,
                "maximum": 80,
            }
        },
        maps={"height": "0.5 + 0.5 * hills", "roughness": "steep"},
    )
    share = one.textures(GRID, 1)["roughness"].mean()
    less = one.with_values(least=5).textures(GRID, 1)["roughness"].mean()
    assert 0.95 > share > less + 0.05 > 0.1


def test_constants_need_no_image():
    one = simple(maps={"height": "0", "roughness": "0.25 + n", "base_color": "clay * n", "metallic": "hills"},
                 fields={"hills": {"type": "perlin"}, "clay": "#ffffff"},
                 exposed={"n": {"label": "N", "help": "A number", "default": 0.5, "minimum": 0, "maximum": 1}})  # fmt: skip
    assert one.constant("roughness") == (0.75,)
    assert one.constant("base_color") == pytest.approx((0.5, 0.5, 0.5))
    assert one.constant("emission") == (0.0, 0.0, 0.0)
    assert one.constant("metallic") is None
    assert one.constant("normal") is None and one.constant("cavity") is None
    assert one.with_values(n=0.1).constant("roughness") == pytest.approx((0.35,))


def test_colors_and_numbers_are_exposed():
    exposed = {
        "tint": {"label": "Tint", "help": "Color", "default": "#804020"},
        "count": {
            "label": "Count",
            "help": "Cells",
            "default": 4,
            "minimum": 1,
            "maximum": 9,
            "whole": True,
        },
        "is_wet": {"label": "Wet", "help": "Whether it has rained", "default": False},
    }
    one = simple(
        exposed=exposed,
        fields={"hills": {"type": "perlin", "frequency": "count"}},
        maps={"height": "0.5 + 0.5 * hills", "base_color": "tint", "roughness": "1 - is_wet"},
    )
    assert [(p.name, p.kind, p.unit) for p in one.parameters] == [
        ("tint", "vector", "color"), ("count", "integer", "none"), ("is_wet", "boolean", "none"),
    ]  # fmt: skip
    changed = one.with_values(tint="#ff0000", count=8, is_wet=True)
    assert changed.settings["tint"] == (1.0, 0.0, 0.0) and changed.settings["count"] == 8
    assert changed.constant("base_color") == (1.0, 0.0, 0.0)
    assert changed.constant("roughness") == (0.0,)
    assert Surface.from_json(changed.to_json()) == changed != one


def test_progress_rises_to_one_and_cancelling_stops():
    shares = []
    surface("granite").textures(Grid(300, 300, wrap=True), progress=shares.append)
    assert shares == sorted(shares) and shares[-1] == 1.0 and len(shares) > 3
    calls = []

    def cancel():
        calls.append(1)
        return len(calls) > 5

    with pytest.raises(Cancelled):
        surface("granite").textures(Grid(300, 300, wrap=True), cancel=cancel)


def test_evolution_moves_everything():
    one = simple(fields={"hills": Fractal_plain()})
    still, moved = (one.textures(GRID, 1, ("height",), evolution=way) for way in ((), (0.3,)))
    assert np.abs(still["height"] - moved["height"]).mean() > 0.02


def Fractal_plain():  # noqa: N802
    from noise_core.recipes.serial import to_plain

    return to_plain(Fractal(source=Perlin(frequency=2.0), octaves=3.0))


# What is refused


def squares(first):
    """Return fields of which each is the square of the one before."""
    fields = {f"a{number}": f"a{number - 1} * a{number - 1}" for number in range(1, 23)}
    return {"a0": first, **fields}


def test_constants_are_worked_out_once():
    surface = simple(fields=squares("1"), maps={"roughness": "a22 * 0.25", "height": "0.5"})
    begin = time.process_time()
    assert surface.constant("roughness") == (0.25,)
    assert time.process_time() - begin < 0.2  # 2^22 multiplications take seconds


def test_what_gets_too_large_at_some_samples_only_is_refused_when_it_is_made():
    # At the few values that are tried first the peak is not met.
    peak = "clamp(1 - abs(p - 0.1234) * 1000) * 1e38 * 1e38"
    surface = simple(fields={"p": {"type": "perlin"}, "a": peak}, maps={"roughness": "a"})
    with pytest.raises(ParameterError, match=r"^Surface\.maps\.roughness must be finite"):
        surface.textures(Grid(64, 64, wrap=True), maps=("roughness",))
    far = "clamp(1 - abs(p - 0.1234) * 1000) * 1e6"
    fields = {"p": {"type": "perlin"}, "a": {"type": "perlin", "moved": [far, "0"]}}
    surface = simple(fields=fields, maps={"roughness": "a"})
    with pytest.raises(ParameterError, match="what moves 'a' must be at most 1000 tiles"):
        surface.textures(Grid(64, 64, wrap=True), maps=("roughness",))


def test_noises_that_stand_too_deep_are_refused():
    deep = {"type": "perlin"}
    for _ in range(300):
        deep = {"type": "abs", "source": deep}
    with pytest.raises(RecipeError, match="more than 80 noises stand one inside the other"):
        simple(fields={"a": deep})


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"fields": {"a": "b", "b": "a"}}, "must not need each other; got a -> b -> a"),
        ({"fields": {"a": "missing * 2"}}, r"Surface\.fields\.a: a name must be one of .*; got 'missing'"),
        ({"maps": {"height": "missing"}}, r"Surface\.maps\.height: a name must be one of"),
        ({"maps": {"gloss": "1"}}, r"Surface\.maps: must be some of base_color"),
        ({"maps": {"normal": "1"}}, r"Surface\.maps: must be some of base_color"),
        ({"maps": {"height": "cavity"}}, "must not be made of what is read off the height"),
        ({"maps": {"roughness": "c"}, "fields": {"c": "#fff"}}, "must be a number everywhere; got colors"),
        ({"fields": {"a": {"type": "perlin", "moved": ["c", "0"]}, "c": "#fff"}}, r"\.moved must be a number"),
        ({"fields": {"A": "1"}}, "a name must be lower_case"),
        ({"fields": {"height": "1"}}, "and that of nothing else; got 'height'"),
        ({"fields": {"mix": "1"}}, "and that of nothing else; got 'mix'"),
        ({"fields": {"a": None}}, r"Surface\.fields\.a must be a formula, or an object with type"),
        ({"fields": {"a": {"stops": [[0, "#fff"]]}}}, "must have stops, by"),
        ({"fields": {"a": {"stops": [[0, "b"]], "by": "1"}}}, "may use exposed parameters"),
        ({"fields": {"a": {"type": "perlin", "frequency": "hills"}}}, "may use exposed parameters"),
        ({"exposed": {"n": {"label": "N", "help": "", "default": 1, "minimum": 0, "maximum": 2}}}, "must be text"),
        ({"exposed": {"n": {"label": "N", "help": "N", "default": 1}}}, "must have default, help, label, maximum"),
        ({"exposed": {"n": {"label": "N", "help": "N", "default": 9, "minimum": 0, "maximum": 2}}}, r"n must be in \[0, 2\]"),
        ({"size": 0}, r"Surface\.size must be in"),
        ({"depth": -1}, r"Surface\.depth must be in"),
        ({"values": {"n": 1}}, "an exposed parameter must be one of none; got 'n'"),
        ({"label": 5}, r"Surface\.label must be text"),
        ({"fields": {"a": 1e400}}, r"Surface\.fields\.a must be a formula"),
        ({"fields": squares("1e200")}, r"Surface\.fields\.a1 must be finite; got nan or inf"),
        ({"fields": {**squares("p * 10"), "p": {"type": "perlin"}}}, r"Surface\.fields\.a6 must be finite"),
        ({"fields": {"a": "1e300 * 1e300 - 1e300 * 1e300"}}, r"Surface\.fields\.a must be finite"),
        ({"fields": {"a": "1 / 1e-320"}}, r"Surface\.fields\.a must be finite"),
        ({"maps": {"roughness": "slope / 1e-38 / 1e-38"}}, r"Surface\.maps\.roughness must be finite"),
        ({"fields": {"a": {"type": "perlin", "moved": ["1e30 * 1e30 * slope", "0"]}}}, r"a\.moved must be finite"),
        ({"fields": {"a": {"stops": [[0, "#fff"], [1, "#000"]], "by": "c"}, "c": "#fff"}}, "looked up by must be a number"),
        ({"fields": {"a": {"type": "perlin", "frequency": "1e308 * 10"}}}, "frequency must be finite"),
        ({"fields": {"a": {"type": "perlin", "moved": ["0", None]}}}, "moved must be a formula; got None"),
    ],
)  # fmt: skip
def test_what_does_not_fit_together_is_refused(entries, message):
    with pytest.raises(ParameterError, match=message):
        simple(**entries)


def test_wrong_noises_are_refused():
    with pytest.raises(RecipeError, match=r"type must be one of"):
        simple(fields={"a": {"type": "perlinn"}})
    with pytest.raises(RecipeError, match=r"has the parameters .*; got 'freq'"):
        simple(fields={"a": {"type": "perlin", "freq": 3}})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "Surface: not JSON"),
        ("[]", "must be a JSON object; got list"),
        ('{"format": 99}', "^Surface: format 99 is newer than this Terrane reads"),
        ("{}", "^Surface: format must be 1; got None"),
        (
            '{"format": 1, "label": "A", "fields": {}, "maps": {}, "color": 1}',
            "; got 'color'",
        ),
        ('{"format": 1, "label": "A", "maps": {}}', "must have a key 'fields'"),
        ('{"format": 1, "label": "A", "fields": {"a": "b"}, "maps": {}}', "a name must be one of"),
        ('{"format": 1, "label": "A", "fields": 3, "maps": {}}', "fields must be a mapping"),
    ],
)
def test_json_that_is_no_surface_is_refused(text, message):
    with pytest.raises(RecipeError, match=message):
        Surface.from_json(text)


def test_unknown_surfaces_parameters_and_maps_are_refused():
    with pytest.raises(RecipeError, match=r"surface must be one of .*granite.*; got 'grannite'"):
        surface("grannite")
    with pytest.raises(ParameterError, match=r"must be one of scale, .*; got 'wax'"):
        surface("granite", wax=1)
    with pytest.raises(ParameterError, match=r"Surface\.scale must be in"):
        surface("granite", scale=100000)
    with pytest.raises(ParameterError, match=r"maps must be some of base_color"):
        surface("granite").textures(GRID, 0, ("gloss",))
    with pytest.raises(ParameterError, match=r"depth must be in"):
        surface("granite").textures(GRID, depth=-1.0)
    with pytest.raises(ParameterError, match=r"Normal\.convention must be one of"):
        surface("granite").textures(GRID, normal="vulkan")


def test_the_example_of_the_documentation_works():
    page = Path(__file__).parents[2] / "docs" / "adding_a_surface.md"
    example = re.findall(r"```json[^\n]*\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)[0]
    textures = Surface.from_json(example).textures(GRID, 1)
    assert np.ptp(textures["height"]) > 0.1
    assert Surface.from_json(example).with_values(wear=1.0, color="#fff", scale=20)


def test_the_documentation_names_every_function():
    text = (Path(__file__).parents[2] / "docs" / "adding_a_surface.md").read_text(encoding="utf-8")
    for name in FUNCTIONS:
        assert name in text
    for way in WAYS:
        assert f"`{way}`" in text or f'`"{way}"`' in text
