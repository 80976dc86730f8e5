# SPDX-License-Identifier: GPL-3.0-or-later
"""Sums of octaves of gullies, each on the flanks of the coarser ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..base import blocks
from ..base.arrays import Field
from ..base.elementary import power_of
from .octaves import GullyOctave
from .stripes import Filler, Stripes
from .trigonometry import constant

_CLEAR = constant(1.5)
"""Crests and creases are found on slopes that much gentler than those with gullies of full height."""

_FADING = 0.8
"""How much each octave's crests and creases stand out, compared with the one before."""

_OPENING = constant(1.5)
_HALF = constant(0.5)
_ONE = constant(1.0)
_TWO = constant(2.0)


@dataclass
class SlopeBlock:
    """Slope and steepness of the ground at one block of points. Drawing overwrites all arrays.

    Attributes
    ----------
    across : tuple of two ndarrays
        Unit vectors across the slope.
    steepness : ndarray
        0 on the level, 1 where gullies have their full height.
    target : ndarray
        Value to which gullies fade, from -1 (a valley floor) to 1 (a crest).
    """

    across: tuple[Field, Field]
    steepness: Field
    target: Field

    @classmethod
    def empty(cls, shape: tuple[int, ...]) -> SlopeBlock:
        """Return a block with uninitialized arrays."""
        x, y, steepness, target = np.empty((4, *shape), np.float32)
        return cls((x, y), steepness, target)


class GullyLines:
    """Crests and creases of gullies at one block of points.

    Parameters
    ----------
    shape : tuple of int
        That of the block.

    Attributes
    ----------
    field : ndarray
        1 on crests, -1 in creases, with those of coarser octaves standing out.
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.field, self._mask = np.empty((2, *shape), np.float32)

    def begin(self, ground: SlopeBlock) -> None:
        """Start with the crests and valleys of the ground itself."""
        self.field[...] = ground.target
        np.multiply(ground.steepness, _CLEAR, out=self._mask)
        np.minimum(self._mask, _ONE, out=self._mask)

    def add(self, waves: Field, flank: Field, presence: float, scratch: Field) -> None:
        """Add the next octave's crests and creases, where there are no coarser ones."""
        np.subtract(waves, self.field, out=scratch)
        scratch *= self._mask
        scratch *= constant(presence)
        self.field += scratch
        _narrow(self._mask, flank, scratch)


class Carving:
    """The arrays for one block of points.

    Parameters
    ----------
    shape : tuple of int
        That of the block.

    Attributes
    ----------
    change : ndarray
        The sum of all octaves: between -1 and 1 times the sum of their amplitudes.
    stripes : Stripes
        Free as scratch memory after drawing.
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.stripes = Stripes(shape)
        self.change = np.empty(shape, np.float32)

    def draw(
        self,
        octaves: Sequence[GullyOctave],
        fill: Filler,
        ground: SlopeBlock,
        lines: GullyLines | None = None,
    ) -> None:
        """Draw all octaves.

        Parameters
        ----------
        octaves : sequence of GullyOctave
        fill : callable
            Knows the corners around the points.
        ground : SlopeBlock
            Used up.
        lines : GullyLines, optional
            To be found too.
        """
        stripes, mask, target = self.stripes, ground.steepness, ground.target
        self.change[...] = 0.0
        if lines is not None:
            lines.begin(ground)
        _ease(mask, stripes.first)
        for number, octave in enumerate(octaves):
            blocks.checkpoint()
            place, weight = fill(number, stripes)
            waves, imag = stripes.waves(octave.across(*ground.across), place, weight)
            stripes.normalize(waves, imag)
            stripes.turn_to_flanks(ground.across, imag, octave.turn)
            _to_flanks(imag, stripes.first)
            if lines is not None:
                lines.add(
                    waves, imag, octave.visible_share * power_of(_FADING, number), stripes.first
                )
            waves -= target
            waves *= mask
            target += waves
            np.multiply(target, constant(octave.amplitude * octave.visible_share), out=waves)
            self.change += waves
            _narrow(mask, imag, stripes.first)


def _narrow(mask: Field, flank: Field, scratch: Field) -> None:
    """Narrow a mask to the flanks of one more octave, in place; it stays within [0, 1]."""
    # About 1 - (1 - mask)^(3/2): opened a little, so that it does not close octave by octave.
    np.multiply(mask, _HALF, out=scratch)
    np.subtract(_OPENING, scratch, out=scratch)
    mask *= scratch
    mask *= flank


def _ease(share: Field, scratch: Field) -> None:
    """Round off a share where it reaches 1: x (2 - x), in place."""
    np.subtract(_TWO, share, out=scratch)
    share *= scratch


def _to_flanks(imag: Field, scratch: Field) -> None:
    """Convert waves to the distance from their crests and creases, in place: 1 - (1 - |x|)^3."""
    np.abs(imag, out=imag)
    np.subtract(_ONE, imag, out=imag)
    np.multiply(imag, imag, out=scratch)
    imag *= scratch
    np.subtract(_ONE, imag, out=imag)
