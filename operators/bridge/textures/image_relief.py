# SPDX-License-Identifier: GPL-3.0-or-later
"""An image as a relief: its first channel, in meters from black to white."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.errors import ParameterError
from ....noise_core.base.grid import Grid
from ..datablocks import images
from ..datablocks.images import Content
from ..datablocks.ref import Ref
from ..schema.values import number
from ..tasks.jobs import as_work
from ..tasks.steps import Steps
from ..terrain import map_images
from ..terrain.erosion_settings import IMAGE_MEASURES
from ..terrain.evaluation import Evaluated
from ..terrain.ground import image_mask
from . import repainting
from .repainting import Repainted


@dataclass(frozen=True)
class ReliefMeasures:
    """ReliefMeasures of a relief, which an image does not have itself.

    Attributes
    ----------
    size, height : float
        In meters: its width, and from black to white.
    seamless : bool
        Whether opposite edges meet.
    """

    size: float
    height: float
    seamless: bool

    @classmethod
    def of(cls, group: Any) -> ReliefMeasures:
        """Return the measures in a group of properties.

        Raises
        ------
        ParameterError
            If a measure is not allowed.
        """
        values = {"size": number(group.size), "height": number(group.height)}
        for one in IMAGE_MEASURES:
            if one.name in values:
                one.check(values[one.name], "Image")
        return cls(values["size"], values["height"], group.seamless)


def read(image: bpy.types.Image, measures: ReliefMeasures) -> tuple[Callable[[], Field], Grid]:
    """Read an image; return a function that returns its heights, in any thread, and their grid.

    Returns
    -------
    callable
        Returns an array of shape (rows, columns), float32, in meters, row 0 at the bottom.
    Grid
        Its rows and columns.

    Raises
    ------
    ParameterError
        If the image cannot be read; the returned function raises it if pixels are not finite.
    """
    shown, name = images.unsigned_pixels(image), image.name

    def heights() -> Field:
        if not np.isfinite(shown).all():
            raise ParameterError("image {!r} has pixels that are not finite", name)
        return shown * np.float32(measures.height)

    rows, columns = shown.shape
    return heights, Grid(rows, columns, wrap=measures.seamless, size=measures.size)


@dataclass(frozen=True)
class _Written:
    """Values last written into an image, and the ones before."""

    image: Ref[bpy.types.Image]
    values: Field
    before: Field


_last: _Written | None = None

_FLOAT_STEP, _BYTE_STEP = 1.0 / 65535.0, 1.0 / 255.0
"""Largest difference of gray values after writing and reading, in 32 bits and in 8. Painted values differ
by more."""


def write(found: Callable[[], bpy.types.Image], values: Field) -> Steps[None]:
    """Write new gray values into the image itself, in steps, and store the old ones for `take_back`.

    The image changes in the last of them; `found` returns it in each step.
    """
    global _last
    painted: Repainted = yield as_work(repainting.repainting(found(), values))
    image = found()
    if painted.unsaved is not None:
        # Unsaved pixels are in no undo step: undo would restore an older image.
        painted.unsaved.show(image)
        bpy.ops.ed.undo_push(message="Pack Image")
    painted.after.show(image)
    _last = _Written(Ref.of(image), values, painted.before)


def take_back(image: bpy.types.Image) -> None:
    """Restore the values before the last `write`, if the image has not changed since.

    Without Global Undo, redoing with other values has to begin with this.
    """
    if _last is not None and _last.image.refers_to(image) and _shows(image, _last.values):
        repainting.repaint(image, _last.before)


def _shows(image: bpy.types.Image, values: Field) -> bool:
    """Return whether an image has these gray values."""
    if images.shape_of(image) != values.shape:
        return False
    shown = images.unsigned_pixels(image)
    if image.is_float:
        return bool((np.abs(shown - values) <= _FLOAT_STEP).all())
    return bool((np.abs(shown - np.clip(values, 0.0, 1.0)) <= _BYTE_STEP).all())


def gray(height: Field, measures: ReliefMeasures) -> Field:
    """Return heights in meters as gray values, without clamping to black and white."""
    return height / np.float32(measures.height)


@dataclass(frozen=True)
class Encoded:
    """Results of the erosion of an image, as they are stored.

    Attributes
    ----------
    gray : ndarray of shape (rows, columns), float32
        The gray values.
    packed : Content or None
        The same for a new image, if one is to be made.
    maps : mapping of str to Content
        The maps, by name.
    """

    gray: Field
    packed: Content | None
    maps: Mapping[str, Content]


def encoding(result: Evaluated, measures: ReliefMeasures, *, is_new: bool) -> Callable[[], Encoded]:
    """Return a function that encodes eroded heights, in any thread."""

    def encode() -> Encoded:
        values = gray(result.height, measures)
        packed = images.content(values, float_buffer=True) if is_new else None
        maps = {
            name: map_images.content(map_images.unit_values(name, field, None))
            for name, field in result.maps.items()
        }
        return Encoded(values, packed, maps)

    return encode


def mask(name: str, grid: Grid) -> Field | None:
    """Return an image as a mask, None if no name is given.

    Raises
    ------
    ParameterError
        If there is no image of that name.
    """
    return image_mask(name, grid) if name else None
