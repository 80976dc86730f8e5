# SPDX-License-Identifier: GPL-3.0-or-later
"""PyBullet.

References
----------
Coumans, E. and Bai, Y. PyBullet quickstart guide: createCollisionShape, changeDynamics.
"""

from __future__ import annotations

from collections.abc import Mapping

from .bases.robot_target import RobotTarget
from .bases.target import Encoding, FieldValue, HeightFile, target_type


@target_type("pybullet", "PyBullet")
class PyBullet(RobotTarget):
    """NumPy array in meters, south edge first, for `createCollisionShape`.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import Recipe, export_heightmap
    >>> from noise_core.noises import Fractal
    >>> field = Recipe(layers=Fractal(), height=0.5, size=20.0)
    >>> with TemporaryDirectory() as folder:
    ...     report = export_heightmap(field, Path(folder) / "field", target="pybullet", samples=65)
    >>> [path.name for path in report.files]
    ['field.npy', 'field.npy.json']
    """

    @property
    def encoding(self) -> Encoding:
        """See `Target.encoding`."""
        return Encoding("npy", ".npy", "<f4", north_first=False)

    def fields(self, file: HeightFile) -> Mapping[str, FieldValue]:
        """See `Target.fields`: the middle between the lowest and highest point lies at the base's z.

        PyBullet's rows lie along x.
        """
        return {
            "shapeType": "GEOM_HEIGHTFIELD",
            "meshScale": [file.spacing, file.spacing, 1.0],
            "numHeightfieldRows": file.columns,
            "numHeightfieldColumns": file.rows,
            "basePosition": [*file.center, 0.5 * (file.lowest + file.highest)],
            "lateralFriction": self.mean_friction(file),
        }
