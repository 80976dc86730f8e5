# SPDX-License-Identifier: GPL-3.0-or-later
"""Modules of the installed extension, which Blender imports under a name of its own."""

from __future__ import annotations

import importlib
from types import ModuleType

PACKAGE = "bl_ext.user_default.terrane"


def module(name: str) -> ModuleType:
    """Return a module of the extension."""
    return importlib.import_module(f"{PACKAGE}.{name}")


def bridge(name: str) -> ModuleType:
    """Return a module of the extension's bridge."""
    return module(f"operators.bridge.{name}")
