# SPDX-License-Identifier: GPL-3.0-or-later
"""Gazebo.

References
----------
Open Robotics. SDFormat specification: geometry, heightmap. gz-common: ImageHeightmap, which takes the
brightest pixel of an image for the height of the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from xml.sax.saxutils import escape, quoteattr

from ...types.target import (
    Encoding,
    FieldValue,
    HeightFile,
    Target,
    powers_of_two,
    target_type,
)

_GEOMETRY = """\
        <geometry>
          <heightmap>
            <uri>{file}</uri>
            <size>{size}</size>
            <pos>{position}</pos>
          </heightmap>
        </geometry>
"""

_SDF = """\
<?xml version="1.0"?>
<sdf version="1.9">
  <model name={name}>
    <static>true</static>
    <link name="ground">
      <collision name="collision">
{geometry}      </collision>
      <visual name="visual">
{geometry}      </visual>
    </link>
  </model>
</sdf>
"""


@target_type("gazebo", "Gazebo")
class Gazebo(Target):
    """Gray image of 16 bits, the north edge first, and a model in SDF that shows it."""

    sizes = powers_of_two(64, 8192, plus=1)
    is_square = True

    @property
    def encoding(self) -> Encoding:
        """See `Target.encoding`."""
        return Encoding("png", ".png", "<u2")

    def fields(self, file: HeightFile) -> Mapping[str, FieldValue]:
        """See `Target.fields`: black lies at the position, the brightest pixel at the size above."""
        # What is flat is black, whatever its height, which must not be 0.
        rise = file.highest - file.offset or 1.0
        return {
            "heightmap size": [file.width, file.depth, rise],
            "heightmap pos": [*file.center, file.offset],
        }

    def companions(self, file: HeightFile) -> Mapping[str, str]:
        """See `Target.companions`."""
        size, position = (
            " ".join(map(repr, values)) if isinstance(values, list) else repr(values)
            for values in self.fields(file).values()
        )
        geometry = _GEOMETRY.format(file=escape(file.name), size=size, position=position)
        return {".sdf": _SDF.format(name=quoteattr(file.stem), geometry=geometry)}
