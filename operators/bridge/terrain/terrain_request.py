# SPDX-License-Identifier: GPL-3.0-or-later
"""Request for the heights of a terrain, and its quick form while only the seed or the height changes.

Where seed and height act on one noise alone, the noise is sampled and scaled, and no recipe is built.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ....noise_core.base.arrays import MAX_HEIGHT
from ..datablocks import ground, meshes
from . import evaluation, terrains
from .user_mesh import grid as user_grid

if TYPE_CHECKING:  # imported with the first update
    from ....noise_core.base.arrays import Field
    from ....noise_core.base.blocks import Cancel, Progress
    from ....noise_core.base.grid import Grid
    from ....noise_core.noises.bases.noise import Noise
    from ....noise_core.recipes.recipe import Recipe
    from .terrains import Request


@dataclass(frozen=True)
class TerrainRequest:
    """Settings of a terrain at one moment, and the grids that follow from them."""

    snapshot: Request
    recipe: Recipe
    """Its active layers."""
    grid: Grid
    """Of the samples."""
    vertices: Grid
    is_user_mesh: bool = False
    """Whether the mesh is a user's that became a terrain."""
    maps: frozenset[str] | None = None
    """Names of the maps to make; None for those in use."""
    single_user: bool = False
    """Whether other objects that share the mesh keep it as it is."""
    scaled: tuple[Noise, int, float] | None = None
    """The noise that the recipe is, a seed and a height, if these alone were read anew."""

    @classmethod
    def of(cls, terrain: bpy.types.Object, snapshot: Request) -> TerrainRequest:
        """Return the request for a terrain by its settings, as `terrains.present_request` returns them."""
        grid = snapshot.grid()
        is_user_mesh = user_grid.UserMeshGrid.of(meshes.mesh_of(terrain)) is not None
        return cls(
            snapshot, snapshot.acting, grid, terrains.vertices_of(terrain, grid), is_user_mesh
        )

    @cached_property
    def has_masks(self) -> bool:
        """Whether a layer has a painted mask."""
        return any(layer.mask for layer in self.snapshot.states)

    @cached_property
    def scaled_noise(self) -> Noise | None:
        """The one noise that the height only scales; None if there are other layers.

        Modifiers work on heights in meters, and some layers have a height in meters: they do not scale. Painted
        masks apply on the grid.
        """
        if self.has_masks or self.recipe.needs_grid:
            return None
        noise = self.recipe.noise
        taller = dataclasses.replace(self.recipe, height=2.0 * self.recipe.height + 1.0)
        is_finite = max(map(abs, noise.bounds())) * MAX_HEIGHT < float(np.finfo(np.float32).max)
        return noise if is_finite and taller.noise == noise else None

    @cached_property
    def is_same_for_all_seeds(self) -> bool:
        """Whether a seed only samples `scaled_noise` in another place."""
        reseeded = dataclasses.replace(self.recipe, seed=self.recipe.seed ^ 1)
        return reseeded.noise == self.scaled_noise

    @cached_property
    def known_noise(self) -> Field:
        """The values of `scaled_noise` at the vertices; a LookupError as long as they are not cached."""
        noise = self.scaled_noise
        if noise is None:
            raise LookupError("the recipe is more than one noise")
        field = evaluation.known_noise(noise, self.recipe.seed, self.grid)
        return ground.vertex_field(field, self.grid)

    def with_numbers(self, seed: int, height: float) -> TerrainRequest:
        """Return the request with another seed and another height, for a preview."""
        if (noise := self.scaled_noise) is not None and self.is_same_for_all_seeds:
            return dataclasses.replace(self, scaled=(noise, seed, height))
        recipe = dataclasses.replace(self.recipe, seed=seed, height=height)
        return dataclasses.replace(self, recipe=recipe)

    def relief(
        self, grid: Grid, masks: Mapping[int, Field], progress: Progress, cancel: Cancel
    ) -> Field:
        """Return the heights on a grid, in meters."""
        if self.scaled is None:
            return evaluation.relief(self.recipe, grid, masks, progress, cancel).height
        noise, seed, height = self.scaled
        return evaluation.sample(noise, seed, grid, progress, cancel) * np.float32(height)
