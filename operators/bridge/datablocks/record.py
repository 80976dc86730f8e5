# SPDX-License-Identifier: GPL-3.0-or-later
"""Record of a product, stored with the datablock that holds it.

Blender's undo restores datablocks one by one, and leaves one as it is that did not change between two of its
steps. A record is restored with the result that it describes, so it is always true of it.

The datablocks and values that a product replaces are recorded beside it, to be there again when it is removed.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import bpy

PREFIX = "terrane_made_"
"""Prefix of the custom properties with records; the name of the product follows."""

REPLACED = "terrane_replaced_"
"""Prefix of the custom properties with replaced datablocks and plain values, a group of them by name."""


@dataclass(frozen=True)
class Record:
    """Digest of the settings that a result was made from, and a checksum that reveals later changes."""

    digest: str
    """Digest of the settings, or of the product that it follows."""
    checksum: int = 0
    """Checksum of the result, which changes by hand alter; 0 if it is not checked."""
    is_preview: bool = False
    """Whether the result is a preview of a finer one."""
    details: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    """Further values that the product needs, such as its grid, by name; as JSON holds them."""

    @classmethod
    def of(cls, owner: bpy.types.ID, product: str) -> Self | None:
        """Return the record of a product on a datablock; None if there is no readable one."""
        try:
            record = cls(**json.loads(owner[PREFIX + product]))
        except (KeyError, ValueError, TypeError):
            return None
        is_readable = isinstance(record.digest, str) and isinstance(record.details, Mapping)
        return record if is_readable else None

    def store(self, owner: bpy.types.ID, product: str) -> None:
        """Store the record of a product on a datablock."""
        owner[PREFIX + product] = json.dumps(dataclasses.asdict(self))


def text_of(owner: bpy.types.ID, product: str) -> str | None:
    """Return the stored text of a record, for comparing; None without one."""
    text: str | None = owner.get(PREFIX + product)
    return text


def forget(owner: Any, product: str) -> None:
    """Remove the record of a product from a datablock, and of the values that it replaced."""
    owner.pop(PREFIX + product, None)
    owner.pop(REPLACED + product, None)


def note_replaced(owner: Any, product: str, **replaced: Any) -> None:
    """Store the datablocks and plain values that a product on a datablock replaces; None is left out."""
    values = {name: value for name, value in replaced.items() if value is not None}
    owner.pop(REPLACED + product, None)
    if values:
        owner[REPLACED + product] = {}
        for name, value in values.items():
            owner[REPLACED + product][name] = value


def replaced_by(owner: Any, product: str) -> dict[str, Any]:
    """Return the datablocks and values that a product on a datablock has replaced, without removed ones."""
    group = owner.get(REPLACED + product)
    if not hasattr(group, "keys"):
        return {}
    return {name: group[name] for name in group.keys() if group[name] is not None}


def products_of(owner: Any) -> set[str]:
    """Return the names of the products that a datablock holds."""
    return {key.removeprefix(PREFIX) for key in owner.keys() if key.startswith(PREFIX)}
