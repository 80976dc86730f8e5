# SPDX-License-Identifier: GPL-3.0-or-later
"""Chains come apart and together, and keywords change their parameters and nothing else."""

from __future__ import annotations

import pytest

from noise_core import ParameterError, noise_types
from noise_core.landscapes.preset_library import load_preset, preset_names
from noise_core.noises import Absolute, Curve, Fractal, Perlin, Raster, Value, Warp
from noise_core.recipes.chain_keywords import values, with_values
from noise_core.recipes.chains import (
    add_filters,
    basis_types,
    elements,
    filter_types,
    from_elements,
    is_filter,
    is_picture,
    own_values,
    primary_source,
    replace_element,
    unplug,
)
from noise_core.recipes.layers import NoiseLayer, flatten

BASIS = Perlin(frequency=3.0, fade="cubic")
CHAIN = Warp(
    source=Fractal(source=BASIS, kind="ridged", octaves=5.0),
    displacement=Fractal(source=Perlin(frequency=6.0), octaves=2.0),
    strength=0.25,
    levels=2,
)
OF_PRESETS = [
    layer.noise
    for name in preset_names()
    for _, layer in flatten(load_preset(name).layers)
    if isinstance(layer, NoiseLayer)
]

# --- elements ------------------------------------------------------------------------------------


@pytest.mark.parametrize("noise", [CHAIN, BASIS, Fractal(), *OF_PRESETS])
def test_elements_make_the_same_noise_again(noise) -> None:
    parts = elements(noise)
    assert from_elements(parts) == noise
    assert not is_filter(type(parts[0])) and all(is_filter(type(part)) for part in parts[1:])
    assert parts == elements(from_elements(parts))


def test_elements_go_from_the_basis_outward() -> None:
    assert [element.key for element in elements(CHAIN)] == ["perlin", "fractal", "warp"]
    assert elements(CHAIN)[1] == unplug(Fractal(kind="ridged", octaves=5.0))
    assert own_values(elements(CHAIN)[2]) == own_values(CHAIN)
    assert "source" not in own_values(CHAIN)


def test_elements_can_be_changed_one_by_one() -> None:
    curve = Curve(points=((0.0, 1.0), (1.0, 0.0)))
    basis, fractal, warp = elements(CHAIN)
    longer = from_elements((basis, fractal, curve, warp))
    assert [element.key for element in elements(longer)] == ["perlin", "fractal", "curve", "warp"]
    assert replace_element(CHAIN, 0, Value(frequency=2.0)).source.source == Value(frequency=2.0)
    assert elements(add_filters(CHAIN, (Absolute(),)))[-1] == unplug(Absolute())


def test_a_basis_stands_first_and_nowhere_else() -> None:
    with pytest.raises(ParameterError, match="^Value takes no source, so it can only stand first"):
        from_elements((Perlin(), Value()))
    with pytest.raises(ParameterError, match="^a chain must have at least one noise; got none"):
        from_elements(())


def test_types_are_bases_filters_or_joints() -> None:
    assert {"perlin", "value"} <= set(basis_types())
    assert {"fractal", "warp", "curve"} <= set(filter_types())
    assert set(noise_types()) - set(basis_types()) - set(filter_types()) == {"blend"}
    assert primary_source(Warp) == "source" and primary_source(Perlin) is None


# --- keywords ------------------------------------------------------------------------------------


def test_values_are_read_by_keyword() -> None:
    assert values(CHAIN) == {
        "noise": "perlin",
        "frequency": 3.0,
        "fractal": "ridged",
        "octaves": 5.0,
        "persistence": 0.5,
        "lacunarity": 2.0,
        "warp": 0.25,
    }
    assert values(BASIS) == {"noise": "perlin", "frequency": 3.0, "fractal": "none", "warp": 0.0}


@pytest.mark.parametrize("noise", [CHAIN, BASIS, Fractal(), *OF_PRESETS])
def test_the_values_that_it_has_change_nothing(noise) -> None:
    assert with_values(noise) == noise
    has = {name: value for name, value in values(noise).items() if name != "warp" or value}
    assert with_values(noise, **has) == noise


