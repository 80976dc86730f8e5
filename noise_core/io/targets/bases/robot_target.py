# SPDX-License-Identifier: GPL-3.0-or-later
"""Base of export targets for simulators of robots: friction, and places where robots begin."""

from __future__ import annotations

from ....base.declared import declared_type
from ....base.params import boolean, integer, number
from .target import HeightFile, SpawnRules, Target


@declared_type
class RobotTarget(Target):
    """Base of targets for simulators; a type writes the methods of `Target`, with these options."""

    friction: float = number(
        1.0,
        help="Static friction; with Friction by Material a factor of each material's",
        minimum=0.0,
        maximum=100.0,
        soft_maximum=2.0,
    )
    friction_by_material: bool = boolean(
        False,
        help="Give rock, sand, grass and snow friction of their own, and write a map of it",
        label="Friction by Material",
    )
    spawns: int = integer(
        0,
        help="Number of start places for robots on flat ground, far from each other",
        label="Spawn Points",
        minimum=0,
        maximum=4096,
        soft_maximum=64,
    )
    spawn_radius: float = number(
        0.5,
        help="Radius of flat ground around each place, in meters",
        minimum=0.0,
        maximum=1e4,
        soft_maximum=5.0,
        unit="length",
        visible_when=("spawns", 0.0),
    )
    spawn_slope: float = number(
        10.0,
        help="Maximum slope of the flat ground",
        minimum=0.0,
        maximum=89.0,
        unit="angle",
        visible_when=("spawns", 0.0),
    )
    spawn_seed: int = integer(
        0,
        help="Seed of the places",
        minimum=0,
        maximum=2**31 - 1,
        soft_maximum=1000,
        visible_when=("spawns", 0.0),
    )

    @property
    def friction_factors(self) -> tuple[float, float] | None:
        """See `Target.friction_factors`."""
        return (self.friction, self.friction) if self.friction_by_material else None

    def mean_friction(self, file: HeightFile) -> float:
        """Return the friction of all the ground as one number: by material the mean."""
        return self.friction if file.cover is None else file.cover.mean.friction

    @property
    def spawn_rules(self) -> SpawnRules:
        """See `Target.spawn_rules`."""
        return SpawnRules(self.spawns, self.spawn_radius, self.spawn_slope, self.spawn_seed)
