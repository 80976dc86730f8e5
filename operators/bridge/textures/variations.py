# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact sheet of nine recipes to choose from by their pictures.

There is one at a time. It belongs to the settings that it was made for, and to nothing that is saved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import bpy

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress
from ....noise_core.base.errors import TerraneError
from ....noise_core.recipes.variations import Variation, other_seeds, other_values
from ..datablocks.editing import is_writable
from ..datablocks.ref import Ref
from ..interface import thumbnails
from ..schema import layers, settings, state
from ..tasks.jobs import Work
from ..terrain import catalog
from . import recipe_pictures

COUNT = 9
COLUMNS = 3


@dataclass(frozen=True)
class Sheet:
    """Variations of one of `keywords.SHEETS` to choose from, with a number that tells which nine of them.

    The owner is the datablock with the settings that it was made for.
    """

    kind: str
    roll: int
    owner: Ref[Any]
    entries: tuple[Variation, ...]

    def label(self, place: int) -> str:
        """Return the first difference of an entry, in a word or two."""
        (title, value), *others = self.entries[place].changes
        return f"{title} {_text(value)}{' ...' if others else ''}"

    def differences(self, place: int) -> str:
        """Return all differences of an entry."""
        return ", ".join(f"{title} {_text(value)}" for title, value in self.entries[place].changes)


present: Sheet | None = None


def _text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value).replace("_", " ")


def build_sheet(context: bpy.types.Context, kind: str, roll: int) -> tuple[Sheet, Work]:
    """Return a sheet for the active settings, if they can be varied, and the work that draws its pictures."""
    group = state.active_settings(context)
    recipe, states = settings.read(group), settings.states(group)
    if kind == "seeds":
        entries = other_seeds(recipe, roll, COUNT)
    else:
        entries = other_values(recipe, roll, COUNT, layers.acting(recipe, states))
    order = recipe_pictures.order_of(context, group)
    orders = [order.with_recipe(layers.acting(one.recipe, states)) for one in entries]
    sheet = Sheet(kind, roll, Ref.of(group.id_data), entries)

    def draw(progress: Progress, cancel: Cancel) -> list[Field]:
        made = []
        for place, one in enumerate(orders):
            part = catalog.part_of(progress, place / COUNT, (place + 1) / COUNT)
            made.append(recipe_pictures.work(one)(part, cancel))
        return made

    return sheet, draw


def show(sheet: Sheet, pictures: Sequence[Field]) -> None:
    """Make a sheet the present one."""
    global present
    for place, picture in enumerate(pictures):
        thumbnails.show(_key(place), picture)
    present = sheet


def icon(place: int) -> int:
    """Return the number of the icon with the picture of an entry of the present sheet."""
    return thumbnails.icon(_key(place))


def take(place: int) -> None:
    """Make the settings that the present sheet was made for those of one of its entries."""
    if present is None:
        raise TerraneError("Make a contact sheet first")
    if not 0 <= place < len(present.entries):
        raise TerraneError("index must be in [0, {}]; got {}", len(present.entries) - 1, place)
    owner = present.owner.find()
    if owner is None:
        raise TerraneError("What the contact sheet was made for is gone: make another one")
    if not is_writable(owner):
        raise TerraneError("{} is linked from another file: make it local first", owner.name)
    group = getattr(owner, state.PROPERTY)
    settings.write(group, present.entries[place].recipe, settings.states(group))


def forget() -> None:
    """Forget the present sheet: another file has other settings."""
    global present
    present = None


def _key(place: int) -> str:
    return f"sheet {place}"
