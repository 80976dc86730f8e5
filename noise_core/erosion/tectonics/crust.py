# SPDX-License-Identifier: GPL-3.0-or-later
"""The crust of a land: its plates and faults, and the motion they give the samples of a grid.

Faults are scarps whose throw is largest in the middle and dies out at both tips.

References
----------
J. J. Walsh, J. Watterson (1988). Analysis of the relationship between displacements and dimensions of faults.
Journal of Structural Geology 10. (throw along strike)
G. C. P. King, R. S. Stein, J. B. Rundle (1988). The growth of geological structures by repeated earthquakes 1.
Conceptual framework. Journal of Geophysical Research 93. (the foot wall rises less than the hanging wall sinks)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...base.blocks import Progress
from ...base.elementary import cosine_sine_of
from ...base.grid import Grid
from ...lattice.hash import child_seed
from ...noises.fractal import Fractal
from ...noises.perlin import Perlin
from ...rasters.level import Level
from ...stages.description import Part, grid_of
from .borders import BorderScale
from .plates import Plates
from .scatter import ScatteredPoint, Scattering
from .segments import scarp

_JITTER = 1.0
_CHANCES = 4
"""Numbers of chance that a fault has: for its strike, length, throw, and which side sinks."""

_TURN = 28.0
"""Degrees to either side by which strikes differ."""

_FOOT = 0.25
"""Share of the throw by which the foot wall rises; the hanging wall sinks by the rest (King and others 1988)."""

_REACH = 0.35
"""How far from the fault the land is bent, in its length."""

_LIKE = 0.4
"""Faults whose chance is below this fall to the same side: blocks of a system tilt alike."""

_SAMPLES = 1 << 15
"""Worked out at once: some dozen arrays of them stay in the cache."""

_BENDS = 1.3
"""Waves of the bends along a plate, and in how many sizes they come."""

_SIZES = 5.0

_BENT = 0.22
"""How far places are bent at irregularity 1, in plates; noise rarely goes beyond half of that."""


@dataclass(frozen=True)
class Fault:
    """A normal fault.

    Attributes
    ----------
    x, y : float
        Of its middle, in meters.
    normal : tuple of two floats
        Where the land sinks, at length 1.
    length : float
        From tip to tip, in meters.
    throw : float
        In its middle, in meters, above 0.
    """

    x: float
    y: float
    normal: tuple[float, float]
    length: float
    throw: float

    @classmethod
    def of(cls, point: ScatteredPoint, drift: float, cell: float, throw: float) -> Fault:
        """Return the fault of a point.

        Parameters
        ----------
        point : ScatteredPoint
        drift : float
            The direction in which the land is stretched, across most faults, in degrees.
        cell : float
            Distance of faults, in meters.
        throw : float
            Of the largest ones, in meters.
        """
        turn, long, size, side = point.chance
        cosine, sine = cosine_sine_of(drift + _TURN * turn)
        if side > _LIKE:
            cosine, sine = -cosine, -sine
        share = 0.5 + 0.5 * size
        length = cell * (1.6 + 0.6 * long)
        return cls(point.x, point.y, (cosine, sine), length, throw * (0.15 + 0.85 * share * share))

    @property
    def reach(self) -> float:
        """How far the land is bent to either side, in meters."""
        return _REACH * self.length

    @property
    def extent(self) -> float:
        """Distance from its middle beyond which nothing happens, in meters."""
        return math.hypot(0.5 * self.length, self.reach)

    def rise(self, x: Field, y: Field) -> Field:
        """Return how far the land rises, in meters, at places from the middle of the fault."""
        (east, north), one = self.normal, np.float32(1.0)
        across = x * np.float32(east)
        across += y * np.float32(north)
        along = y * np.float32(2.0 * east / self.length)
        along -= x * np.float32(2.0 * north / self.length)
        along *= along
        throw = np.maximum(one - along, np.float32(0.0))
        throw *= np.float32(self.throw)
        near: Field = np.abs(across)
        near *= np.float32(-1.0 / self.reach)
        near += one
        np.maximum(near, np.float32(0.0), out=near)
        near *= near
        near *= throw
        near *= np.float32(_FOOT) - scarp(across, self.throw)
        return near


def add_faults(faults: Iterable[Fault], x: Field, y: Field, rise: Field) -> None:
    """Add the motion of faults to some rows of a land.

    Parameters
    ----------
    x, y : ndarray of shape (rows, columns), float32
        Places, in meters; x rises along rows, but for small bends.
    rise : ndarray of that shape, float32
        Added to.
    """
    left, right = x.min(axis=0), x.max(axis=0)
    low, high = float(y.min()), float(y.max())
    for fault in faults:
        extent = fault.extent
        if fault.y + extent < low or fault.y - extent > high:
            continue
        inside = np.flatnonzero((right > fault.x - extent) & (left < fault.x + extent))
        if not inside.size:
            continue
        blocks.checkpoint()
        part = np.s_[:, inside[0] : inside[-1] + 1]
        rise[part] += fault.rise(x[part] - np.float32(fault.x), y[part] - np.float32(fault.y))


@dataclass(frozen=True)
class Crust:
    """Plates and faults that move the ground.

    Attributes
    ----------
    scale : BorderScale
    plate : float
        Size of a plate, in meters.
    drift : float
        Along which plates move, in degrees counterclockwise from the x axis.
    spacing : float
        Distance of faults, in meters; 0 for none.
    throw : float
        Of the largest faults, in meters; 0 for none.
    irregularity : float
        How far borders and faults are bent; 0 leaves them straight.
    """

    scale: BorderScale
    plate: float
    drift: float
    spacing: float
    throw: float
    irregularity: float

    @property
    def furthest(self) -> float:
        """How far ground is moved at most, in meters."""
        return self.scale.slip  # twice as far as any border moves it

    def move(
        self, target: Level, parts: Sequence[Part], progress: Progress, *, grid: Grid, seed: int
    ) -> tuple[Field, Field, Field]:
        """Return the rise of each sample, and how far it is moved along x and y, in meters.

        Parameters
        ----------
        target, parts, progress
            See `description.Work`; nothing is read.
        grid : Grid
            Of the whole land.
        seed : int
            Unsigned, 32 bits.
        """
        window = grid_of(grid, target)
        plates = Scattering.over(grid, self.plate, child_seed(seed, 2))
        bends = self._bends(window, seed)
        x, y = plates.places(grid)
        bent = self._bend if bends else 0.0
        box = (
            float(x[0]) - bent,
            float(x[-1]) + bent,
            float(y[0]) - bent,
            float(y[-1]) + bent,
        )
        neighbors = Plates.scatter(plates, box, self.drift, self.scale)
        faults = self._faults(grid, plates, box, seed)
        x, y = plates.places(window)
        grid = window
        rise, east, north = (np.empty(grid.shape, np.float32) for _ in range(3))

        def work(start: int, stop: int) -> None:
            blocks.checkpoint()
            shape = (stop - start, grid.columns)
            across, along = np.empty(shape, np.float32), np.empty(shape, np.float32)
            across[:] = x
            along[:] = y[start:stop, np.newaxis]
            if bends:
                across += bends[0][start:stop]
                along += bends[1][start:stop]
            parts = neighbors.act(across.reshape(-1), along.reshape(-1))
            for out, part in zip((rise, east, north), parts):
                out[start:stop] = part.reshape(shape)
            add_faults(faults, across, along, rise[start:stop])

        blocks.run(work, grid.rows, max(1, _SAMPLES // grid.columns), progress=progress)
        return rise, east, north

    def _bends(self, grid: Grid, seed: int) -> tuple[Field, ...]:
        """Return how far places are bent along x and y, in meters; none if they are not."""
        if self.irregularity == 0.0:
            return ()
        noise = Fractal(source=Perlin(frequency=_BENDS * grid.width / self.plate), octaves=_SIZES)
        bends = tuple(noise.sample_grid(grid, child_seed(seed, number)) for number in (3, 4))
        for bend in bends:
            bend *= np.float32(self._bend)
        return bends

    @property
    def _bend(self) -> float:
        """How far places are bent at most, in meters."""
        return _BENT * self.irregularity * self.plate

    def _faults(
        self, grid: Grid, plates: Scattering, box: tuple[float, float, float, float], seed: int
    ) -> list[Fault]:
        if self.spacing == 0.0 or self.throw == 0.0:
            return []
        lattice = Scattering.over(grid, self.spacing, child_seed(seed, 5))
        # Both count from their own first cell: their meters differ.
        shift = [
            float(fine[0]) - float(coarse[0])
            for fine, coarse in zip(lattice.places(grid), plates.places(grid))
        ]
        cell = max(lattice.width, lattice.depth)
        left, right, low, high = box
        margin = 1.5 * cell
        wide = (
            left + shift[0] - margin,
            right + shift[0] + margin,
            low + shift[1] - margin,
            high + shift[1] + margin,
        )
        faults = []
        for point in lattice.points(wide, _JITTER, _CHANCES):
            fault = Fault.of(point, self.drift, cell, self.throw)
            x, y = fault.x - shift[0], fault.y - shift[1]
            faults.append(Fault(x, y, fault.normal, fault.length, fault.throw))
        return faults
