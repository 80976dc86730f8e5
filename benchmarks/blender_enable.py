# SPDX-License-Identifier: GPL-3.0-or-later
"""Modules and processor time of enabling Terrane: ``python benchmarks/blender_enable.py``.

Needs Blender as a Python module (``pip install bpy``), or runs in Blender itself with
``--background --python``.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))

import _terrane
import bpy

RUNS = 5
MUST_MODULES, MUST_SECONDS = 220, 0.25


def main() -> None:
    """Measure and print."""
    # As in a Blender that people start: what the first time compiles is there the next time.
    sys.dont_write_bytecode, sys.pycache_prefix = False, tempfile.mkdtemp()
    package = _terrane.load()
    times = []
    for _ in range(RUNS):
        package.unregister()
        for name in own_modules(package.__name__):
            del sys.modules[name]
        _terrane.load.cache_clear()
        start = time.process_time()
        package = _terrane.load()
        times.append(time.process_time() - start)
    modules = len(own_modules(package.__name__))
    print(f"Blender {bpy.app.version_string}, enabling Terrane")
    print(f"modules loaded    {modules:6d}     (must {MUST_MODULES})")
    print(
        f"processor time    {min(times) * 1e3:6.1f} ms  (must {MUST_SECONDS * 1e3:g})", flush=True
    )


def own_modules(package: str) -> list[str]:
    """Return the names of the modules of a package that are loaded, its own among them."""
    return [name for name in sys.modules if f"{name}.".startswith(f"{package}.")]


if __name__ == "__main__":
    _terrane.run(main)
