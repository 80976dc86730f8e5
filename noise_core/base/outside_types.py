# SPDX-License-Identifier: GPL-3.0-or-later
"""Types of noises, modifiers, maps and masks from other distributions, found by their entry points.

A distribution names a module that defines types::

    [project.entry-points."noise_core.types"]
    my_types = "my_package.types"

References
----------
Python Packaging Authority (2017-). Entry points specification.
"""

from __future__ import annotations

import enum
import importlib

from .errors import TerraneError

GROUP = "noise_core.types"
"""Group of the entry points."""

PACKAGE = "noise_core"
"""Package whose types they extend. Inside of Blender's extension the core has another name, by which no
other distribution can import it; add-ons register types there themselves."""


class _State(enum.Enum):
    UNLOADED, LOADING, LOADED = range(3)


_state = _State.UNLOADED


def load(package: str) -> None:
    """Import the modules that entry points name, once.

    Parameters
    ----------
    package : str
        Name by which the core was imported.

    Raises
    ------
    TerraneError
        If a module cannot be imported, or its types cannot be registered.
    """
    global _state
    if package != PACKAGE or _state is not _State.UNLOADED:
        return
    from importlib import metadata  # here: noises alone need none of it

    _state = _State.LOADING  # the modules may ask for types themselves
    try:
        for point in metadata.entry_points(group=GROUP):
            try:
                importlib.import_module(point.module)
            except (ImportError, ValueError) as error:
                raise TerraneError(
                    "noise_core.types: {} = {}: {}", point.name, point.value, error
                ) from error
        _state = _State.LOADED
    finally:
        if _state is not _State.LOADED:
            _state = _State.UNLOADED
