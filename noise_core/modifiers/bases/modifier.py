# SPDX-License-Identifier: GPL-3.0-or-later
"""Modifiers: layers that need neighbors, so they work on a finished grid."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar, TypeVar, dataclass_transform

import numpy.typing as npt

from ... import rasters, stages
from ...base import blocks
from ...base.arguments import check_kind
from ...base.arrays import Field, check_field, check_height, check_seed
from ...base.blocks import Cancel, Progress
from ...base.declared import declared_type
from ...base.errors import Message, ParameterError
from ...base.grid import Grid, measure_grid
from ...base.registry import Registry
from ...lattice.hash import child_seed
from ...masks.bases.mask import MaskContext, NamedNoises
from .layer import Layer, layer_share

if TYPE_CHECKING:
    from ...stages import Raster, Runner, StagedRelief

_MASK_SEED = 0x1F
"""Tells the seed of a noise mask from those that a modifier makes itself."""


@dataclasses.dataclass(frozen=True)
class Relief:
    """A height field with the maps that belong to it.

    Attributes
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    maps : mapping of str to ndarray of shape (rows, columns), float32
        Maps that modifiers have made, by name.
    grid : Grid or None
        Where its samples lie, if a recipe or a modifier has made it: an export or a map needs no size then.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Relief
    >>> relief = Relief(np.zeros((3, 3), np.float32), {"wear": np.ones((3, 3), np.float32)})
    >>> relief.height.shape, list(relief.maps)
    ((3, 3), ['wear'])
    """

    height: Field
    maps: Mapping[str, Field] = dataclasses.field(default_factory=dict)
    grid: Grid | None = None


@declared_type
class Modifier(Layer):
    """Base of all modifiers; a type in `modifiers/` writes `stages`, or `relief` if stages cannot describe it.

    Examples
    --------
    >>> from noise_core import Modifier, modifier_types
    >>> thermal = modifier_types()["thermal_erosion"](talus_angle=35.0)
    >>> isinstance(thermal, Modifier), thermal.needs_meters
    (True, True)

    The maps of a modifier, each with its unit:

    >>> thermal.makes["scree"]
    'Thickness of settled debris, in meters'
    """

    makes: ClassVar[Mapping[str, str]] = {}
    """The maps that it makes, by name, with one line of help each that says the unit."""
    amounts: ClassVar[frozenset[str]] = frozenset()
    """The maps of these that say how much the height has changed: a mask scales them too."""
    routes_water: ClassVar[bool] = False
    """Whether water runs over the land: what a place loses depends on all ground from which water comes there."""
    keeps_border: ClassVar[str] = ""
    """Why the border of an open land does not change as the rest does, if it does not."""
    keeps_border_values: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """The same for values of parameters, by name and value."""
    whole_land: ClassVar[str] = ""
    """Why it cannot be done in tiles, if it cannot: what in it depends on the whole land at once."""
    whole_land_values: ClassVar[Mapping[str, str]] = {}
    """Parameters that have to be 0, or empty, in tiles, by name, with the reason."""

    @property
    def needs_neighbors(self) -> bool:
        """See `Layer.needs_neighbors`."""
        return True

    @property
    def needs_meters(self) -> bool:
        """Whether the result depends on the width of the land in meters.

        If not, a grid without a size has any width; otherwise it has none, and `relief` is refused where
        it reads the spacing.
        """
        return True

    def relief(self, height: Field, grid: Grid, seed: int, progress: Progress) -> Relief:
        """Return the modified height and the maps that it made.

        Long work calls `blocks.checkpoint` every few milliseconds, which ends it if the caller
        has cancelled, and `progress` with the finished share.

        Parameters
        ----------
        height : ndarray of shape (rows, columns), float32
            In meters, finite. Not to be written to.
        grid : Grid
            Spacing, and whether edges wrap; see `needs_meters`.
        seed : int
            Unsigned, 32 bits.
        progress : callable
            See `blocks.Progress`.
        """
        runner = stages.MemoryRunner(rasters.Level.from_grid(grid), progress, grid)
        staged = self.stages(runner, runner.take(height), seed)
        progress(1.0)
        maps = {name: raster.values for name, raster in staged.maps.items()}
        result: Field = staged.height.values
        return Relief(result.copy() if result is height else result, maps)

    def stages(self, run: Runner, height: Raster, seed: int) -> StagedRelief:
        """Describe its work in stages, which a runner does in memory or in tiles.

        Parameters
        ----------
        run : Runner
            Takes the stages, one after the other.
        height : Raster
            In meters.
        seed : int
            See `relief`.
        """
        raise NotImplementedError(f"{type(self).__name__} has neither stages() nor relief()")

    def seed_in(self, parent: int) -> int:
        """See `Layer.seed_in`: never the parent's own."""
        return child_seed(parent, 1 + self.seed_offset)

    def apply(
        self,
        height: npt.ArrayLike,
        grid: Grid,
        seed: int = 0,
        mask: npt.ArrayLike | None = None,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
        noises: NamedNoises | None = None,
        evolution: tuple[float, ...] = (),
    ) -> Relief:
        """Return the modified height, with the maps, where `mask` lets it act.

        Parameters
        ----------
        height : array_like of shape (rows, columns)
            In meters.
        grid : Grid
            Of the same shape.
        seed : int
            Any integer of 32 bits.
        mask : array_like of shape (rows, columns), optional
            From 0 (stays as it was) to 1 (modified).
        progress, cancel : callable, optional
            See `blocks.Progress` and `blocks.Cancel`.
        noises : mapping of str to SeededNoise, optional
            The noises of the recipe, for a mask that stands for one of them.
        evolution : tuple of up to two floats
            See `Noise.sample_grid`: moves the noise of a mask. The modification itself does not
            change with time.

        Raises
        ------
        ParameterError
            If a shape differs from the grid's, a height is not finite or beyond 1e12, the mask
            not in [0, 1], the layer not there that its own mask stands for, or the grid has no size
            and the modifier needs meters.
        Cancelled
            If `cancel` said yes.

        Examples
        --------
        >>> import numpy as np
        >>> from noise_core import Grid
        >>> from noise_core.modifiers import Normalize

        Half of the land is modified, the other half keeps its heights:

        >>> grid = Grid(4, 4, size=30.0)
        >>> height = np.arange(16.0).reshape(4, 4)
        >>> mask = np.zeros((4, 4))
        >>> mask[:, 2:] = 1.0
        >>> relief = Normalize(minimum=0.0, maximum=150.0, outliers=0.0).apply(height, grid, mask=mask)
        >>> print(relief.height.round(1))
        [[  0.   1.  20.  30.]
         [  4.   5.  60.  70.]
         [  8.   9. 100. 110.]
         [ 12.  13. 140. 150.]]
        """
        who = f"{type(self).__name__}.apply"
        measured = measure_grid(grid, who, needs_meters=self.needs_meters)
        checked = check_height(height, measured.shape, f"{who}: height")
        own_seed = check_seed(seed, who)
        if noises is not None:
            check_kind(noises, Mapping, f"{who}: noises", "a mapping of names to noises")
        painted = None if mask is None else check_mask(mask, grid, f"{who}: mask")
        with blocks.cancellable(cancel):
            blocks.checkpoint()
            context = self.mask_context(own_seed, noises or {}, evolution)
            share = layer_share(self, checked, grid, context, painted)
            relief = self.relief(checked, measured, own_seed, blocks.heard(progress))
            mixed = relief if share is None else self.mix(checked, relief, share)
        return dataclasses.replace(mixed, grid=grid)

    def mask_context(
        self, seed: int, noises: NamedNoises, evolution: tuple[float, ...] = ()
    ) -> MaskContext:
        """Return the surroundings that its mask may read; `seed` is the modifier's own."""
        return MaskContext(noises, seed, child_seed(seed, _MASK_SEED), evolution)

    def mix(self, height: Field, relief: Relief, share: Field) -> Relief:
        """Return a share of its change, sample by sample."""
        maps = {
            name: values * share if name in self.amounts else values
            for name, values in relief.maps.items()
        }
        return Relief(height + (relief.height - height) * share, maps)


