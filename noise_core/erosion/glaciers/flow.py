# SPDX-License-Identifier: GPL-3.0-or-later
"""Shallow ice: it deforms by Glen's law, slides over its bed, and flows down its surface.

All is without units: heights are multiples of the relief, distances of the terrain's side, and ice of
the thickness at which as much of it slides as deforms. The flux is

    q = 2 (h^5 + h^3) |grad s|^2 grad s

for ice of thickness h with a surface s; the first term is Glen's law with its exponent 3, the second one
sliding by the cube of the shear stress at the bed over the thickness. Coefficients belong to the corners
between samples (Mahaffy 1976). Through a face flows ice of the side that it leaves, so that no place loses
more than it has where beds are steep (Jarosch and others 2013).

Ice adapts to its bed much sooner than the bed changes. So it is the steady state that is looked for, and
each place takes its own time step towards it, as long as it stays stable. While ice grows, steps go on
like those before (Raess and others 2022), but where they would turn back.

References
----------
J. F. Nye (1952). The mechanics of glacier flow. Journal of Glaciology 2.
M. W. Mahaffy (1976). A three-dimensional numerical model of ice sheets: tests on the Barnes Ice Cap,
Northwest Territories. Journal of Geophysical Research 81.
P. Halfar (1981). On the dynamics of the ice sheets. Journal of Geophysical Research 86.
J. Oerlemans (1984). Numerical experiments on large-scale glacial erosion. Zeitschrift fuer Gletscherkunde
und Glazialgeologie 20. (sliding)
A. H. Jarosch, C. G. Schoof, F. S. Anslow (2013). Restoring mass conservation to shallow ice flow models
over complex terrain. The Cryosphere 7.
Ludovic Raess, Ivan Utkin, Thibault Duretz, Samuel Omlin, Yuri Y. Podladchikov (2022). Assessing the robustness
and scalability of the accelerated pseudo-transient method. Geoscientific Model Development 15.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from .climate import Climate

CONDUCTIVITY = 2.0
"""Flux of ice of thickness 1 in either way where its surface falls by 1: what falls on a quarter of a side
flows off through a valley half as steep as the relief over the side."""

_EXPONENT = 3.0
"""Of Glen's law: how much faster the flux grows than the slope."""

_THICKENING = 5.0
"""Likewise, than the thickness."""

_LONGEST = 0.1
"""Time step where nothing flows: snow of so many units of thickness falls in it at most."""

_DAMPING = 0.8
"""Share of the time step at which neighbors would begin to overshoot."""

_MOMENTUM = 0.9
"""Share of a step that the next one adds to its own, while ice grows."""

_SHARE, _SNOW = 0.1, 0.02
"""How much of its thickness, and how much more, ice changes by in one step at most while it grows."""

_ZERO = np.float32(0.0)


@dataclass(frozen=True)
class Mesh:
    """Samples on which ice flows.

    Attributes
    ----------
    step_y, step_x : float
        Distance of neighbors in sides of the terrain.
    wrap : bool
        Whether edges meet.
    unit : float
        Of thickness, in reliefs.
    """

    step_y: float
    step_x: float
    wrap: bool
    unit: float


