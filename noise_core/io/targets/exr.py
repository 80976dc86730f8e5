# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenEXR."""

from __future__ import annotations

from collections.abc import Mapping

from .bases.target import Encoding, FieldValue, HeightFile, Target, target_type


@target_type("exr", "OpenEXR")
class Exr(Target):
    """Image of floats in meters, the north edge first, for film and compositing."""

    @property
    def encoding(self) -> Encoding:
        """See `Target.encoding`."""
        return Encoding("exr", ".exr", "<f4")

    def fields(self, file: HeightFile) -> Mapping[str, FieldValue]:
        """See `Target.fields`."""
        return {"Width": file.width, "Depth": file.depth, "Meters per Sample": file.spacing}
