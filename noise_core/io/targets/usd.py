# SPDX-License-Identifier: GPL-3.0-or-later
"""Universal Scene Description, for Isaac and others.

References
----------
Pixar. Universal Scene Description: the .usda file format; schemas UsdGeom and UsdPhysics.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ...base.errors import ParameterError
from ...base.params import number
from .bases import mesh_text
from .bases.robot_target import RobotTarget
from .bases.target import Encoding, FieldValue, HeightFile, target_type

if TYPE_CHECKING:
    from .bases.mesh_text import MeshText

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

{materials}{spawns}    def Mesh "Ground" (
        prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsMeshCollisionAPI", "MaterialBindingAPI"]
    )
    {{
        uniform token physics:approximation = "none"
        bool physics:collisionEnabled = 1
        rel material:binding:physics = </Land/PhysicsMaterial>
{family}        uniform token orientation = "rightHanded"
        uniform token subdivisionScheme = "none"
        float3[] extent = [({low}), ({high})]
"""

_MATERIAL = """\
        def Material "{name}" (
            prepend apiSchemas = ["PhysicsMaterialAPI"]
        )
        {{
            float physics:staticFriction = {friction!r}
            float physics:dynamicFriction = {sliding_friction!r}
            float physics:restitution = {restitution!r}
        }}
"""

_FAMILY = """\
        uniform token subsetFamily:materialBind:familyType = "partition"
"""

_SUBSET = """\
        def GeomSubset "{name}" (
            prepend apiSchemas = ["MaterialBindingAPI"]
        )
        {{
            rel material:binding:physics = </Land/GroundMaterials/{name}>
            uniform token elementType = "face"
            uniform token familyName = "materialBind"
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
    """USD mesh as text: meters, Z up, collision and physics materials, for Isaac.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import Recipe, export_heightmap
    >>> from noise_core.io.targets import Usd
    >>> from noise_core.noises import Fractal
    >>> field = Recipe(layers=Fractal(), height=0.5, size=20.0)
    >>> with TemporaryDirectory() as folder:
    ...     report = export_heightmap(
    ...         field, Path(folder) / "field", target=Usd(friction=0.9), samples=33
    ...     )
    ...     text = report.files[0].read_text(encoding="utf-8")
    >>> text.splitlines()[0]
    '#usda 1.0'
    """

    dynamic_friction: float = number(
        1.0,
        help="Dynamic friction; with Friction by Material a factor of each material's",
        minimum=0.0,
        maximum=100.0,
        soft_maximum=2.0,
    )
    restitution: float = number(
        0.0,
        help="Bounciness: speed after a collision relative to the speed before it",
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
                "{} takes at most {} samples along a side; got {}: cut the terrain into several files",
                self.label,
                MOST_SAMPLES,
                max(rows, columns),
            )

    @property
    def friction_factors(self) -> tuple[float, float] | None:
        """See `Target.friction_factors`."""
        return (self.friction, self.dynamic_friction) if self.friction_by_material else None

    def fields(self, file: HeightFile) -> Mapping[str, FieldValue]:
        """See `Target.fields`: nothing is typed in, since the file says it all."""
        sliding = self.dynamic_friction if file.cover is None else file.cover.mean.sliding_friction
        return {
            "prim": "/Land/Ground",
            "staticFriction": self.mean_friction(file),
            "dynamicFriction": sliding,
            "restitution": self.restitution,
        }

    def details(self, file: HeightFile) -> MeshText:
        """See `Target.details`: all of the file but the triangles and the points."""
        points = (_SPAWN.format(**vars(point)) for point in file.spawn_points)
        ground_materials = file.cover.materials if file.cover else ()
        materials = (
            _MATERIAL.format(**vars(material), restitution=self.restitution)
            for material in ground_materials
        )
        fields = self.fields(file)
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
            friction=fields["staticFriction"],
            dynamic_friction=fields["dynamicFriction"],
            restitution=self.restitution,
            materials=_group("Scope", "GroundMaterials", materials),
            spawns=_group("Xform", "SpawnPoints", points),
            family=_FAMILY if ground_materials else "",
            low=low,
            high=high,
        )
        subsets = tuple(_SUBSET.format(name=material.name) for material in ground_materials)
        return mesh_text.MeshText(head, file.spacing, file.center, file.cover, subsets)


def _group(kind: str, name: str, prims: Iterable[str]) -> str:
    """Return a prim with others in it; nothing if there are none."""
    inner = "".join(prims)
    return f'    def {kind} "{name}"\n    {{\n{inner}    }}\n\n' if inner else ""
