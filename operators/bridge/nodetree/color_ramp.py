# SPDX-License-Identifier: GPL-3.0-or-later
"""Color ramps as plain data, read from Blender's and written to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

_MODES = ("color_mode", "interpolation", "hue_interpolation")
"""Settings of a ramp besides its colors, in the order in which they must be set."""


@dataclass(frozen=True)
class ColorRamp:
    """Colors by value, the contents of a Color Ramp node.

    Attributes
    ----------
    stops : sequence of (float, tuple of three or four floats)
        Positions and linear colors.
    modes : mapping of str to str
        Interpolations, by Blender's names.
    """

    stops: Sequence[tuple[float, tuple[float, ...]]]
    modes: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, node: Any | None) -> ColorRamp | None:
        """Return the ramp of a node, None if it has none."""
        if node is None or node.bl_idname != "ShaderNodeValToRGB":
            return None
        ramp = node.color_ramp
        return cls(
            tuple((one.position, tuple(one.color)) for one in ramp.elements),
            {name: getattr(ramp, name) for name in _MODES},
        )

    def write(self, node: Any, owner: str = "") -> None:
        """Give a node, or a texture, this ramp."""
        ramp = node.color_ramp
        for name, mode in self.modes.items():
            setattr(ramp, name, mode)
        elements = ramp.elements
        while len(elements) < len(self.stops):
            elements.new(1.0)
        while len(elements) > len(self.stops):
            elements.remove(elements[-1])
        for element, (place, color) in zip(elements, self.stops):
            element.position, element.color = place, (*color, 1.0)[:4]
