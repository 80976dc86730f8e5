# SPDX-License-Identifier: GPL-3.0-or-later
"""One file per coloring. ``from noise_core.materials.colorings import SeaLevel`` finds a class by its name."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    from ...base.registry import find_class
    from .bases.coloring import coloring_types

    return find_class(coloring_types, name, __name__)


def __dir__() -> list[str]:
    from .bases.coloring import coloring_types

    return sorted(cls.__name__ for cls in coloring_types().values())
