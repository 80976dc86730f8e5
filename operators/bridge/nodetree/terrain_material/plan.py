# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan of a terrain material as plain data: palette, limits, and the measures of the terrain."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import bpy
import numpy as np

from .....noise_core.base.errors import TerraneError
from .....noise_core.flow_routing.water_levels import DRAWN
from .....noise_core.landscapes.look import Look
from .....noise_core.landscapes.planets.ground import PlanetGround, planet_landscape
from .....noise_core.maps.bases.map import map_types
from .....noise_core.materials.colors import COVERS, LANDSCAPES, LAYER_LIMITS, Landscape
from .....noise_core.materials.ground.land_rows import READ
from .....noise_core.materials.ground.measures import THICK, GroundMeasures
from .....noise_core.materials.ground.plan import GroundPlan
from .....noise_core.materials.surfaces import surface_names
from .....noise_core.modifiers.bases.modifier import modifier_types
from ...datablocks import meshes
from ...datablocks.meshes import read_attribute
from ...schema import layer_list, state
from ...terrain import catalog, map_layers
from .settings import ALL, PRESET, SWITCHES

PLAN = "terrane_plan"
"""Custom property of a terrain material: its ground plan as JSON, for colors without a renderer."""

MADE = (*THICK, *COVERS, "lake", DRAWN, "ridge", "crease")
"""Maps that a material uses if an erosion has made them."""

NEARBY = 2000.0
"""Width in meters of terrains that are looked at from nearby."""

NEAR: Mapping[str, str] = MappingProxyType({"woods": "moss"})
"""Surfaces of layers near the camera that have none from afar: woods have crowns there."""


@dataclass(frozen=True)
class TerrainPlan:
    """Settings of one terrain material; see `settings`.

    Attributes
    ----------
    values : mapping of str to object
        Of all declared parameters, by name.
    own_limits : frozenset of str
        Limits set by hand, or by the preset.
    sea : float or None
        Level of the sea, if there is one, painted or not: limits count from it, beaches lie above it.
    maps : frozenset of str
        Of `COVERS`, those that the land has: they say where their layers lie.
    planet : PlanetGround or None
        Planet below the land: heights and slopes count from its middle. None for land above a plain.
    """

    values: Mapping[str, Any]
    own_limits: frozenset[str]
    sea: float | None = None
    maps: frozenset[str] = frozenset()
    planet: PlanetGround | None = None

    @classmethod
    def of(cls, values: Mapping[str, Any], set_names: Collection[str], look: Look) -> TerrainPlan:
        """Return the plan, with open choices taken from the look of the preset.

        Parameters
        ----------
        values : mapping of str to object
            Of all declared parameters.
        set_names : collection of str
            Parameters that were set for this material alone.
        look : Look
            Of the terrain's preset.
        """
        own_limits, sea = set(LAYER_LIMITS) & set(set_names), None
        if values["palette"] == PRESET:
            values, sea = {**values, "palette": look.palette}, look.sea
            if values["limits"] == "palette":
                of_preset = {
                    name: limit for name, limit in look.limits.items() if name not in own_limits
                }
                values, own_limits = {**values, **of_preset}, own_limits | set(of_preset)
        if values["water"] == PRESET:
            level = values["water_level"] if "water_level" in set_names else look.sea
            water = "lakes" if level is None else "both"
            values = {**values, "water": water, "water_level": level or 0.0}
        if values["water"] in ("sea", "both"):
            sea = values["water_level"]
        return cls(values, frozenset(own_limits), sea)

    def covered_by(self, maps: frozenset[str]) -> TerrainPlan:
        """Return the plan for a land that has some maps of `COVERS`."""
        return dataclasses.replace(self, maps=maps)

    def on_planet(self, planet: PlanetGround) -> TerrainPlan:
        """Return the plan for a planet, whose sea is a mesh and whose bumps are of noise alone."""
        values = {**self.values, "water": "none", "mapping": "none"}
        return dataclasses.replace(self, values=values, sea=planet.sea, planet=planet)

    def __post_init__(self) -> None:
        for parameter in ALL:
            parameter.check(self.values[parameter.name], "TerrainMaterial")

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    @property
    def is_layered(self) -> bool:
        """Return whether the material has layers, not only a ramp."""
        return bool(self["style"] == "layers")

    def landscape(self) -> Landscape:
        """Return the palette with these limits, and with layers that lie where maps say."""
        names = LAYER_LIMITS if self["limits"] == "custom" else self.own_limits
        palette = LANDSCAPES[self["palette"]].with_limits({name: self[name] for name in names})
        if self.planet is not None:
            palette = planet_landscape(palette)
        return palette.with_more({name: COVERS[name] for name in self.maps})

    def layers(self) -> tuple[str, ...]:
        """Return the names of the layers that lie anywhere, the lowest first, and at least one."""
        switched = {switch.name for switch in SWITCHES if self[switch.name]}
        has_shore, layers = self.sea is not None, self.landscape().layers
        names = (
            name
            for name, layer in layers.items()
            if name in switched and layer.can_lie(has_shore, self.maps)
        )
        return tuple(names) or ("soil",)

    def surfaces(self) -> Mapping[str, str]:
        """Return the surface of each layer that has a texture."""
        if not self.is_layered or self["mapping"] == "none":
            return {}
        installed, layers = surface_names(), self.landscape().layers
        available = {
            name: [surface for surface in layers[name].surfaces if surface in installed]
            for name in self.layers()
        }
        return {name: surfaces[0] for name, surfaces in available.items() if surfaces}

    def near_surfaces(self) -> Mapping[str, str]:
        """Return the surface of each layer near the camera; empty if near ground looks like far ground."""
        shown = self.surfaces()
        if not shown:
            return {}
        installed = surface_names()
        floors = {
            name: surface
            for name, surface in NEAR.items()
            if name in self.layers() and surface in installed
        }
        if "sand" in shown and "rock" not in self.landscape().layers:
            floors["soil"] = shown["sand"]  # of dunes: between them there are no stones
        return {**shown, **floors}

    def tiles(self) -> frozenset[str]:
        """Return the surfaces whose tiles the material shows."""
        return frozenset((*self.surfaces().values(), *self.near_surfaces().values()))

    def relief(self, width: float) -> str:
        """Return the surface that makes the bumps of all ground but rock and woods.

        Ripples of sand are seen from nearby only, on a terrain that is not wide, in meters.
        """
        surfaces = self.surfaces()
        is_dune = width <= NEARBY and "sand" in surfaces
        is_dune = is_dune and not self.landscape().layers["sand"].is_shore
        order = ("sand", "soil") if is_dune else ("soil", "grass")
        return next(
            (surfaces[name] for name in order if name in surfaces), next(iter(surfaces.values()))
        )


