# SPDX-License-Identifier: GPL-3.0-or-later
"""The color ramp of a material of noise, which the user's changes outlast."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

_COLORS = (
    (0.0, (0.030, 0.024, 0.019)),
    (0.35, (0.130, 0.105, 0.078)),
    (0.7, (0.330, 0.285, 0.220)),
    (1.0, (0.640, 0.600, 0.530)),
)
"""Places and linear colors of the ramp to begin with: earth, from dark to light."""

_MODES = ("color_mode", "interpolation", "hue_interpolation")
"""What a ramp has beside its colors, in the order in which it must be set."""


@dataclass(frozen=True)
class Ramp:
    """Colors by value.

    Attributes
    ----------
    stops : tuple of (float, tuple of four floats)
        Places and linear colors.
    modes : mapping of str to str
        How colors between them are found, by the names that Blender has for that.
    """

    stops: tuple[tuple[float, tuple[float, ...]], ...]
    modes: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, node: Any | None) -> Ramp | None:
        """Return that of a node, which somebody may have changed; None if it has none."""
        if node is None or node.bl_idname != "ShaderNodeValToRGB":
            return None
        ramp = node.color_ramp
        return cls(
            tuple((one.position, tuple(one.color)) for one in ramp.elements),
            {name: getattr(ramp, name) for name in _MODES},
        )

    @classmethod
    def at(cls, place: Callable[[float], float]) -> Ramp:
        """Return the one to begin with; a function moves its colors."""
        return cls(tuple((place(share), (*color, 1.0)) for share, color in _COLORS))

    def write(self, ramp: Any) -> None:
        """Make a ramp of a node this one."""
        for name, mode in self.modes.items():
            setattr(ramp, name, mode)
        elements = ramp.elements
        while len(elements) < len(self.stops):
            elements.new(1.0)
        while len(elements) > len(self.stops):
            elements.remove(elements[-1])
        for element, (place, color) in zip(elements, self.stops):
            element.position, element.color = place, color
