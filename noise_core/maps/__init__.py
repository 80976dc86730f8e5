# SPDX-License-Identifier: GPL-3.0-or-later
"""One file per map that is read off a finished height field.

``from noise_core.maps import Slope`` finds a class by its name, ``slope`` the plain function that
reads the map, ``slope_mask`` the one that makes a mask of it. A file is named for its key with
`_map` after it, so that it does not stand in the way of the function.
"""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    from ..base.registry import find_class
    from .bases.map import map_types
    from .bases.map_functions import find_function

    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return find_function(name) or find_class(map_types, name, __name__)


def __dir__() -> list[str]:
    from .bases.map import map_types

    types = map_types().values()
    masks = [f"{cls.key}_mask" for cls in types if cls.channels == 1]
    return sorted([*(cls.__name__ for cls in types), *(cls.key for cls in types), *masks])
