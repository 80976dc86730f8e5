# SPDX-License-Identifier: GPL-3.0-or-later
"""Text of a model for MuJoCo with a curriculum: boxes, boxes with tilted tops as meshes, and height fields.

References
----------
Google DeepMind. MuJoCo documentation, XML reference: body, geom, asset/hfield (its elevation), asset/mesh, site.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

import numpy as np

from ..robots.bases.curriculum import Curriculum, Patch
from ..robots.bases.ground import Box, GroundSamples, slab
from .targets.bases.target import SpawnPoint
from .targets.mujoco import ROLLING, TORSION, MuJoCo

_STEPS = 100_000
"""Of a height field, from its lowest to its highest height: a hundredth of a millimeter for a meter."""


class RobotModel:
    """Text of a model, and the count of its geoms by their types.

    Parameters
    ----------
    curriculum : Curriculum
    target : MuJoCo
        Friction, and thickness below height fields.
    name : str
    spawns : tuple of SpawnPoint
        Places besides the middle of each piece.
    """

    def __init__(
        self,
        curriculum: Curriculum,
        target: MuJoCo,
        name: str,
        spawns: tuple[SpawnPoint, ...],
    ) -> None:
        self.counts = {"box": 0, "mesh": 0, "hfield": 0}
        self._curriculum, self._target, self._name = curriculum, target, name
        self._spawns = spawns
        self._assets: list[str] = []

    def text(self) -> str:
        """Return the model's text."""
        bodies = [line for patch in self._curriculum.patches for line in self._body(patch)]
        light = _numbers(0.0, 0.0, max(self._curriculum.width, self._curriculum.depth))
        lines = [
            f"<mujoco model={quoteattr(self._name)}>",
            '  <compiler angle="degree"/>',
            "  <default>",
            f'    <geom friction="{_numbers(self._target.friction, TORSION, ROLLING)}"/>',
            "  </default>",
            "  <asset>",
            *self._assets,
            "  </asset>",
            "  <worldbody>",
            f'    <light directional="true" pos="{light}" dir="0.3 0.2 -1"/>',
            *self._border(),
            *bodies,
            *(
                f'    <site name="{point.name}" pos="{_numbers(point.x, point.y, point.z)}"/>'
                for point in self._spawns
            ),
            "  </worldbody>",
            "</mujoco>",
        ]
        return "\n".join(lines) + "\n"

    def _border(self) -> Iterator[str]:
        """Yield the level ground around all."""
        border, (width, depth) = self._curriculum.border, self._halves()
        if border:
            for side in (-1.0, 1.0):
                middle = side * (depth - 0.5 * border)
                yield self._box(Box(0.0, middle, width, 0.5 * border, -1.0, 0.0))
                middle = side * (width - 0.5 * border)
                yield self._box(Box(middle, 0.0, 0.5 * border, depth - border, -1.0, 0.0))

    def _halves(self) -> tuple[float, float]:
        return 0.5 * self._curriculum.width, 0.5 * self._curriculum.depth

    def _body(self, patch: Patch) -> Iterator[str]:
        ground = patch.ground
        yield f'    <body name="{patch.name}" pos="{_numbers(patch.x, patch.y, 0.0)}">'
        if ground.samples is not None:
            yield self._field(patch.name, ground.samples)
        for index, box in enumerate(ground.boxes):
            yield self._box(box) if box.is_level else self._mesh(f"{patch.name}_{index}", box)
        yield f'      <site name="start_{patch.name}" pos="{_numbers(0.0, 0.0, ground.start)}"/>'
        yield "    </body>"

    def _box(self, box: Box) -> str:
        self.counts["box"] += 1
        size = _numbers(box.half_x, box.half_y, 0.5 * (box.top - box.bottom))
        place = _numbers(box.x, box.y, 0.5 * (box.top + box.bottom))
        turn = f' euler="{_numbers(0.0, 0.0, box.turn)}"' if box.turn else ""
        return f'      <geom type="box" size="{size}" pos="{place}"{turn}/>'

    def _mesh(self, name: str, box: Box) -> str:
        self.counts["mesh"] += 1
        corners = _numbers(*(number for corner in box.corners() for number in corner))
        self._assets.append(f'    <mesh name="{name}" vertex="{corners}"/>')
        return f'      <geom type="mesh" mesh="{name}"/>'

    def _field(self, name: str, samples: GroundSamples) -> str:
        lowest, highest = float(np.min(samples.height)), float(np.max(samples.height))
        if lowest == highest:  # MuJoCo takes no field that is level
            return self._box(slab(samples.half, lowest - self._target.base, lowest))
        self.counts["hfield"] += 1
        rows, columns = samples.height.shape
        size = _numbers(samples.half, samples.half, highest - lowest, self._target.base)
        share = np.rint((samples.height - lowest) / (highest - lowest) * _STEPS).astype(np.int64)
        # The text has the row with the largest y first.
        heights = "\n".join(" ".join(map(str, row)) for row in share[::-1].tolist())
        self._assets.append(
            f'    <hfield name="{name}" nrow="{rows}" ncol="{columns}" size="{size}" elevation="{heights}"/>'
        )
        return f'      <geom type="hfield" hfield="{name}" pos="{_numbers(0.0, 0.0, lowest)}"/>'


def _numbers(*values: float) -> str:
    return " ".join(f"{value:.9g}" for value in values)
