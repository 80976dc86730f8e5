# SPDX-License-Identifier: GPL-3.0-or-later
"""Lands after some of the layers of a recipe."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from ..modifiers.bases.modifier import Modifier

Values = TypeVar("Values")


@dataclasses.dataclass(frozen=True)
class LayeredLand(Generic[Values]):
    """A land after some layers, in memory or in tiles.

    Attributes
    ----------
    height : object
        A field, or what stands for one.
    maps : mapping of str to object
        What modifiers made, by name.
    amounts : frozenset of str
        The maps of these that add up.
    """

    height: Values
    maps: Mapping[str, Values] = dataclasses.field(default_factory=dict)
    amounts: frozenset[str] = frozenset()

    def after(
        self,
        modifier: Modifier,
        height: Values,
        made: Mapping[str, Values],
        add: Callable[[Values, Values], Values],
    ) -> LayeredLand[Values]:
        """Return the land after one more modifier.

        Amounts that two modifiers make, such as wear, add up; of other maps the later one stays.

        Parameters
        ----------
        modifier : Modifier
        height : object
            After it, with its opacity and mask.
        made : mapping of str to object
            The maps that it made.
        add : callable
            Adds two fields.
        """
        maps = dict(self.maps)
        for name, values in made.items():
            adds_up = name in self.amounts and name in modifier.amounts
            maps[name] = add(maps[name], values) if adds_up else values
        return LayeredLand(height, maps, self.amounts - made.keys() | modifier.amounts)
