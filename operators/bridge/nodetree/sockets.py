# SPDX-License-Identifier: GPL-3.0-or-later
"""Sockets of node groups, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

FAR = 1e6
"""Meters or shares that no terrain reaches."""

SHARE, ANY = (0.0, 1.0), (-FAR, FAR)
"""Limits of sockets."""


@dataclass(frozen=True)
class Panel:
    """A panel of sockets of a group."""

    name: str
    is_closed: bool = False


@dataclass(frozen=True)
class Socket:
    """An input or output of a group.

    Attributes
    ----------
    name : str
    kind : {"FLOAT", "INT", "VECTOR", "COLOR", "GEOMETRY"}
    default : number or tuple of floats, optional
    limits : tuple of two floats, optional
    help : str
        The tooltip.
    subtype : str
        Unit of a number; see `bpy.types.NodeTreeInterfaceSocketFloat.subtype`.
    panel : Panel, optional
    """

    name: str
    kind: str = "FLOAT"
    default: Any = None
    limits: tuple[float, float] | None = None
    help: str = ""
    subtype: str = "NONE"
    panel: Panel | None = None


def number(
    name: str,
    default: float,
    limits: tuple[float, float],
    help: str,
    panel: Panel | None = None,
    subtype: str = "NONE",
) -> Socket:
    """Return the socket of a number."""
    return Socket(name, "FLOAT", default, limits, help, subtype, panel)


def color(name: str, default: Any, help: str, panel: Panel | None = None) -> Socket:
    """Return the socket of a color."""
    return Socket(name, "COLOR", default, help=help, panel=panel)


def vector(name: str, help: str, panel: Panel | None = None) -> Socket:
    """Return the socket of a vector, which is to be linked."""
    return Socket(name, "VECTOR", help=help, panel=panel)
