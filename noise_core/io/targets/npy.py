# SPDX-License-Identifier: GPL-3.0-or-later
"""NumPy Array."""

from __future__ import annotations

from collections.abc import Mapping

from .bases.target import Encoding, FieldValue, HeightFile, Target, target_type


@target_type("npy", "NumPy Array")
class Npy(Target):
    """Array of floats in meters, the south edge first."""

    @property
    def encoding(self) -> Encoding:
        """See `Target.encoding`."""
        return Encoding("npy", ".npy", "<f4", north_first=False)

    def fields(self, file: HeightFile) -> Mapping[str, FieldValue]:
        """See `Target.fields`."""
        return {"Width": file.width, "Depth": file.depth, "Meters per Sample": file.spacing}
