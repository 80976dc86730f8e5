# SPDX-License-Identifier: GPL-3.0-or-later
"""One file per target of an export. ``from noise_core.io.targets import Unreal`` finds a class by its name."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    from ...base.registry import find_class
    from .bases.target import target_types

    return find_class(target_types, name, __name__)


def __dir__() -> list[str]:
    from .bases.target import target_types

    return sorted(cls.__name__ for cls in target_types().values())
