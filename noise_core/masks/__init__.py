# SPDX-License-Identifier: GPL-3.0-or-later
"""One file per type of mask that recipes know. ``from noise_core.masks import MapMask`` finds a class by its name."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    from ..base.registry import find_class
    from .bases.mask import mask_types

    return find_class(mask_types, name, __name__)


def __dir__() -> list[str]:
    from .bases.mask import mask_types

    return sorted(cls.__name__ for cls in mask_types().values())
