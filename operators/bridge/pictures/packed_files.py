# SPDX-License-Identifier: GPL-3.0-or-later
"""Checksums of what is packed into images.

Blender gives it away as a copy only: for an image of 4096 x 4096 floats copy and checksum take 0.15 s,
much too long while a slider is dragged. So they are remembered until something else may be packed: it
lies elsewhere then, or has another size; after undo and loading all is forgotten.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

import bpy


@dataclass(frozen=True)
class _Known:
    address: int
    size: int
    checksum: int


_known: dict[int, _Known] = {}
"""By Blender's numbers of the images."""


def checksum(image: bpy.types.Image) -> int:
    """Return a number that changes with what is packed into an image, 0 if nothing is."""
    packed: Any = image.packed_file
    if packed is None:
        return 0
    known = _known.get(image.session_uid)
    if known is None or (known.address, known.size) != (packed.as_pointer(), packed.size):
        known = _remember(image, zlib.crc32(packed.data))
    return known.checksum


def note(image: bpy.types.Image, known: int) -> None:
    """Remember the checksum of what was just packed into an image."""
    _remember(image, known)


def forget() -> None:
    """Remember nothing: Blender has changed what is packed, without a word."""
    _known.clear()


def _remember(image: bpy.types.Image, known: int) -> _Known:
    packed: Any = image.packed_file
    made = _known[image.session_uid] = _Known(packed.as_pointer(), packed.size, known)
    return made
