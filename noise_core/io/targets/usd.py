# SPDX-License-Identifier: GPL-3.0-or-later
"""Universal Scene Description, for Isaac and others.

References
----------
Pixar. Universal Scene Description: the .usda file format; schemas UsdGeom and UsdPhysics.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...base.errors import ParameterError
from ...base.params import number
from ...types.robot_target import RobotTarget
from ...types.target import Encoding, FieldValue, HeightFile, MeshText, target_type

MOST_SAMPLES = 1025
"""Along a side of a file, which has about 90 bytes of text for each."""

_HEAD = """\
#usda 1.0
(
    defaultPrim = "Land"
    kilogramsPerUnit = 1
    metersPerUnit = 1
    upAxis = "Z"
)

def Xform "Land"
{{
    def Material "PhysicsMaterial" (
        prepend apiSchemas = ["PhysicsMaterialAPI"]
    )
    {{
        float physics:staticFriction = {friction!r}
        float physics:dynamicFriction = {dynamic_friction!r}
        float physics:restitution = {restitution!r}
    }}

{spawns}    def Mesh "Ground" (
        prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsMeshCollisionAPI", "MaterialBindingAPI"]
    )
    {{
        uniform token physics:approximation = "none"
        bool physics:collisionEnabled = 1
        rel material:binding:physics = </Land/PhysicsMaterial>
        uniform token orientation = "rightHanded"
        uniform token subdivisionScheme = "none"
        float3[] extent = [({low}), ({high})]
"""

_SPAWN = """\
        def Xform "{name}"
        {{
            double3 xformOp:translate = ({x!r}, {y!r}, {z!r})
            uniform token[] xformOpOrder = ["xformOp:translate"]
        }}
"""


@target_type("usd", "USD")
class Usd(RobotTarget):
    """Mesh as text of USD, in meters, Z up, with collision and a physics material, for Isaac and others."""

    dynamic_friction: float = number(
        1.0,
        help="Friction of the ground under what slips already",
        minimum=0.0,
        maximum=100.0,
        soft_maximum=2.0,
    )
    restitution: float = number(
        0.0,
        help="How fast a thing bounces off, as a share of how fast it came",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )

    @property
    def encoding(self) -> Encoding:
        """See `Target.encoding`."""
        return Encoding("usda", ".usda", "<f4", north_first=False)

    def check_size(self, rows: int, columns: int) -> None:
        """See `Target.check_size`: text of a larger mesh takes long to read."""
        super().check_size(rows, columns)
        if max(rows, columns) > MOST_SAMPLES:
            raise ParameterError(
                "{} takes at most {} samples along a side; got {}: cut the land into tiles",
                self.label,
                MOST_SAMPLES,
                max(rows, columns),
            )

    def fields(self, file: HeightFile) -> Mapping[str, FieldValue]:
        """See `Target.fields`: nothing is typed in, since the file says it all."""
        return {
            "prim": "/Land/Ground",
            "staticFriction": self.friction,
            "dynamicFriction": self.dynamic_friction,
            "restitution": self.restitution,
        }

    def details(self, file: HeightFile) -> MeshText:
        """See `Target.details`: all of the file but the triangles and the points."""
        points = "".join(_SPAWN.format(**vars(one)) for one in file.spawn_points)
        group = f'    def Xform "SpawnPoints"\n    {{\n{points}    }}\n\n' if points else ""
        x, y = file.center
        corners = (
            ", ".join(
                f"{value:.9g}"
                for value in (x + 0.5 * side * file.width, y + 0.5 * side * file.depth, height)
            )
            for side, height in ((-1.0, file.lowest), (1.0, file.highest))
        )
        low, high = corners
        head = _HEAD.format(
            friction=self.friction,
            dynamic_friction=self.dynamic_friction,
            restitution=self.restitution,
            spawns=group,
            low=low,
            high=high,
        )
        return MeshText(head, file.spacing, file.center)
