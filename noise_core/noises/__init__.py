# SPDX-License-Identifier: GPL-3.0-or-later
"""One file per noise type. ``from noise_core.noises import Perlin`` finds a class by its name."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    from ..noise import noise_types

    if not name.startswith("_"):
        for cls in noise_types().values():
            if cls.__name__ == name:
                return cls
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
