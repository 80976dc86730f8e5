# SPDX-License-Identifier: GPL-3.0-or-later
"""The land that stream erosion works on: what its parameters relate to."""

from __future__ import annotations

from dataclasses import dataclass

from ...types.level import Level


@dataclass(frozen=True)
class StreamLand:
    """What the parameters of stream erosion relate to.

    Attributes
    ----------
    levels : list of Level
        Finest first.
    seed : int
    lowest, highest : float
        Heights before, in meters.
    """

    levels: list[Level]
    seed: int
    lowest: float
    highest: float

    @property
    def span(self) -> float:
        """From the lowest to the highest ground, in meters."""
        return self.highest - self.lowest
