# SPDX-License-Identifier: GPL-3.0-or-later
"""Facts that a target gives for a mesh that is written as text."""

from __future__ import annotations

from dataclasses import dataclass

from ....materials.ground.ground_cover import GroundCover


@dataclass(frozen=True)
class MeshText:
    """Facts of a mesh besides its heights.

    Attributes
    ----------
    head : str
        Text before the triangles: all of the mesh but its lists.
    spacing : float
        Meters between neighbors.
    center : tuple of two floats
        Where the middle of the mesh lies, in meters.
    cover : GroundCover, optional
        Materials of its triangles.
    subsets : tuple of str
        Text about each material before the list of its triangles.
    """

    head: str
    spacing: float
    center: tuple[float, float]
    cover: GroundCover | None = None
    subsets: tuple[str, ...] = ()
