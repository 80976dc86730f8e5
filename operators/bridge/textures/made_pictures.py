# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of the settings that an image was made from, stored with it; `terrain/made.py` gives the reason.

Blender's undo restores the packed file of an image, but not the pixels that it shows. So the record
describes the packed file, and whether a preview is shown instead at the moment.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import dataclass
from typing import Any

import bpy

from ..datablocks import images
from ..schema.picture_settings import ImageLook
from ..terrain import made
from .pictures import ImageShape

PROPERTY = "terrane_made"
"""Name of the custom property."""


@dataclass(frozen=True)
class MadePicture:
    """The record of an image.

    Attributes
    ----------
    settings : str
        Digest of what was asked for; see `digest`.
    packed : int
        Checksum of what is packed; 0 if nothing is.
    is_preview : bool
        Whether pixels are shown that are not packed yet.
    """

    settings: str
    packed: int
    is_preview: bool = False

    @classmethod
    def of(cls, image: bpy.types.Image) -> MadePicture | None:
        """Return the record of an image; None if it has no readable one."""
        try:
            return cls(**json.loads(image[PROPERTY]))
        except (KeyError, ValueError, TypeError):
            return None

    def store(self, image: bpy.types.Image) -> None:
        """Store the record in an image."""
        image[PROPERTY] = json.dumps(dataclasses.asdict(self))


def remember(image: bpy.types.Image, settings: str) -> None:
    """Store the record of an image that has just been packed."""
    MadePicture(settings, images.packed_checksum(image)).store(image)


def digest(request: Any, shape: ImageShape, look: ImageLook) -> str:
    """Return a short text that differs whenever the request differs."""
    values = sorted((name, repr(value)) for name, value in look.values.items())
    ramp = look.ramp if look.coloring == "ramp" else look.palette
    whole = [made.digest(request), repr(shape), look.coloring, ramp, values]
    return hashlib.blake2b(json.dumps(whole).encode(), digest_size=16).hexdigest()
