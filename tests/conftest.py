# SPDX-License-Identifier: GPL-3.0-or-later
"""Header line of every layer of tests, with the layer, the versions and the seed.

A conftest must not lie in the root of the repository: it would import the extension itself.
"""

from __future__ import annotations

import os
import platform
import random
import sys

import pytest

# Here, so that processes which tests start draw by it too; see tests/drawing.py.
SEED = os.environ.setdefault("TERRANE_SEED", str(random.SystemRandom().randrange(2**32)))


def pytest_report_header(config: pytest.Config) -> str:
    """Name the layer, the versions it runs with, and the seed that repeats its random draws."""
    parts = [f"Python {platform.python_version()}"]
    numpy = _version_of("numpy")
    if numpy:
        parts.append(f"NumPy {numpy}")
    bpy = sys.modules.get("bpy")
    if bpy is not None:
        kind = "the executable" if bpy.app.binary_path else "the Python module"
        parts.append(f"Blender {bpy.app.version_string} ({kind})")
    folders = ", ".join(str(argument) for argument in config.args)
    return f"terrane: {folders} with {', '.join(parts)}; random draws by TERRANE_SEED={SEED}"


def _version_of(name: str) -> str | None:
    """Return the version of a distribution, without importing it."""
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
