# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of classes and properties that another add-on has registered.

Blender lets an add-on register a class, or a property, under a name that another one has, which then no
longer works. So a name that is taken is refused, as by a second copy of this extension from another
repository.
"""

from __future__ import annotations

from typing import Any

import bpy

_PACKAGE = __package__.rsplit(".", 3)[0]


class NameTakenError(ImportError):
    """Another add-on has registered a name.

    Blender prints errors of this kind that begin with "Add-on" in one line. Where it prints all with their
    tracebacks, as when the box in the preferences is pressed, this one has none, but for Python 3.11.
    """

    def __init__(self, name: str, owner: str) -> None:
        super().__init__(
            f"Add-on not enabled: {name} is registered by {owner}; disable that one first"
        )

    @property
    def __traceback__(self) -> None:  # type: ignore[override]
        """None, also where a context manager sets another."""

    @__traceback__.setter
    def __traceback__(self, traceback: object) -> None:
        pass


def check_class(name: str) -> None:
    """Raise a `NameTakenError` if another add-on has a class of a name."""
    owner = _owner_of(name)
    if owner and owner != _PACKAGE:
        raise NameTakenError(name, owner)


def check_property(owner: Any, name: str) -> None:
    """Raise a `NameTakenError` if one of Blender's types has a property of a name, of another add-on."""
    rna_property = owner.bl_rna.properties.get(name)
    group = getattr(rna_property, "fixed_type", None)
    taker = _owner_of(group.identifier) if group else ""
    if rna_property is not None and taker != _PACKAGE:
        raise NameTakenError(f"{owner.__name__}.{name}", taker or "another add-on")


def _owner_of(class_name: str) -> str:
    """Return the name of the add-on that has registered a class; extensions lie in a package of their repository."""
    cls = _find_class(class_name)
    if cls is None:
        return ""
    parts = cls.__module__.split(".")
    if cls.__module__.startswith(f"{_PACKAGE}."):
        return _PACKAGE
    return ".".join(parts[: 3 if parts[0] == "bl_ext" else 1])


def _find_class(name: str) -> Any:
    """Return a registered class; Blender's list of types is without groups of properties and preferences."""
    bases: tuple[Any, ...] = (bpy.types.PropertyGroup, bpy.types.AddonPreferences)
    cls = getattr(bpy.types, name, None)
    return cls or next(filter(None, (base.bl_rna_get_subclass_py(name) for base in bases)), None)
