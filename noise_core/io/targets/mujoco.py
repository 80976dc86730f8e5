# SPDX-License-Identifier: GPL-3.0-or-later
"""MuJoCo.

References
----------
Google DeepMind. MuJoCo documentation, XML reference: asset/hfield, and its own binary file.
"""

from __future__ import annotations

from collections.abc import Mapping
from xml.sax.saxutils import quoteattr

from ...base.params import number
from ...types.target import Encoding, FieldValue, HeightFile, Target, target_type

_MJCF = """\
<mujoco model={name}>
  <asset>
    <hfield name={name} file={file} size="{size}"/>
  </asset>
  <worldbody>
    <light directional="true" pos="0 0 {light}" dir="0.3 0.2 -1"/>
    <geom name={name} type="hfield" hfield={name} pos="{position}"/>
  </worldbody>
</mujoco>
"""


@target_type("mujoco", "MuJoCo")
class MuJoCo(Target):
    """MuJoCo's own binary of floats in meters, the south edge first, and a model that shows it."""

    base: float = number(
        1.0,
        help="How thick the ground is below its lowest point, in meters",
        minimum=1e-3,
        maximum=1e6,
        soft_maximum=100.0,
        unit="length",
    )

    @property
    def encoding(self) -> Encoding:
        """See `Target.encoding`: not PNG, which MuJoCo reads with 8 bits and upside down."""
        return Encoding("hfield", ".hf", "<f4", north_first=False)

    def fields(self, file: HeightFile) -> Mapping[str, FieldValue]:
        """See `Target.fields`: MuJoCo stretches what it reads to heights from 0 to 1."""
        # A flat field has the height 0 whatever its scale, which must not be 0.
        rise = file.highest - file.lowest or 1.0
        return {
            "hfield size": [0.5 * file.width, 0.5 * file.depth, rise, self.base],
            "geom pos": [*file.center, file.lowest],
        }

    def companions(self, file: HeightFile) -> Mapping[str, str]:
        """See `Target.companions`."""
        size, position = self.fields(file).values()
        model = _MJCF.format(
            name=quoteattr(file.stem),
            file=quoteattr(file.name),
            size=_numbers(size),
            position=_numbers(position),
            light=repr(file.highest + file.width),
        )
        return {".xml": model}


def _numbers(values: FieldValue) -> str:
    return " ".join(map(repr, values)) if isinstance(values, list) else repr(values)
