# SPDX-License-Identifier: GPL-3.0-or-later
"""Declarations of options that no type of the core has."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ....noise_core.base.params import Parameter

_KINDS: Mapping[type, Any] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    tuple: "vector",
    str: "choice",
}


def declare(
    name: str,
    default: Any,
    help: str,
    limits: tuple[float, float] = (-math.inf, math.inf),
    slider: tuple[float, float] | None = None,
    **more: Any,
) -> Parameter:
    """Return the declaration of an option that no type of the core has; its default tells the kind.

    The ends of the slider are the limits unless given; for the rest see `Parameter`.
    """
    (least, most), (left, right) = limits, slider or limits
    size = len(default) if isinstance(default, tuple) else 1
    return Parameter(
        _KINDS[type(default)], default, help, name=name, size=size,
        minimum=least, maximum=most, soft_minimum=left, soft_maximum=right, **more,
    )  # fmt: skip
