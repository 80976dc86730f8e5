# SPDX-License-Identifier: GPL-3.0-or-later
"""NumPy Array."""

from __future__ import annotations

from collections.abc import Mapping

from .bases.target import Encoding, FieldValue, HeightFile, Target, target_type


@target_type("npy", "NumPy Array")
class Npy(Target):
    """Array of floats in meters, south edge first.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import numpy as np
    >>> from noise_core import Recipe, export_heightmap
    >>> from noise_core.noises import Fractal
    >>> recipe = Recipe(layers=Fractal(), height=100.0, size=1000.0)
    >>> with TemporaryDirectory() as folder:
    ...     report = export_heightmap(recipe, Path(folder) / "land", target="npy", samples=65)
    ...     heights = np.load(report.files[0])
    >>> heights.shape, str(heights.dtype)
    ((65, 65), 'float32')
    """

    @property
    def encoding(self) -> Encoding:
        """See `Target.encoding`."""
        return Encoding("npy", ".npy", "<f4", north_first=False)

    def fields(self, file: HeightFile) -> Mapping[str, FieldValue]:
        """See `Target.fields`."""
        return {"Width": file.width, "Depth": file.depth, "Meters per Sample": file.spacing}
