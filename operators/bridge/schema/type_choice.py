# SPDX-License-Identifier: GPL-3.0-or-later
"""Choices among declared types: noises, modifiers, sources of masks, colorings, surfaces, export targets.

Settings have the key of the chosen type in one property, and a group of properties for the parameters of each type, so
that a user finds former values again after another choice.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping
from typing import Any

import bpy

from ....noise_core.base.params import Parameter
from .properties import pointers, type_groups
from .values import Part, read_values, write_values

Types = Mapping[str, tuple[str, tuple[Parameter, ...]]]
"""Labels and parameters of types by key."""


class TypeChoice:
    """Types that settings choose from, each with a group of properties.

    Parameters
    ----------
    name : str
        Noun for the types in the names of the groups' classes: ``TERRANE_PG_<name>_<key>``.
    types : callable
        Returns the labels and the parameters of all types by key.
    prefix : str
        Start of the names of the properties that hold the groups.
    is_strict, animated
        See `properties.type_groups`.
    """

    def __init__(
        self,
        name: str,
        types: Callable[[], Types],
        *,
        prefix: str = "",
        is_strict: bool = True,
        animated: Collection[str] | None = (),
    ) -> None:
        self._name, self._find, self._prefix = name, types, prefix
        self._is_strict, self._animated = is_strict, animated

    @functools.cached_property
    def types(self) -> Types:
        """The labels and the parameters of all types by key."""
        return self._find()

    @functools.cached_property
    def groups(self) -> tuple[type[bpy.types.PropertyGroup], ...]:
        """The classes of all groups, to be registered before the classes that hold them."""
        return tuple(self._by_key.values())

    @functools.cached_property
    def _by_key(self) -> Mapping[str, type[bpy.types.PropertyGroup]]:
        return type_groups(
            self._name, self.types, is_strict=self._is_strict, animated=self._animated
        )

    def properties(self, options: frozenset[Any] = frozenset()) -> dict[str, Any]:
        """Return the properties that hold the groups."""
        return pointers(self._by_key, self._prefix, options)

    def group(self, owner: Any, key: str) -> Any | None:
        """Return the group of a type in settings or in an operator, None if the type is not known."""
        return getattr(owner, self._prefix + key, None)

    def part(self, owner: Any, key: str) -> Part:
        """Return the group of a known type, and its parameters."""
        return self.group(owner, key), self.types[key][1]

    def read(
        self, owner: Any, key: str, base: Mapping[str, object] | None = None
    ) -> dict[str, Any]:
        """Return the values of a known type; see `values.read_values`."""
        return read_values(*self.part(owner, key), base)

    def write(self, owner: Any, key: str, values: Mapping[str, Any]) -> None:
        """Write values of a known type into its group."""
        write_values(self.group(owner, key), values)
