# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground of evenly spaced heights: slopes, random heights, waves, obstacles and noise.

A side has as many samples as `spacing` goes into it, which then reach from edge to edge: 80 for 8 m and 0.1 m, so
that they lie 8 m / 79 apart. That is how the published ones are. Heights are whole multiples of `rise`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..base.declared import declared_type
from ..base.elementary import circle
from ..base.grid import Grid
from ..base.params import boolean, integer, number
from ..noises.fractal import Fractal
from ..noises.perlin import Perlin
from .bases.chance import Chance
from .bases.ground import GroundSamples, RobotGround
from .bases.sub_terrain import BorderedTerrain, check_count, meters, sub_terrain_type, whole_part

Numbers = npt.NDArray[np.float64]

_MOST_SAMPLES = 2049


@declared_type
class _FieldGround(BorderedTerrain):
    """Base of kinds with samples of heights."""

    spacing: float = meters(
        0.1, "Distance of samples, before they are spread over the side", minimum=0.01
    )
    rise: float = meters(0.005, "Heights are whole multiples of this", minimum=1e-4, maximum=1.0)

    @property
    def border(self) -> int:
        """Samples of the border."""
        return whole_part(self.border_width / self.spacing)

    @property
    def count(self) -> int:
        """Samples along a side within the border."""
        whole = check_count(self, "samples", whole_part(self.size / self.spacing), _MOST_SAMPLES)
        return max(whole - 2 * self.border, 2)

    def _ground(self, steps: Numbers) -> RobotGround:
        """Return the ground of heights within the border, in steps of `rise`.

        A robot begins at the highest of the middle, as wide as the platform: it never begins in the ground.
        """
        height = np.pad(steps * self.rise, self.border)
        place = np.linspace(-self.half, self.half, height.shape[0])
        is_middle = abs(place) <= max(self.platform - self.spacing, self.spacing)
        start = float(np.max(height[np.ix_(is_middle, is_middle)]))
        return RobotGround((), start, GroundSamples(height, self.half))

    def _steps(self, height: float) -> int:
        """Return the whole steps of a height, toward 0."""
        steps = whole_part(abs(height) / self.rise)
        return steps if height >= 0.0 else -steps


_SLOPE = {
    "mjlab": {},
    "isaac_lab": {"hard_slope": 0.4},
    "rudin_2021": {"hard_slope": 0.4, "platform_width": 3.0, "border_width": 0.0},
}


@declared_type
class _SlopedPyramid(_FieldGround):
    """Base of sides that rise to a platform, or fall to one."""

    easy_slope: float = number(0.0, help="Rise over run at difficulty 0", minimum=0.0, maximum=10.0)
    hard_slope: float = number(0.7, help="Rise over run at difficulty 1", minimum=0.0, maximum=10.0)
    platform_width: float = meters(2.0, "Side of the level platform in the middle")

    def _slope(self, slope: float) -> RobotGround:
        """Return the sides of a slope: the product of two ramps, cut off at a corner of the platform."""
        count, middle = self.count, self.count // 2
        peak = self._steps(slope * (count * self.spacing) / 2.0)
        ramp = (middle - abs(middle - np.arange(count, dtype=np.float64))) / middle
        height = peak * ramp[:, np.newaxis] * ramp
        corner = middle - whole_part(self.platform / self.spacing)
        level = float(height[corner, corner]) if corner >= 0 else 0.0
        return self._ground(np.rint(np.clip(height, min(0.0, level), max(0.0, level))))


@sub_terrain_type("pyramid_slope", "Pyramid Slope", _SLOPE)
class PyramidSlope(_SlopedPyramid):
    """Sides that rise to a platform."""

    def ground(self, difficulty: float, chance: Chance) -> RobotGround:
        """See `SubTerrain.ground`."""
        return self._slope(self.value("slope", difficulty))


@sub_terrain_type("pyramid_slope_inverted", "Pyramid Slope Inverted", _SLOPE)
class PyramidSlopeInverted(_SlopedPyramid):
    """Sides that fall to a platform."""

    def ground(self, difficulty: float, chance: Chance) -> RobotGround:
        """See `SubTerrain.ground`."""
        return self._slope(-self.value("slope", difficulty))