def test_a_new_basis_keeps_the_frequency() -> None:
    changed = with_values(CHAIN, noise="value")
    assert changed == CHAIN.with_values(
        source=CHAIN.source.with_values(source=Value(frequency=3.0))
    )


def test_frequency_scales_the_whole_chain() -> None:
    changed = with_values(CHAIN, frequency=4.5)
    assert elements(changed)[0] == BASIS.with_values(frequency=4.5)
    assert changed.displacement.source.frequency == 9.0
    assert changed.strength == CHAIN.strength


def test_fractal_goes_around_the_basis() -> None:
    assert with_values(BASIS, fractal="billow", octaves=3.0) == Fractal(
        source=BASIS, kind="billow", octaves=3.0
    )
    assert with_values(BASIS, octaves=3.0) == Fractal(source=BASIS, octaves=3.0)


def test_values_that_change_nothing_are_refused() -> None:
    with pytest.raises(ParameterError, match="octaves changes nothing: Perlin has none"):
        with_values(BASIS, fractal="none", octaves=3.0)
    with pytest.raises(ParameterError, match="frequency changes nothing: Constant has none"):
        with_values(BASIS, noise="constant", frequency=3.0)


def test_fractal_none_takes_it_out() -> None:
    assert with_values(CHAIN, fractal="none") == CHAIN.with_values(source=BASIS)


def test_warp_goes_around_the_fractal() -> None:
    fractal = Fractal(source=BASIS)
    assert with_values(fractal, warp=0.5) == Warp(source=fractal, strength=0.5)
    assert with_values(BASIS, warp=0.5) == Warp(source=BASIS, strength=0.5)
    assert with_values(BASIS, warp=0.5, fractal="fbm") == Warp(source=fractal, strength=0.5)
    curved = Curve(source=fractal)
    assert with_values(curved, warp=0.5) == Curve(source=Warp(source=fractal, strength=0.5))


def test_warp_zero_takes_it_out() -> None:
    assert with_values(CHAIN, warp=0.0) == CHAIN.source
    assert with_values(BASIS, warp=0.0) == BASIS


def test_the_outermost_fractal_and_warp_change() -> None:
    chain = Fractal(source=Warp(source=BASIS, strength=0.1), octaves=2.0)
    assert with_values(chain, warp=0.0, fractal="none") == BASIS
    assert with_values(chain, warp=0.2) == Fractal(
        source=Warp(source=BASIS, strength=0.2), octaves=2.0
    )
    twice = Fractal(source=Fractal(source=BASIS, octaves=3.0), octaves=2.0)
    assert with_values(twice, octaves=4.0) == twice.with_values(octaves=4.0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"noise": "fractal"}, "noise must be one of .*perlin.*; got 'fractal'"),
        ({"octaves": 99.0}, r"Fractal.octaves must be in \[1, 24\]; got 99.0"),
        ({"fractal": "fbn"}, "Fractal.kind must be one of .*; got 'fbn'"),
        ({"frequency": -1.0}, "frequency must be in"),
        ({"warp": -1.0}, "Warp.strength must be in"),
    ],
)
def test_wrong_values_raise(changes, message) -> None:
    with pytest.raises(ParameterError, match=message):
        with_values(CHAIN, **changes)


def test_a_picture_is_shown_as_it_is_when_it_is_chosen() -> None:
    """Octaves would lay smaller copies of it over it."""
    fractal = Fractal(source=BASIS, octaves=7.0)
    assert with_values(fractal, noise="raster") == Raster()
    within = with_values(CHAIN, noise="raster")
    assert within.source == Raster() and values(within)["frequency"] == 1.0
    asked = with_values(fractal, noise="raster", octaves=2.0)
    assert asked == Fractal(source=Raster(), octaves=2.0)
    assert with_values(fractal, noise="raster", fractal="billow").kind == "billow"
    # One that is there already keeps what is around it.
    around = Fractal(source=Raster(), octaves=2.0)
    assert with_values(around, noise="raster") == around


def test_which_noises_are_pictures() -> None:
    assert [key for key in basis_types() if is_picture(key)] == ["elevation", "raster"]
    assert not is_picture("of_the_future")
