# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a noise is taken, as sockets: coordinates in tiles, the seed, and the way along time."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

VECTOR, W, SEED, EVOLUTION = "Vector", "W", "Seed", "Evolution"
"""Names of the sockets by which groups hand a domain on."""


@dataclass(frozen=True)
class Domain:
    """Coordinates and seed of one noise.

    Attributes
    ----------
    vector : socket
        x, y and z in tiles; z counts from three dimensions on.
    dimension : int
        From 2 to 4.
    w : socket or None
        The fourth coordinate, None if there is none.
    seed : socket
        A whole number.
    evolution : socket or None
        Added to the position of every `Evolution`; None if there is none.
    """

    vector: Any
    dimension: int
    w: Any | None
    seed: Any
    evolution: Any | None

    def at(self, vector: Any) -> Domain:
        """Return the domain with other coordinates."""
        return dataclasses.replace(self, vector=vector)

    def with_seed(self, seed: Any) -> Domain:
        """Return the domain with another seed."""
        return dataclasses.replace(self, seed=seed)

    @property
    def dimensions(self) -> str:
        """How texture nodes call the number of dimensions."""
        return f"{self.dimension}D"

    def sockets(self) -> dict[str, Any]:
        """Return what there is, by the name of its socket."""
        named = {VECTOR: self.vector, W: self.w, SEED: self.seed, EVOLUTION: self.evolution}
        return {name: socket for name, socket in named.items() if socket is not None}
