# SPDX-License-Identifier: GPL-3.0-or-later
"""Coordinates, seed and time of a noise, as values of a node graph."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

VECTOR, W, SEED, EVOLUTION = "Vector", "W", "Seed", "Evolution"
"""Names of the sockets of a domain."""


@dataclass(frozen=True)
class Domain:
    """Coordinates and seed of one noise.

    Attributes
    ----------
    vector : Output
        x, y and z in tiles; z counts from three dimensions on.
    dimension : int
        From 2 to 4.
    w : Output or None
        The fourth coordinate, None if there is none.
    seed : Output
        A whole number.
    evolution : Output or None
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
        """The number of dimensions as texture nodes name it."""
        return f"{self.dimension}D"

    def sockets(self) -> dict[str, Any]:
        """Return the parts that there are, by the names of their sockets."""
        named = {VECTOR: self.vector, W: self.w, SEED: self.seed, EVOLUTION: self.evolution}
        return {name: socket for name, socket in named.items() if socket is not None}
