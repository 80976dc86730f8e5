# SPDX-License-Identifier: GPL-3.0-or-later
"""Landscapes: palettes of layers with colors and limits."""

from __future__ import annotations

import dataclasses

import pytest

from noise_core import ParameterError
from noise_core.materials.colors import (
    LANDSCAPES,
    LAYERS,
    PALETTES,
    GroundLayer,
    Landscape,
    RockBands,
    to_linear,
)
from noise_core.materials.colors.spaces import LUMINANCE

GRAY = GroundLayer(color="#808080", second="#808080")


def brightness(color):
    return sum(share * part for share, part in zip(LUMINANCE, color, strict=True))


def landscape(**values):
    keywords = {"label": "", "help": "", "ramp": PALETTES["gray"], "layers": {"soil": GRAY}}
    return Landscape(**{**keywords, "strata": RockBands(color="#808080"), **values})


@pytest.mark.parametrize("name", LANDSCAPES)
def test_shipped_ones_are_whole(name):
    found = LANDSCAPES[name]
    assert found.ramp in PALETTES.values() and found.label and found.help
    assert list(found.layers) == [one for one in LAYERS if one in found.layers]
    for layer in found.layers.values():
        # No ground is blacker than fresh asphalt or brighter than fresh snow.
        assert 0.02 < brightness(layer.color) < 0.9 or layer.color[1] > layer.color[0]
        assert layer.amount + sum(map(abs, (layer.flow, layer.deposit, layer.curvature))) > 0.0


def test_what_the_issue_asks_for_is_there():
    assert {"alpine", "desert", "volcanic", "arctic", "tropical", "mars", "moon"} <= set(LANDSCAPES)


def test_nothing_grows_without_air():
    for name in ("mars", "moon"):
        assert not {"grass", "woods"} & set(LANDSCAPES[name].layers)


def test_snow_is_bright_and_lowest_in_the_arctic():
    lines = {
        name: one.layers["snow"].lowest for name, one in LANDSCAPES.items() if "snow" in one.layers
    }
    assert min(lines, key=lines.__getitem__) == "arctic" and lines["tropical"] > 1.0
    for name in ("alpine", "arctic"):
        assert brightness(LANDSCAPES[name].layers["snow"].color) > 0.8


def test_layers_take_the_order_of_their_list():
    found = landscape(layers={"snow": GRAY, "soil": GRAY, "rock": GRAY})
    assert list(found.layers) == ["soil", "rock", "snow"]


def test_layers_that_lie_nowhere_are_known():
    beach, snow = (LANDSCAPES["temperate"].layers[name] for name in ("sand", "snow"))
    assert beach.can_lie(True) and not beach.can_lie(False)
    assert not snow.can_lie(True) and LANDSCAPES["volcanic"].layers["snow"].can_lie(True)
    assert all(layer.can_lie(False) for layer in LANDSCAPES["dunes"].layers.values())


def test_colors_are_kept_linear():
    assert GRAY.color == to_linear("#808080", "")


def test_layers_can_be_changed():
    found = LANDSCAPES["alpine"].with_layers(snow={"lowest": 0.9}, rock={"flattest": 50.0})
    assert (found.layers["snow"].lowest, found.layers["rock"].flattest) == (0.9, 50.0)
    assert found.layers["grass"] == LANDSCAPES["alpine"].layers["grass"]
    assert LANDSCAPES["alpine"].layers["snow"].lowest != 0.9
    assert "snow" not in LANDSCAPES["moon"].with_layers(snow={"lowest": 0.5}).layers


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: dataclasses.replace(GRAY, tint=1.5),
            r"GroundLayer.tint must be in \[0, 1\]; got 1.5",
        ),
        (
            lambda: dataclasses.replace(GRAY, lowest=2.0, highest=1.0),
            "GroundLayer.lowest must be less",
        ),
        (
            lambda: dataclasses.replace(GRAY, fade=-1.0),
            "GroundLayer.fade must be at least 0; got -1",
        ),
        (
            lambda: dataclasses.replace(GRAY, friction=-0.1),
            r"GroundLayer.friction must be in \[0, 100\]; got -0.1",
        ),
        (
            lambda: dataclasses.replace(GRAY, sliding_friction=float("inf")),
            "GroundLayer.sliding_friction must be in",
        ),
        (lambda: dataclasses.replace(GRAY, color="red"), "GroundLayer.color must be"),
        (lambda: RockBands(color="#fff", strength=2.0), r"Strata.strength must be in \[0, 1\]"),
        (lambda: RockBands(color="#fff", count=0.0), "Strata.count must be more than 0"),
        (lambda: landscape(layers={"rock": GRAY}), "Landscape.layers must have soil"),
        (lambda: landscape(layers={"soil": GRAY, "lawn": GRAY}), "Landscape.layers must have soil"),
        (lambda: landscape().with_layers(lawn={}), "layers must be of soil, .*; got 'lawn'"),
    ],
)
def test_wrong_values_are_refused(make, message):
    with pytest.raises(ParameterError, match=message):
        make()
