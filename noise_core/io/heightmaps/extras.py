# SPDX-License-Identifier: GPL-3.0-or-later
"""Files beside the heights: maps, masks of four materials in one image, normals, colors and friction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Union

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...base.blocks import Progress
from ...base.errors import Message, ParameterError, format_value
from ...base.file_names import check_file_name
from ...landscapes.look import Look
from ...maps.normal_map import Normal
from ...materials.colors import LANDSCAPES
from ...materials.ground.colors import ground_colors, land_colors, top_layers
from ...materials.ground.ground_cover import GroundCover, GroundMaterial
from ...materials.ground.ground_weights import WEIGHTS, ground_weights
from ...materials.ground.plan import GroundPlan
from ...materials.ground.roughness import ground_roughness
from ...pictures.shaded_relief import encode_srgb
from ...pictures.thumbnail import plan_of
from ..targets.bases.target import Target
from .lands import AnyMap, ExportedLand, LandSource, MapChannels, check_map_names

SPLAT, NORMAL, COLOR, FRICTION = "splat", "normal", "color", "friction"
"""Names of the files with four masks, with the directions of the ground, with its colors, and with its friction."""

LOOK = ("base_color", "orm")
"""Names of the files of a physically based material: colors without light; occlusion, roughness and metal."""

_USUAL_FRICTION = 2.55
"""Friction that the highest number of 8 bits stands for, if no material has more: then numbers are hundredths."""

AnyColors = Union[str, Look, GroundPlan]
"""The name of a palette, a preset's look, or a plan."""


