# SPDX-License-Identifier: GPL-3.0-or-later
"""Beginning of a new process: the packages around the core, which lie in no folder that Python looks in.

An extension's packages are known to Blender alone. `jobs` has this file run, not imported, with their names and folders.
"""

from __future__ import annotations

import sys
from types import ModuleType

PACKAGES: dict[str, list[str]] = globals().get("PACKAGES", {})
"""Folders of the packages by their names, outer ones first."""

for _name, _folders in PACKAGES.items():
    sys.modules[_name] = _package = ModuleType(_name)
    _package.__path__ = _folders
