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
from .....noise_core.landscapes.look import Look
from .....noise_core.landscapes.planets.ground import PlanetGround, planet_landscape
from .....noise_core.maps.bases.map import map_types
from .....noise_core.materials.colors import COVERS, LANDSCAPES, LAYER_LIMITS, Landscape
from .....noise_core.materials.ground.land_rows import READ
from .....noise_core.materials.ground.measures import THICK, LandMeasures
from .....noise_core.materials.ground.plan import GroundPlan
from .....noise_core.materials.surfaces import surface_names
from .....noise_core.modifiers.bases.modifier import modifier_types
from ...datablocks import meshes
from ...datablocks.meshes import read_attribute
from ...schema import layer_list, state
from ...terrain import catalog, map_layers
from .settings import ALL, PRESET, SWITCHES

PLAN = "terrane_plan"
"""Custom property of a terrain material: what colors without a renderer are made of, as JSON."""

MADE = (*THICK, *COVERS, "lake", "ridge", "crease")
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
        What the land lies on: heights and slopes count from its middle. None for land above a plain.
    """

    values: Mapping[str, Any]
    own_limits: frozenset[str]
    sea: float | None = None
    maps: frozenset[str] = frozenset()
    planet: PlanetGround | None = None

    @classmethod
    def of(cls, values: Mapping[str, Any], given: Collection[str], look: Look) -> TerrainPlan:
        """Return the plan with what is left to the preset taken from its look.

        Parameters
        ----------
        values : mapping of str to object
            Of all declared parameters.
        given : collection of str
            Names of those that were set for this material alone.
        look : Look
            Of the terrain's preset.
        """
        own, sea = set(LAYER_LIMITS) & set(given), None
        if values["palette"] == PRESET:
            values, sea = {**values, "palette": look.palette}, look.sea
            if values["limits"] == "palette":
                of_preset = {name: one for name, one in look.limits.items() if name not in own}
                values, own = {**values, **of_preset}, own | set(of_preset)
        if values["water"] == PRESET:
            level = values["water_level"] if "water_level" in given else look.sea
            water = "lakes" if level is None else "both"
            values = {**values, "water": water, "water_level": level or 0.0}
        if values["water"] in ("sea", "both"):
            sea = values["water_level"]
        return cls(values, frozenset(own), sea)

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
        """Return the names of the layers that lie anywhere, the lowest first; one always remains."""
        switched = {one.name for one in SWITCHES if self[one.name]}
        has_shore, layers = self.sea is not None, self.landscape().layers
        found = (
            name
            for name, one in layers.items()
            if name in switched and one.can_lie(has_shore, self.maps)
        )
        return tuple(found) or ("soil",)

    def surfaces(self) -> Mapping[str, str]:
        """Return the surface of each layer that has a texture."""
        if not self.is_layered or self["mapping"] == "none":
            return {}
        known, layers = surface_names(), self.landscape().layers
        found = {
            name: [one for one in layers[name].surfaces if one in known] for name in self.layers()
        }
        return {name: surfaces[0] for name, surfaces in found.items() if surfaces}

    def near_surfaces(self) -> Mapping[str, str]:
        """Return the surface that each layer is near the camera; empty if it looks as from afar there."""
        shown = self.surfaces()
        if not shown:
            return {}
        known = surface_names()
        floors = {name: one for name, one in NEAR.items() if name in self.layers() and one in known}
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
        found = self.surfaces()
        is_dune = width <= NEARBY and "sand" in found
        is_dune = is_dune and not self.landscape().layers["sand"].is_shore
        order = ("sand", "soil") if is_dune else ("soil", "grass")
        return next((found[name] for name in order if name in found), next(iter(found.values())))


def note_planet(thing: bpy.types.Object, planet: PlanetGround) -> None:
    """Note on an object that it is a planet; see `planet_of`."""
    values = dataclasses.asdict(planet)
    thing[state.PLANET] = {name: value for name, value in values.items() if value is not None}


def planet_of(thing: bpy.types.Object) -> PlanetGround | None:
    """Return what an object that is a planet tells its material; None for other objects."""
    found = thing.get(state.PLANET)
    if found is None:
        return None
    values = found.to_dict()
    return PlanetGround(values["radius"], values.get("sea"), values["ice_latitude"])


def measure(
    thing: bpy.types.Object, level: float | None, planet: PlanetGround | None = None
) -> LandMeasures:
    """Return the measures of a mesh object, not in Edit Mode; points below a sea do not count."""
    mesh = meshes.mesh_of(thing)
    if len(mesh.vertices) == 0:
        return LandMeasures(1.0, 0.0, 1.0, {})
    points = meshes.positions_of(mesh)
    if planet is not None:
        return planet.measures(meshes.lengths_of(points) - np.float32(planet.radius))
    lowest, highest = meshes.bounds_of(points[:, :2])
    width = float(max((highest - lowest).max(), 1e-3))
    stored = {name: read_attribute(mesh, name) for name in (*THICK, *COVERS)}
    maps = {name: values for name, values in stored.items() if values is not None}
    return LandMeasures.of(points[:, 2], width, maps, level)


# --- colors without a renderer ------------------------------------------------------------------


def text_of(plan: TerrainPlan, measures: LandMeasures) -> str:
    """Return what the colors of a material are made of, as JSON."""
    names = LAYER_LIMITS if plan["limits"] == "custom" else plan.own_limits
    water = plan["water"]
    said = {
        "palette": plan["palette"],
        "limits": {name: plan[name] for name in sorted(names)},
        "layers": plan.layers() if plan.is_layered else (),
        "sea": plan.sea,
        "painted": plan["water_level"] if water in ("sea", "both") else None,
        "has_lakes": water in ("lakes", "both"),
        "measures": dataclasses.asdict(measures),
    }
    return json.dumps(said)


def text_with(text: str, sea: float | None, measures: LandMeasures) -> str:
    """Return what colors are made of for land whose sea and measures have changed."""
    return json.dumps({**json.loads(text), "sea": sea, "measures": dataclasses.asdict(measures)})


def text_of_look(look: Look) -> str:
    """Return what the colors of a preset's picture are made of, as JSON."""
    said = {
        "palette": look.palette,
        "limits": dict(look.limits),
        "layers": tuple(LANDSCAPES[look.palette].layers),
        "sea": look.sea,
        "painted": look.sea,
        "has_lakes": look.has_lakes,
        "rivers": look.rivers,
        "measures": None,
    }
    return json.dumps(said)


