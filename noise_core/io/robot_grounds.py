# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground for robots in files: as boxes and height fields for MuJoCo, as one height field for all other targets.

References
----------
Google DeepMind. MuJoCo documentation, XML reference: body, geom, asset/hfield (its elevation), asset/mesh, site.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Union
from xml.sax.saxutils import quoteattr

import numpy as np

from ..base import atomic_files, installed_memory
from ..base.arrays import Field
from ..base.blocks import Cancel, Progress
from ..base.errors import ParameterError, TerraneError
from ..base.grid import Grid
from ..base.input_files import path_of
from ..base.version import __version__
from ..modifiers.bases.modifier import Relief
from ..recipes.serial import to_plain
from ..robots.bases.curriculum import Curriculum, Patch
from ..robots.bases.ground import Box, Samples, slab
from .heightmaps import sidecar
from .heightmaps.lands import PER_SAMPLE, ExportedLand, LandSource, Shape
from .heightmaps.spawn_points import SpawnPlaces
from .targets.bases.target import SpawnPoint
from .targets.mujoco import ROLLING, TORSION, MuJoCo

SPACING = 0.1
"""Meters between samples at which flat ground is looked for, and those of a height field by default."""


@dataclass(frozen=True, eq=False)
class CurriculumLand(LandSource):
    """A curriculum as one height field, whose upright walls are ramps of one sample.

    Attributes
    ----------
    curriculum : Curriculum
    """

    curriculum: Curriculum

    @property
    def width(self) -> float:
        """See `LandSource.width`."""
        return self.curriculum.width

    @property
    def depth(self) -> float:
        """See `LandSource.depth`."""
        return self.curriculum.depth / self.curriculum.width

    @property
    def samples(self) -> int:
        """Samples along the longer side that lie `SPACING` apart."""
        return round(max(self.curriculum.width, self.curriculum.depth) / SPACING) + 1

    def evaluate(
        self, shape: Shape, threads: int | None, progress: Progress, cancel: Cancel | None
    ) -> ExportedLand:
        """See `LandSource.evaluate`."""
        height = _heights(self.curriculum, *shape)
        grid = Grid(*shape, size=self.curriculum.width)
        return ExportedLand(Relief(height), grid, facts=describe(self.curriculum))


def describe(curriculum: Curriculum) -> dict[str, object]:
    """Return what a sidecar says of a curriculum: its patches, row by row, and where a robot begins on each."""
    return {
        "seed": curriculum.seed,
        "rows": curriculum.rows,
        "columns": len(curriculum.terrains),
        "sub_terrains": [patch.describe() for patch in curriculum.patches],
    }


@dataclass(frozen=True)
class ModelReport:
    """Report of a model with ground for robots.

    Attributes
    ----------
    files : tuple of Path
        The model and its sidecar.
    boxes, tilted, fields : int
        Geoms that are boxes, boxes with a tilted top (as meshes), and height fields.
    spawn_points : tuple of SpawnPoint
    """

    files: tuple[Path, Path]
    boxes: int
    tilted: int
    fields: int
    spawn_points: tuple[SpawnPoint, ...]


def export_model(
    curriculum: Curriculum,
    path: Union[str, os.PathLike[str]],
    target: MuJoCo | None = None,
    *,
    overwrite: bool = False,
) -> ModelReport:
    """Write a curriculum as a model for MuJoCo: boxes stay boxes.

    Parameters
    ----------
    curriculum : Curriculum
    path : str or path
        Of the model; ``.xml`` is added if it has another suffix. The sidecar has its name with ``.json`` behind it.
    target : MuJoCo, optional
        Friction, thickness below height fields, and further places for robots.
    overwrite : bool
        Whether files may be replaced.

    Raises
    ------
    ParameterError
        If friction by material is asked for, or there is no room for the places.
    TerraneError
        If a file is there already or cannot be written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core.io.robot_grounds import export_model
    >>> from noise_core.robots import NestedRings, Waves
    >>> from noise_core.robots.bases.curriculum import Curriculum
    >>> with TemporaryDirectory() as folder:
    ...     report = export_model(Curriculum((NestedRings(), Waves()), rows=2), f"{folder}/course")
    >>> [file.name for file in report.files], report.boxes, report.fields
    (['course.xml', 'course.xml.json'], 53, 1)
    """
    target = target or MuJoCo()
    if target.friction_by_material:
        raise ParameterError("friction_by_material must be off for boxes, which have no material")
    model = Path(path_of(path, "export_model: path"))
    if model.suffix.lower() != ".xml":
        model = model.with_name(f"{model.name}.xml")
    files = (model, model.with_name(f"{model.name}.json"))
    atomic_files.check_free(files, overwrite)
    spawns = _spawn_points(curriculum, target)
    writer = _Writer(curriculum, target, model.stem, spawns)
    text = writer.text()
    description = {
        "sidecar": sidecar.FORMAT,
        "terrane": __version__,
        "target": target.key,
        "options": {name: value for name, value in to_plain(target).items() if name != "type"},
        "width": curriculum.width,
        "depth": curriculum.depth,
        "files": [{"name": model.name}],
        "geoms": writer.counts,
        **describe(curriculum),
        "spawn_points": [asdict(point) for point in spawns],
    }
    contents = (text.encode(), sidecar.to_text(description))
    parts = {atomic_files.part_of(file): file for file in files}
    made: list[Path] = []
    try:
        atomic_files.make_folders([model.parent], made)
        for part, content in zip(parts, contents):
            atomic_files.write_part(part, content)
        atomic_files.put(parts)
        made.clear()  # they stay
    except OSError as error:
        raise TerraneError("{}: cannot be written: {}", model, error.strerror or error) from error
    finally:
        for part in parts:
            atomic_files.remove(part)
        atomic_files.remove_empty(made)
    counts = writer.counts
    return ModelReport(files, counts["box"], counts["mesh"], counts["hfield"], spawns)


def _spawn_points(curriculum: Curriculum, target: MuJoCo) -> tuple[SpawnPoint, ...]:
    """Return places on flat ground; those of the whole, as `SpawnPlaces` finds them."""
    if not target.spawns:
        return ()
    columns, rows = (round(side / SPACING) + 1 for side in (curriculum.width, curriculum.depth))
    height = _heights(curriculum, rows, columns)
    return SpawnPlaces.find(height, curriculum.width / (columns - 1), target).points


def _heights(curriculum: Curriculum, rows: int, columns: int) -> Field:
    """Return the heights of all pieces; see `Curriculum.heights`."""
    installed_memory.require("Export", rows * columns, PER_SAMPLE)
    return curriculum.heights(rows, columns)


class _Writer:
    """Writes a model, and counts its geoms by their types."""

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

    def _field(self, name: str, samples: Samples) -> str:
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


_STEPS = 100_000
"""Of a height field, from its lowest to its highest height: a hundredth of a millimeter for a meter."""


def _numbers(*values: float) -> str:
    return " ".join(f"{value:.9g}" for value in values)
