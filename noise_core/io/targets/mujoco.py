# SPDX-License-Identifier: GPL-3.0-or-later
"""MuJoCo.

References
----------
Google DeepMind. MuJoCo documentation, XML reference: asset/hfield and its own binary file, geom/friction, site.
"""

from __future__ import annotations

from collections.abc import Mapping
from xml.sax.saxutils import quoteattr

from ...base.params import number
from .bases.robot_target import RobotTarget
from .bases.target import Encoding, FieldValue, HeightFile, target_type

_MJCF = """\
<mujoco model={name}>
  <asset>
    <hfield name={name} nrow="{rows}" ncol="{columns}" file={file} size="{size}"/>
  </asset>
  <worldbody>
    <light directional="true" pos="0 0 {light}" dir="0.3 0.2 -1"/>
    <geom name={name} type="hfield" hfield={name} pos="{position}" friction="{friction}"/>
{sites}  </worldbody>
</mujoco>
"""


_SITE = '    <site name="{name}" pos="{x!r} {y!r} {z!r}"/>\n'

TORSION, ROLLING = 0.005, 0.0001
"""MuJoCo's own defaults of friction against turning on the spot and against rolling."""


@target_type("mujoco", "MuJoCo")
class MuJoCo(RobotTarget):
    """MuJoCo height field in meters, south edge first, with a model that shows it.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import Recipe, export_heightmap
    >>> from noise_core.io.targets import MuJoCo
    >>> from noise_core.noises import Fractal

    A model with three places where a robot can be put down:

    >>> field = Recipe(layers=Fractal(), height=0.5, size=20.0)
    >>> target = MuJoCo(spawns=3, spawn_radius=0.5, spawn_slope=20.0)
    >>> with TemporaryDirectory() as folder:
    ...     report = export_heightmap(field, Path(folder) / "field", target=target, samples=101)
    >>> [path.suffix for path in report.files], len(report.spawn_points)
    (['.hf', '.xml', '.json'], 3)
    """

    base: float = number(
        1.0,
        help="Thickness of the ground below its lowest point, in meters",
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
        """See `Target.fields`: MuJoCo stretches the numbers to heights from 0 to 1."""
        # A flat field has the height 0 whatever its scale, which must not be 0.
        rise = file.highest - file.lowest or 1.0
        return {
            "hfield size": [0.5 * file.width, 0.5 * file.depth, rise, self.base],
            "geom pos": [*file.center, file.lowest],
            "geom friction": [self.mean_friction(file), TORSION, ROLLING],
        }

    def companions(self, file: HeightFile) -> Mapping[str, str]:
        """See `Target.companions`."""
        size, position, friction = map(_numbers, self.fields(file).values())
        model = _MJCF.format(
            name=quoteattr(file.stem),
            rows=file.rows,  # MuJoCo reads them in the file, others take 100 where they are not told
            columns=file.columns,
            file=quoteattr(file.name),
            size=size,
            position=position,
            friction=friction,
            sites="".join(_SITE.format(**vars(point)) for point in file.spawn_points),
            light=repr(file.highest + file.width),
        )
        return {".xml": model}


def _numbers(values: FieldValue) -> str:
    return " ".join(map(repr, values)) if isinstance(values, list) else repr(values)
