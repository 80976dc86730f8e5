# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits on how far a noise may move the points of another one."""

from __future__ import annotations

from ..base.errors import ParameterError
from ..lattice.hash import MOST_CELLS
from .warp_noise import WarpNoise

_SHARE = 4
"""Several noises in a row may each add their part."""


def check_reach(distance: float, source: WarpNoise, parameter: str) -> None:
    """Raise a ParameterError if displaced points could lie too far out.

    Parameters
    ----------
    distance : float
        How far they are moved, in the source's tiles.
    source : WarpNoise
        Noise that is sampled there.
    parameter : str
        Who moves them; starts the error message.
    """
    finest = source.finest()
    if distance * finest * _SHARE > MOST_CELLS:
        raise ParameterError(
            "{} must move points by at most {:g} tiles, where the source's cells can be told apart",
            parameter,
            MOST_CELLS / (finest * _SHARE),
            got=f"{distance:g}",
        )
