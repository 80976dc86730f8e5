# SPDX-License-Identifier: GPL-3.0-or-later
"""Gazebo.

References
----------
Open Robotics. SDFormat specification: geometry, heightmap; surface, friction; frame. gz-common: ImageHeightmap, which takes the
brightest pixel of an image for the height of the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from xml.sax.saxutils import escape, quoteattr

from .bases.robot_target import RobotTarget
from .bases.target import Encoding, FieldValue, HeightFile, powers_of_two, target_type

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
{geometry}        <surface>
          <friction>
            <ode>
              <mu>{friction!r}</mu>
              <mu2>{friction!r}</mu2>
            </ode>
          </friction>
        </surface>
      </collision>
      <visual name="visual">
{geometry}      </visual>
    </link>
{frames}  </model>
</sdf>
"""

_FRAME = """\
    <frame name="{name}">
      <pose>{x!r} {y!r} {z!r} 0 0 0</pose>
    </frame>
"""


@target_type("gazebo", "Gazebo")
class Gazebo(RobotTarget):
    """Gray image of 16 bits, north edge first, with a model in SDF that shows it.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import Recipe, export_heightmap
    >>> from noise_core.io.targets import Gazebo
    >>> from noise_core.noises import Fractal
    >>> field = Recipe(layers=Fractal(), height=1.5, size=20.0)
    >>> with TemporaryDirectory() as folder:
    ...     report = export_heightmap(
    ...         field, Path(folder) / "field", target=Gazebo(friction=0.8), samples=129
    ...     )
    >>> [path.name for path in report.files]
    ['field.png', 'field.sdf', 'field.png.json']
    """

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
            "mu": self.mean_friction(file),
        }

    def companions(self, file: HeightFile) -> Mapping[str, str]:
        """See `Target.companions`."""
        fields = self.fields(file)
        size, position = (
            " ".join(map(repr, values)) if isinstance(values, list) else repr(values)
            for values in (fields["heightmap size"], fields["heightmap pos"])
        )
        geometry = _GEOMETRY.format(file=escape(file.name), size=size, position=position)
        frames = "".join(_FRAME.format(**vars(point)) for point in file.spawn_points)
        model = _SDF.format(
            name=quoteattr(file.stem), geometry=geometry, friction=fields["mu"], frames=frames
        )
        return {".sdf": model}
