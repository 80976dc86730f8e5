# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground to train robots on, one kind a class: ``from noise_core.robots import NarrowBeams`` finds it by its name."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    from ..base.registry import find_class
    from .bases.sub_terrain import sub_terrain_types

    return find_class(sub_terrain_types, name, __name__)


def __dir__() -> list[str]:
    from .bases.sub_terrain import sub_terrain_types

    return sorted(cls.__name__ for cls in sub_terrain_types().values())