@dataclass(frozen=True, eq=False)
class ExtraFiles:
    """Files beside the heights.

    Attributes
    ----------
    maps : mapping of str to str, Map, Mask or ndarray
    splat : tuple of these, at most four; None leaves a channel empty
    normal_bits : int
        0, 8 or 16.
    colors : GroundPlan or None
        How the ground is colored; None for no such file.
    ground : GroundPlan or None
        How the ground lies whose frictions or weights are written; None for no such files.
    weights : int
        0, 4 or 8: most layers whose weights are written.
    has_friction : bool
        Whether frictions are written.
    look : GroundPlan or None
        How the ground is colored of which a physically based material is written; None for no such files.
    has_sea : bool
        Whether the sea is a surface of its own, so that this material shows the ground below it.
    """

    maps: Mapping[str, AnyMap]
    splat: tuple[Union[AnyMap, None], ...]
    normal_bits: int
    colors: GroundPlan | None = None
    ground: GroundPlan | None = None
    weights: int = 0
    has_friction: bool = False
    look: GroundPlan | None = None
    has_sea: bool = False

    def check(self, land: LandSource) -> None:
        """Raise a ParameterError if there cannot be such files; before anything is evaluated."""
        check_map_names(
            [*self.maps.values(), *(one for one in self.splat if one is not None)], land
        )
        if len(self.splat) > 4:
            raise ParameterError("splat must be at most 4 masks", got=len(self.splat))
        for name in self.maps:
            check_file_name(f"_{name}", "maps")
            if name in self._made:
                raise ParameterError("maps must not be called {!r} beside that file", name)

    @property
    def names(self) -> list[str]:
        """How the files differ from those of the height, in the order in which they are written."""
        return [*self.maps, *self._made]

    @property
    def _made(self) -> list[str]:
        """Names of the files that are no single map."""
        wanted = {
            SPLAT: self.splat,
            NORMAL: self.normal_bits,
            COLOR: self.colors,
            FRICTION: self.has_friction,
            WEIGHTS[0]: self.weights >= 4,
            WEIGHTS[1]: self.weights >= 8,
            **dict.fromkeys(LOOK, self.look),
        }
        return [name for name, one in wanted.items() if one]

    def field(self, name: str, land: ExportedLand, convention: str) -> tuple[MapChannels, int]:
        """Return the content of a file of this name, and its bits."""
        if name == NORMAL and self.normal_bits:
            return land.channels(Normal(convention=convention), name, convention), self.normal_bits
        if name == SPLAT and self.splat:
            return self._splat(land, convention), 8
        if name == COLOR and self.colors is not None:
            colors = land_colors(*land.colored, self.colors, land.relief.maps)
            return MapChannels(tuple(map(encode_srgb, colors)), 0.0, 1.0, "sRGB"), 8
        if name in LOOK and self.look is not None:
            return self._look(name, land, self.look), 8
        if name == FRICTION and land.cover is not None:
            highest = max(one.friction for one in land.cover.materials)
            return MapChannels((land.cover.friction,), 0.0, max(_USUAL_FRICTION, highest)), 8
        if name in WEIGHTS and land.weights is not None:
            return MapChannels(land.weights.channels(WEIGHTS.index(name)), 0.0, 1.0), 8
        return land.channels(self.maps[name], name, convention), 8

    def cover(self, land: ExportedLand, target: Target, progress: Progress) -> ExportedLand:
        """Return a land with the materials of its ground and their weights, as far as they are written."""
        plan = self.ground
        if plan is None:
            return land
        if self.weights:
            parts = blocks.part_of(progress, 0.0, 0.5 if self.has_friction else 1.0)
            found = ground_weights(
                *land.colored, plan, land.relief.maps, self.weights, progress=parts
            )
            land = replace(land, weights=found)
        factors = target.friction_factors
        if factors is None:
            return land
        plan = plan.covered_by(land.relief.maps)
        at_rest, sliding = factors
        layers = ((name, plan.landscape.layers[name]) for name in plan.layers)
        materials = (
            GroundMaterial(name, at_rest * one.friction, sliding * one.sliding_friction)
            for name, one in layers
        )
        start = 0.5 if self.weights else 0.0
        rest = blocks.part_of(progress, start, 1.0)
        top = top_layers(*land.colored, plan, land.relief.maps, progress=rest)
        return replace(land, cover=GroundCover.of(materials, top))

    def _look(self, name: str, land: ExportedLand, plan: GroundPlan) -> MapChannels:
        """Return the content of a file of a physically based material."""
        height, grid = land.colored
        depth = plan.water_depth(height, grid, land.relief.maps)
        if self.has_sea and plan.painted is not None:
            depth[height < np.float32(plan.painted)] = 0.0
        if name == LOOK[0]:
            colors, _ = ground_colors(height, grid, plan, land.relief.maps, depth=depth)
            np.clip(colors, np.float32(0.0), np.float32(1.0), out=colors)
            return MapChannels(tuple(map(encode_srgb, colors)), 0.0, 1.0, "sRGB")
        lit = land.channels("ambient_occlusion", name, "opengl").fields[0]
        rough = ground_roughness(height, grid, plan, land.relief.maps, depth)
        metal = np.broadcast_to(np.float32(0.0), land.grid.shape)
        return MapChannels((lit, rough, metal), 0.0, 1.0)

    def _splat(self, land: ExportedLand, convention: str) -> MapChannels:
        empty = np.broadcast_to(np.float32(0.0), land.grid.shape)
        fields: list[Field] = []
        for mask in self.splat:
            if mask is None:
                fields.append(empty)
                continue
            found = land.channels(mask, SPLAT, convention)
            if len(found.fields) > 1:
                raise ParameterError(
                    "splat must be masks", got=Message("a map of {}", len(found.fields))
                )
            values = (found.fields[0] - np.float32(found.low)) / np.float32(found.high - found.low)
            fields.append(np.clip(values, np.float32(0.0), np.float32(1.0)))
        return MapChannels((*fields, *[empty] * (4 - len(fields))), 0.0, 1.0)


def as_ground(ground: AnyColors | None, use: str) -> GroundPlan:
    """Return how the ground lies.

    Parameters
    ----------
    ground : str, Look or GroundPlan, optional
    use : str
        For which it is needed, for errors.

    Raises
    ------
    ParameterError
        If there is no ground, or ground without layers.
    """
    plan = as_plan(ground, "ground")
    if plan is None:
        raise ParameterError(
            "ground must be one of {} for {}; got none", ", ".join(LANDSCAPES), use
        )
    if not plan.layers:
        raise ParameterError("ground must have layers for {}; got none", use)
    return plan


def as_plan(colors: AnyColors | None, name: str = "colors") -> GroundPlan | None:
    """Return how ground is colored; None without colors. Error messages have the name.

    Raises
    ------
    ParameterError
        If there is no such palette.
    """
    if colors is None or isinstance(colors, GroundPlan):
        return colors
    if isinstance(colors, Look):
        return plan_of(colors)
    if not isinstance(colors, str) or colors not in LANDSCAPES:
        raise ParameterError(
            "{} must be one of {}", name, ", ".join(LANDSCAPES), got=format_value(colors)
        )
    return plan_of(Look(palette=colors))