def note_planet(obj: bpy.types.Object, planet: PlanetGround) -> None:
    """Mark an object as a planet; see `planet_of`."""
    values = dataclasses.asdict(planet)
    obj[state.PLANET] = {name: value for name, value in values.items() if value is not None}


def planet_of(obj: bpy.types.Object) -> PlanetGround | None:
    """Return the ground of an object that is a planet; None for other objects."""
    stored = obj.get(state.PLANET)
    if stored is None:
        return None
    values = stored.to_dict()
    return PlanetGround(values["radius"], values.get("sea"), values["ice_latitude"])


def measure(
    obj: bpy.types.Object, level: float | None, planet: PlanetGround | None = None
) -> GroundMeasures:
    """Return the measures of a mesh object, not in Edit Mode; points below a sea do not count."""
    mesh = meshes.mesh_of(obj)
    if len(mesh.vertices) == 0:
        return GroundMeasures(1.0, 0.0, 1.0, {})
    points = meshes.positions_of(mesh)
    if planet is not None:
        return planet.measures(meshes.lengths_of(points) - np.float32(planet.radius))
    lowest, highest = meshes.bounds_of(points[:, :2])
    width = float(max((highest - lowest).max(), 1e-3))
    stored = {name: read_attribute(mesh, name) for name in (*THICK, *COVERS)}
    maps = {name: values for name, values in stored.items() if values is not None}
    return GroundMeasures.of(points[:, 2], width, maps, level)


# --- colors without a renderer ------------------------------------------------------------------


def text_of(plan: TerrainPlan, measures: GroundMeasures) -> str:
    """Return the ground plan of a material as JSON."""
    names = LAYER_LIMITS if plan["limits"] == "custom" else plan.own_limits
    water = plan["water"]
    values = {
        "palette": plan["palette"],
        "limits": {name: plan[name] for name in sorted(names)},
        "layers": plan.layers() if plan.is_layered else (),
        "sea": plan.sea,
        "painted": plan["water_level"] if water in ("sea", "both") else None,
        "has_lakes": water in ("lakes", "both"),
        "measures": dataclasses.asdict(measures),
    }
    return json.dumps(values)


def text_with(text: str, sea: float | None, measures: GroundMeasures) -> str:
    """Return a ground plan as JSON with another sea and other measures."""
    return json.dumps({**json.loads(text), "sea": sea, "measures": dataclasses.asdict(measures)})


def text_of_look(look: Look) -> str:
    """Return the ground plan of a preset's picture as JSON."""
    values = {
        "palette": look.palette,
        "limits": dict(look.limits),
        "layers": tuple(LANDSCAPES[look.palette].layers),
        "sea": look.sea,
        "painted": look.sea,
        "has_lakes": look.has_lakes,
        "rivers": look.rivers,
        "measures": None,
    }
    return json.dumps(values)


def ground_plan(text: str) -> GroundPlan:
    """Return the ground plan from JSON; raise a TerraneError if it cannot be read."""
    try:
        values = json.loads(text)
        landscape = LANDSCAPES[values.pop("palette")].with_limits(values.pop("limits"))
        measures, layers = values.pop("measures"), tuple(values.pop("layers"))
        landscape = landscape.with_more({name: COVERS[name] for name in COVERS if name in layers})
        land_measures = None if measures is None else GroundMeasures(**measures)
        return GroundPlan(landscape, layers, measures=land_measures, **values)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise TerraneError("the colors of this terrain cannot be read: {}", error) from error


def covering_maps(obj: bpy.types.Object, names: Collection[str]) -> frozenset[str]:
    """Return the maps of `COVERS` that a mesh object has or that are among some names."""
    mesh = meshes.mesh_of(obj)
    return frozenset(
        name for name in COVERS if name in names or read_attribute(mesh, name) is not None
    )


def wanted_maps(obj: bpy.types.Object) -> set[str]:
    """Return the maps that a terrain's material uses and that its mesh lacks or has from Terrane.

    Attributes of the user's under such a name stay as they are.
    """
    mesh = meshes.mesh_of(obj)
    if len(mesh.vertices) == 0:
        return set()
    written = set(map_layers.MapChoice.of(mesh).written)
    foreign = {attribute.name for attribute in mesh.attributes} - written
    produced = set(written)
    if state.is_terrain(obj):
        entries = layer_list.entries(getattr(obj, state.PROPERTY))
        types = (modifier_types().get(entry.type) for entry in entries if not entry.muted)
        produced.update(name for cls in types if cls is not None for name in cls.makes)
    possible = {*(name for name in READ if name in map_types()), *(set(MADE) & produced)}
    return (possible & set(catalog.entries())) - foreign
