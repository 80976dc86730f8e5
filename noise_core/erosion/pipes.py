# SPDX-License-Identifier: GPL-3.0-or-later
"""Shallow-water erosion by the pipe model.

Heights, depths of water, and volumes per column and step are measured in spacings of the level. The
difference of the surfaces accelerates the flow through a pipe; no column loses more water than it
has. The flow transports suspended ground upwind, so that the load that leaves one column arrives in
the next.

References
----------
Xing Mei, Philippe Decaudin, Bao-Gang Hu (2007). Fast hydraulic erosion simulation and
visualization on GPU. Pacific Graphics. (pipes, capacity by slope and speed)
Balazs Jako (2011). Fast hydraulic and thermal erosion on the GPU. CESCG. (thermal steps between)
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..base import blocks
from ..base.arrays import Field
from ..base.elementary import powers_of

if TYPE_CHECKING:
    from ..rasters.level import Level

STEPS = 4
"""Steps over a strip of rows while it is in the cache."""

REACH = 2
"""Samples by which one step carries anything further: over a pipe, and to what scales its flow."""

_SAMPLES = 128 << 10
"""Samples of a strip. Measured at 256 to 1024 samples a side: shorter strips repeat more rows and cost
up to half as much again, longer ones fall out of the cache on wide grids."""

_TINY = np.float32(1e-20)
"""Prevents division by zero between two dry columns."""


@dataclass(frozen=True)
class PipeModelParams:
    """Parameters of rain, flow and erosion, in spacings and steps.

    Attributes
    ----------
    pull : float
        Growth of a pipe's flow per step and unit of difference: gravity times the step squared.
    friction : float
        Share of the flow that remains after a step.
    rain, dry : float
        Depth of rain per step, and the share of water that remains after evaporation.
    capacity : float
        Ground that a flow of one volume a step carries on a vertical slope.
    exchange : float
        Share of the difference to the capacity that is eroded or deposited per step.
    """

    pull: float
    friction: float
    rain: float
    dry: float
    capacity: float
    exchange: float

    def over(self, stride: float) -> PipeModelParams:
        """Return the parameters for longer steps, each of which is worth several.

        The capacity stays: most water leaves a column within a step of either length, and carries as
        much over the same time if each step's twice as large volume carries twice as much.
        """
        if stride == 1.0:
            return self
        left, dry, friction = (
            float(powers_of(share, np.array([stride]))[0])
            for share in (1.0 - self.exchange, self.dry, self.friction)
        )
        return dataclasses.replace(
            self,
            pull=self.pull * stride * stride,
            friction=friction,
            rain=self.rain * stride,
            dry=dry,
            exchange=1.0 - left,
        )


@dataclass(frozen=True)
class WaterState:
    """Ground, water and flow: arrays of shape (rows, columns), float32.

    Attributes
    ----------
    ground, water, load : ndarray
        Height of the ground, depth of the water and ground suspended in it, in spacings.
    along, across : ndarray
        Volumes that flowed in the last step from each column to the next in its row, and to the
        one in the next row.
    """

    ground: Field
    water: Field
    load: Field
    along: Field
    across: Field

    @classmethod
    def dry(cls, ground: Field) -> WaterState:
        """Return the state of dry ground."""
        return cls(ground, *(np.zeros_like(ground) for _ in range(4)))

    def arrays(self) -> tuple[Field, ...]:
        """Return all five."""
        return (self.ground, self.water, self.load, self.along, self.across)


def simulate(state: WaterState, level: Level, params: PipeModelParams, steps: int) -> WaterState:
    """Return the state after up to `STEPS` steps.

    Parameters
    ----------
    state : WaterState
        Not written to.
    level : Level
        Whether edges meet; a border is a wall.
    params : PipeModelParams
        See there.
    steps : int
        From 1 to `STEPS`.
    """
    rows, columns = level.shape
    result = WaterState(*(np.empty(level.shape, np.float32) for _ in range(5)))
    strip = max(4 * STEPS, _SAMPLES // (columns + 2))

    def flow(start: int, stop: int) -> None:
        _WaterStrip(state, level.wrap, start, stop, REACH * steps).flow(params, steps, result)

    blocks.run(flow, rows, strip)
    return result


class _WaterStrip:
    """Rows with a halo for several steps, as flat arrays with a margin.

    A margin of one sample surrounds the rows, so that neighbors lie a fixed distance apart in
    memory. The strip's first and last row are walls; the error that they cause does not reach the
    rows of the strip's core.
    """

    def __init__(self, state: WaterState, wrap: bool, start: int, stop: int, halo: int) -> None:
        rows, columns = state.ground.shape
        self._wrap, self._start, self._stop = wrap, start, stop
        self._first = start - halo if wrap else max(start - halo, 0)
        last = stop + halo if wrap else min(stop + halo, rows)
        index = np.arange(self._first, last, dtype=np.intp)
        index %= rows
        self._shape = (len(index) + 2, columns + 2)
        self._pitch = columns + 2
        self._all = slice(self._pitch + 1, self._shape[0] * self._pitch - self._pitch - 1)
        fields = []
        for field in state.arrays():
            cells = np.zeros(self._shape, np.float32)
            cells[1:-1, 1:-1] = field[index]
            fields.append(cells.reshape(-1))
        self._ground, self._water, self._load, self._along, self._across = fields
        if wrap:  # the pipe before the first column is the one after the last
            along = self._along.reshape(self._shape)
            along[:, 0] = along[:, -2]
        else:
            self._along.reshape(self._shape)[:, -2] = 0.0
        self._across.reshape(self._shape)[-2] = 0.0

    def flow(self, params: PipeModelParams, steps: int, out: WaterState) -> None:
        """Run the steps, and write the rows of the strip's core."""
        size = self._ground.size
        buffers = [np.zeros(size, np.float32) for _ in range(6)]
        self._steep = np.zeros(size, np.float32)
        self._measure_slopes(params.capacity, buffers[0], buffers[1])
        for _ in range(steps):
            blocks.checkpoint()
            self._move(params, buffers)
            self._wash(params, buffers)
        offset = self._start - self._first + 1
        rows = slice(offset, offset + self._stop - self._start)
        strip = (self._ground, self._water, self._load, self._along, self._across)
        for flat, field in zip(strip, out.arrays()):
            field[self._start : self._stop] = flat.reshape(self._shape)[rows, 1:-1]

    def _close(self, flat: Field) -> None:
        """Fill the margin: from the opposite side on a torus, from next to it at a wall."""
        cells = flat.reshape(self._shape)
        cells[:, 0] = cells[:, -2 if self._wrap else 1]
        cells[:, -1] = cells[:, 1 if self._wrap else -2]
        cells[0] = cells[1]
        cells[-1] = cells[-2]

    def _measure_slopes(self, capacity: float, rise: Field, spare: Field) -> None:
        """Store the load that a volume of flow can carry: the capacity times the sine of the slope."""
        self._close(self._ground)
        pitch, inner = self._pitch, self._all
        low, high = inner.start, inner.stop
        ground, steep = self._ground, self._steep[inner]
        rise, spare = rise[inner], spare[inner]
        np.subtract(ground[low + 1 : high + 1], ground[low - 1 : high - 1], out=rise)
        np.subtract(
            ground[low + pitch : high + pitch], ground[low - pitch : high - pitch], out=spare
        )
        np.multiply(rise, np.float32(0.5), out=rise)
        np.multiply(spare, np.float32(0.5), out=spare)
        # Steeper than this is vertical; the square of a spike would be infinite.
        np.clip(rise, np.float32(-1e6), np.float32(1e6), out=rise)
        np.clip(spare, np.float32(-1e6), np.float32(1e6), out=spare)
        np.multiply(rise, rise, out=rise)
        np.multiply(spare, spare, out=spare)
        np.add(rise, spare, out=rise)
        np.add(rise, np.float32(1.0), out=spare)
        np.divide(rise, spare, out=rise)
        np.sqrt(rise, out=steep)
        np.multiply(steep, np.float32(capacity), out=steep)

    def _move(self, params: PipeModelParams, buffers: list[Field]) -> None:
        """Move water and its load for one step."""
        surface, right, left, up, down, other = buffers
        pitch, inner = self._pitch, self._all
        low, high = inner.start, inner.stop
        np.add(self._ground, self._water, out=surface)
        self._close(surface)
        for flow, step, ahead, behind in (
            (self._along, 1, right, left),
            (self._across, pitch, up, down),
        ):
            pull = other[step:]
            np.subtract(surface[:-step], surface[step:], out=pull)
            np.multiply(pull, np.float32(params.pull), out=pull)
            if params.friction != 1.0:
                np.multiply(flow, np.float32(params.friction), out=flow)
            np.add(flow[:-step], pull, out=flow[:-step])
            np.maximum(flow, np.float32(0.0), out=ahead)
            np.subtract(flow, ahead, out=behind)
        share = surface  # of the wanted outflow that there is water for
        np.subtract(right[low:high], left[low - 1 : high - 1], out=share[inner])
        share[inner] += up[low:high]
        share[inner] -= down[low - pitch : high - pitch]
        share += _TINY
        np.divide(self._water, share, out=share)
        np.minimum(share, np.float32(1.0), out=share)
        self._close(share)
        for flow, step, ahead, behind in (
            (self._along, 1, right, left),
            (self._across, pitch, up, down),
        ):
            ahead *= share
            behind[:-step] *= share[step:]
            np.add(ahead, behind, out=flow)
        thick = surface  # load per volume of water
        np.add(self._water, _TINY, out=thick)
        np.divide(self._load, thick, out=thick)
        self._close(thick)
        self._shift(self._water, self._along, 1)
        self._shift(self._water, self._across, pitch)
        for step, ahead, behind in ((1, right, left), (pitch, up, down)):
            ahead *= thick
            behind[:-step] *= thick[step:]
            ahead += behind
            self._shift(self._load, ahead, step)

    def _shift(self, columns: Field, flow: Field, step: int) -> None:
        """Add inflow and subtract outflow."""
        low, high = self._all.start, self._all.stop
        columns[low:high] += flow[low - step : high - step]
        columns[low:high] -= flow[low:high]

    def _wash(self, params: PipeModelParams, buffers: list[Field]) -> None:
        """Erode where the water could carry more, deposit where it carries too much."""
        speed, other = buffers[1][self._all], buffers[2][self._all]
        low, high, pitch = self._all.start, self._all.stop, self._pitch
        np.add(self._along[low:high], self._along[low - 1 : high - 1], out=speed)
        np.add(self._across[low:high], self._across[low - pitch : high - pitch], out=other)
        np.multiply(speed, speed, out=speed)
        np.multiply(other, other, out=other)
        np.add(speed, other, out=speed)
        np.sqrt(speed, out=speed)
        np.multiply(speed, self._steep[self._all], out=speed)
        taken = speed
        np.subtract(taken, self._load[self._all], out=taken)
        np.multiply(taken, np.float32(params.exchange), out=taken)
        self._ground[self._all] -= taken
        self._load[self._all] += taken
        self._water *= np.float32(params.dry)
        self._water += np.float32(params.rain)
        # Where all of it left, the last bit may be missing.
        np.maximum(self._water, np.float32(0.0), out=self._water)
