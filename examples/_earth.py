# SPDX-License-Identifier: GPL-3.0-or-later
"""The Earth in a dark sky: seas, land, clouds and a rim of air, lit by the same sun as the ground."""

from __future__ import annotations

import math
from typing import Any

from _looks import Air
from _nodes import Nodes
from mathutils import Vector

_SEA, _LAND, _SAND = (0.010, 0.030, 0.075), (0.045, 0.058, 0.026), (0.17, 0.13, 0.085)
_CLOUD, _RIM = (0.80, 0.84, 0.90), (0.22, 0.40, 0.80)


def towards(height: float, direction: float) -> Vector:
    """Return where something stands in the sky, in degrees; the compass has y in the north."""
    up, round_ = math.radians(height), math.radians(direction)
    level = math.cos(up)
    return Vector((math.sin(round_) * level, math.cos(round_) * level, math.sin(up)))


def with_earth(nodes: Nodes, air: Air, way: Any, sky: Any) -> Any:
    """Return the source of the color of a sky in some direction, the Earth in front of it."""
    if air.earth is None:
        return sky
    height, direction, width = air.earth
    ahead = towards(height, direction)
    right = ahead.cross(Vector((0.0, 0.0, 1.0))).normalized()
    radius = math.sin(math.radians(0.5 * width))
    across = nodes.product(nodes.vector("DOT_PRODUCT", way, tuple(right)), 1.0 / radius)
    up = nodes.product(nodes.vector("DOT_PRODUCT", way, tuple(right.cross(ahead))), 1.0 / radius)
    away = nodes.add_up(nodes.product(across, across), nodes.product(up, up))
    in_front = nodes.math("GREATER_THAN", nodes.vector("DOT_PRODUCT", way, tuple(ahead)), 0.0)
    depth = nodes.math("SQRT", nodes.math("MAXIMUM", nodes.inverse(away), 0.0))
    # Of the ball, as seen from here: across, up, and towards the camera.
    ball = nodes.joined(across, up, depth)
    sun = towards(*air.sun)
    lit_from = (sun.dot(right), sun.dot(right.cross(ahead)), -sun.dot(ahead))
    light = nodes.smooth(nodes.vector("DOT_PRODUCT", ball, lit_from), -0.06, 0.95)
    rim = nodes.product(nodes.math("POWER", nodes.inverse(depth), 3.0), 0.8)
    color = nodes.mix(rim, _ground(nodes, ball), _RIM)
    disc = nodes.product(nodes.smooth(away, 1.0, 0.96), in_front)
    return nodes.mix(disc, sky, nodes.scaled(color, nodes.product(light, air.earth_light)))


def _ground(nodes: Nodes, ball: Any) -> Any:
    """Return the source of the color of seas, land and clouds."""
    shape = nodes.noise(ball, 1.3, 9.0, Roughness=0.58)
    dry = nodes.smooth(nodes.noise(ball, 2.4, 4.0), 0.42, 0.58)
    land = nodes.mix(dry, _LAND, _SAND)
    ground = nodes.mix(nodes.smooth(shape, 0.52, 0.54), _SEA, land)
    drawn = nodes.vector("MULTIPLY", ball, (0.7, 1.6, 0.7))
    cover = nodes.noise(drawn, 2.3, 12.0, Roughness=0.62, Distortion=0.9)
    return nodes.mix(nodes.smooth(cover, 0.42, 0.68), ground, _CLOUD)