@sub_terrain_type("random_uniform", "Random Uniform", {"mjlab": {}, "isaac_lab": {}})
class RandomUniform(_FieldGround):
    """Random heights of a few levels, straight between; the same at each difficulty unless it is to scale them."""

    lowest: float = meters(0.02, "Lowest of the heights", minimum=-10.0, maximum=10.0)
    highest: float = meters(0.1, "Highest of the heights", minimum=-10.0, maximum=10.0)
    step: float = meters(0.02, "Difference of two heights", minimum=1e-4)
    distance: float = meters(
        0.1, "Distance of random heights, at least that of samples", minimum=0.01
    )
    scales: bool = boolean(False, help="Scale the heights with the difficulty")

    def ground(self, difficulty: float, chance: Chance) -> RobotGround:
        """See `SubTerrain.ground`."""
        scale = difficulty if self.scales else 1.0
        lowest, highest = (self._steps(scale * end) for end in (self.lowest, self.highest))
        step = max(self._steps(self.step), 1)
        levels = max(-(-(highest + step - lowest) // step), 1)
        spread = max(self.distance, self.spacing)
        nodes = max(whole_part(self.count * self.spacing / spread), 2)
        height = lowest + step * np.floor(levels * chance.draw("level", nodes, nodes))
        even = np.linspace(-1.0, 1.0, self.count)
        steps = GroundSamples(height, 1.0).at(even[np.newaxis, :], even[:, np.newaxis])
        return self._ground(np.rint(steps))


@sub_terrain_type("waves", "Waves", {"mjlab": {}})
class WavyField(_FieldGround):
    """A cosine along x plus a sine along y."""

    easy_amplitude: float = meters(0.0, "Amplitude of both together at difficulty 0")
    hard_amplitude: float = meters(0.2, "Amplitude of both together at difficulty 1")
    waves: int = integer(4, help="Number of waves along a side", minimum=1, maximum=1000)

    def ground(self, difficulty: float, chance: Chance) -> RobotGround:
        """See `SubTerrain.ground`."""
        steps = self._steps(0.5 * self.value("amplitude", difficulty))
        cosine, sine = circle(
            np.arange(self.count, dtype=np.float64) * (360.0 * self.waves / self.count)
        )
        return self._ground(np.rint(steps * (cosine + sine[:, np.newaxis])))


@sub_terrain_type(
    "discrete_obstacles",
    "Discrete Obstacles",
    {
        "mjlab": {},
        "rudin_2021": {
            "easy_height": 0.05,
            "hard_height": 0.25,
            "least_size": 1.0,
            "greatest_size": 2.0,
            "obstacles": 20,
            "platform_width": 3.0,
            "border_width": 0.0,
        },
    },
)
class DiscreteObstacles(_FieldGround):
    """Blocks and pits of two heights and two depths, whose sides and places are every fourth sample."""

    easy_height: float = meters(0.05, "Greatest height and depth at difficulty 0")
    hard_height: float = meters(0.3, "Greatest height and depth at difficulty 1")
    least_size: float = meters(
        0.2, "Least side; 0.3 is published, which its rounding makes 0.2", minimum=0.01
    )
    greatest_size: float = meters(1.0, "Greatest side", minimum=0.01)
    obstacles: int = integer(40, help="Number of obstacles", minimum=1, maximum=10000)

    def ground(self, difficulty: float, chance: Chance) -> RobotGround:
        """See `SubTerrain.ground`."""
        high = self._steps(self.value("height", difficulty))
        heights = np.array([-high, -high // 2, high // 2, high], np.float64)
        least, greatest = (
            whole_part(side / self.spacing) for side in (self.least_size, self.greatest_size)
        )
        sides = np.arange(least, max(greatest, least) + 1, 4, dtype=np.intp)
        places = np.arange(0, self.count, 4, dtype=np.intp)
        chosen = zip(
            *(
                options[
                    np.floor(chance.draw(name, self.obstacles) * options.size).astype(np.intp)
                ].tolist()
                for name, options in (
                    ("height", heights),
                    ("width", sides),
                    ("length", sides),
                    ("x", places),
                    ("y", places),
                )
            )
        )
        steps = np.zeros((self.count, self.count))
        for height, width, length, x, y in chosen:
            steps[y : y + length, x : x + width] = height
        middle, platform = self.count // 2, whole_part(self.platform_width / self.spacing) // 2
        level = slice(max(middle - platform, 0), middle + platform)
        steps[level, level] = 0.0
        return self._ground(steps)


@sub_terrain_type("perlin_noise", "Perlin Noise", {"mjlab": {}})
class PerlinNoise(_FieldGround):
    """Octaves of the classic Perlin noise, stretched from 0 to the height."""

    easy_height: float = meters(0.0, "Height at difficulty 0")
    hard_height: float = meters(1.0, "Height at difficulty 1")
    octaves: int = integer(4, help="Number of octaves", minimum=1, maximum=16)
    persistence: float = number(
        0.3, help="Amplitude of an octave, over that of the one before", minimum=0.0, maximum=1.0
    )
    cells: float = number(
        5.0, help="Cells of the first octave along the inside", minimum=0.1, maximum=1000.0
    )
    spacing: float = meters(
        0.05, "Distance of samples, before they are spread over the side", minimum=0.01
    )
    border_width: float = meters(0.5, "Width of the level border")

    def ground(self, difficulty: float, chance: Chance) -> RobotGround:
        """See `SubTerrain.ground`."""
        perlin = Perlin(frequency=self.cells, gradients="diagonal", lattice="permutation")
        noise = Fractal(
            source=perlin,
            octaves=self.octaves,
            persistence=self.persistence,
            octave_seeds="same",
            shift=False,
        )
        grid = Grid(self.count + 1, self.count + 1)
        # Its x runs along y, as in the published one.
        values = noise.sample_grid(grid, seed=chance.noise_seed()).T[:-1, :-1].astype(np.float64)
        height = self.value("height", difficulty)
        share = (values - np.min(values)) / (np.ptp(values) or 1.0)
        return self._ground(share * (height / self.rise))
