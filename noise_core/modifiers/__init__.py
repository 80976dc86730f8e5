# SPDX-License-Identifier: GPL-3.0-or-later
"""One file per modifier type. ``from noise_core.modifiers import StreamErosion`` finds a class by its name."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    from ..base.registry import find_class
    from .bases.modifier import modifier_types

    return find_class(modifier_types, name, __name__)


def __dir__() -> list[str]:
    from .bases.modifier import modifier_types

    return sorted(cls.__name__ for cls in modifier_types().values())
