# SPDX-License-Identifier: GPL-3.0-or-later
"""PNG of 16 bits."""

from __future__ import annotations

from collections.abc import Mapping

from .bases.target import Encoding, FieldValue, HeightFile, Target, target_type


@target_type("png16", "PNG, 16 Bits")
class Png16(Target):
    """Gray image of 16 bits, the north edge first."""

    @property
    def encoding(self) -> Encoding:
        """See `Target.encoding`."""
        return Encoding("png", ".png", "<u2")

    def fields(self, file: HeightFile) -> Mapping[str, FieldValue]:
        """See `Target.fields`."""
        return {
            "Width": file.width,
            "Depth": file.depth,
            "Height of Black": file.offset,
            "Height of White": file.offset + 65535 * file.scale,
        }
