# SPDX-License-Identifier: GPL-3.0-or-later
"""The installed extension, as scenarios see it: its modules, its tab, where its buttons are."""

from __future__ import annotations

import importlib
from types import ModuleType

PACKAGE = "bl_ext.user_default.terrane"

TAB = "Terrane"

BESIDE_LIST = 0.83
"""Where the buttons beside a list or a field are, as a share of the sidebar's width, its tabs included."""

PICTURE = 135
"""Pixels from the seed to the middle of the picture below it."""


def module(name: str) -> ModuleType:
    """Return a module of the extension."""
    return importlib.import_module(f"{PACKAGE}.{name}")
