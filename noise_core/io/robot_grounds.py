# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground for robots in files: as boxes and height fields for MuJoCo, as one height field for all other targets."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Union

from ..base import atomic_files, installed_memory
from ..base.arrays import Field
from ..base.blocks import Cancel, Progress
from ..base.errors import ParameterError, TerraneError
from ..base.grid import Grid
from ..base.input_files import path_of
from ..base.version import __version__
from ..modifiers.bases.modifier import Relief
from ..recipes.serial import to_plain
from ..robots.bases.curriculum import Curriculum
from .heightmaps import sidecar
from .heightmaps.lands import PER_SAMPLE, ExportedLand, LandSource, Shape
from .heightmaps.spawn_points import SpawnPlaces
from .robot_model import RobotModel
from .targets.bases.target import SpawnPoint
from .targets.mujoco import MuJoCo

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
    >>> from noise_core.robots import NestedRings, WavyField
    >>> from noise_core.robots.bases.curriculum import Curriculum
    >>> with TemporaryDirectory() as folder:
    ...     report = export_model(Curriculum((NestedRings(), WavyField()), rows=2), f"{folder}/course")
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
    writer = RobotModel(curriculum, target, model.stem, spawns)
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
    _write({files[0]: text.encode(), files[1]: sidecar.to_text(description)})
    counts = writer.counts
    return ModelReport(files, counts["box"], counts["mesh"], counts["hfield"], spawns)


def _write(contents: Mapping[Path, bytes]) -> None:
    """Write files of one folder: all of them or none."""
    parts = {atomic_files.part_of(file): file for file in contents}
    folder, made = next(iter(contents)).parent, list[Path]()
    try:
        atomic_files.make_folders([folder], made)
        for part, file in parts.items():
            atomic_files.write_part(part, contents[file])
        atomic_files.put(parts)
        made.clear()  # they stay
    except OSError as error:
        raise TerraneError("{}: cannot be written: {}", folder, error.strerror or error) from error
    finally:
        for part in parts:
            atomic_files.remove(part)
        atomic_files.remove_empty(made)


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
