# SPDX-License-Identifier: GPL-3.0-or-later
"""One file per noise type. ``from noise_core.noises import Perlin`` finds a class by its name."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    from ..base.registry import find_class
    from .bases.noise import noise_types

    return find_class(noise_types, name, __name__)


def __dir__() -> list[str]:
    from .bases.noise import noise_types

    return sorted(cls.__name__ for cls in noise_types().values())