def ground_plan(text: str) -> GroundPlan:
    """Return what colors are made of, from JSON; raise a TerraneError if it cannot be read."""
    try:
        said = json.loads(text)
        landscape = LANDSCAPES[said.pop("palette")].with_limits(said.pop("limits"))
        measures, layers = said.pop("measures"), tuple(said.pop("layers"))
        landscape = landscape.with_more({name: COVERS[name] for name in COVERS if name in layers})
        found = None if measures is None else LandMeasures(**measures)
        return GroundPlan(landscape, layers, measures=found, **said)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise TerraneError("the colors of this terrain cannot be read: {}", error) from error


def covering_maps(thing: bpy.types.Object, wanted: Collection[str]) -> frozenset[str]:
    """Return the maps of `COVERS` that a mesh object has, or gets of those that are wanted."""
    mesh = meshes.mesh_of(thing)
    return frozenset(
        name for name in COVERS if name in wanted or read_attribute(mesh, name) is not None
    )


def wanted_maps(thing: bpy.types.Object) -> set[str]:
    """Return the maps that a terrain's material uses and that its mesh lacks or has from Terrane.

    Attributes of the user's under such a name stay as they are.
    """
    mesh = meshes.mesh_of(thing)
    if len(mesh.vertices) == 0:
        return set()
    own = set(map_layers.MapChoice.of(mesh).written)
    there = {one.name for one in mesh.attributes} - own
    made = set(own)
    if state.is_terrain(thing):
        entries = layer_list.entries(getattr(thing, state.PROPERTY))
        types = (modifier_types().get(entry.type) for entry in entries if not entry.muted)
        made.update(name for cls in types if cls is not None for name in cls.makes)
    possible = {*(name for name in READ if name in map_types()), *(set(MADE) & made)}
    return (possible & set(catalog.entries())) - there
