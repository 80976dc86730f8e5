# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of parameters drawn at random, by the limits that they declare."""

from __future__ import annotations

import math
import random

from noise_core import Modifier
from noise_core.base.params import Parameter

SLOW = 60
"""Rounds and steps at most: what many do is that of a few, again and again."""


def draw_value(draw: random.Random, parameter: Parameter) -> object:
    """Draw a value within the limits of the slider, or one of the options."""
    if parameter.kind == "boolean":
        return draw.random() < 0.5
    if parameter.options:
        return draw.choice(list(parameter.options))
    low, high = parameter.soft_minimum, parameter.soft_maximum
    if not math.isfinite(high - low):
        return parameter.default
    if parameter.kind == "integer":
        return draw.randint(int(low), int(min(high, max(SLOW, low))))
    return draw.choice([low, high, draw.uniform(low, high)])


def draw_values(draw: random.Random, cls: type) -> dict[str, object]:
    """Draw values of some parameters of a type; the others have their defaults."""
    refused = getattr(cls, "whole_land_values", {})
    layer = {one.name for one in Modifier.parameters()}
    own = [
        one
        for one in cls.parameters()
        if one.kind in ("boolean", "choice", "integer", "number")
        and one.name not in layer
        and one.name not in refused
    ]
    some = draw.sample(own, draw.randint(0, min(3, len(own))))
    return {one.name: draw_value(draw, one) for one in some}
