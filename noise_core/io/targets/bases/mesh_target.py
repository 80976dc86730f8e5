# SPDX-License-Identifier: GPL-3.0-or-later
"""Base of export targets that are meshes: chunks of a land at several levels of detail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ....base.declared import declared_type
from ....base.errors import ParameterError
from ....base.params import boolean, choice, integer, number
from .target import FieldValue, HeightFile, Target

if TYPE_CHECKING:
    from .chunk_mesh import MeshFormat

MOST_SAMPLES = 2049
"""Along a side of a chunk: 8 million triangles, and half a gigabyte while it is written."""

_USUAL_ERROR = 0.25
"""Error of the first level after the finest, as a share of the distance between samples."""

_SKIRT = 2.0
"""Depth of skirts, in errors of the coarsest level: both of two neighbors may be off by it."""


@declared_type
class MeshTarget(Target):
    """Base of targets whose files are meshes; a type writes `encoding` and `mesh_format`."""

    levels: int = integer(
        4,
        help="Number of levels of detail; level 0 has all samples",
        label="Levels of Detail",
        minimum=1,
        maximum=6,
    )
    error: float = number(
        0.0,
        help="Largest height error of level 1, in meters",
        automatic="a quarter of a cell",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=100.0,
        unit="length",
        visible_when=("levels", 1.0),
    )
    error_factor: float = number(
        4.0,
        help="Factor of the error from one level to the next",
        minimum=1.0,
        maximum=100.0,
        soft_maximum=10.0,
        unit="factor",
        visible_when=("levels", 1.0),
    )
    borders: str = choice(
        "stitched",
        help="Join between files of different levels",
        options={
            "stitched": "All levels keep all samples along their borders",
            "skirts": "Borders get coarser too; walls that hang from them hide the cracks",
        },
    )
    collision: bool = boolean(
        False, help="Also write meshes of positions alone, for collision", label="Collision Mesh"
    )
    collision_error: float = number(
        0.0,
        help="Height error of the collision mesh, in meters",
        automatic="that of level 1",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=100.0,
        unit="length",
        visible_when=("collision", True),
    )

    material: str = choice(
        "maps",
        help="Images that the material shows",
        options={
            "maps": "Those that are exported: color, normal, occlusion",
            "pbr": "Base color without light, normal, occlusion and roughness, made for it",
        },
    )

    @property
    def look(self) -> bool:
        """See `Target.look`."""
        return self.material == "pbr"

    @property
    def pixels_of_tiles(self) -> int:
        """Pixels along a tile of a layer of the ground; 0 if its materials have none."""
        return 0

    @property
    def mesh_format(self) -> MeshFormat:
        """See `Target.mesh_format`."""
        raise NotImplementedError(f"{type(self).__name__} has no format of meshes")

    @property
    def counts_tiles_from_north(self) -> bool:
        """See `Target.counts_tiles_from_north`."""
        return False

    def check_size(self, rows: int, columns: int) -> None:
        """See `Target.check_size`."""
        super().check_size(rows, columns)
        if max(rows, columns) > MOST_SAMPLES:
            raise ParameterError(
                "{} takes at most {} samples along a side; got {}: cut the terrain into several files",
                self.label,
                MOST_SAMPLES,
                max(rows, columns),
            )

    def errors(self, spacing: float) -> tuple[float, ...]:
        """Return the largest error of each level, in meters, for land with so many between samples."""
        first = self.error or _USUAL_ERROR * spacing
        return (0.0, *(first * self.error_factor**level for level in range(self.levels - 1)))

    def error_of_collision(self, spacing: float) -> float | None:
        """Return the largest error of the mesh for collision, in meters; None without one."""
        if not self.collision:
            return None
        return self.collision_error or self.error or _USUAL_ERROR * spacing

    def skirt_depth(self, spacing: float) -> float:
        """Return how far skirts hang down, in meters; 0 without them."""
        if self.borders != "skirts":
            return 0.0
        return _SKIRT * max(*self.errors(spacing), _USUAL_ERROR * spacing)

    def fields(self, file: HeightFile) -> Mapping[str, FieldValue]:
        """See `Target.fields`: nothing is typed in but the distances at which levels change."""
        return {
            "Levels": self.levels,
            "Errors": list(self.errors(file.spacing)),
            "Skirt Depth": self.skirt_depth(file.spacing),
        }
