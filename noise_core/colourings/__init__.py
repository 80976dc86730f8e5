# SPDX-License-Identifier: GPL-3.0-or-later
"""One file per colouring. ``from noise_core.colourings import SeaLevel`` finds a class by its name."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    from ..colouring import colouring_types
    from ..registry import class_named

    return class_named(colouring_types, name, __name__)
