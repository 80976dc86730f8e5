# SPDX-License-Identifier: GPL-3.0-or-later
"""The planet that stands for a sphere of A.N.T. Landscape."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from ...noises.constant import Constant
from ...recipes.ant_landscape.parts import scale
from ...recipes.ant_landscape.recipe import AntRecipe, recipe_from_ant
from ...recipes.ant_landscape.settings import AntSettings
from ...recipes.layers import Group
from ..scene import Planet

LARGEST_RELIEF = 0.9
"""That of a planet; what is higher is made steeper by a filter."""


def planet_from_ant(keywords: Mapping[str, object]) -> tuple[AntRecipe, Planet]:
    """Return the recipe and the measures of a planet for settings of a sphere of A.N.T. Landscape.

    A height lies half as far above the sphere as it would lie above a plane.

    Raises
    ------
    ParameterError
        If a setting has a value that A.N.T. Landscape does not allow.
    """
    settings = AntSettings(keywords)
    relief = abs(settings.number("height")) / settings.width
    steeper = max(1.0, relief / LARGEST_RELIEF)
    recipe, losses = recipe_from_ant(keywords, is_globe=True)
    (whole,) = recipe.layers
    if steeper > 1.0:
        assert isinstance(whole, Group)
        whole = replace(whole, chain=(*whole.chain, scale(Constant(value=0.0), steeper)))
    quads = settings.integer("subdivision_x") * settings.integer("subdivision_y")
    planet = Planet(
        radius=settings.width / 2.0,
        relief=relief / steeper,
        resolution=min(1024, max(8, round(math.sqrt(quads / 6.0)))),
        sea_cover=0.0,
        ice_latitude=90.0,
        atmosphere=False,
        clouds=0.0,
    )
    return AntRecipe(replace(recipe, layers=(whole,)), losses), planet
