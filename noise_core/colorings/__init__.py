# SPDX-License-Identifier: GPL-3.0-or-later
"""One file per coloring. ``from noise_core.colorings import SeaLevel`` finds a class by its name."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    from ..coloring import coloring_types
    from ..registry import find_class

    return find_class(coloring_types, name, __name__)
