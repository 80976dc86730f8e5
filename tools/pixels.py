# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of arrays, for the documentation."""

from __future__ import annotations

import numpy as np
from PIL import Image


def image_of(colors: np.ndarray) -> Image.Image:
    """Return colors or grays from 0 to 1, row 0 at the bottom, as an image."""
    return Image.fromarray((np.clip(colors[::-1], 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8))
