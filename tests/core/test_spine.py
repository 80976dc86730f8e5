# SPDX-License-Identifier: GPL-3.0-or-later
"""The knobs change what they say and nothing else."""

from __future__ import annotations

import pytest

from noise_core import ParameterError
from noise_core.noises.fractal import Fractal
from noise_core.noises.perlin import Perlin
from noise_core.noises.raster import Raster
from noise_core.noises.value import Value
from noise_core.noises.warp import Warp
from noise_core.preset_library import load_preset, preset_names
from noise_core.spine import (
    Knobs,
    Spine,
    is_picture,
    knobs,
    leaf_types,
    parts,
    with_knobs,
    with_parts,
)

LEAF = Perlin(frequency=3.0, fade="cubic")
TREE = Warp(
    source=Fractal(source=LEAF, kind="ridged", octaves=5.0),
    displacement=Fractal(source=Perlin(frequency=6.0), octaves=2.0),
    strength=0.25,
    levels=2,
)


def test_knobs_read_the_spine() -> None:
    assert knobs(TREE) == Knobs(
        noise="perlin",
        frequency=3.0,
        fractal="ridged",
        octaves=5.0,
        persistence=0.5,
        lacunarity=2.0,
        warp=0.25,
    )
    assert knobs(LEAF) == Knobs(noise="perlin", frequency=3.0, fractal="none", warp=0.0)


@pytest.mark.parametrize(
    "noise", [TREE, LEAF, Fractal(), *map(lambda n: load_preset(n).noise, preset_names())]
)
def test_unturned_knobs_give_the_identical_tree(noise) -> None:
    assert with_knobs(noise, Knobs()) is noise
    assert with_knobs(noise, knobs(noise)) is noise


def test_a_new_leaf_type_keeps_the_frequency() -> None:
    changed = with_knobs(TREE, Knobs(noise="value"))
    assert Spine.of(changed).leaf == Value(frequency=3.0)
    assert changed == TREE.with_values(source=TREE.source.with_values(source=Value(frequency=3.0)))


def test_frequency_scales_the_whole_tree() -> None:
    changed = with_knobs(TREE, Knobs(frequency=4.5))
    assert Spine.of(changed).leaf == LEAF.with_values(frequency=4.5)
    assert changed.displacement.source.frequency == 9.0
    assert changed.strength == TREE.strength


def test_fractal_goes_around_the_leaf() -> None:
    assert with_knobs(LEAF, Knobs(fractal="billow", octaves=3.0)) == Fractal(
        source=LEAF, kind="billow", octaves=3.0
    )
    assert with_knobs(LEAF, Knobs(octaves=3.0)) == Fractal(source=LEAF, octaves=3.0)
    assert with_knobs(LEAF, Knobs(fractal="none", octaves=3.0)) is LEAF


def test_fractal_none_takes_it_out() -> None:
    assert with_knobs(TREE, Knobs(fractal="none")) == TREE.with_values(source=LEAF)


def test_warp_goes_around_the_fractal() -> None:
    fractal = Fractal(source=LEAF)
    assert with_knobs(fractal, Knobs(warp=0.5)) == Warp(source=fractal, strength=0.5)
    assert with_knobs(LEAF, Knobs(warp=0.5)) == Warp(source=LEAF, strength=0.5)
    assert with_knobs(LEAF, Knobs(warp=0.5, fractal="fbm")) == Warp(source=fractal, strength=0.5)


def test_warp_zero_takes_it_out() -> None:
    assert with_knobs(TREE, Knobs(warp=0.0)) == TREE.source
    assert with_knobs(LEAF, Knobs(warp=0.0)) is LEAF


def test_a_warp_of_strength_zero_stays_until_turned() -> None:
    still = Warp(source=LEAF, strength=0.0)
    assert with_knobs(still, knobs(still)) is still
    assert with_knobs(still, Knobs(warp=0.5)) == still.with_values(strength=0.5)


def test_a_noise_above_the_spine_stays() -> None:
    tree = Fractal(source=Warp(source=LEAF, strength=0.1), octaves=2.0)
    assert with_knobs(tree, Knobs(warp=0.0, fractal="none")) is LEAF
    assert with_knobs(tree, Knobs(warp=0.2)) == Fractal(
        source=Warp(source=LEAF, strength=0.2), octaves=2.0
    )


def test_parts_replace_all_values() -> None:
    same = with_parts(TREE, leaf=LEAF, fractal=parts(TREE.source), warp=parts(TREE))
    assert same is TREE
    changed = with_parts(
        TREE, leaf=LEAF, fractal={**parts(TREE.source), "gain": 3.0}, warp=parts(TREE)
    )
    assert changed == TREE.with_values(source=TREE.source.with_values(gain=3.0))


def test_leaf_types_have_no_noise_inside() -> None:
    assert {"perlin", "value"} <= set(leaf_types())
    assert not {"fractal", "warp"} & set(leaf_types())


@pytest.mark.parametrize(
    ("turned", "message"),
    [
        (Knobs(noise="fractal"), "noise must be one of .*perlin.*; got 'fractal'"),
        (Knobs(octaves=99.0), r"Fractal.octaves must be in \[1, 24\]; got 99.0"),
        (Knobs(fractal="fbn"), "Fractal.kind must be one of .*; got 'fbn'"),
        (Knobs(frequency=-1.0), "frequency must be in"),
        (Knobs(warp=-1.0), "Warp.strength must be in"),
    ],
)
def test_wrong_values_raise(turned: Knobs, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        with_knobs(TREE, turned)


def test_a_picture_is_shown_as_it_is_when_it_is_chosen() -> None:
    """Octaves would lay smaller copies of it over it."""
    fractal = Fractal(source=LEAF, octaves=7.0)
    assert with_knobs(fractal, Knobs(noise="raster")) == Raster()
    within = with_knobs(TREE, Knobs(noise="raster"))
    assert within.source == Raster() and knobs(within).frequency == 1.0
    asked = with_knobs(fractal, Knobs(noise="raster", octaves=2.0))
    assert asked == Fractal(source=Raster(), octaves=2.0)
    assert with_knobs(fractal, Knobs(noise="raster", fractal="billow")).kind == "billow"
    # One that is there already keeps what somebody has put around it.
    around = Fractal(source=Raster(), octaves=2.0)
    assert with_knobs(around, Knobs(noise="raster")) is around


def test_which_noises_are_pictures() -> None:
    assert [key for key in leaf_types() if is_picture(key)] == ["raster"]
    assert not is_picture("of_the_future")