ModifierType = TypeVar("ModifierType", bound=type[Modifier])

_REGISTRY: Registry[Modifier] = Registry("modifiers")


@dataclass_transform(kw_only_default=True, frozen_default=True)
def modifier_type(key: str, label: str) -> Callable[[ModifierType], ModifierType]:
    """Make a class a modifier type: a frozen keyword-only dataclass, registered under `key`.

    Parameters
    ----------
    key : str
        Lower case; stands in saved files, so it never changes.
    label : str
        Label in menus.

    Examples
    --------
    >>> from noise_core import modifier_types
    >>> from noise_core.modifiers import Blur

    The decorator registers a class under the key that stands in saved files:

    >>> modifier_types()["blur"] is Blur
    True
    """
    return _REGISTRY.declare(key, label)


def modifier_types() -> Mapping[str, type[Modifier]]:
    """Return every modifier type by its key.

    Examples
    --------
    >>> from noise_core import modifier_types
    >>> len(modifier_types()) >= 17
    True
    >>> modifier_types()["blur"].label
    'Blur'
    """
    return _REGISTRY.all()


def check_mask(mask: npt.ArrayLike, grid: Grid, who: str) -> Field:
    """Return a mask as float32, or raise a ParameterError that starts with `who`."""
    share = check_field(mask, grid.shape, who)
    if share.min() < 0.0 or share.max() > 1.0:
        raise ParameterError(
            "{} must be in [0, 1]", who, got=Message("{:g} to {:g}", share.min(), share.max())
        )
    return share
