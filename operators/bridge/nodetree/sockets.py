# SPDX-License-Identifier: GPL-3.0-or-later
"""Sockets of node groups: declared as plain data, and given to groups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

_SOCKET_TYPES = {
    "FLOAT": "NodeSocketFloat",
    "INT": "NodeSocketInt",
    "VECTOR": "NodeSocketVector",
    "COLOR": "NodeSocketColor",
    "GEOMETRY": "NodeSocketGeometry",
    "SHADER": "NodeSocketShader",
}

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
    kind : {"FLOAT", "INT", "VECTOR", "COLOR", "GEOMETRY", "SHADER"}
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


def declare_sockets(tree: Any, sockets: Sequence[tuple[str, Socket]]) -> None:
    """Give a group its sockets; those of the same name and type stay linked in other trees."""
    wanted = {(way, one.name, _SOCKET_TYPES[one.kind]) for way, one in sockets}
    present = _present_sockets(tree, wanted)
    panels: dict[Any, Any] = {}
    for way, one in sorted(sockets, key=lambda pair: pair[0] == "INPUT"):  # outputs come first
        panel = None
        if one.panel is not None:
            if one.panel not in panels:
                panels[one.panel] = tree.interface.new_panel(
                    one.panel.name, default_closed=one.panel.is_closed
                )
            panel = panels[one.panel]
        kind = _SOCKET_TYPES[one.kind]
        item = present.get((way, one.name, kind)) or tree.interface.new_socket(
            one.name, in_out=way, socket_type=kind, parent=panel
        )
        _set_socket(item, one, is_input=way == "INPUT")


def _present_sockets(tree: Any, wanted: Iterable[tuple[str, str, str]]) -> dict[Any, Any]:
    """Return the sockets of a group that stay, and remove the others."""
    present: dict[tuple[str, str, str], Any] = {}
    for item in list(tree.interface.items_tree):
        if item.item_type != "SOCKET":
            continue
        key = (item.in_out, item.name, item.socket_type)
        if key in wanted and key not in present:
            present[key] = item
        else:
            tree.interface.remove(item)
    return present


def _set_socket(item: Any, socket: Socket, *, is_input: bool) -> None:
    item.description = socket.help
    if socket.subtype != "NONE":
        item.subtype = socket.subtype
    if socket.kind == "VECTOR" and is_input:
        item.hide_value = True
    number = int if socket.kind == "INT" else float
    if socket.limits is not None:
        item.min_value, item.max_value = map(number, socket.limits)
    if socket.kind == "COLOR" and socket.default is not None:
        item.default_value = (*socket.default, 1.0)
    elif socket.default is not None:
        item.default_value = number(socket.default)
