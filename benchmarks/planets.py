# SPDX-License-Identifier: GPL-3.0-or-later
"""What a planet takes beside the noise of as many points: directions, sea level, and the arrays of its mesh."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from noise_core.base import blocks
from noise_core.landscapes.planets.colors import planet_colors
from noise_core.landscapes.planets.cube_sphere import CubeSphere
from noise_core.landscapes.planets.ground import PlanetGround
from noise_core.landscapes.planets.planet import PlanetHeights, planet_heights, standard_recipe
from noise_core.landscapes.scene import Planet

from .measure import timed
from .tables import say, verdict

HEAD = """## Planets

The planet that *Add Planet* makes by default, with its sea: heights, level of the sea, and the vertices, edges, faces and UV map of
its mesh, over the noise alone of as many points in space. Its colors in Solid view come on top.
"""

CELLS = 512
"""Along an edge of the cube: six times its square are 1.6 million points."""

MOST = 1.5
"""Times the noise that a planet may take."""


def table(runs: int) -> Iterator[str]:
    """Yield the lines of this part of the report."""
    recipe, planet = standard_recipe(), Planet(resolution=CELLS)
    points = CubeSphere(CELLS).directions() * np.float32(0.5)
    noise = recipe.noise

    def alone() -> object:
        parts = (points[start : start + (1 << 17)] for start in range(0, len(points), 1 << 17))
        return [noise.sample(part, recipe.seed) for part in parts]

    with blocks.on_threads(1):
        found = planet_heights(recipe, planet)
        about = PlanetGround(planet.radius, found.sea, planet.ice_latitude)
        works = [
            alone,
            lambda: _mesh(planet_heights(recipe, planet)),
            lambda: planet_colors(found, about, planet.palette),
        ]
        times = timed(works, runs)
    base, whole, colors = (one.best for one in times)
    yield HEAD
    yield f"| 6 x {CELLS}² | s | times the noise |"
    yield "| --- | ---: | ---: |"
    yield f"| noise | {base:.2f} | 1 |"
    ratio = whole / base
    yield f"| planet | {whole:.2f} | {ratio:.2f} (at most {MOST:g}: {verdict(ratio, MOST)}) |"
    yield f"| colors of Solid view | {colors:.2f} | {colors / base:.2f} |"
    yield ""
    say(f"planet: {ratio:.2f} times its noise")


def _mesh(found: PlanetHeights) -> object:
    """Return the arrays of a planet's mesh."""
    sphere = found.sphere
    places = found.directions * (found.height + np.float32(2.0))[:, np.newaxis]
    return places, sphere.edges(), sphere.quad_vertices(), sphere.coordinates(), found.depth