class Ice:
    """Ice on its bed, on one level.

    Parameters
    ----------
    bed, thickness : ndarray of shape (rows, columns), float32
        In reliefs, and in units of thickness. They are copied.
    mesh : Mesh
        Of that shape.
    """

    def __init__(self, bed: Field, thickness: Field, mesh: Mesh) -> None:
        self.mesh = mesh
        # A frame of one sample holds what lies beyond the edges.
        shape = (bed.shape[0] + 2, bed.shape[1] + 2)
        self._bed, self._thickness = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self.bed[...], self.thickness[...] = bed, thickness
        self._surface = np.zeros(shape, np.float32)
        corners = (shape[0] - 1, shape[1] - 1)
        self._squares, self._glide, self._conductivity = np.zeros((3, *corners), np.float32)
        self._stiffness = np.zeros(bed.shape, np.float32)

    @property
    def bed(self) -> Field:
        """Height of the ground below the ice, in reliefs; may be written to."""
        return self._bed[1:-1, 1:-1]

    @property
    def thickness(self) -> Field:
        """Thickness of the ice in its unit; may be written to."""
        return self._thickness[1:-1, 1:-1]

    def grow(self, climate: Climate, steps: int) -> None:
        """Bring the ice near to its steady state by some steps, of which each goes on like the one before.

        Where the ice would turn back it starts again: swings would be cut off at no ice, and so add ice.
        """
        thickness, change = self.thickness, np.zeros(self.thickness.shape, np.float32)
        for _ in range(steps):
            blocks.checkpoint()
            wish = self._change(climate)
            change *= wish * change > _ZERO
            change *= np.float32(_MOMENTUM)
            change += wish
            most = thickness * np.float32(_SHARE)
            most += np.float32(_SNOW)
            np.minimum(change, most, out=change)
            np.negative(most, out=most)
            np.maximum(change, most, out=change)
            thickness += change
            change *= thickness > _ZERO
            np.maximum(thickness, _ZERO, out=thickness)

    def adapt(self, climate: Climate, steps: int) -> None:
        """Bring ice that is near to its steady state nearer by some steps."""
        thickness = self.thickness
        for _ in range(steps):
            blocks.checkpoint()
            thickness += self._change(climate)
            np.maximum(thickness, _ZERO, out=thickness)

    def _change(self, climate: Climate) -> Field:
        """Return the change of thickness in one step, as long at each place as is stable."""
        change = self.rates(climate)
        change /= self._stiffness
        change *= np.float32(_DAMPING)
        return change

    def rates(self, climate: Climate) -> Field:
        """Return how fast the ice gets thicker: snowfall minus melting and outflow."""
        self._build_surface()
        self._conduct()
        rates = climate.balance(self._surface[1:-1, 1:-1])
        self._stiffness[...] = 1.0 / _LONGEST
        mesh = self.mesh
        self._flow(
            self._surface, self._thickness, self._conductivity, mesh.step_y, rates, self._stiffness
        )
        turned = (self._surface.T, self._thickness.T, self._conductivity.T)
        self._flow(*turned, mesh.step_x, rates.T, self._stiffness.T)
        return rates

    def sliding(self) -> Field:
        """Return how fast the ice slides: twice the square of its thickness times the cube of its slope."""
        self._build_surface()
        self._conduct()
        corners = np.sqrt(self._squares)
        corners *= self._glide
        rows: Field = corners[1:] + corners[:-1]
        speed: Field = rows[:, 1:] + rows[:, :-1]
        speed *= np.float32(0.25)
        return speed

    def stable_step(self) -> float:
        """Return the longest time step that was stable everywhere when `rates` was last called."""
        return _DAMPING / float(self._stiffness.max())

    def _build_surface(self) -> None:
        """Work out the surface, and the values of its frame."""
        inner = self._surface[1:-1, 1:-1]
        np.multiply(self.thickness, np.float32(self.mesh.unit), out=inner)
        inner += self.bed
        for field in (self._surface, self._thickness, self._surface.T, self._thickness.T):
            self._close(field)

    def _close(self, field: Field) -> None:
        """Fill the first and the last row of a frame: over an end as much ice comes as goes."""
        before, after = (-2, 1) if self.mesh.wrap else (1, -2)
        field[0], field[-1] = field[before], field[after]

    def _conduct(self) -> None:
        """Work out the factors of the flux through a face, at the corners."""
        surface, ice = self._surface, self._thickness
        squares, glide, conductivity = self._squares, self._glide, self._conductivity
        first, second = surface[:-1, :-1] - surface[1:, 1:], surface[:-1, 1:] - surface[1:, :-1]
        np.subtract(first, second, out=squares)
        squares *= np.float32(0.5 / self.mesh.step_x)
        squares *= squares
        first += second
        first *= np.float32(0.5 / self.mesh.step_y)
        first *= first
        squares += first
        np.add(ice[:-1], ice[1:], out=(lines := np.empty_like(ice[1:])))
        np.add(lines[:, :-1], lines[:, 1:], out=conductivity)
        conductivity *= np.float32(0.25)
        conductivity *= conductivity
        np.multiply(conductivity, squares, out=glide)
        glide *= np.float32(CONDUCTIVITY)
        conductivity += np.float32(1.0)
        conductivity *= glide

    def _flow(
        self,
        surface: Field,
        ice: Field,
        conductivity: Field,
        step: float,
        rates: Field,
        stiffness: Field,
    ) -> None:
        """Add the flow along columns to the rates, and how stiffly it answers to the stiffness."""
        above, below = ice[:-1, 1:-1], ice[1:, 1:-1]
        fall = surface[:-1, 1:-1] - surface[1:, 1:-1]
        faces = conductivity[:, :-1] + conductivity[:, 1:]
        faces *= np.float32(0.5 / (step * step))
        flux = np.maximum(fall, _ZERO)
        flux *= above
        backward = np.minimum(fall, _ZERO)
        backward *= below
        flux += backward
        flux *= faces
        rates += flux[:-1]
        rates -= flux[1:]
        np.maximum(above, below, out=flux)
        flux *= np.float32(_EXPONENT * self.mesh.unit)
        np.abs(fall, out=fall)
        fall *= np.float32(_THICKENING)
        flux += fall
        flux *= faces
        stiffness += flux[:-1]
        stiffness += flux[1:]
