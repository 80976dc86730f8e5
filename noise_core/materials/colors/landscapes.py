# SPDX-License-Identifier: GPL-3.0-or-later
"""Landscapes: colors and limits of rock, scree, soil, grass, snow and other ground covers.

A landscape is a stack of layers, the uppermost last. Height, slope and the traces of water determine
where each one lies: see `GroundLayer`. The numbers are defaults for the sockets of a material, where users
can change them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ...base.errors import Message, ParameterError
from .ramp import Ramp
from .spaces import Color, to_linear

LAYERS: Mapping[str, str] = MappingProxyType(
    {
        "soil": "Bare earth: what lies below everything else",
        "grass": "Meadows, steppe or moss on gentle ground",
        "woods": "Tree crowns where it is neither too steep nor too high",
        "sand": "Beaches, or dunes on gentle ground in deserts",
        "rock": "Bare rock on steep ground",
        "scree": "Stones below walls, where slides came to rest",
        "river": "Gravel and silt in the beds of rivers",
        "snow": "Snow above the snow line except on steep slopes",
        "road": "Earth, gravel or asphalt on the beds of drawn roads and trails",
    }
)
"""Names of the layers that a landscape can have, the uppermost last."""

LAYER_LIMITS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "snow_line": ("snow", "lowest"),
        "tree_line": ("woods", "highest"),
        "grass_line": ("grass", "highest"),
        "rock_slope": ("rock", "flattest"),
    }
)
"""Layer and value that each limit stands for that a terrain may have of its own."""

_TRODDEN = 1.15
"""How much brighter trodden earth is than loose earth: nothing grows on it, and it is dry."""

ASPHALT: Color = (0.058, 0.058, 0.062)
"""Worn by traffic and sun; fresh it is half as bright."""

UNLIMITED = 10.0
"""A share of the height that no ground reaches."""


@dataclass(frozen=True, kw_only=True)
class GroundLayer:
    """Kind of ground: its appearance, and the places where it lies.

    Attributes
    ----------
    color, second : Color
        Linear, or "#rrggbb"; the two take turns in patches.
    tint : float
        How much of the second color comes with height, from 0 to 1.
    roughness : float
        From 0 (a mirror) to 1 (chalk).
    bump : float
        Height of its details as a share of the size of the detail texture, or of crowns of trees.
    detail : float
        How much the detail texture changes the color, from 0 to 1.
    smothers : float
        How much of the bumps below it covers, from 0 to 1.
    surfaces : tuple of str
        Names of surfaces whose texture it has, the best first; none has plain noise.
    amount : float
        Share of the ground within the limits that is covered; traces add to it.
    softness : float
        How soft the edges of patches are, from 0 to 1.
    lowest, highest, fade : float
        Between which heights it lies, and over which height it fades: shares of the relief from 0
        (the lowest) to 1 (the highest); meters above the water if it is a `shore`.
    flattest, steepest, slope_fade : float
        The same of slopes, in degrees.
    steeper : float
        By how many degrees the steepest grows from the foot to the top of the relief.
    ragged : float
        How far noise pushes these limits, in their fades.
    broken : float
        How far its edges break up into spots instead of fading, from 0 to 1.
    flow, wear, deposit, curvature : float
        Addition to the amount where rivers are near, most has been worn away, most has been
        left, and on edges; less than 0 takes away. Curvature is -1 in crevices.
    cover : str
        Name of a map of its thickness. Where a land has this map, it lies where that says instead of
        within the limits above.
    thin : float
        Thickness that covers all of the ground, as a share of the thickness that counts as 1.
    full : float
        Thickness that counts as 1; 0 takes one that hardly any of the land exceeds.
    is_shore : bool
        Whether its heights are meters above the water.
    friction, sliding_friction : float
        Of rubber on it: the force along the ground, over the force on it, at which rubber begins to slip,
        and while it slips. Simulators of robots have it.
    """

    color: Color
    second: Color
    tint: float = 0.0
    roughness: float = 0.95
    bump: float = 0.05
    detail: float = 0.6
    smothers: float = 0.7
    surfaces: tuple[str, ...] = ()
    amount: float = 1.0
    softness: float = 0.15
    lowest: float = -UNLIMITED
    highest: float = UNLIMITED
    fade: float = 0.1
    flattest: float = -90.0
    steepest: float = 180.0
    slope_fade: float = 8.0
    steeper: float = 0.0
    ragged: float = 0.5
    broken: float = 0.6
    flow: float = 0.0
    wear: float = 0.0
    deposit: float = 0.0
    curvature: float = 0.0
    cover: str = ""
    thin: float = 0.07
    full: float = 0.0
    is_shore: bool = False
    friction: float = 0.68
    sliding_friction: float = 0.65

    def can_lie(self, has_shore: bool, maps: Collection[str] = ()) -> bool:
        """Return whether there is ground that it covers: a beach needs a shore, and no land is beyond 1.

        `maps` are the names of those that the land has.
        """
        if self.cover and self.cover in maps:
            return True
        # Noise pushes limits by so much of their fade at most, which reaches half of itself farther.
        reach = (self.ragged + 0.5) * self.fade
        return has_shore if self.is_shore else self.lowest - reach < 1.0

    def __post_init__(self) -> None:
        for name in ("color", "second"):
            object.__setattr__(self, name, to_linear(getattr(self, name), f"GroundLayer.{name}"))
        for name in ("tint", "roughness", "detail", "smothers", "softness", "broken"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ParameterError(
                    "{} must be in {}", f"GroundLayer.{name}", "[0, 1]", got=getattr(self, name)
                )
        for low, high in (("lowest", "highest"), ("flattest", "steepest")):
            if not getattr(self, low) < getattr(self, high):
                raise ParameterError(
                    "{} must be less than {}",
                    f"GroundLayer.{low}",
                    high,
                    got=Message("{} and {}", getattr(self, low), getattr(self, high)),
                )
        for name in ("friction", "sliding_friction"):
            if not 0.0 <= getattr(self, name) <= 100.0:
                raise ParameterError(
                    "{} must be in {}",
                    f"GroundLayer.{name}",
                    "[0, 100]",
                    got=getattr(self, name),
                )
        for name in ("bump", "fade", "slope_fade", "ragged", "thin", "full"):
            if not getattr(self, name) >= 0.0:
                raise ParameterError(
                    "{} must be at least 0", f"GroundLayer.{name}", got=getattr(self, name)
                )


@dataclass(frozen=True, kw_only=True)
class RockBands:
    """Rock strata that show where the ground is bare.

    Attributes
    ----------
    color : Color
        Of the pale ones.
    strength : float
        From 0 (none) to 1.
    count : float
        How many there are from the lowest to the highest.
    """

    color: Color
    strength: float = 0.0
    count: float = 20.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "color", to_linear(self.color, "Strata.color"))
        if not 0.0 <= self.strength <= 1.0:
            raise ParameterError("{} must be in {}", "Strata.strength", "[0, 1]", got=self.strength)
        if not self.count > 0.0:
            raise ParameterError("Strata.count must be more than 0", got=self.count)


@dataclass(frozen=True, kw_only=True)
class Landscape:
    """A palette of layers.

    Attributes
    ----------
    label, help : str
        Label in menus.
    ramp : Ramp
        Colors by height alone, from 0 (the lowest) to 1 (the highest).
    layers : mapping of str to GroundLayer
        By their names in `LAYERS`; a landscape need not have all, but has soil.
    strata : RockBands
    shallow, deep : Color
        Of water: the tint of a bed that one sees through it, and what it sends back itself.
    clear : float
        Depth in meters from which a third of the light returns.
    crevices : float
        How much darker crevices are, and brighter edges.
    """

    label: str
    help: str
    ramp: Ramp
    layers: Mapping[str, GroundLayer]
    strata: RockBands
    shallow: Color = (0.030, 0.042, 0.036)
    deep: Color = (0.007, 0.017, 0.021)
    clear: float = 2.5
    crevices: float = 0.30

    def __post_init__(self) -> None:
        unknown = sorted(set(self.layers) - set(LAYERS))
        if unknown or "soil" not in self.layers:
            raise ParameterError(
                "Landscape.layers must have soil and be of {}",
                ", ".join(LAYERS),
                got=", ".join(self.layers),
            )
        ordered = {name: self.layers[name] for name in LAYERS if name in self.layers}
        object.__setattr__(self, "layers", MappingProxyType(ordered))
        for name in ("shallow", "deep"):
            object.__setattr__(self, name, to_linear(getattr(self, name), f"Landscape.{name}"))

    def with_limits(self, limits: Mapping[str, float]) -> Landscape:
        """Return the landscape with some limits, by their names in `LAYER_LIMITS`, replaced."""
        changes: dict[str, dict[str, object]] = {}
        for name, value in limits.items():
            layer, limit = LAYER_LIMITS[name]
            changes.setdefault(layer, {})[limit] = value
        return self.with_layers(**changes)

    def with_more(self, layers: Mapping[str, GroundLayer]) -> Landscape:
        """Return the landscape with layers that it lacks, by their names; roads are of its own earth and stones."""
        more = {name: layer for name, layer in layers.items() if name not in self.layers}
        if "road" in more:
            soil = self.layers["soil"]
            stones = self.layers.get("scree", soil)
            red, green, blue = (
                _TRODDEN * 0.5 * (first + second) for first, second in zip(soil.color, soil.second)
            )
            earth = (red, green, blue)
            more["road"] = dataclasses.replace(more["road"], color=earth, second=stones.color)
        return dataclasses.replace(self, layers={**more, **self.layers})

    def with_layers(self, **changes: Mapping[str, object]) -> Landscape:
        """Return the landscape with some values of some layers replaced; ignores layers that it lacks.

        Raises
        ------
        ParameterError
            If there is no such layer, or a value is not allowed.
        """
        unknown = sorted(set(changes) - set(LAYERS))
        if unknown:
            raise ParameterError("layers must be of {}", ", ".join(LAYERS), got=repr(unknown[0]))
        layers = {
            name: dataclasses.replace(layer, **changes.get(name, {}))  # type: ignore[arg-type]
            for name, layer in self.layers.items()
        }
        return dataclasses.replace(self, layers=layers)
