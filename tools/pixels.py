# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of arrays, and pictures in files, for the documentation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

QUALITIES = range(92, 20, -4)
"""Of pictures, best first."""


def image_of(colors: np.ndarray) -> Image.Image:
    """Return colors or grays from 0 to 1, row 0 at the bottom, as an image."""
    return Image.fromarray((np.clip(colors[::-1], 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8))


def save_jpeg(picture: Image.Image, path: Path, largest: int, **options: Any) -> None:
    """Save a picture as a JPEG of the best quality that takes at most some bytes; see `save_small`."""
    save_small(picture, path, largest, optimize=True, progressive=True, **options)


def save_small(picture: Image.Image, path: Path, largest: int, **options: Any) -> None:
    """Save a picture in the best quality that takes at most some bytes, with options of its format.

    Raises
    ------
    ValueError
        If it is larger at every quality.
    """
    for quality in QUALITIES:
        picture.save(path, quality=quality, **options)
        if path.stat().st_size <= largest:
            return
    raise ValueError(f"{path.name} is larger than {largest} bytes whatever its quality")
